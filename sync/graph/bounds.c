/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whoever asks is asked by the strongest side of another clock, or by the second strongest clock's
 * if the strongest is its own; a side that is weaker than that one by more than any latency can
 * make up for matters to nobody. Few are left, and looking stops when the others cannot ask for
 * more. */
#include "config.h"

#include "bounds.h"

#include <stdlib.h>
#include <string.h>

#include "location_clocks.h"
#include "trace/common/containers.h"

/* Sides that are sorted by hand. */
#define FEW 16

void measure_sync_bounds_start(struct measure_sync_bounds *bounds,
	const struct measure_sync_graph *graph, const struct measure_sync_latencies *latencies,
	bool are_neighbours_asked)
{
	*bounds = (struct measure_sync_bounds){
		.graph = graph, .are_neighbours_asked = are_neighbours_asked};
	for (int i = 0; i < MEASURE_SYNC_NR_NEARNESSES; i++) {
		bounds->by_nearness[i] = measure_sync_latency_of(latencies, i);
		if (bounds->by_nearness[i] > bounds->most)
			bounds->most = bounds->by_nearness[i];
	}
}

void measure_sync_bounds_part(
	struct measure_sync_bounds *bounds, const struct measure_sync_latencies *latencies)
{
	bounds->by_nearness[MEASURE_SYNC_SAME_DOMAIN] =
		measure_sync_latency_of(latencies, MEASURE_SYNC_SAME_PROCESS);
}

void measure_sync_bounds_end(struct measure_sync_bounds *bounds)
{
	measure_free(bounds->sides);
}

void measure_sync_bounds_clear(struct measure_sync_bounds *bounds)
{
	bounds->nr = 0;
}

/* Order inside a domain is that of its clock, whatever happens; inside a location, always. */
static bool is_asked(const struct measure_sync_bounds *bounds, enum measure_sync_nearness nearness)
{
	return nearness >= (bounds->are_neighbours_asked ? MEASURE_SYNC_SAME_DOMAIN
							 : MEASURE_SYNC_SAME_PROCESS);
}

/* Those of one owner ask the same of all others, and nothing of each other. */
static uint32_t owner_of(
	const struct measure_sync_bounds *bounds, const struct measure_sync_bounds_side *side)
{
	return bounds->are_neighbours_asked ? side->location
					    : bounds->graph->domains[side->location];
}

/* ------------------------------------------------------------------- one by one --- */

/* Keeps the order, with one side of each owner. */
static void insert(struct measure_sync_bounds *bounds, struct measure_sync_bounds_side side)
{
	const uint32_t owner = owner_of(bounds, &side);
	size_t place = 0, old;

	for (; place < bounds->nr && bounds->sides[place].strength >= side.strength; place++)
		if (owner_of(bounds, &bounds->sides[place]) == owner)
			return;
	for (old = place; old < bounds->nr; old++)
		if (owner_of(bounds, &bounds->sides[old]) == owner)
			break;
	if (old == bounds->nr) {
		bounds->sides = measure_grow(
			bounds->sides, bounds->nr, &bounds->room, sizeof(*bounds->sides));
		bounds->nr++;
	}
	memmove(&bounds->sides[place + 1], &bounds->sides[place],
		(old - place) * sizeof(*bounds->sides));
	bounds->sides[place] = side;
	while (bounds->nr > 2 &&
		bounds->sides[bounds->nr - 1].strength + bounds->most < bounds->sides[1].strength)
		bounds->nr--;
}

static struct measure_sync_bounds_side side_of(
	const struct measure_sync_bounds *bounds, uint32_t record, bool is_send)
{
	const int64_t value = bounds->graph->values[record];

	return (struct measure_sync_bounds_side){
		is_send ? value : -value, bounds->graph->records[record].location};
}

void measure_sync_bounds_add_send(struct measure_sync_bounds *bounds, uint32_t record)
{
	insert(bounds, side_of(bounds, record, true));
}

static bool is_relaxed(const struct measure_sync_graph *graph, uint32_t record)
{
	return atomic_load_explicit(&graph->states[record], memory_order_relaxed) ==
	       MEASURE_SYNC_RELAXED;
}

void measure_sync_bounds_add_receive(struct measure_sync_bounds *bounds, uint32_t record)
{
	if (!is_relaxed(bounds->graph, record))
		insert(bounds, side_of(bounds, record, false));
}

/* ------------------------------------------------------------------- all at once --- */

/* For so many sides. */
static void bounds_make_room(struct measure_sync_bounds *bounds, uint32_t nr)
{
	bounds->nr = 0;
	while (bounds->room < nr)
		bounds->sides = measure_grow(
			bounds->sides, bounds->room, &bounds->room, sizeof(*bounds->sides));
}

static int compare_sides(const void *left, const void *right)
{
	const struct measure_sync_bounds_side *a = left, *b = right;

	return (a->strength < b->strength) - (a->strength > b->strength);
}

static void sort_few(struct measure_sync_bounds_side *sides, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		const struct measure_sync_bounds_side side = sides[i];
		size_t place = i;

		for (; place > 0 && sides[place - 1].strength < side.strength; place--)
			sides[place] = sides[place - 1];
		sides[place] = side;
	}
}

