/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two locations synchronise where one waits for the other, and where both take part in an instance
 * in which each waits for all: a barrier, for example. Each location is gone through in the order
 * of time, with the last synchronisation by peer, and the last instance by communicator. */
#include "config.h"

#include "sync_points.h"

#include <stdlib.h>

#include "sync/parallel/workers.h"
#include "wait_order.h"

/* That a location takes part in an instance in which each waits for all. */
struct participation {
	uint64_t leave;
	uint32_t number; /* of the instance, in the order of time */
	uint32_t comm;
};

/* Something at which a location was together with others. */
struct meeting {
	uint64_t time;
	uint32_t peer;          /* MEASURE_NONE: more than one */
	uint32_t participation; /* ... and this is which; of the location */
};

struct sync_points {
	const struct measure_timelines *timelines;
	const struct measure_dependencies *dependencies;
	const struct measure_all_waits *all;
	struct participation *participations; /* those of a location together, by number */
	size_t *first_participations;         /* by location, and the end */
	uint32_t *caused;                     /* waits, by cause */
	size_t *first_caused;                 /* by location, and the end */
	uint64_t *starts;                     /* the result */
};

/* A full instance, by its last begin. */
struct full_instance {
	uint64_t time;
	size_t instance;
};

/* What is known of a location at the time that has been reached. */
struct meeting_state {
	uint64_t *peers; /* by location: when it was together with that one alone, or 0 */
	MEASURE_GROWING(struct participation, comms); /* the last one of each */
};

/* -------------------------------------------------------------------------- sorted --- */

static int compare_meetings(const void *left, const void *right)
{
	const struct meeting *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? 1 : -1;
	return (a->participation > b->participation) - (a->participation < b->participation);
}

static int compare_full(const void *left, const void *right)
{
	const struct full_instance *a = left, *b = right;

	if (a->time != b->time)
		return a->time > b->time ? 1 : -1;
	return (a->instance > b->instance) - (a->instance < b->instance);
}

/* Sums of numbers before each of them. */
static void accumulate(size_t *numbers, size_t nr)
{
	size_t sum = 0;

	for (size_t i = 0; i <= nr; i++) {
		const size_t here = numbers[i];

		numbers[i] = sum;
		sum += here;
	}
}

/* Where things have been put in by counting up: back to the places of the first ones. */
static void move_back(size_t *firsts, size_t nr)
{
	for (size_t i = nr; i > 0; i--)
		firsts[i] = firsts[i - 1];
	firsts[0] = 0;
}

/* ------------------------------------------------------------------ full instances --- */

static uint64_t leave_of(const struct measure_dependencies *dependencies, uint32_t location,
	uint32_t call, uint64_t otherwise)
{
	return call == MEASURE_NONE ? otherwise : dependencies->tables[location].calls[call].leave;
}

/* All of them wait for all. */
static bool is_full_relation(uint8_t relation)
{
	switch (relation) {
	case MEASURE_RELATION_BARRIER:
	case MEASURE_RELATION_ALL_TO_ALL:
	case MEASURE_RELATION_COMM_CREATE:
	case MEASURE_RELATION_FINALIZE:
	case MEASURE_RELATION_RMA_WINDOW:
	case MEASURE_RELATION_RMA_FENCE:
	case MEASURE_RELATION_THREAD_BARRIER:
		return true;
	default:
		return false;
	}
}

/* Was nobody gone when the last one came? */
static bool is_full(const struct measure_dependencies *dependencies,
	const struct measure_wait_instance *instance, uint64_t *time)
{
	const struct measure_send_side *sides = &dependencies->sides[instance->first];
	uint64_t first_leave = UINT64_MAX;

	*time = 0;
	if (!is_full_relation(instance->relation))
		return false;
	for (uint32_t i = 0; i < instance->nr_sends; i++) {
		const uint64_t leave =
			leave_of(dependencies, sides[i].location, sides[i].call, sides[i].begin);

		*time = sides[i].begin > *time ? sides[i].begin : *time;
		first_leave = leave < first_leave ? leave : first_leave;
	}
	return first_leave >= *time;
}

static struct full_instance *find_full_instances(
	const struct measure_dependencies *dependencies, size_t *nr)
{
	struct full_instance *full = measure_uncleared(dependencies->nr_instances, sizeof(*full));
	uint64_t time;

	*nr = 0;
	for (size_t i = 0; i < dependencies->nr_instances; i++)
		if (is_full(dependencies, &dependencies->instances[i], &time))
			full[(*nr)++] = (struct full_instance){time, i};
	if (*nr > 1)
		qsort(full, *nr, sizeof(*full), compare_full);
	return full;
}

