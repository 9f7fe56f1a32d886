/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls of the program have waited for, known because the program was made to wait. With
 * --waits it is written to a file of lines with fields between tabs:
 *
 *	start	TICKS                  first event of all
 *	run	TICKS                  from there to the last one
 *	waiting	TICKS                  sum of all waits
 *	wait	PATTERN	PATH	LOCATION	TICKS	ENTER	UNTIL	CAUSE	CAUSE PATH
 *
 * Patterns have the names of measure-analyze. PATH: regions from the outermost one, with '/'
 *between them. LOCATION and CAUSE: in the order of their definitions. ENTER: of the call. UNTIL:
 *when it could go on. CAUSE PATH: of the call that the cause was in; "-": in none. Of what is no
 *waiting
 * (*_completion), and what is part of another row (*_wrong_order_*, late_complete), there are lines
 *too, which do not count in the sum. */
#include "config.h"

#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE     UINT32_MAX
#define MAX_NEXT 100 /* messages, among which one that was sent earlier is looked for */

/* A node of the tree of call paths; the first one is the root. */
struct path {
	uint32_t parent, region;
};

struct wait {
	const char *pattern;
	struct gen_moment until; /* whose location is NONE where nobody is to blame */
	uint64_t ticks, enter;
	uint32_t path, location;
	uint32_t next; /* of the messages that arrive, the first one after it */
	bool is_added;
};

struct gen_waits {
	struct path *paths;
	uint32_t nr_paths, room_paths;
	struct wait *rows;
	size_t nr, room;
	struct gen_random random;
};

/* What a call cannot go on before. */
struct expected {
	const char *pattern; /* NULL: nothing */
	struct gen_moment until;
	uint32_t next;
	const char *part; /* NULL: none */
	uint64_t part_from;
};

struct call {
	uint64_t enter;
	uint32_t path;
	struct expected expected, starvation;
};

struct span {
	uint64_t start, end;
};

/* Of a location: calls that are open, tasks that it has run, messages that it has received. */
struct gen_calls {
	struct call open[GEN_MAX_DEPTH];
	uint32_t depth;
	struct call left; /* last one that is over */
	uint64_t left_at;
	struct span *tasks;
	size_t nr_tasks, room_tasks;
	struct gen_moment *arrivals;
	size_t nr_arrivals, room_arrivals;
};

/* Room for one more. */
#define GROW(array, nr, room)                                                                      \
	do {                                                                                       \
		if ((nr) < (room))                                                                 \
			break;                                                                     \
		(room) = 2 * (room) + 16;                                                          \
		(array) = realloc(array, (room) * sizeof(*(array)));                               \
		if (!(array))                                                                      \
			gen_fail("no memory", "");                                                 \
	} while (0)

void gen_waits_start(struct gen *gen)
{
	if (!*gen->options.waits)
		return;
	if (*gen->options.clock || gen->options.later || gen->options.ahead)
		gen_fail("--waits: ", "the clocks must be true");
	gen->waits = gen_zeroed(1, sizeof(*gen->waits));
	gen->waits->random.state = gen->options.seed;
	GROW(gen->waits->paths, gen->waits->nr_paths, gen->waits->room_paths);
	gen->waits->paths[gen->waits->nr_paths++] = (struct path){NONE, NONE};
	for (size_t i = 0; i < gen->nr_all_locations; i++)
		gen->locations[i].calls = gen_zeroed(1, sizeof(struct gen_calls));
}

static uint32_t index_of(const struct gen *gen, const struct gen_location *location)
{
	return (uint32_t)(location - gen->locations);
}

/* In the order of their definitions. */
static uint32_t number_of(const struct gen *gen, const struct gen_location *location)
{
	const uint32_t index = index_of(gen, location);

	return gen->options.is_renumbered ? (uint32_t)gen->nr_all_locations - 1 - index : index;
}

/* -------------------------------------------------------------------------- calls --- */

