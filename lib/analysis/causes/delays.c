/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Goes through all waits backward in time. When it comes to a wait, all that it has made others
 * wait is known: that and the wait itself are shared out over what it was for. */
#include "config.h"

#include "delays.h"

#include <stdlib.h>
#include <string.h>

#include "apportion.h"
#include "sync_points.h"
#include "wait_order.h"

/* Waits of a pattern that another wait has caused, and that are to be shared out with it. */
struct later_cost {
	uint64_t ticks;
	uint32_t pattern;
	uint32_t next; /* of the same wait, or MEASURE_NONE */
};

/* Of a wait. */
struct wait_state {
	uint64_t propagating; /* the largest share that it has got of another one */
	uint64_t weight;      /* in the wait that is being settled, ... */
	uint32_t settling;    /* ... if that has this number */
	uint32_t costs;       /* the first one, or MEASURE_NONE */
	bool is_settled;
};

/* Something that has a share in a wait: time in a path, or a wait. */
struct delay_share {
	uint64_t weight;
	uint32_t index;
};

struct delay_search {
	const struct measure_timelines *timelines;
	const struct measure_all_waits *all;
	struct measure_delays *delays;
	struct measure_map rows; /* (pattern, path), location -> row of delays */
	uint64_t *starts;        /* by wait */
	uint32_t *wait_rows;     /* by wait: its row */
	struct wait_state *states;
	MEASURE_GROWING(struct later_cost, costs);
	uint32_t free_cost; /* the first one that nobody has, or MEASURE_NONE */
	/* the wait that is being settled */
	uint32_t number;
	size_t first_wait; /* of the location that it was for */
	struct measure_path_times theirs, own;
	MEASURE_GROWING(struct delay_share, paths);
	MEASURE_GROWING(struct delay_share, waits);
	/* waits with the same end */
	MEASURE_GROWING(uint32_t, group);
	MEASURE_GROWING(uint32_t, ready); /* places in the group */
	uint32_t *nr_pending;             /* by location: waits for it that are not settled yet */
};

/* -------------------------------------------------------------------------- costs --- */

static void add_delay(struct delay_search *search, uint32_t pattern,
	const struct measure_wait_state *wait, uint32_t path, uint64_t ticks, bool is_long)
{
	struct measure_delays *delays = search->delays;
	uint32_t row;

	if (ticks == 0)
		return;
	row = measure_map_intern(&search->rows,
		measure_key_pair((uint64_t)pattern << 32 | path, wait->cause),
		(uint32_t)delays->nr_rows);
	if (row == delays->nr_rows)
		*measure_append(delays, rows) = (struct measure_delay_row){
			.pattern = pattern, .path = path, .location = wait->cause};
	if (is_long)
		delays->rows[row].long_term += ticks;
	else
		delays->rows[row].short_term += ticks;
}

static uint32_t new_cost(struct delay_search *search)
{
	const uint32_t cost = search->free_cost;

	if (cost != MEASURE_NONE) {
		search->free_cost = search->costs[cost].next;
		return cost;
	}
	measure_append(search, costs);
	return (uint32_t)(search->nr_costs - 1);
}

/* A wait has made others wait. */
static void add_later_cost(
	struct delay_search *search, uint32_t wait, uint32_t pattern, uint64_t ticks)
{
	struct wait_state *state = &search->states[wait];
	uint32_t cost;

	if (ticks == 0)
		return;
	for (cost = state->costs; cost != MEASURE_NONE; cost = search->costs[cost].next)
		if (search->costs[cost].pattern == pattern) {
			search->costs[cost].ticks += ticks;
			return;
		}
	cost = new_cost(search);
	search->costs[cost] = (struct later_cost){ticks, pattern, state->costs};
	state->costs = cost;
}

/* ------------------------------------------------------------------------- shares --- */

static int compare_shares(const void *left, const void *right)
{
	const struct delay_share *a = left, *b = right;

	return (a->index > b->index) - (a->index < b->index);
}

static void sort_shares(struct delay_share *shares, size_t nr)
{
	if (nr > 1)
		qsort(shares, nr, sizeof(*shares), compare_shares);
}