static void list_participations(struct sync_points *points)
{
	const struct measure_dependencies *dependencies = points->dependencies;
	size_t nr;
	struct full_instance *full = find_full_instances(dependencies, &nr);
	size_t *firsts = measure_zeroed(dependencies->nr_locations + 1, sizeof(*firsts));

	for (size_t i = 0; i < nr; i++) {
		const struct measure_wait_instance *instance =
			&dependencies->instances[full[i].instance];

		for (uint32_t k = 0; k < instance->nr_sends; k++)
			firsts[dependencies->sides[instance->first + k].location]++;
	}
	accumulate(firsts, dependencies->nr_locations);
	points->participations = measure_uncleared(
		firsts[dependencies->nr_locations], sizeof(*points->participations));
	for (size_t i = 0; i < nr; i++) {
		const struct measure_wait_instance *instance =
			&dependencies->instances[full[i].instance];

		for (uint32_t k = 0; k < instance->nr_sends; k++) {
			const struct measure_send_side *side =
				&dependencies->sides[instance->first + k];

			points->participations[firsts[side->location]++] = (struct participation){
				.leave = leave_of(
					dependencies, side->location, side->call, side->begin),
				.number = (uint32_t)i,
				.comm = instance->comm};
		}
	}
	move_back(firsts, dependencies->nr_locations);
	points->first_participations = firsts;
	measure_free(full);
}

