/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a fold that is saved and restored again and again makes the same profile as one that
 * is not, for random events of all kinds; damaged states are refused or harmless; packs are small.
 */
#include "config.h"

#include "t_profile.h"
#include "t_random_events.h"
#include "../t_suite.h"
#include "analysis/fold/fold.h"
#include "analysis/fold/fold_state.h"
#include "analysis/profile/profile_pack.h"

#include <stdlib.h>
#include <string.h>

#define T_NR_SEEDS 300
#define T_NR_STEPS 500
#define T_NR_FLIPS 20000

struct t_folding {
	struct measure_profile profile;
	struct measure_fold fold;
};

static struct measure_ranks ranks;

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
	CASE(has_strict_value, t_model.has_strict_value)                                           \
	CASE(has_slices, fold->special &MEASURE_FOLD_METRICS &&t_model.has_slices)                 \
	CASE(is_in_task, context->root != 0)                                                       \
	CASE(has_offset, context->offset > 0)                                                      \
	CASE(has_suspended_tasks, context->root != 0 && __builtin_popcount(t_model.tasks) > 1)     \
	CASE(has_free_tasks, t_model.nr_free > 1)                                                  \
	CASE(is_task_complete, context->root != 0 && t_model.is_complete)                          \
	CASE(has_sends, fold->from == 0 && t_model.sends != 0)                                     \
	CASE(has_locks, t_model.locks != 0)                                                        \
	CASE(has_operations, t_model.operations != 0)                                              \
	CASE(has_collectives, t_model.nr_collectives > 1)

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
