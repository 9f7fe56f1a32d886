/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a fold that is saved and restored again and again makes the same profile as one that
 * is not, for random events of all kinds; damaged states are refused or harmless; packs are small.
 */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"
#include "analysis/fold/fold.h"
#include "analysis/fold/fold_state.h"
#include "analysis/profile/profile_pack.h"

#include <stdlib.h>
#include <string.h>

#define T_NR_SEEDS     300
#define T_NR_STEPS     500
#define T_NR_FLIPS     20000
#define T_BEFORE_CALLS 200 /* of some threads */
#define T_UNKNOWN      UINT64_MAX

struct t_folding {
	struct measure_profile profile;
	struct measure_fold fold;
};

static struct measure_ranks ranks;

/* -------------------------------------------------------------------------- random --- */

static uint64_t state;

static uint64_t t_random(uint64_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % limit;
}

static void t_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
}

static bool t_chance(uint64_t of)
{
	return t_random(of) == 0;
}

/* Of a message or an operation. */
static uint64_t t_size(void)
{
	return t_chance(8) ? T_UNKNOWN : t_chance(8) ? 0 : t_random(100000);
}

/* -------------------------------------------------------------------------- events --- */

/* What the events so far must have left in the private parts of a fold. */
static struct {
	uint32_t sends, locks, operations; /* open ones, a bit each */
	uint32_t nr_collectives;
	uint32_t tasks; /* a bit each */
	uint32_t current, team;
	uint32_t nr_free; /* tasks: at least so many */
	bool is_complete; /* the current task */
	bool has_strict_value, has_value, has_slices;
} model;

struct t_step {
	struct measure_event event;
	struct measure_record record;
	struct measure_record_attribute attribute;
	uint64_t items[2];
	bool is_plain; /* an Enter or a Leave that has nothing more */
	bool is_skip;
};

static void t_call(struct t_step *step)
{
	const bool is_enter = t_random(2);
	struct measure_event *event = &step->event;

	event->kind = is_enter ? MEASURE_EVENT_ENTER : MEASURE_EVENT_LEAVE;
	event->ref = (uint32_t)t_random(4);
	step->is_plain = !t_chance(6);
	if (step->is_plain)
		return;
	if (t_chance(3)) {
		event->kind = is_enter ? MEASURE_EVENT_CALLING_CONTEXT_ENTER
				       : MEASURE_EVENT_CALLING_CONTEXT_LEAVE;
		event->ref = t_chance(4) ? MEASURE_NONE : (uint32_t)t_random(2);
	}
	event->is_refused = t_random(2);
	step->attribute = (struct measure_record_attribute){.id = (uint32_t)t_random(3),
		.type = OTF2_TYPE_UINT64,
		.value.uint64 = t_random(5000)};
	step->record.nr_attributes = (uint32_t)t_random(2);
}

static void t_task(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_THREAD_TASK_CREATE,
		MEASURE_EVENT_THREAD_TASK_SWITCH, MEASURE_EVENT_THREAD_TASK_SWITCH,
		MEASURE_EVENT_THREAD_TASK_SWITCH, MEASURE_EVENT_THREAD_TASK_COMPLETE};
	struct measure_event *event = &step->event;
	uint32_t task;

	event->kind = kinds[t_random(5)];
	event->ref = t_chance(3) ? T_INNER_TEAM : T_TEAM;
	event->tag = (uint32_t)t_random(5);
	if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE && !t_chance(3)) {
		event->ref = model.team;
		event->tag = model.current;
	}
	task = 8 * event->ref + event->tag;
	if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE && event->tag > 0) {
		if (event->tag == model.current && event->ref == model.team)
			model.is_complete = true;
		else
			model.tasks &= ~(1u << task);
	}
	if (event->kind != MEASURE_EVENT_THREAD_TASK_SWITCH ||
		(event->tag == model.current && event->ref == model.team))
		return;
	if (event->tag > 0 && !(model.tasks & 1u << task) && model.nr_free > 0)
		model.nr_free--;
	if (model.is_complete) {
		model.nr_free++;
		model.tasks &= ~(1u << (8 * model.team + model.current));
	}
	if (event->tag > 0)
		model.tasks |= 1u << task;
	model.is_complete = false;
	model.current = event->tag;
	model.team = event->ref;
}