/* The one of a location in an instance, or NULL. */
static const struct participation *find_participation(
	const struct sync_points *points, uint32_t location, uint32_t number)
{
	size_t low = points->first_participations[location];
	size_t high = points->first_participations[location + 1];
	const size_t end = high;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (points->participations[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && points->participations[low].number == number
		       ? &points->participations[low]
		       : NULL;
}

/* --------------------------------------------------------------------------- pairs --- */

static void list_caused(struct sync_points *points)
{
	const struct measure_all_waits *all = points->all;
	const size_t nr = all->nr_locations, nr_waits = all->first[nr];
	size_t *firsts = measure_zeroed(nr + 1, sizeof(*firsts));

	for (size_t i = 0; i < nr_waits; i++)
		if (measure_wait_has_cause(&all->waits[i]))
			firsts[all->waits[i].cause]++;
	accumulate(firsts, nr);
	points->caused = measure_uncleared(firsts[nr], sizeof(*points->caused));
	for (size_t i = 0; i < nr_waits; i++)
		if (measure_wait_has_cause(&all->waits[i]))
			points->caused[firsts[all->waits[i].cause]++] = (uint32_t)i;
	move_back(firsts, nr);
	points->first_caused = firsts;
}

/* When the first of the two went on. */
static uint64_t time_of_pair(
	const struct measure_dependencies *dependencies, const struct measure_wait_state *wait)
{
	const uint64_t own = leave_of(dependencies, wait->location, wait->call, wait->until);
	const uint64_t other = leave_of(dependencies, wait->cause, wait->cause_call, wait->until);

	return own < other ? own : other;
}

/* ----------------------------------------------------------------------- locations --- */

static struct meeting *list_meetings(
	const struct sync_points *points, uint32_t location, size_t *nr)
{
	const struct measure_dependencies *dependencies = points->dependencies;
	const struct measure_all_waits *all = points->all;
	const size_t first_wait = all->first[location];
	const size_t end_wait = all->first[location + 1];
	const size_t first_caused = points->first_caused[location];
	const size_t end_caused = points->first_caused[location + 1];
	const size_t first = points->first_participations[location];
	const size_t end = points->first_participations[location + 1];
	struct meeting *meetings = measure_uncleared(
		end_wait - first_wait + end_caused - first_caused + end - first, sizeof(*meetings));

	*nr = 0;
	for (size_t i = first_wait; i < end_wait; i++) {
		const struct measure_wait_state *wait = &all->waits[i];

		if (measure_wait_has_cause(wait))
			meetings[(*nr)++] =
				(struct meeting){time_of_pair(dependencies, wait), wait->cause, 0};
	}
	for (size_t i = first_caused; i < end_caused; i++) {
		const struct measure_wait_state *wait = &all->waits[points->caused[i]];

		meetings[(*nr)++] =
			(struct meeting){time_of_pair(dependencies, wait), wait->location, 0};
	}
	for (size_t i = first; i < end; i++)
		meetings[(*nr)++] = (struct meeting){
			points->participations[i].leave, MEASURE_NONE, (uint32_t)(i - first)};
	if (*nr > 1)
		qsort(meetings, *nr, sizeof(*meetings), compare_meetings);
	return meetings;
}

static void take_participation(
	struct meeting_state *state, const struct participation *participation)
{
	for (size_t i = 0; i < state->nr_comms; i++)
		if (state->comms[i].comm == participation->comm) {
			if (participation->number > state->comms[i].number)
				state->comms[i] = *participation;
			return;
		}
	*measure_append(state, comms) = *participation;
}

static void take_meeting(const struct sync_points *points, struct meeting_state *state,
	uint32_t location, const struct meeting *meeting)
{
	if (meeting->peer == MEASURE_NONE)
		take_participation(
			state, &points->participations[points->first_participations[location] +
						       meeting->participation]);
	else if (meeting->time > state->peers[meeting->peer])
		state->peers[meeting->peer] = meeting->time;
}

/* The last time that the location was together with a peer. */
static uint64_t last_time(const struct sync_points *points, const struct meeting_state *state,
	uint32_t location, uint32_t peer)
{
	const struct measure_timeline *own = &points->timelines->locations[location];
	const struct measure_timeline *other = &points->timelines->locations[peer];
	uint64_t time = own->begin < other->begin ? own->begin : other->begin;

	if (state->peers[peer] > time)
		time = state->peers[peer];
	for (size_t i = 0; i < state->nr_comms; i++) {
		const struct participation *theirs =
			find_participation(points, peer, state->comms[i].number);
		uint64_t leave = state->comms[i].leave;

		if (!theirs)
			continue;
		leave = theirs->leave < leave ? theirs->leave : leave;
		time = leave > time ? leave : time;
	}
	return time;
}

/* Waits come in the order of their calls: nested ones may begin before what stands before them. */
static uint32_t *order_of_begins(const struct measure_all_waits *all, uint32_t location)
{
	const size_t first = all->first[location];
	const size_t nr = all->first[location + 1] - first;
	uint32_t *order = measure_uncleared(nr, sizeof(*order));

	for (size_t i = 0; i < nr; i++) {
		size_t place = i;

		for (; place > 0 && all->waits[order[place - 1]].from > all->waits[first + i].from;
			place--)
			order[place] = order[place - 1];
		order[place] = (uint32_t)(first + i);
	}
	return order;
}

static void find_location(void *data, size_t index)
{
	struct sync_points *points = data;
	const struct measure_all_waits *all = points->all;
	const uint32_t location = (uint32_t)index;
	const size_t nr_waits = all->first[index + 1] - all->first[index];
	struct meeting_state state = {
		.peers = measure_zeroed(all->nr_locations, sizeof(*state.peers))};
	uint32_t *order = order_of_begins(points->all, location);
	size_t nr, next = 0;
	struct meeting *meetings = list_meetings(points, location, &nr);

	for (size_t i = 0; i < nr_waits; i++) {
		const struct measure_wait_state *wait = &all->waits[order[i]];

		for (; next < nr && meetings[next].time <= wait->from; next++)
			take_meeting(points, &state, location, &meetings[next]);
		points->starts[order[i]] =
			measure_wait_has_cause(wait)
				? last_time(points, &state, location, wait->cause)
				: wait->from;
	}
	measure_free(meetings);
	measure_free(order);
	measure_free(state.peers);
	measure_free(state.comms);
}

uint64_t *measure_sync_points_find(const struct measure_timelines *timelines, unsigned nr_threads)
{
	const struct measure_dependencies *dependencies = &timelines->waits->dependencies;
	const size_t nr = dependencies->nr_locations;
	const struct measure_all_waits *all = &timelines->all;
	struct sync_points points = {.timelines = timelines,
		.dependencies = dependencies,
		.all = all,
		.starts = measure_uncleared(all->first[nr], sizeof(*points.starts))};

	list_participations(&points);
	list_caused(&points);
	measure_workers_share(nr_threads, nr, find_location, &points);
	measure_free(points.participations);
	measure_free(points.first_participations);
	measure_free(points.caused);
	measure_free(points.first_caused);
	return points.starts;
}
