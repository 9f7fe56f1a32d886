/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From candidates to waits. A call has one wait: until the last of its candidates; where it returns
 * at the first of several requests, until the first. What it has done meanwhile that is no part of
 * it is no wait. A barrier with tasks has two, one after the other: for the team, then for tasks
 * that others run.
 *
 * Locations are settled one by one, on threads; what they have found is put together in their
 * order. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "sync/parallel/workers.h"

/* Messages that come next on a location: a sender of one of them that has begun before makes it one
 * of the wrong order. */
#define NR_NEXT_ARRIVALS 100

const struct measure_wait_pattern_info measure_wait_patterns[MEASURE_NR_WAIT_PATTERNS] = {
#define WAIT_PATTERN(NAME, word, part, title) {word, title, MEASURE_WAIT_##part},
#include "wait_patterns.def"
#undef WAIT_PATTERN
};

/* Of a location. */
struct waits_sum {
	uint32_t location;
	const struct measure_call_table *tables; /* by location */
	struct measure_candidate *candidates;    /* of this one */
	size_t nr_candidates;
	MEASURE_GROWING(struct measure_wait_row, rows);
	MEASURE_GROWING(struct measure_wait_cause, causes);
	MEASURE_GROWING(struct measure_wait_state, waits);
	struct measure_map row_numbers, cause_numbers; /* by pattern, path; and the cause */
};

struct waits_settling {
	const struct measure_call_table *tables;
	struct measure_candidate_list *lists; /* by location */
	struct measure_dependencies *dependencies;
	struct waits_sum *sums; /* by location */
};