static uint32_t path_below(struct gen_waits *waits, uint32_t parent, uint32_t region)
{
	for (uint32_t i = 1; i < waits->nr_paths; i++)
		if (waits->paths[i].parent == parent && waits->paths[i].region == region)
			return i;
	GROW(waits->paths, waits->nr_paths, waits->room_paths);
	waits->paths[waits->nr_paths] = (struct path){parent, region};
	return waits->nr_paths++;
}

void gen_waits_enter(struct gen *gen, struct gen_location *location, uint32_t region)
{
	struct gen_calls *calls = location->calls;
	uint32_t parent;

	if (!gen->waits)
		return;
	if (calls->depth == GEN_MAX_DEPTH)
		gen_fail("--waits: ", "too many calls in calls");
	parent = calls->depth ? calls->open[calls->depth - 1].path : 0;
	calls->open[calls->depth++] = (struct call){
		.enter = location->now, .path = path_below(gen->waits, parent, region)};
}

static struct call *innermost(const struct gen *gen, const struct gen_location *location)
{
	struct gen_calls *calls = location->calls;

	return gen->waits && calls->depth ? &calls->open[calls->depth - 1] : NULL;
}

/* Others may wait for what the location has recorded so far at this tick. */
static struct gen_moment moment_of(
	const struct gen *gen, struct gen_location *location, uint64_t time, uint32_t path)
{
	struct gen_meter *meter = &location->meter;
	const uint32_t number = number_of(gen, location);

	meter->is_over = meter->is_leave;
	return (struct gen_moment){time, number, path, number, meter->nr_segments};
}

struct gen_moment gen_entered(const struct gen *gen, struct gen_location *location)
{
	const struct call *call = innermost(gen, location);

	return moment_of(gen, location, call ? call->enter : location->now, call ? call->path : 0);
}

struct gen_moment gen_in_call(const struct gen *gen, struct gen_location *location)
{
	const struct call *call = innermost(gen, location);

	return moment_of(gen, location, location->now, call ? call->path : 0);
}

struct gen_moment gen_in_none(const struct gen *gen, struct gen_location *location)
{
	return moment_of(gen, location, location->now, 0);
}

/* Of two at one time, that of the first location. In measured time it may be another one. */
void gen_later(const struct gen *gen, struct gen_moment *last, struct gen_moment moment)
{
	const bool is_other = last->time && gen_recorded(gen, last) > gen_recorded(gen, &moment);
	const struct gen_moment recorded = is_other ? *last : moment;

	if (moment.time > last->time ||
		(moment.time == last->time && moment.location < last->location))
		*last = moment;
	last->recorder = recorded.recorder;
	last->segment = recorded.segment;
}

/* -------------------------------------------------------------------------- waits --- */

static struct wait *add_row(struct gen_waits *waits)
{
	GROW(waits->rows, waits->nr, waits->room);
	return &waits->rows[waits->nr++];
}

static uint64_t ticks_of_tasks(const struct gen_calls *calls, uint64_t from, uint64_t until)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < calls->nr_tasks; i++) {
		const struct span *task = &calls->tasks[i];
		const uint64_t start = task->start > from ? task->start : from;
		const uint64_t end = task->end < until ? task->end : until;

		ticks += end > start ? end - start : 0;
	}
	return ticks;
}

/* Returns until when it has waited, from some time on. */
static uint64_t settle(struct gen *gen, const struct gen_location *location,
	const struct call *call, const struct expected *expected, uint64_t from)
{
	const uint64_t until = expected->until.time;
	struct wait wait;
	uint64_t ticks;

	if (!expected->pattern || until <= from)
		return from;
	ticks = until - from - ticks_of_tasks(location->calls, from, until);
	if (ticks == 0)
		return until;
	wait = (struct wait){.pattern = expected->pattern,
		.until = expected->until,
		.ticks = ticks,
		.enter = call->enter,
		.path = call->path,
		.location = index_of(gen, location),
		.next = expected->next,
		.is_added = true};
	*add_row(gen->waits) = wait;
	if (!expected->part || expected->part_from >= until)
		return until;
	wait.pattern = expected->part;
	wait.ticks = until - expected->part_from < ticks ? until - expected->part_from : ticks;
	wait.is_added = false;
	*add_row(gen->waits) = wait;
	return until;
}

