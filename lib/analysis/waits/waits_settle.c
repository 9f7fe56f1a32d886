/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From candidates to waits. A call has one wait: until the last of its candidates; where it returns
 * at the first of several requests, until the first. What it has done meanwhile that is no part of
 * it is no wait. A barrier with tasks has two, one after the other: for the team, then for tasks
 * that others run. */
#include "config.h"

#include <stdlib.h>

#include "candidates.h"

/* Messages that come next on a location: a sender of one of them that has begun before makes it one
 * of the wrong order. */
#define NR_NEXT_ARRIVALS 100

const struct measure_wait_pattern_info measure_wait_patterns[MEASURE_NR_WAIT_PATTERNS] = {
#define WAIT_PATTERN(NAME, word, part, title) {word, title, MEASURE_WAIT_##part},
#include "wait_patterns.def"
#undef WAIT_PATTERN
};

struct waits_sum {
	struct measure_waits *waits;
	const struct measure_candidates *candidates;
	struct measure_map rows, causes; /* by pattern, path and location */
};

/* -------------------------------------------------------------------------- order --- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* By call; the latest one first, then the relation and the location that come first. */
static int compare_candidates(const void *left, const void *right)
{
	const struct measure_candidate *a = left, *b = right;
	int order = COMPARE(a->location, b->location);

	if (order == 0)
		order = COMPARE(a->call, b->call);
	if (order == 0)
		order = COMPARE(b->until, a->until);
	if (order == 0)
		order = COMPARE(a->relation, b->relation);
	if (order == 0)
		order = COMPARE(a->cause, b->cause);
	if (order == 0)
		order = COMPARE(a->cause_call, b->cause_call);
	return order ? order : COMPARE(a->position, b->position);
}

static int compare_completions(const void *left, const void *right)
{
	const struct measure_completion *a = left, *b = right;
	int order = COMPARE(a->location, b->location);

	if (order == 0)
		order = COMPARE(a->call, b->call);
	return order ? order : COMPARE(a->ticks, b->ticks);
}

static int compare_arrivals(const void *left, const void *right)
{
	const struct measure_arrival *a = left, *b = right;
	int order = COMPARE(a->location, b->location);

	if (order == 0)
		order = COMPARE(a->position, b->position);
	return order ? order : COMPARE(a->begin, b->begin);
}

static int compare_rows(const void *left, const void *right)
{
	const struct measure_wait_row *a = left, *b = right;
	int order = COMPARE(a->pattern, b->pattern);

	if (order == 0)
		order = COMPARE(a->path, b->path);
	return order ? order : COMPARE(a->location, b->location);
}

static int compare_causes(const void *left, const void *right)
{
	const struct measure_wait_cause *a = left, *b = right;
	int order = COMPARE(a->pattern, b->pattern);

	if (order == 0)
		order = COMPARE(a->path, b->path);
	return order ? order : COMPARE(a->cause, b->cause);
}

static void sort(void *items, size_t nr, size_t size, int (*compare)(const void *, const void *))
{
	if (nr > 1)
		qsort(items, nr, size, compare);
}

/* --------------------------------------------------------------------------- sums --- */

static struct measure_wait_row *find_row(
	struct waits_sum *sum, uint32_t pattern, uint32_t path, uint32_t location)
{
	struct measure_waits *waits = sum->waits;
	const uint32_t row = measure_map_intern(&sum->rows,
		measure_key_pair((uint64_t)pattern << 32 | path, location),
		(uint32_t)waits->nr_rows);

	if (row == waits->nr_rows)
		*measure_append(waits, rows) = (struct measure_wait_row){.pattern = pattern,
			.path = path,
			.location = location,
			.worst = {.cause = MEASURE_NONE, .cause_path = MEASURE_NONE}};
	return &waits->rows[row];
}

static void add_cause(
	struct waits_sum *sum, uint32_t pattern, uint32_t path, uint32_t cause, uint64_t ticks)
{
	struct measure_waits *waits = sum->waits;
	const uint32_t row = measure_map_intern(&sum->causes,
		measure_key_pair((uint64_t)pattern << 32 | path, cause),
		(uint32_t)waits->nr_causes);

	if (row == waits->nr_causes)
		*measure_append(waits, causes) = (struct measure_wait_cause){
			.pattern = pattern, .path = path, .cause = cause};
	waits->causes[row].ticks += ticks;
	waits->causes[row].count++;
}

static void add_wait(struct waits_sum *sum, uint32_t pattern,
	const struct measure_candidate *candidate, const struct measure_sync_call *call,
	uint64_t ticks)
{
	struct measure_wait_row *row = find_row(sum, pattern, call->path, candidate->location);
	const struct measure_call_table *table = &sum->candidates->tables[candidate->cause];

	row->ticks += ticks;
	row->count++;
	if (ticks > row->max) {
		row->max = ticks;
		row->worst = (struct measure_worst_wait){.enter = call->enter,
			.until = candidate->until,
			.cause = candidate->cause,
			.cause_path = candidate->cause_call == MEASURE_NONE
					      ? MEASURE_NONE
					      : table->calls[candidate->cause_call].path};
	}
	add_cause(sum, pattern, call->path, candidate->cause, ticks);
}

/* -------------------------------------------------------------------------- order --- */