static void add_share_of_wait(void *data, uint32_t wait, uint64_t ticks)
{
	struct delay_search *search = data;
	const uint32_t index = (uint32_t)(search->first_wait + wait);
	struct wait_state *state = &search->states[index];

	if (state->is_settled)
		return;
	if (state->settling != search->number) {
		state->settling = search->number;
		state->weight = 0;
		*measure_append(search, waits) = (struct delay_share){0, index};
	}
	state->weight += ticks;
}

/* What the two have done differently since they were together, and their sum. */
static uint64_t find_shares(
	struct delay_search *search, const struct measure_wait_state *wait, uint64_t from)
{
	struct measure_path_times *theirs = &search->theirs, *own = &search->own;
	uint64_t sum = 0;

	search->nr_paths = search->nr_waits = 0;
	search->first_wait = search->all->first[wait->cause];
	measure_timeline_paths(search->timelines, wait->cause, from, wait->until, theirs);
	measure_timeline_paths(search->timelines, wait->location, from, wait->until, own);
	for (size_t i = 0; i < theirs->nr_paths; i++) {
		const uint32_t path = theirs->paths[i];

		if (theirs->ticks[path] <= own->ticks[path])
			continue;
		*measure_append(search, paths) =
			(struct delay_share){theirs->ticks[path] - own->ticks[path], path};
		sum += theirs->ticks[path] - own->ticks[path];
	}
	measure_path_times_clear(theirs);
	measure_path_times_clear(own);
	measure_timeline_waits(&search->timelines->locations[wait->cause], from, wait->until,
		add_share_of_wait, search);
	sort_shares(search->paths, search->nr_paths);
	sort_shares(search->waits, search->nr_waits);
	for (size_t i = 0; i < search->nr_waits; i++) {
		search->waits[i].weight = search->states[search->waits[i].index].weight;
		sum += search->waits[i].weight;
	}
	return sum;
}

/* Returns the part that is for delays. */
static uint64_t share_out(struct delay_search *search, const struct measure_wait_state *wait,
	uint32_t pattern, uint64_t ticks, uint64_t sum, bool is_long)
{
	struct measure_apportion apportion = measure_apportion_start(ticks, sum);
	uint64_t direct;

	for (size_t i = 0; i < search->nr_paths; i++)
		add_delay(search, pattern, wait, search->paths[i].index,
			measure_apportion_next(&apportion, search->paths[i].weight), is_long);
	direct = apportion.given;
	for (size_t i = 0; i < search->nr_waits; i++) {
		const uint32_t index = search->waits[i].index;
		struct wait_state *state = &search->states[index];
		const uint64_t share = measure_apportion_next(&apportion, search->waits[i].weight);

		add_later_cost(search, index, pattern, share);
		if (!is_long && share > state->propagating)
			state->propagating = share;
	}
	return direct;
}

/* ------------------------------------------------------------------------- settle --- */

/* Those of a wait that nobody has caused stay with it. */
static void share_out_later_costs(struct delay_search *search,
	const struct measure_wait_state *wait, struct wait_state *state, uint64_t sum)
{
	while (state->costs != MEASURE_NONE) {
		const uint32_t number = state->costs;
		const struct later_cost cost = search->costs[number];

		state->costs = cost.next;
		search->costs[number].next = search->free_cost;
		search->free_cost = number;
		if (sum > 0)
			share_out(search, wait, cost.pattern, cost.ticks, sum, true);
		else
			search->delays->unattributed += cost.ticks;
	}
}

static void count_wait(struct delay_search *search, uint32_t index, uint64_t ticks, uint64_t direct)
{
	struct measure_wait_costs *costs = &search->delays->costs[search->wait_rows[index]];
	const uint64_t propagating = search->states[index].propagating;
	const uint64_t all = search->all->waits[index].ticks;

	search->delays->unattributed += all - ticks;
	costs->direct += direct;
	costs->indirect += ticks - direct;
	costs->unattributed += all - ticks;
	costs->propagating += propagating;
	costs->terminal += all - propagating;
}

/* All waits that it may have caused have been settled. Of time without use only they count. */
static void settle_wait(struct delay_search *search, uint32_t index)
{
	const struct measure_wait_state *wait = &search->all->waits[index];
	struct wait_state *state = &search->states[index];
	uint64_t sum = 0, ticks, direct = 0;

	search->number++;
	state->is_settled = true;
	if (measure_wait_is_idle(wait) && state->costs == MEASURE_NONE)
		return;
	if (measure_wait_has_cause(wait))
		sum = find_shares(search, wait, search->starts[index]);
	ticks = sum < wait->ticks ? sum : wait->ticks;
	if (ticks > 0 && !measure_wait_is_idle(wait))
		direct = share_out(search, wait, wait->pattern, ticks, sum, false);
	share_out_later_costs(search, wait, state, sum);
	if (!measure_wait_is_idle(wait))
		count_wait(search, index, ticks, direct);
}