static void t_message(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MPI_SEND, MEASURE_EVENT_MPI_ISEND,
		MEASURE_EVENT_MPI_ISEND, MEASURE_EVENT_MPI_RECV, MEASURE_EVENT_MPI_ISEND_COMPLETE,
		MEASURE_EVENT_MPI_REQUEST_CANCELLED, MEASURE_EVENT_RMA_PUT};
	static const uint32_t receivers[] = {0, 1, 7};
	struct measure_event *event = &step->event;

	event->kind = kinds[t_random(7)];
	event->ref = T_WORLD;
	event->peer = receivers[t_random(3)];
	event->number = t_random(16);
	event->sent = t_size();
	event->received = t_size();
	if (event->kind == MEASURE_EVENT_MPI_ISEND)
		model.sends |= 1u << event->number;
	else if (event->kind == MEASURE_EVENT_MPI_ISEND_COMPLETE ||
		 event->kind == MEASURE_EVENT_MPI_REQUEST_CANCELLED)
		model.sends &= ~(1u << event->number);
}

static void t_collective(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MPI_COLLECTIVE_BEGIN,
		MEASURE_EVENT_MPI_COLLECTIVE_END, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN,
		MEASURE_EVENT_RMA_COLLECTIVE_END, MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE};
	struct measure_event *event = &step->event;
	const uint64_t kind = t_random(5);

	event->kind = kinds[kind];
	event->ref = kind < 2 ? T_WORLD : MEASURE_NONE;
	event->op = (uint8_t)t_random(3);
	event->sent = t_size();
	event->received = t_size();
	if (kind == 0 || kind == 2)
		model.nr_collectives++;
	else if (kind < 4 && model.nr_collectives > 0)
		model.nr_collectives--;
}

/* Those of OpenMP come as records of two kinds. */
static void t_lock(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_THREAD_ACQUIRE_LOCK,
		MEASURE_EVENT_OMP_ACQUIRE_LOCK, MEASURE_EVENT_THREAD_RELEASE_LOCK,
		MEASURE_EVENT_OMP_RELEASE_LOCK};
	struct measure_event *event = &step->event;
	const uint64_t kind = t_random(4);

	event->kind = kinds[kind];
	event->op = OTF2_PARADIGM_PTHREAD;
	event->peer = (uint32_t)t_random(3);
	if (kind < 2)
		model.locks |= 1u << (event->peer + 8 * (kind % 2));
	else if (t_chance(2)) /* it may be held more than once: then this is no longer known */
		model.locks = 0;
	else
		model.locks &= ~(1u << (event->peer + 8 * (kind % 2)));
}

static void t_file(struct t_step *step)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_IO_CREATE_HANDLE,
		MEASURE_EVENT_IO_OPERATION_BEGIN, MEASURE_EVENT_IO_OPERATION_BEGIN,
		MEASURE_EVENT_IO_OPERATION_COMPLETE, MEASURE_EVENT_IO_OPERATION_CANCELLED};
	struct measure_event *event = &step->event;
	uint32_t operation;

	event->kind = kinds[t_random(5)];
	event->ref = (uint32_t)t_random(2);
	event->number = t_random(8);
	event->op = (uint8_t)t_random(3);
	event->sent = t_size();
	event->received = t_size();
	operation = 1u << (8 * event->ref + event->number);
	if (event->kind == MEASURE_EVENT_IO_OPERATION_BEGIN)
		model.operations |= operation;
	else if (event->kind != MEASURE_EVENT_IO_CREATE_HANDLE)
		model.operations &= ~operation;
}