static size_t find_arrival(
	const struct measure_candidates *candidates, uint32_t location, uint64_t position)
{
	size_t low = 0, high = candidates->nr_arrivals;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct measure_arrival *arrival = &candidates->arrivals[middle];

		if (arrival->location < location ||
			(arrival->location == location && arrival->position <= position))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A message that came later had been sent earlier. */
static void add_wrong_order(struct waits_sum *sum, const struct measure_candidate *candidate,
	const struct measure_sync_call *call, uint64_t ticks)
{
	const struct measure_candidates *all = sum->candidates;
	const size_t first = find_arrival(all, candidate->location, candidate->position);
	bool is_same = false, is_any = false;

	for (size_t i = first; i < all->nr_arrivals && i < first + NR_NEXT_ARRIVALS &&
			       all->arrivals[i].location == candidate->location;
		i++) {
		if (all->arrivals[i].begin >= candidate->until)
			continue;
		is_any = true;
		is_same |= all->arrivals[i].source == candidate->cause;
	}
	if (is_any)
		add_wait(sum,
			is_same ? MEASURE_WAIT_WRONG_ORDER_SAME
				: MEASURE_WAIT_WRONG_ORDER_DIFFERENT,
			candidate, call, ticks);
}

/* -------------------------------------------------------------------------- calls --- */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until when it has waited for the candidate, from some time on. */
static uint64_t settle_candidate(
	struct waits_sum *sum, const struct measure_candidate *candidate, uint64_t from)
{
	const struct measure_call_table *table = &sum->candidates->tables[candidate->location];
	const struct measure_sync_call *call = &table->calls[candidate->call];
	const uint64_t until = least(candidate->until, least(call->leave, candidate->limit));
	uint64_t removed, ticks;

	if (until <= from)
		return from;
	removed = measure_call_table_removed(table, candidate->call, from, until);
	ticks = until - from > removed ? until - from - removed : 0;
	if (ticks == 0)
		return until;
	add_wait(sum, candidate->pattern, candidate, call, ticks);
	if (candidate->pattern == MEASURE_WAIT_LATE_SENDER)
		add_wrong_order(sum, candidate, call, ticks);
	return until;
}

/* The candidates of one call, the latest one first. */
static void settle_call(
	struct waits_sum *sum, const struct measure_candidate *candidates, size_t nr)
{
	const struct measure_sync_call *call =
		&sum->candidates->tables[candidates->location].calls[candidates->call];
	const struct measure_candidate *main = NULL, *starvation = NULL;
	uint64_t from = call->enter;

	if (call->kind == MEASURE_REGION_KIND_MPI_ANY) {
		/* a request that nobody had to be waited for is completed, too */
		if (nr >= call->completed)
			settle_candidate(sum, &candidates[nr - 1], from);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		const bool is_starvation = candidates[i].pattern == MEASURE_WAIT_STARVATION;

		if (is_starvation && !starvation)
			starvation = &candidates[i];
		else if (!is_starvation && !main)
			main = &candidates[i];
	}
	if (main)
		from = settle_candidate(sum, main, from);
	if (starvation)
		settle_candidate(sum, starvation, from);
}

static void settle_candidates(struct waits_sum *sum)
{
	const struct measure_candidate *candidates = sum->candidates->candidates;
	const size_t nr = sum->candidates->nr_candidates;
	size_t end;

	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && candidates[end].location == candidates[i].location &&
				  candidates[end].call == candidates[i].call;)
			end++;
		settle_call(sum, &candidates[i], end - i);
	}
}

static void add_completions(struct waits_sum *sum)
{
	const struct measure_candidates *candidates = sum->candidates;

	for (size_t i = 0; i < candidates->nr_completions; i++) {
		const struct measure_completion *completion = &candidates->completions[i];
		const struct measure_sync_call *call =
			&candidates->tables[completion->location].calls[completion->call];
		struct measure_wait_row *row =
			find_row(sum, completion->pattern, call->path, completion->location);

		row->ticks += completion->ticks;
		row->count++;
		if (completion->ticks <= row->max)
			continue;
		row->max = completion->ticks;
		row->worst.enter = call->enter;
		row->worst.until = call->leave;
	}
}

void measure_waits_settle(struct measure_waits *waits, struct measure_candidates *candidates)
{
	struct waits_sum sum = {.waits = waits, .candidates = candidates};

	sort(candidates->candidates, candidates->nr_candidates, sizeof(*candidates->candidates),
		compare_candidates);
	sort(candidates->completions, candidates->nr_completions, sizeof(*candidates->completions),
		compare_completions);
	sort(candidates->arrivals, candidates->nr_arrivals, sizeof(*candidates->arrivals),
		compare_arrivals);
	settle_candidates(&sum);
	add_completions(&sum);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		waits->faults[i] = candidates->faults[i];
	sort(waits->rows, waits->nr_rows, sizeof(*waits->rows), compare_rows);
	sort(waits->causes, waits->nr_causes, sizeof(*waits->causes), compare_causes);
	measure_map_free(&sum.rows);
	measure_map_free(&sum.causes);
}

/* -------------------------------------------------------------------------- totals --- */

uint64_t measure_waits_all_ticks(const struct measure_waits *waits)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < waits->profile.nr_rows; i++)
		if (waits->profile.rows[i].path == 0)
			ticks += waits->profile.rows[i].inclusive;
	return ticks;
}

uint64_t measure_waits_total(const struct measure_waits *waits)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < waits->nr_rows; i++)
		if (measure_wait_patterns[waits->rows[i].pattern].part == MEASURE_WAIT_ADDED)
			ticks += waits->rows[i].ticks;
	return ticks;
}