/* -------------------------------------------------------------------------- order --- */

static bool has_pending(const struct delay_search *search, uint32_t wait)
{
	return search->nr_pending[search->all->waits[wait].location] > 0;
}

/* Waits of a location, which stand together, are ready when all that were for it are settled. */
static void add_ready(struct delay_search *search, uint32_t location)
{
	const struct measure_wait_state *waits = search->all->waits;
	size_t low = 0, high = search->nr_group;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (waits[search->group[middle]].location < location)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < search->nr_group && waits[search->group[low]].location == location; low++)
		if (!search->states[search->group[low]].is_settled)
			*measure_append(search, ready) = search->group[low];
}

static void settle_and_go_on(struct delay_search *search, uint32_t index)
{
	const struct measure_wait_state *wait = &search->all->waits[index];

	settle_wait(search, index);
	if (measure_wait_has_cause(wait) && --search->nr_pending[wait->cause] == 0)
		add_ready(search, wait->cause);
}

static void settle_ready(struct delay_search *search)
{
	while (search->nr_ready > 0) {
		const uint32_t wait = search->ready[--search->nr_ready];

		if (!search->states[wait].is_settled)
			settle_and_go_on(search, wait);
	}
}

/* Waits that were over at one time: one that is for a location before those of that location. Where
 * they stand in a circle, the first one of the locations begins. */
static void settle_group(struct delay_search *search)
{
	const struct measure_wait_state *waits = search->all->waits;

	for (size_t i = 0; i < search->nr_group; i++)
		if (measure_wait_has_cause(&waits[search->group[i]]))
			search->nr_pending[waits[search->group[i]].cause]++;
	for (size_t i = search->nr_group; i-- > 0;)
		if (!has_pending(search, search->group[i]))
			*measure_append(search, ready) = search->group[i];
	settle_ready(search);
	for (size_t i = 0; i < search->nr_group; i++) {
		if (search->states[search->group[i]].is_settled)
			continue;
		search->delays->nr_circles++;
		settle_and_go_on(search, search->group[i]);
		settle_ready(search);
	}
}

/* Locations by the end of their next wait, the latest first: a heap. */
struct ends_heap {
	const struct measure_all_waits *all;
	const uint32_t *order;
	size_t *left; /* by location: end of the waits that have not been taken yet */
	uint32_t *locations;
	size_t nr;
};

static uint64_t next_end(const struct ends_heap *heap, size_t place)
{
	return heap->all->waits[heap->order[heap->left[heap->locations[place]] - 1]].until;
}

static void sift_down(struct ends_heap *heap, size_t place)
{
	for (size_t child; (child = 2 * place + 1) < heap->nr; place = child) {
		const uint32_t kept = heap->locations[place];

		if (child + 1 < heap->nr && next_end(heap, child + 1) > next_end(heap, child))
			child++;
		if (next_end(heap, child) <= next_end(heap, place))
			return;
		heap->locations[place] = heap->locations[child];
		heap->locations[child] = kept;
	}
}

static void start_heap(struct ends_heap *heap)
{
	const size_t *first = heap->all->first;
	const size_t nr = heap->all->nr_locations;

	heap->left = measure_zeroed(nr, sizeof(*heap->left));
	heap->locations = measure_zeroed(nr, sizeof(*heap->locations));
	for (size_t i = 0; i < nr; i++) {
		heap->left[i] = first[i + 1];
		if (first[i + 1] > first[i])
			heap->locations[heap->nr++] = (uint32_t)i;
	}
	for (size_t i = heap->nr; i-- > 0;)
		sift_down(heap, i);
}