static void t_metric(struct t_step *step)
{
	static const uint32_t classes[] = {T_COUNTERS, T_FIELDS, T_FIELDS, T_STRICT_GAUGES};
	struct measure_event *event = &step->event;

	event->kind = MEASURE_EVENT_METRIC;
	event->ref = classes[t_random(4)];
	event->peer = event->ref == T_FIELDS ? 2 : 1;
	step->items[0] = t_chance(10) ? t_random(UINT64_MAX) : event->time * 3 + t_random(50);
	step->items[1] = t_chance(10) ? t_random(UINT64_MAX) : t_random(1000);
	if (event->ref == T_FIELDS) {
		model.has_value = true;
		model.has_slices = false;
	} else {
		model.has_strict_value = true;
	}
}

/* `is_forking`: the thread may turn out to be no worker. */
static void t_other(struct t_step *step, bool is_forking)
{
	static const uint8_t kinds[] = {MEASURE_EVENT_MEASUREMENT_ON_OFF,
		MEASURE_EVENT_MEASUREMENT_ON_OFF, MEASURE_EVENT_BUFFER_FLUSH,
		MEASURE_EVENT_THREAD_TEAM_BEGIN, MEASURE_EVENT_THREAD_TEAM_BEGIN,
		MEASURE_EVENT_THREAD_TEAM_END, MEASURE_EVENT_THREAD_TEAM_END,
		MEASURE_EVENT_PARAMETER_UNSIGNED_INT, MEASURE_EVENT_CALLING_CONTEXT_SAMPLE,
		MEASURE_EVENT_THREAD_FORK};
	struct measure_event *event = &step->event;

	event->kind = kinds[t_random(is_forking ? 10 : 9)];
	event->op = (uint8_t)(t_chance(3) ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
	event->number = event->kind == MEASURE_EVENT_BUFFER_FLUSH ? event->time + t_random(100)
								  : t_random(5);
	event->ref = event->kind == MEASURE_EVENT_CALLING_CONTEXT_SAMPLE ? (uint32_t)t_random(2)
									 : T_ITERATION;
	step->is_skip = t_chance(100);
}

static void t_next(struct t_step *step, uint64_t time, uint64_t style)
{
	const uint64_t what = t_random(100);

	*step = (struct t_step){.event.time = time};
	if (model.has_value && time > 0)
		model.has_slices = true;
	if (style % 3 == 0 && time < T_BEFORE_CALLS)
		t_other(step, false);
	else if (what < 45)
		t_call(step);
	else if (what < 60)
		t_task(step);
	else if (what < 68)
		t_message(step);
	else if (what < 74)
		t_collective(step);
	else if (what < 79)
		t_lock(step);
	else if (what < 84)
		t_file(step);
	else if (what < 92)
		t_metric(step);
	else
		t_other(step, style % 2);
}

static void t_feed(struct t_folding *folding, const struct t_step *step)
{
	static struct measure_stream stream;
	struct measure_record record = step->record;

	record.attributes = &step->attribute;
	record.items = step->items;
	stream.record = &record;
	stream.call = stream.event = step->event;
	folding->fold.bytes = 1 + step->event.time % 40;
	if (step->is_skip)
		measure_fold_skip(&folding->fold, step->event.time);
	measure_fold_event(&folding->fold, &stream, step->is_plain ? &stream.call : &stream.event);
}

/* ------------------------------------------------------------------------- foldings --- */

/* Of four styles two have a window. */
static void t_start(struct t_folding *folding, uint64_t style)
{
	measure_profile_start(&folding->profile, t_trace);
	measure_fold_start(&folding->fold, &folding->profile, &ranks, 0);
	if (style % 4 < 2)
		return;
	folding->fold.special |= MEASURE_FOLD_WINDOW;
	folding->fold.from = 300;
	folding->fold.until = 3000;
}

static void t_save_and_restore(struct t_folding *folding, uint64_t style)
{
	measure_profile_pack_t pack = {.nr = 0};
	struct t_folding *next = measure_zeroed(1, sizeof(*next));

	measure_fold_save(&folding->fold, &pack);
	measure_fold_end(&folding->fold);
	measure_profile_free(&folding->profile);
	t_start(next, style);
	CU_ASSERT_TRUE(measure_fold_restore(&next->fold, pack.items, pack.nr));
	*folding = *next;
	folding->fold.profile = &folding->profile;
	measure_free(next);
	free(pack.items);
}

static void t_finish(struct t_folding *folding)
{
	measure_fold_end(&folding->fold);
	measure_profile_free(&folding->profile);
}

static bool t_is_equal(const struct measure_profile *one, const struct measure_profile *other)
{
	measure_profile_pack_t a = {.nr = 0}, b = {.nr = 0};
	bool is_equal;

	measure_profile_pack(one, &a);
	measure_profile_pack(other, &b);
	is_equal = a.nr == b.nr && memcmp(a.items, b.items, a.nr) == 0;
	free(a.items);
	free(b.items);
	return is_equal;
}

static void t_open_trace(void)
{
	t_begin();
	t_read();
	measure_ranks_start(&ranks, &t_trace->definitions);
}

static void t_close_trace(void)
{
	measure_ranks_free(&ranks);
	t_end();
}

/* --------------------------------------------------------------------------- tests --- */

/* Each must have been so when a fold was saved. */
#define CASES                                                                                      \
	CASE(has_frames, context->top > context->bottom)                                           \
	CASE(has_cut_frame, context->top > context->bottom && context->top[-1].is_cut)             \
	CASE(has_iteration, context->top > context->bottom && context->top[-1].is_iteration)       \
	CASE(is_deep, context->top - context->bottom > 8)                                          \
	CASE(is_off, fold->special &MEASURE_FOLD_OFF)                                              \
	CASE(is_in_flush, fold->special &MEASURE_FOLD_FLUSH && fold->flush_stop > fold->last)      \
	CASE(is_idle, fold->special &MEASURE_FOLD_IDLE)                                            \
	CASE(is_in_window, fold->special &MEASURE_FOLD_WINDOW && !fold->is_outside)                \
	CASE(is_outside, fold->is_outside)                                                         \
	CASE(has_skipped, fold->skipped > 0)                                                       \
	CASE(is_in_team, fold->team_depth > 0)                                                     \
	CASE(is_no_worker, !fold->is_worker)                                                       \
	CASE(has_metrics, fold->profile->nr_metrics > 0)                                           \
	CASE(has_strict_value, model.has_strict_value)                                             \
	CASE(has_slices, fold->special &MEASURE_FOLD_METRICS &&model.has_slices)                   \
	CASE(is_in_task, context->root != 0)                                                       \
	CASE(has_offset, context->offset > 0)                                                      \
	CASE(has_suspended_tasks, context->root != 0 && __builtin_popcount(model.tasks) > 1)       \
	CASE(has_free_tasks, model.nr_free > 1)                                                    \
	CASE(is_task_complete, context->root != 0 && model.is_complete)                            \
	CASE(has_sends, fold->from == 0 && model.sends != 0)                                       \
	CASE(has_locks, model.locks != 0)                                                          \
	CASE(has_operations, model.operations != 0)                                                \
	CASE(has_collectives, model.nr_collectives > 1)

enum {
#define CASE(name, condition) T_CASE_##name,
	CASES
#undef CASE
		T_NR_CASES
};

static uint32_t nr_cases[T_NR_CASES];

static void t_count_cases(const struct measure_fold *fold)
{
	const struct measure_fold_context *context = &fold->context;

#define CASE(name, condition) nr_cases[T_CASE_##name] += (condition) != 0;
	CASES
#undef CASE
}

static void t_check_cases(void)
{
	static const char *const case_names[] = {
#define CASE(name, condition) #name,
		CASES
#undef CASE
	};

	for (int i = 0; i < T_NR_CASES; i++) {
		if (nr_cases[i] < 20)
			fprintf(stderr, "%s: %u times\n", case_names[i], nr_cases[i]);
		CU_ASSERT(nr_cases[i] >= 20);
	}
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		CU_ASSERT(name == MEASURE_TABLE_RECORDS || t_profile.tables[name].nr > 0);
}

/* One fold sees all events, the other one is a new one every few events. */
static void t_continued(void)
{
	struct t_folding whole, parts;
	struct t_step step;

	t_open_trace();
	for (uint64_t seed = 1; seed <= T_NR_SEEDS; seed++) {
		uint64_t time = 0;

		t_seed(seed);
		memset(&model, 0, sizeof(model));
		t_start(&whole, seed);
		t_start(&parts, seed);
		whole.profile.first = parts.profile.first = 0;
		for (int i = 0; i < T_NR_STEPS; i++) {
			time += t_random(20);
			t_next(&step, time, seed);
			t_feed(&whole, &step);
			t_feed(&parts, &step);
			if (!t_chance(1 + seed % 40))
				continue;
			t_count_cases(&parts.fold);
			t_save_and_restore(&parts, seed);
			CU_ASSERT_TRUE(t_is_equal(&whole.profile, &parts.profile));
		}
		measure_fold_end(&whole.fold);
		measure_fold_end(&parts.fold);
		CU_ASSERT_TRUE(t_is_equal(&whole.profile, &parts.profile));
		measure_profile_free(&parts.profile);
		measure_profile_merge(&t_profile, &whole.profile, NULL);
	}
	t_check_cases();
	t_close_trace();
}

/* Makes the state of a fold after some events. Returns the size of the profile, its first part. */
static size_t t_make_state(uint64_t seed, int nr_steps, measure_profile_pack_t *pack)
{
	struct t_folding folding;
	struct t_step step;
	size_t size;

	t_seed(seed);
	memset(&model, 0, sizeof(model));
	t_start(&folding, seed);
	folding.profile.first = 0;
	for (int i = 0; i < nr_steps; i++) {
		t_next(&step, (uint64_t)i * 7, seed);
		t_feed(&folding, &step);
	}
	measure_profile_pack(&folding.profile, pack);
	size = pack->nr;
	pack->nr = 0;
	measure_fold_save(&folding.fold, pack);
	t_finish(&folding);
	return size;
}

/* Copied, so that reading on behind the end is seen by tools for that. */
static bool t_restore(struct t_folding *folding, const char *data, size_t size, uint64_t style)
{
	char *copy = malloc(size + !size);
	bool is_good;

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(copy, data, size);
	t_start(folding, style);
	is_good = measure_fold_restore(&folding->fold, copy, size);
	free(copy);
	return is_good;
}

static void t_truncated(void)
{
	measure_profile_pack_t pack = {.nr = 0};
	struct t_folding folding;

	t_open_trace();
	for (uint64_t seed = 1; seed <= 4; seed++) {
		pack.nr = 0;
		t_make_state(seed, 150, &pack);
		for (size_t size = 0; size < pack.nr; size++) {
			CU_ASSERT_FALSE(t_restore(&folding, pack.items, size, seed));
			CU_ASSERT_EQUAL(folding.profile.nr_paths, 1);
			t_finish(&folding);
		}
		measure_pack_put(&pack, 0); /* too long */
		CU_ASSERT_FALSE(t_restore(&folding, pack.items, pack.nr, seed));
		t_finish(&folding);
	}
	free(pack.items);
	t_close_trace();
}

/* Frames call each other, and what was restored once can be saved and restored again. */
static void t_check_restored(const struct t_folding *folding, uint64_t style)
{
	const struct measure_fold_context *context = &folding->fold.context;
	const struct measure_profile_path *paths = folding->profile.paths;
	measure_profile_pack_t pack = {.nr = 0};
	uint32_t path = context->root;
	struct t_folding again;

	for (const struct measure_fold_frame *frame = context->bottom; frame < context->top;
		frame++) {
		CU_ASSERT_EQUAL(paths[frame->path].parent, path);
		path = frame->path;
	}
	CU_ASSERT_EQUAL(folding->fold.path, path);
	measure_fold_save(&folding->fold, &pack);
	CU_ASSERT_TRUE(t_restore(&again, pack.items, pack.nr, style));
	CU_ASSERT_TRUE(t_is_equal(&folding->profile, &again.profile));
	t_finish(&again);
	free(pack.items);
}

/* A damaged fold that was restored sees events and ends, too, and its profile is one. */
static void t_flipped(void)
{
	measure_profile_pack_t pack = {.nr = 0};
	size_t size = 0;
	uint32_t nr_good = 0;
	struct t_folding folding;
	struct t_step step;

	t_open_trace();
	for (uint64_t flip = 0; flip < T_NR_FLIPS; flip++) {
		if (flip % 50 == 0) {
			pack.nr = 0;
			size = t_make_state(flip + 1, 100 + (int)flip % 400, &pack);
		}
		const size_t at = t_chance(4) ? t_random(pack.nr) : size + t_random(pack.nr - size);
		const char before = pack.items[at];
		pack.items[at] =
			(char)(before ^ (t_chance(2) ? 1 << t_random(8) : (int)t_random(256)));
		const bool is_good = t_restore(&folding, pack.items, pack.nr, flip);
		pack.items[at] = before;
		nr_good += is_good;
		if (is_good)
			t_check_restored(&folding, flip);
		for (uint64_t i = 0; is_good && i < 200; i++) {
			t_next(&step, 3500 + 9 * i, flip);
			t_feed(&folding, &step);
		}
		measure_fold_end(&folding.fold);
		measure_profile_merge(&t_profile, &folding.profile, NULL);
	}
	CU_ASSERT(nr_good > T_NR_FLIPS / 20);
	CU_ASSERT(nr_good < T_NR_FLIPS);
	free(pack.items);
	t_close_trace();
}

/* Rows are made when a fold has ended: a state with some is none. */
static void t_rows(void)
{
	measure_profile_pack_t pack = {.nr = 0};
	struct t_folding folding, next;

	t_open_trace();
	t_start(&folding, 0);
	folding.profile.rows = measure_zeroed(1, sizeof(*folding.profile.rows));
	folding.profile.nr_rows = folding.profile.room_rows = 1;
	measure_fold_save(&folding.fold, &pack);
	CU_ASSERT_FALSE(t_restore(&next, pack.items, pack.nr, 0));
	t_finish(&next);
	t_finish(&folding);
	free(pack.items);
	t_close_trace();
}

/* A hundred call paths whose calls fill five pages each. */
static void t_size_of_pack(void)
{
	measure_profile_pack_t pack = {.nr = 0};
	struct measure_profile profile, again;

	t_open_trace();
	measure_profile_start(&profile, t_trace);
	for (uint32_t i = 0; i < 100; i++) {
		const uint32_t path = measure_profile_child(&profile, i, T_F);

		profile.paths[path].calls = measure_zeroed(1, sizeof(*profile.paths[path].calls));
		for (uint32_t bucket = 0; bucket < 5 * MEASURE_HISTOGRAM_PAGE_SIZE; bucket++)
			*measure_histogram_count(profile.paths[path].calls, 1000 + 8 + bucket) =
				t_random(1000000) + 1;
		*measure_histogram_count(profile.paths[path].calls, MEASURE_HISTOGRAM_BUCKETS - 1) =
			UINT64_MAX >> t_random(64);
		profile.paths[path].visits = t_random(UINT64_MAX);
	}
	measure_profile_pack(&profile, &pack);
	printf("%zu bytes ", pack.nr);
	CU_ASSERT(pack.nr < 45 * 1024);
	CU_ASSERT_TRUE(measure_profile_unpack(&again, t_trace, pack.items, pack.nr));
	CU_ASSERT_TRUE(t_is_equal(&profile, &again));
	CU_ASSERT_EQUAL(measure_histogram_total(again.paths[100].calls),
		measure_histogram_total(profile.paths[100].calls));
	measure_profile_free(&again);
	measure_profile_free(&profile);
	free(pack.items);
	t_close_trace();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"continued", t_continued},
		{"truncated", t_truncated},
		{"flipped", t_flipped},
		{"rows", t_rows},
		{"size of a pack", t_size_of_pack},
		CU_TEST_INFO_NULL,
	};

	return t_suite("fold_state", NULL, NULL, tests);
}