/* -------------------------------------------------------------------------- order --- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Of a call: as their records come; then what decides between those that are as late. */
static int compare_candidates(const void *left, const void *right)
{
	const struct measure_candidate *a = left, *b = right;
	int order = COMPARE(a->position, b->position);

	if (order == 0)
		order = COMPARE(a->relation, b->relation);
	if (order == 0)
		order = COMPARE(a->cause, b->cause);
	if (order == 0)
		order = COMPARE(a->cause_call, b->cause_call);
	return order ? order : COMPARE(a->until, b->until);
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

/* Candidates of a location to those of their calls, by counting: they come lane by lane, and so in
 * no order. */
static struct measure_candidate *group_candidates(
	const struct measure_candidate_list *list, size_t nr_calls)
{
	struct measure_candidate *grouped = measure_uncleared(list->nr, sizeof(*grouped));
	size_t *places = measure_zeroed(nr_calls, sizeof(*places)), sum = 0;

	for (size_t i = 0; i < list->nr; i++)
		places[list->items[i].call]++;
	for (size_t i = 0; i < nr_calls; i++) {
		const size_t nr = places[i];

		places[i] = sum;
		sum += nr;
	}
	for (size_t i = 0; i < list->nr; i++)
		grouped[places[list->items[i].call]++] = list->items[i];
	measure_free(places);
	return grouped;
}

/* --------------------------------------------------------------------------- sums --- */

static struct measure_wait_row *find_row(struct waits_sum *sum, uint32_t pattern, uint32_t path)
{
	const uint32_t row = measure_map_intern(
		&sum->row_numbers, measure_key_pair(pattern, path), (uint32_t)sum->nr_rows);

	if (row == sum->nr_rows)
		*measure_append(sum, rows) = (struct measure_wait_row){.pattern = pattern,
			.path = path,
			.location = sum->location,
			.worst = {.cause = MEASURE_NONE, .cause_path = MEASURE_NONE}};
	return &sum->rows[row];
}

static void add_cause(
	struct waits_sum *sum, uint32_t pattern, uint32_t path, uint32_t cause, uint64_t ticks)
{
	const uint32_t row = measure_map_intern(&sum->cause_numbers,
		measure_key_pair((uint64_t)pattern << 32 | path, cause), (uint32_t)sum->nr_causes);

	if (row == sum->nr_causes)
		*measure_append(sum, causes) = (struct measure_wait_cause){
			.pattern = pattern, .path = path, .cause = cause};
	sum->causes[row].ticks += ticks;
	sum->causes[row].count++;
}

static void add_wait(struct waits_sum *sum, uint32_t pattern,
	const struct measure_candidate *candidate, const struct measure_sync_call *call,
	uint64_t ticks)
{
	struct measure_wait_row *row = find_row(sum, pattern, call->path);
	const struct measure_call_table *table = &sum->tables[candidate->cause];

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

static bool is_arrival(const struct measure_candidate *candidate)
{
	return candidate->relation == MEASURE_RELATION_MESSAGE ||
	       candidate->relation == MEASURE_RELATION_MESSAGE_NONBLOCKING;
}

/* A message that came later had been sent earlier. */
static void add_wrong_order(struct waits_sum *sum, const struct measure_candidate *candidate,
	const struct measure_sync_call *call, uint64_t ticks)
{
	const struct measure_candidate *end = sum->candidates + sum->nr_candidates;
	bool is_same = false, is_any = false;
	int nr = 0;

	for (const struct measure_candidate *next = candidate + 1;
		next < end && nr < NR_NEXT_ARRIVALS; next++) {
		if (!is_arrival(next))
			continue;
		nr++;
		if (next->until >= candidate->until)
			continue;
		is_any = true;
		is_same |= next->cause == candidate->cause;
	}
	if (is_any)
		add_wait(sum,
			is_same ? MEASURE_WAIT_WRONG_ORDER_SAME
				: MEASURE_WAIT_WRONG_ORDER_DIFFERENT,
			candidate, call, ticks);
}

/* The origin had done what it wanted to, and came late to MPI_Win_complete. */
static void add_late_complete(struct waits_sum *sum, const struct measure_candidate *candidate,
	const struct measure_sync_call *call, uint64_t ticks)
{
	uint64_t done;

	if (candidate->cause_call == MEASURE_NONE)
		return;
	done = measure_access_end(&sum->tables[candidate->cause], candidate->cause_call);
	if (done >= candidate->until)
		return;
	add_wait(sum, MEASURE_WAIT_LATE_COMPLETE, candidate, call,
		candidate->until - done < ticks ? candidate->until - done : ticks);
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
	const struct measure_call_table *table = &sum->tables[candidate->location];
	const struct measure_sync_call *call = &table->calls[candidate->call];
	const uint64_t until = least(candidate->until, least(call->leave, candidate->limit));
	uint64_t removed, ticks;

	if (until <= from)
		return from;
	removed = measure_call_table_removed(table, candidate->call, from, until);
	ticks = until - from > removed ? until - from - removed : 0;
	if (ticks == 0)
		return until;
	*measure_append(sum, waits) = (struct measure_wait_state){.from = from,
		.until = candidate->until,
		.ticks = ticks,
		.location = candidate->location,
		.call = candidate->call,
		.cause = candidate->cause,
		.cause_call = candidate->cause_call,
		.instance = candidate->instance,
		.relation = candidate->relation,
		.pattern = candidate->pattern};
	add_wait(sum, candidate->pattern, candidate, call, ticks);
	if (candidate->pattern == MEASURE_WAIT_LATE_SENDER)
		add_wrong_order(sum, candidate, call, ticks);
	else if (candidate->pattern == MEASURE_WAIT_EARLY_WAIT)
		add_late_complete(sum, candidate, call, ticks);
	return until;
}

/* Does `a` decide before `b`, where a call waits for the last one? */
static bool is_before(const struct measure_candidate *a, const struct measure_candidate *b)
{
	int order;

	if (!b)
		return true;
	order = COMPARE(b->until, a->until);
	if (order == 0)
		order = COMPARE(a->relation, b->relation);
	if (order == 0)
		order = COMPARE(a->cause, b->cause);
	return (order ? order : COMPARE(a->cause_call, b->cause_call)) < 0;
}

/* It returns at the first; a request that nobody had to be waited for is completed, too. */
static void settle_any(struct waits_sum *sum, const struct measure_candidate *candidates, size_t nr,
	const struct measure_sync_call *call)
{
	const struct measure_candidate *first = candidates;

	if (nr < call->completed)
		return;
	for (size_t i = 1; i < nr; i++)
		if (is_before(first, &candidates[i]))
			first = &candidates[i];
	settle_candidate(sum, first, call->enter);
}

/* The calls that have asked for a message before it was sent; a row of its own, as asking is no
 * waiting. */
static void settle_polls(struct waits_sum *sum, const struct measure_candidate *candidate)
{
	const struct measure_call_table *table = &sum->tables[sum->location];
	const struct measure_poll *poll = measure_call_table_poll(table, candidate->position);

	if (candidate->pattern != MEASURE_WAIT_LATE_SENDER || !poll)
		return;
	for (size_t i = (size_t)candidate->call + 1; i > 0; i--) {
		const struct measure_sync_call *call = &table->calls[i - 1];
		const uint64_t until = least(call->leave, candidate->until);

		if (call->first < poll->from)
			break;
		if (call->kind == MEASURE_REGION_KIND_MPI_TEST && until > call->enter)
			add_wait(sum, MEASURE_WAIT_LATE_SENDER_POLLING, candidate, call,
				until - call->enter);
	}
}

static void settle_call(
	struct waits_sum *sum, const struct measure_candidate *candidates, size_t nr)
{
	const struct measure_sync_call *call = &sum->tables[sum->location].calls[candidates->call];
	const struct measure_candidate *main = NULL, *starvation = NULL;
	uint64_t from = call->enter;

	for (size_t i = 0; call->kind == MEASURE_REGION_KIND_MPI_TEST && i < nr; i++)
		settle_polls(sum, &candidates[i]);
	if (call->kind == MEASURE_REGION_KIND_MPI_TEST)
		return;
	if (call->kind == MEASURE_REGION_KIND_MPI_ANY) {
		settle_any(sum, candidates, nr, call);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		const bool is_starvation = candidates[i].pattern == MEASURE_WAIT_STARVATION;

		if (is_starvation && is_before(&candidates[i], starvation))
			starvation = &candidates[i];
		else if (!is_starvation && is_before(&candidates[i], main))
			main = &candidates[i];
	}
	if (main)
		from = settle_candidate(sum, main, from);
	if (starvation)
		settle_candidate(sum, starvation, from);
}

/* All of their time: what it is for, no record tells. */
static void add_unknown(struct waits_sum *sum)
{
	const struct measure_call_table *table = &sum->tables[sum->location];

	for (size_t i = 0; table->has_unknown && i < table->nr_calls; i++) {
		const struct measure_sync_call *call = &table->calls[i];
		struct measure_wait_row *row;

		if (call->kind != MEASURE_REGION_KIND_THREAD_UNKNOWN || call->is_cut)
			continue;
		row = find_row(sum, MEASURE_WAIT_UNKNOWN, call->path);
		row->ticks += call->leave - call->enter;
		row->count++;
		if (call->leave - call->enter <= row->max)
			continue;
		row->max = call->leave - call->enter;
		row->worst.enter = call->enter;
		row->worst.until = call->leave;
	}
}

/* ---------------------------------------------------------------------- locations --- */

static size_t end_of_call(const struct waits_sum *sum, size_t first)
{
	size_t end = first + 1;

	while (end < sum->nr_candidates && sum->candidates[end].call == sum->candidates[first].call)
		end++;
	return end;
}

static void start_sum(struct waits_settling *settling, size_t location)
{
	struct measure_dependencies *dependencies = settling->dependencies;
	struct measure_candidate_list *list = &settling->lists[location];
	struct waits_sum *sum = &settling->sums[location];

	sum->location = (uint32_t)location;
	sum->tables = settling->tables;
	if (list->nr == 0)
		return;
	sum->candidates = group_candidates(list, settling->tables[location].nr_calls);
	sum->nr_candidates = list->nr;
	dependencies->candidates[location] = sum->candidates;
	dependencies->nr_candidates[location] = list->nr;
	measure_free(list->items);
	*list = (struct measure_candidate_list){.nr = 0};
}

/* All calls have their candidates in order before the first one is settled: messages that come
 * later are looked at. */
static void settle_location(void *data, size_t location)
{
	struct waits_settling *settling = data;
	struct waits_sum *sum = &settling->sums[location];
	size_t end;

	start_sum(settling, location);
	for (size_t i = 0; i < sum->nr_candidates; i = end) {
		end = end_of_call(sum, i);
		sort(&sum->candidates[i], end - i, sizeof(*sum->candidates), compare_candidates);
	}
	for (size_t i = 0; i < sum->nr_candidates; i = end) {
		end = end_of_call(sum, i);
		settle_call(sum, &sum->candidates[i], end - i);
	}
	add_unknown(sum);
}

static void add_completions(struct waits_sum *sums, const struct measure_candidates *candidates)
{
	for (size_t i = 0; i < candidates->nr_completions; i++) {
		const struct measure_completion *completion = &candidates->completions[i];
		const struct measure_sync_call *call =
			&candidates->tables[completion->location].calls[completion->call];
		struct measure_wait_row *row =
			find_row(&sums[completion->location], completion->pattern, call->path);

		row->ticks += completion->ticks;
		row->count++;
		if (completion->ticks < row->max ||
			(completion->ticks == row->max && call->enter >= row->worst.enter))
			continue;
		row->max = completion->ticks;
		row->worst.enter = call->enter;
		row->worst.until = completion->until;
	}
}

/* ----------------------------------------------------------------------- together --- */

static void join_causes(
	struct measure_waits *waits, struct measure_map *numbers, const struct waits_sum *sum)
{
	for (size_t i = 0; i < sum->nr_causes; i++) {
		const struct measure_wait_cause *cause = &sum->causes[i];
		const uint32_t row = measure_map_intern(numbers,
			measure_key_pair(
				(uint64_t)cause->pattern << 32 | cause->path, cause->cause),
			(uint32_t)waits->nr_causes);

		if (row == waits->nr_causes) {
			*measure_append(waits, causes) = *cause;
			continue;
		}
		waits->causes[row].ticks += cause->ticks;
		waits->causes[row].count += cause->count;
	}
}

static void join_waits(struct measure_dependencies *dependencies, const struct waits_sum *sums)
{
	size_t nr = 0;

	for (size_t i = 0; i < dependencies->nr_locations; i++) {
		dependencies->first_waits[i] = nr;
		nr += sums[i].nr_waits;
	}
	dependencies->first_waits[dependencies->nr_locations] = nr;
	dependencies->waits = measure_uncleared(nr, sizeof(*dependencies->waits));
	for (size_t i = 0; i < dependencies->nr_locations; i++)
		if (sums[i].nr_waits > 0)
			memcpy(dependencies->waits + dependencies->first_waits[i], sums[i].waits,
				sums[i].nr_waits * sizeof(*dependencies->waits));
}

static bool is_longer(const struct measure_dependencies *dependencies, uint32_t a, uint32_t b)
{
	return dependencies->waits[a].ticks > dependencies->waits[b].ticks;
}

/* Of waits that are as long, the first ones. */
static void find_longest(struct measure_waits *waits)
{
	const struct measure_dependencies *dependencies = &waits->dependencies;
	const size_t nr = dependencies->first_waits[dependencies->nr_locations];

	for (uint32_t i = 0; i < nr; i++) {
		size_t place = waits->nr_longest;

		while (place > 0 && is_longer(dependencies, i, waits->longest[place - 1]))
			place--;
		if (place == MEASURE_WAITS_LONGEST)
			continue;
		waits->nr_longest += waits->nr_longest < MEASURE_WAITS_LONGEST;
		for (size_t k = waits->nr_longest - 1; k > place; k--)
			waits->longest[k] = waits->longest[k - 1];
		waits->longest[place] = i;
	}
}

static void join_sums(struct measure_waits *waits, const struct waits_sum *sums,
	const struct measure_candidates *candidates)
{
	struct measure_map numbers = {.nr_slots = 0};

	for (size_t i = 0; i < waits->dependencies.nr_locations; i++) {
		for (size_t k = 0; k < sums[i].nr_rows; k++)
			*measure_append(waits, rows) = sums[i].rows[k];
		join_causes(waits, &numbers, &sums[i]);
	}
	for (size_t i = 0; i < candidates->nr_rows; i++)
		*measure_append(waits, rows) = candidates->rows[i];
	sort(waits->rows, waits->nr_rows, sizeof(*waits->rows), compare_rows);
	sort(waits->causes, waits->nr_causes, sizeof(*waits->causes), compare_causes);
	measure_map_free(&numbers);
}

static void free_sums(struct waits_sum *sums, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		measure_free(sums[i].rows);
		measure_free(sums[i].causes);
		measure_free(sums[i].waits);
		measure_map_free(&sums[i].row_numbers);
		measure_map_free(&sums[i].cause_numbers);
	}
	measure_free(sums);
}

/* Takes over what stays. */
static void start_dependencies(
	struct measure_dependencies *dependencies, struct measure_candidates *candidates)
{
	const size_t nr = candidates->nr_locations;

	*dependencies = (struct measure_dependencies){.nr_locations = nr,
		.tables = candidates->tables,
		.candidates = measure_zeroed(nr, sizeof(*dependencies->candidates)),
		.nr_candidates = measure_zeroed(nr, sizeof(*dependencies->nr_candidates)),
		.first_waits = measure_zeroed(nr + 1, sizeof(*dependencies->first_waits)),
		.instances = candidates->instances,
		.nr_instances = candidates->nr_instances,
		.sides = candidates->sides,
		.nr_sides = candidates->nr_sides};
	candidates->instances = NULL;
	candidates->sides = NULL;
}

void measure_waits_settle(
	struct measure_waits *waits, struct measure_candidates *candidates, unsigned nr_threads)
{
	struct measure_dependencies *dependencies = &waits->dependencies;
	const size_t nr = candidates->nr_locations;
	struct waits_settling settling = {.tables = candidates->tables,
		.lists = candidates->lists,
		.dependencies = dependencies,
		.sums = measure_zeroed(nr, sizeof(*settling.sums))};

	start_dependencies(dependencies, candidates);
	measure_workers_share(nr_threads, nr, settle_location, &settling);
	add_completions(settling.sums, candidates);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		waits->faults[i] = candidates->faults[i];
	memcpy(waits->eager, candidates->eager, sizeof(waits->eager));
	join_sums(waits, settling.sums, candidates);
	join_waits(dependencies, settling.sums);
	find_longest(waits);
	free_sums(settling.sums, nr);
}

/* -------------------------------------------------------------------------- totals --- */

uint64_t measure_waits_run_ticks(const struct measure_waits *waits)
{
	const struct measure_profile *profile = &waits->profile;

	return profile->last > profile->first ? profile->last - profile->first : 0;
}

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
