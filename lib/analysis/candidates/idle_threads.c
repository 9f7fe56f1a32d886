/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of OpenMP that have nothing to do: while their process runs no parallel region, and while
 * it runs one with fewer threads than its largest team has. And what it takes to make and to join
 * teams. None of this is waiting of a call. */
#include "config.h"

#include "candidates_internal.h"

#include <stdlib.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static void add_row(struct measure_candidates *candidates, enum measure_wait_pattern pattern,
	uint32_t location, uint64_t ticks, const struct measure_worst_wait *wait)
{
	const uint32_t index = measure_map_intern(&candidates->row_numbers,
		measure_key_pair(pattern, location), (uint32_t)candidates->nr_rows);
	struct measure_wait_row *row;

	if (index == candidates->nr_rows)
		*measure_append(candidates, rows) =
			(struct measure_wait_row){.pattern = pattern, .location = location};
	row = &candidates->rows[index];
	row->ticks += ticks;
	row->count++;
	if (ticks <= row->max)
		return;
	row->max = ticks;
	row->worst = *wait;
}

/* ---------------------------------------------------------------------- management --- */

static void add_management(struct measure_candidates *candidates, enum measure_wait_pattern pattern,
	uint32_t location, const struct measure_point *from, const struct measure_point *until)
{
	const struct measure_worst_wait wait = {
		from->time, until->time, from->location, MEASURE_NONE};

	if (until->time > from->time)
		add_row(candidates, pattern, location, until->time - from->time, &wait);
}

static void take_fork(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const struct measure_point *fork = &instance->sends[0];

	*measure_append(candidates, teams) = (struct measure_team_span){.from = fork->time,
		.location = fork->location,
		.comm = instance->comm,
		.ordinal = instance->ordinal,
		.size = (uint32_t)instance->nr_receives};
	for (size_t i = 0; i < instance->nr_receives; i++)
		add_management(candidates, MEASURE_WAIT_FORK, instance->receives[i].location, fork,
			&instance->receives[i]);
}

/* It is handed out right after the fork of its team. */
static void take_join(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const struct measure_point *join = &instance->receives[0], *last = &instance->sends[0];
	struct measure_team_span *team;

	for (size_t i = 1; i < instance->nr_sends; i++)
		if (instance->sends[i].time > last->time)
			last = &instance->sends[i];
	add_management(candidates, MEASURE_WAIT_TEAM_JOIN, join->location, last, join);
	if (candidates->nr_teams == 0)
		return;
	team = &candidates->teams[candidates->nr_teams - 1];
	if (team->comm == instance->comm && team->ordinal == instance->ordinal &&
		team->location == join->location)
		team->until = join->time;
}

void candidates_take_team(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	if (instance->relation == MEASURE_RELATION_FORK)
		take_fork(candidates, instance);
	else
		take_join(candidates, instance);
}

/* -------------------------------------------------------------------- idle threads --- */

/* A team begins or ends. */
struct change {
	uint64_t time;
	int64_t active; /* threads that begin to run, or end */
};

/* Of a process, in order of time. */
struct changes {
	MEASURE_GROWING_ITEMS(struct change);
	uint32_t largest;  /* team */
	uint32_t location; /* that forked first */
};

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	int order = COMPARE(a->time, b->time);

	return order ? order : COMPARE(a->active, b->active);
}

/* From one change to the next one, or from the begin, or until the end. */
static void add_idle(struct measure_candidates *candidates, const struct changes *changes,
	uint64_t from, uint64_t until, int64_t active, int depth)
{
	const struct measure_worst_wait wait = {from, until, changes->location, MEASURE_NONE};
	const int64_t idle = (int64_t)changes->largest - active;

	if (until > from && idle > 0)
		add_row(candidates,
			depth > 0 ? MEASURE_WAIT_LIMITED_PARALLELISM : MEASURE_WAIT_IDLE,
			changes->location, (until - from) * (uint64_t)idle, &wait);
}

static void sweep(struct measure_candidates *candidates, const struct changes *changes,
	uint64_t begin, uint64_t end)
{
	uint64_t from = begin;
	int64_t active = 1;
	int depth = 0;

	for (size_t i = 0; i < changes->nr; i++) {
		const struct change *change = &changes->items[i];

		add_idle(candidates, changes, from, change->time, active, depth);
		active += change->active;
		depth += change->active > 0 ? 1 : -1;
		from = change->time;
	}
	add_idle(candidates, changes, from, end, active, depth);
}

/* Teams of one thread, or without an end, change nothing. */
static void add_team(struct changes *changes, const struct measure_team_span *team)
{
	if (team->size < 2 || team->until == 0)
		return;
	if (changes->nr == 0)
		changes->location = team->location;
	changes->largest = team->size > changes->largest ? team->size : changes->largest;
	*measure_append_item(changes) = (struct change){team->from, (int64_t)team->size - 1};
	*measure_append_item(changes) = (struct change){team->until, 1 - (int64_t)team->size};
}

static int compare_teams(const void *left, const void *right, void *data)
{
	const struct measure_location_definition *locations = data;
	const struct measure_team_span *a = left, *b = right;
	int order = COMPARE(locations[a->location].group, locations[b->location].group);

	if (order == 0)
		order = COMPARE(a->from, b->from);
	return order ? order : COMPARE(a->location, b->location);
}

/* First and last event. */
struct span {
	uint64_t from, until;
};

static struct span *find_spans(
	const struct measure_candidates *candidates, const struct measure_profile *profile)
{
	struct span *spans = measure_zeroed(candidates->definitions->nr_locations, sizeof(*spans));

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const uint32_t location = profile->rows[i].location;

		if (profile->rows[i].path == 0)
			spans[location] = (struct span){
				candidates->tables[location].end - profile->rows[i].inclusive,
				candidates->tables[location].end};
	}
	return spans;
}

void measure_candidates_add_idle(
	struct measure_candidates *candidates, const struct measure_profile *profile)
{
	struct measure_location_definition *locations = candidates->definitions->locations;
	struct span *spans = find_spans(candidates, profile);
	struct changes changes = {.nr = 0};
	size_t end;

	if (candidates->nr_teams > 1)
		qsort_r(candidates->teams, candidates->nr_teams, sizeof(*candidates->teams),
			compare_teams, locations);
	for (size_t i = 0; i < candidates->nr_teams; i = end) {
		const uint32_t process = locations[candidates->teams[i].location].group;

		changes.nr = changes.largest = 0;
		for (end = i; end < candidates->nr_teams &&
			      locations[candidates->teams[end].location].group == process;
			end++)
			add_team(&changes, &candidates->teams[end]);
		if (changes.nr == 0)
			continue;
		qsort(changes.items, changes.nr, sizeof(*changes.items), compare_changes);
		sweep(candidates, &changes, spans[changes.location].from,
			spans[changes.location].until);
	}
	measure_free(changes.items);
	measure_free(spans);
}