/* Of the strongest two owners. False: there is only one. */
static bool find_second(const struct measure_sync_bounds *bounds, int64_t *strength)
{
	const struct measure_sync_bounds_side *first = &bounds->sides[0], *second = NULL;

	for (size_t i = 1; i < bounds->nr; i++) {
		const struct measure_sync_bounds_side *side = &bounds->sides[i];
		const bool is_owners = owner_of(bounds, side) == owner_of(bounds, first);

		if (side->strength > first->strength) {
			second = is_owners ? second : first;
			first = side;
		} else if (!is_owners && (!second || side->strength > second->strength)) {
			second = side;
		}
	}
	if (second)
		*strength = second->strength;
	return second != NULL;
}

static void put_in_order(struct measure_sync_bounds *bounds)
{
	int64_t second;
	size_t nr = 0;

	if (bounds->nr < 2)
		return;
	if (bounds->nr > FEW && find_second(bounds, &second)) {
		for (size_t i = 0; i < bounds->nr; i++)
			if (bounds->sides[i].strength + bounds->most >= second)
				bounds->sides[nr++] = bounds->sides[i];
		bounds->nr = nr;
	}
	if (bounds->nr > FEW)
		qsort(bounds->sides, bounds->nr, sizeof(*bounds->sides), compare_sides);
	else
		sort_few(bounds->sides, bounds->nr);
}

void measure_sync_bounds_take_sends(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance)
{
	const uint32_t *sends = measure_sync_sends(bounds->graph, instance);

	bounds_make_room(bounds, instance->nr_sends);
	for (uint32_t i = 0; i < instance->nr_sends; i++)
		bounds->sides[bounds->nr++] = side_of(bounds, sends[i], true);
	put_in_order(bounds);
}

void measure_sync_bounds_take_receives(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance)
{
	const uint32_t *receives = measure_sync_receives(bounds->graph, instance);

	bounds_make_room(bounds, instance->nr_receives);
	for (uint32_t i = 0; i < instance->nr_receives; i++)
		if (!is_relaxed(bounds->graph, receives[i]))
			bounds->sides[bounds->nr++] = side_of(bounds, receives[i], false);
	put_in_order(bounds);
}

/* ----------------------------------------------------------------------- asking --- */

static int64_t strongest(const struct measure_sync_bounds *bounds, uint32_t location)
{
	int64_t best = MEASURE_SYNC_NO_BOUND;

	for (size_t i = 0; i < bounds->nr; i++) {
		const struct measure_sync_bounds_side *side = &bounds->sides[i];
		enum measure_sync_nearness nearness;

		if (best != MEASURE_SYNC_NO_BOUND && side->strength + bounds->most <= best)
			break;
		nearness = measure_sync_nearness(bounds->graph, side->location, location);
		if (is_asked(bounds, nearness) &&
			side->strength + bounds->by_nearness[nearness] > best)
			best = side->strength + bounds->by_nearness[nearness];
	}
	return best;
}

int64_t measure_sync_bound(const struct measure_sync_bounds *bounds, uint32_t location)
{
	return strongest(bounds, location);
}

int64_t measure_sync_limit(const struct measure_sync_bounds *bounds, uint32_t location)
{
	const int64_t best = strongest(bounds, location);

	return best == MEASURE_SYNC_NO_BOUND ? MEASURE_SYNC_NO_LIMIT : -best;
}

int64_t measure_sync_bound_of_pair(
	const struct measure_sync_bounds *bounds, const struct measure_sync_record *receive)
{
	if (!is_asked(bounds, receive->nearness))
		return MEASURE_SYNC_NO_BOUND;
	return bounds->graph->values[receive->link] + bounds->by_nearness[receive->nearness];
}

int64_t measure_sync_limit_of_pair(
	const struct measure_sync_bounds *bounds, const struct measure_sync_record *send)
{
	if (!is_asked(bounds, send->nearness) || is_relaxed(bounds->graph, send->link))
		return MEASURE_SYNC_NO_LIMIT;
	return bounds->graph->values[send->link] - bounds->by_nearness[send->nearness];
}

int64_t measure_sync_bound_of(const struct measure_sync_bounds *bounds, uint32_t receive)
{
	const struct measure_sync_record *record = &bounds->graph->records[receive];

	return record->is_pair ? measure_sync_bound_of_pair(bounds, record)
			       : measure_sync_bound(bounds, record->location);
}

/* --------------------------------------------------------------------- in a row --- */

static void each_of_instance(struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance, measure_sync_receive_fn see, void *data)
{
	const struct measure_sync_graph *graph = bounds->graph;
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);
	uint32_t nr_taken = 0;

	measure_sync_bounds_clear(bounds);
	if (!instance->is_prefix)
		measure_sync_bounds_take_sends(bounds, instance);
	for (uint32_t i = 0; i < instance->nr_receives; i++) {
		for (; instance->is_prefix &&
			nr_taken < measure_sync_nr_awaited(graph, instance, i);
			nr_taken++)
			measure_sync_bounds_add_send(bounds, sends[nr_taken]);
		if (measure_sync_is_mine(graph, graph->records[receives[i]].location))
			see(data, receives[i]);
	}
}

void measure_sync_bounds_each(struct measure_sync_bounds *bounds, size_t from, size_t to,
	measure_sync_receive_fn see, void *data)
{
	const struct measure_sync_graph *graph = bounds->graph;

	for (size_t i = from; i < to && i < graph->nr_records; i++)
		if (graph->records[i].is_pair && !graph->records[i].is_send &&
			measure_sync_is_mine(graph, graph->records[i].location))
			see(data, (uint32_t)i);
	for (size_t i = from; i < to && i < graph->nr_instances; i++)
		each_of_instance(bounds, &graph->instances[i], see, data);
}
