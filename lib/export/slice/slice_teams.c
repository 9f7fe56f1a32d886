/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams of which some members are in the window, and barriers that some of them are in: the others
 * get records of no length, so that readers count the same teams and barriers everywhere. */
#include "config.h"

#include "slice_internal.h"

const struct slice_missing *slice_teams_range(const struct slice_team_ranges *ranges, uint32_t comm)
{
	for (size_t i = 0; i < ranges->nr_teams; i++)
		if (ranges->teams[i].comm == comm)
			return &ranges->teams[i];
	return NULL;
}

static struct slice_barriers *barriers_find(
	const struct slice_team_ranges *ranges, uint32_t comm, uint64_t ordinal)
{
	for (size_t i = 0; i < ranges->nr_barriers; i++)
		if (ranges->barriers[i].comm == comm && ranges->barriers[i].ordinal == ordinal)
			return &ranges->barriers[i];
	return NULL;
}

const struct slice_barriers *slice_teams_barriers(
	const struct slice_team_ranges *ranges, uint32_t comm, uint64_t ordinal)
{
	return barriers_find(ranges, comm, ordinal);
}

static bool is_of_one(const struct slice *slice, uint32_t comm)
{
	const uint32_t group = slice->definitions->comms[comm].groups[0];

	return group >= slice->definitions->nr_groups ||
	       measure_group_is_self(slice->definitions, group);
}

static void find_team(
	const struct slice *slice, struct slice_team_ranges *ranges, const struct slice_team *team)
{
	struct slice_missing *range;

	if (team->before >= team->until || is_of_one(slice, team->comm))
		return;
	range = (struct slice_missing *)slice_teams_range(ranges, team->comm);
	if (!range) {
		range = measure_append(ranges, teams);
		*range = (struct slice_missing){team->comm, team->before, team->until};
	}
	if (range->first > team->before)
		range->first = team->before;
	if (range->end < team->until)
		range->end = team->until;
}

/* Those that come to their team only after the window. */
static void find_members(struct slice *slice, const struct slice_missing *range)
{
	const struct measure_definitions *definitions = slice->definitions;
	const uint32_t group = definitions->comms[range->comm].groups[0];

	for (uint32_t i = 0; i < definitions->groups[group].nr_members; i++) {
		const uint32_t location = measure_group_location(
			definitions, group, measure_group_rank(&definitions->groups[group], i));

		if (location != MEASURE_NONE && slice->locations[location].is_kept)
			slice_team_of(&slice->locations[location], range->comm);
	}
}

/* -------------------------------------------------------------------------- barriers --- */

/* Barriers of a team that have been entered and not left. */
static uint32_t nr_open_barriers(const struct slice_frames *frames, size_t team)
{
	uint32_t nr = 0;

	for (size_t i = team + 1; i < frames->nr; i++) {
		if (frames->items[i].kind == MEASURE_EVENT_THREAD_TEAM_BEGIN)
			break;
		nr += frames->items[i].is_barrier;
	}
	return nr;
}

static bool has_team(const struct slice_frames *frames, uint32_t comm, uint64_t ordinal)
{
	for (size_t i = 0; i < frames->nr; i++)
		if (frames->items[i].kind == MEASURE_EVENT_THREAD_TEAM_BEGIN &&
			frames->items[i].ref == comm && frames->items[i].ordinal == ordinal)
			return true;
	return false;
}

static struct slice_barriers *barriers_of(
	struct slice_team_ranges *ranges, const struct slice_frame *team, uint64_t first)
{
	struct slice_barriers *barriers = barriers_find(ranges, team->ref, team->ordinal);

	if (!barriers) {
		barriers = measure_append(ranges, barriers);
		*barriers = (struct slice_barriers){
			team->ref, team->ordinal, first, UINT64_MAX, team->barrier};
	}
	if (barriers->first > first)
		barriers->first = first;
	return barriers;
}

static void find_barriers_from(
	struct slice_team_ranges *ranges, const struct slice_location *location)
{
	const struct slice_frames *frames = &location->at_from;

	for (size_t i = 0; i < frames->nr; i++)
		if (frames->items[i].kind == MEASURE_EVENT_THREAD_TEAM_BEGIN)
			barriers_of(ranges, &frames->items[i],
				frames->items[i].nr_barriers - nr_open_barriers(frames, i));
}

static void find_barriers_until(
	struct slice_team_ranges *ranges, const struct slice_location *location)
{
	const struct slice_frames *frames = &location->at_until;

	for (size_t i = 0; i < frames->nr; i++) {
		const struct slice_frame *team = &frames->items[i];
		struct slice_barriers *barriers;

		if (team->kind != MEASURE_EVENT_THREAD_TEAM_BEGIN)
			continue;
		barriers = barriers_of(ranges, team,
			has_team(&location->at_from, team->ref, team->ordinal) ? UINT64_MAX : 0);
		if (barriers->end == UINT64_MAX || barriers->end < team->nr_barriers) {
			barriers->end = team->nr_barriers;
			barriers->region = team->barrier;
		}
	}
}

void slice_teams_find(
	struct slice *slice, const struct slice_process *process, struct slice_team_ranges *ranges)
{
	for (size_t i = 0; i < process->nr_locations; i++) {
		const struct slice_location *location = &slice->locations[process->locations[i]];

		for (size_t k = 0; k < location->nr_teams; k++)
			find_team(slice, ranges, &location->teams[k]);
	}
	for (size_t i = 0; i < ranges->nr_teams; i++)
		find_members(slice, &ranges->teams[i]);
	for (size_t i = 0; i < process->nr_locations; i++)
		find_barriers_from(ranges, &slice->locations[process->locations[i]]);
	for (size_t i = 0; i < process->nr_locations; i++)
		find_barriers_until(ranges, &slice->locations[process->locations[i]]);
}

void slice_teams_free(struct slice_team_ranges *ranges)
{
	measure_free(ranges->teams);
	measure_free(ranges->barriers);
}