void gen_waits_leave(struct gen *gen, struct gen_location *location)
{
	struct gen_calls *calls = location->calls;
	struct call *call = innermost(gen, location);
	uint64_t from;

	if (!call)
		return;
	from = settle(gen, location, call, &call->expected, call->enter);
	settle(gen, location, call, &call->starvation, from);
	calls->left = *call;
	calls->left_at = location->now;
	calls->depth--;
}

void gen_expect(struct gen *gen, struct gen_location *location, const char *pattern,
	struct gen_moment until)
{
	struct call *call = innermost(gen, location);
	struct expected *expected;

	if (!call)
		return;
	expected = strcmp(pattern, "task_starvation") ? &call->expected : &call->starvation;
	if (expected->pattern && until.time <= expected->until.time)
		return;
	*expected =
		(struct expected){pattern, until, (uint32_t)location->calls->nr_arrivals, NULL, 0};
}

void gen_expect_part(
	struct gen *gen, struct gen_location *location, const char *pattern, uint64_t from)
{
	struct call *call = innermost(gen, location);

	if (!call)
		return;
	call->expected.part = pattern;
	call->expected.part_from = from;
}

void gen_arrive_unexpected(struct gen *gen, struct gen_location *location, struct gen_moment sent)
{
	struct gen_calls *calls = location->calls;

	if (!gen->waits)
		return;
	GROW(calls->arrivals, calls->nr_arrivals, calls->room_arrivals);
	calls->arrivals[calls->nr_arrivals++] = sent;
}

void gen_arrive(struct gen *gen, struct gen_location *location, struct gen_moment sent)
{
	gen_arrive_unexpected(gen, location, sent);
	gen_expect(gen, location, "late_sender", sent);
}

void gen_ran_task(struct gen *gen, struct gen_location *location, uint64_t start)
{
	struct gen_calls *calls = location->calls;

	if (!gen->waits)
		return;
	GROW(calls->tasks, calls->nr_tasks, calls->room_tasks);
	calls->tasks[calls->nr_tasks++] = (struct span){start, location->now};
}

void gen_completed(struct gen *gen, const uint32_t processes[], size_t nr, const char *pattern,
	struct gen_moment last)
{
	uint64_t from = UINT64_MAX;

	for (size_t i = 0; gen->waits && i < nr; i++) {
		const struct gen_calls *calls = gen_master(gen, processes[i])->calls;

		from = calls->left_at < from ? calls->left_at : from;
	}
	from = last.time > from ? last.time : from;
	for (size_t i = 0; gen->waits && i < nr; i++) {
		const struct gen_location *location = gen_master(gen, processes[i]);
		const struct gen_calls *calls = location->calls;

		if (calls->left_at > from)
			*add_row(gen->waits) = (struct wait){.pattern = pattern,
				.until = {.time = calls->left_at, .location = NONE},
				.ticks = calls->left_at - from,
				.enter = calls->left.enter,
				.path = calls->left.path,
				.location = index_of(gen, location)};
	}
}

/* --------------------------------------------------------------------------- order --- */

/* One of the next messages had been sent before. */
static void add_wrong_order(struct gen *gen, const struct wait *wait)
{
	const struct gen_calls *calls = gen->locations[wait->location].calls;
	bool is_same = false, is_any = false;
	struct wait row = *wait;

	for (size_t i = wait->next; i < calls->nr_arrivals && i < (size_t)wait->next + MAX_NEXT;
		i++) {
		if (calls->arrivals[i].time >= wait->until.time)
			continue;
		is_any = true;
		is_same |= calls->arrivals[i].location == wait->until.location;
	}
	if (!is_any)
		return;
	row.pattern =
		is_same ? "late_sender_wrong_order_same" : "late_sender_wrong_order_different";
	row.is_added = false;
	*add_row(gen->waits) = row;
}