static uint32_t take_latest(struct ends_heap *heap)
{
	const uint32_t location = heap->locations[0];
	const uint32_t wait = heap->order[--heap->left[location]];

	if (heap->left[location] == heap->all->first[location])
		heap->locations[0] = heap->locations[--heap->nr];
	sift_down(heap, 0);
	return wait;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Waits are numbered by location. */
static void settle_all(struct delay_search *search)
{
	struct ends_heap heap = {.all = search->all, .order = measure_wait_order(search->all)};

	start_heap(&heap);
	while (heap.nr > 0) {
		const uint64_t end = next_end(&heap, 0);

		search->nr_group = 0;
		while (heap.nr > 0 && next_end(&heap, 0) == end)
			*measure_append(search, group) = take_latest(&heap);
		if (search->nr_group == 1) {
			settle_wait(search, search->group[0]);
			continue;
		}
		qsort(search->group, search->nr_group, sizeof(*search->group), compare_numbers);
		settle_group(search);
	}
	measure_free((void *)(uintptr_t)heap.order);
	measure_free(heap.left);
	measure_free(heap.locations);
}

/* -------------------------------------------------------------------- start and end --- */

/* The row that each wait is a part of. */
static void find_wait_rows(struct delay_search *search)
{
	const struct measure_waits *waits = search->timelines->waits;
	const struct measure_all_waits *all = search->all;
	const size_t nr = all->first[all->nr_locations];
	struct measure_map rows = {.nr_slots = 0};

	search->wait_rows = measure_uncleared(nr, sizeof(*search->wait_rows));
	for (size_t i = 0; i < waits->nr_rows; i++)
		measure_map_set(&rows,
			measure_key_pair(
				(uint64_t)waits->rows[i].pattern << 32 | waits->rows[i].path,
				waits->rows[i].location),
			(uint32_t)i);
	for (size_t i = 0; i < nr; i++) {
		const struct measure_wait_state *wait = &all->waits[i];
		const struct measure_sync_call *calls = all->tables[wait->location].calls;

		if (!measure_wait_is_idle(wait))
			search->wait_rows[i] = measure_map_get(&rows,
				measure_key_pair(
					(uint64_t)wait->pattern << 32 | calls[wait->call].path,
					wait->location));
	}
	measure_map_free(&rows);
}

static int compare_delay_rows(const void *left, const void *right)
{
	const struct measure_delay_row *a = left, *b = right;

	if (a->pattern != b->pattern)
		return a->pattern > b->pattern ? 1 : -1;
	if (a->path != b->path)
		return a->path > b->path ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

static void free_search(struct delay_search *search)
{
	measure_map_free(&search->rows);
	measure_free(search->starts);
	measure_free(search->wait_rows);
	measure_free(search->states);
	measure_free(search->costs);
	measure_path_times_free(&search->theirs);
	measure_path_times_free(&search->own);
	measure_free(search->paths);
	measure_free(search->waits);
	measure_free(search->group);
	measure_free(search->ready);
	measure_free(search->nr_pending);
}

void measure_delays_find(struct measure_delays *delays, const struct measure_timelines *timelines,
	unsigned nr_threads)
{
	const struct measure_waits *waits = timelines->waits;
	const size_t nr = timelines->all.first[timelines->all.nr_locations];
	struct delay_search search = {.timelines = timelines,
		.all = &timelines->all,
		.delays = delays,
		.starts = measure_sync_points_find(timelines, nr_threads),
		.states = measure_zeroed(nr, sizeof(*search.states)),
		.free_cost = MEASURE_NONE,
		.nr_pending = measure_zeroed(
			waits->dependencies.nr_locations, sizeof(*search.nr_pending))};

	*delays = (struct measure_delays){
		.costs = measure_zeroed(waits->nr_rows, sizeof(*delays->costs))};
	measure_path_times_start(&search.theirs, timelines);
	measure_path_times_start(&search.own, timelines);
	find_wait_rows(&search);
	for (size_t i = 0; i < nr; i++)
		search.states[i].costs = MEASURE_NONE;
	settle_all(&search);
	if (delays->nr_rows > 1)
		qsort(delays->rows, delays->nr_rows, sizeof(*delays->rows), compare_delay_rows);
	free_search(&search);
}

void measure_delays_free(struct measure_delays *delays)
{
	measure_free(delays->rows);
	measure_free(delays->costs);
	*delays = (struct measure_delays){.nr_rows = 0};
}

uint64_t measure_delays_total(const struct measure_delays *delays)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < delays->nr_rows; i++)
		ticks += delays->rows[i].short_term + delays->rows[i].long_term;
	return ticks;
}