static void add_wrong_orders(struct gen *gen)
{
	const size_t nr = gen->waits->nr;

	for (size_t i = 0; i < nr; i++) {
		const struct wait wait = gen->waits->rows[i];

		if (!strcmp(wait.pattern, "late_sender"))
			add_wrong_order(gen, &wait);
	}
}

/* ------------------------------------------------------------------------ call paths --- */

static const uint32_t functions[] = {GEN_SOLVE, GEN_SWEEP, GEN_EXCHANGE};
#define NR_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* Up to two, which need not be those of other ranks. */
void gen_waits_begin_step(struct gen *gen)
{
	for (uint32_t rank = 0; gen->waits && rank < gen->options.nr_ranks; rank++)
		for (uint64_t i = gen_below(&gen->waits->random, 3); i > 0; i--)
			gen_enter(gen, gen_master(gen, rank),
				functions[gen_below(&gen->waits->random, NR_FUNCTIONS)]);
}

static uint32_t innermost_region(const struct gen *gen, const struct gen_location *location)
{
	return gen->waits->paths[innermost(gen, location)->path].region;
}

void gen_waits_end_step(struct gen *gen)
{
	for (uint32_t rank = 0; gen->waits && rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		while (innermost_region(gen, location) != GEN_MAIN)
			gen_leave(gen, location, innermost_region(gen, location));
	}
}

/* ---------------------------------------------------------------------------- file --- */

static void print_path(const struct gen_waits *waits, uint32_t path, FILE *file)
{
	uint32_t nodes[GEN_MAX_DEPTH];
	size_t nr = 0;

	for (; path != 0 && nr < GEN_MAX_DEPTH; path = waits->paths[path].parent)
		nodes[nr++] = path;
	if (nr == 0)
		fputc('-', file);
	while (nr-- > 0)
		fprintf(file, "%s%s", gen_region_name(waits->paths[nodes[nr]].region),
			nr > 0 ? "/" : "");
}

static void print_row(const struct gen *gen, const struct wait *row, FILE *file)
{
	fprintf(file, "wait\t%s\t", row->pattern);
	print_path(gen->waits, row->path, file);
	fprintf(file, "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t",
		number_of(gen, &gen->locations[row->location]), row->ticks, row->enter,
		row->until.time);
	if (row->until.location == NONE)
		fputs("-\t", file);
	else
		fprintf(file, "%" PRIu32 "\t", row->until.location);
	print_path(gen->waits, row->until.path, file);
	fputc('\n', file);
}

static uint64_t sum_of(const struct gen_waits *waits)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < waits->nr; i++)
		ticks += waits->rows[i].is_added ? waits->rows[i].ticks : 0;
	return ticks;
}

static uint64_t run_of(const struct gen *gen)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < gen->nr_locations; i++) {
		const struct gen_location *location = &gen->locations[i];

		if (!location->nr_events)
			continue;
		first = location->first_raw < first ? location->first_raw : first;
		last = location->last_raw > last ? location->last_raw : last;
	}
	return last - first;
}

void gen_waits_write(struct gen *gen, uint64_t begin)
{
	FILE *file;

	if (!gen->waits)
		return;
	file = fopen(gen->options.waits, "w");
	if (!file)
		gen_fail("cannot write ", gen->options.waits);
	add_wrong_orders(gen);
	fprintf(file, "start\t%" PRIu64 "\nrun\t%" PRIu64 "\nwaiting\t%" PRIu64 "\n", begin,
		run_of(gen), sum_of(gen->waits));
	for (size_t i = 0; i < gen->waits->nr; i++)
		print_row(gen, &gen->waits->rows[i], file);
	if (fclose(file) != 0)
		gen_fail("cannot write ", gen->options.waits);
	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		free(gen->locations[i].calls->tasks);
		free(gen->locations[i].calls->arrivals);
		free(gen->locations[i].calls);
	}
	free(gen->waits->paths);
	free(gen->waits->rows);
	free(gen->waits);
}
