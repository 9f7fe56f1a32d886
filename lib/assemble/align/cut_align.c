/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which sends, receives and collectives of an archive of --keep lack their partners; see
 * cut_align.h. */
#include "config.h"

#include "cut_align.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <unistd.h>

/* Instead of a tag, which is not negative. */
enum { TAG_OF_COLLECTIVES = -1, TAG_OF_WINDOWS = -2 };

/* Instead of a member: the one that has dropped the most. */
#define ALL_MEMBERS UINT32_MAX

/* --------------------------------------------------------------------------- lanes --- */

static uint32_t intern(struct measure_cut_alignment *alignment, struct measure_key key)
{
	const uint32_t next = (uint32_t)alignment->nr_lanes;
	const uint32_t lane = measure_map_intern(&alignment->ids, key, next);

	if (lane == next)
		*measure_append(alignment, lanes) = (struct measure_align_lane){.key = key};
	return lane;
}

static struct measure_key collective_key(
	enum measure_cut_kind kind, uint32_t space, uint32_t process)
{
	const uint32_t tag =
		(uint32_t)(kind == MEASURE_CUT_WINDOW ? TAG_OF_WINDOWS : TAG_OF_COLLECTIVES);

	return measure_key_pair((uint64_t)space << 32 | tag, process);
}

static bool is_message(const struct measure_align_lane *lane)
{
	const int32_t tag = (int32_t)(uint32_t)lane->key.high;

	return tag != TAG_OF_COLLECTIVES && tag != TAG_OF_WINDOWS;
}

static uint32_t sender_of(const struct measure_align_lane *lane)
{
	return (uint32_t)(lane->key.low >> 32);
}

static uint32_t receiver_of(const struct measure_align_lane *lane)
{
	return (uint32_t)lane->key.low;
}

/* Of a communicator or window of the process, the one of the archive; MEASURE_NONE: none that
 * others know. */
static uint32_t space_of(
	const struct measure_cut_alignment *alignment, size_t process, bool is_window, uint32_t space)
{
	const struct measure_part *part = alignment->unified->job->processes.items[process].part;
	const struct measure_local_definitions *local = &alignment->unified->locals.items[process];
	const measure_id_map_t *map = is_window ? &local->windows : &local->comms;

	if (is_window ? space >= part->windows.nr || !part->windows.items[space].is_described
		      : space >= part->comms.nr || !part->comms.items[space].is_described)
		return MEASURE_NONE;
	return space < map->nr ? map->items[space] : MEASURE_NONE;
}

static bool has_member(const struct measure_otf2_group *group, uint64_t member)
{
	for (uint32_t i = 0; i < group->nr_members; i++)
		if (group->members[i] == member)
			return true;
	return false;
}

/* The process that has a rank in a communicator, as one of its members says. */
static uint32_t peer_of(
	const struct measure_cut_alignment *alignment, size_t process, uint32_t comm, uint32_t rank)
{
	const struct measure_archive_definitions *definitions = &alignment->unified->definitions;
	const struct measure_otf2_comm *of = &definitions->comms.items[comm];
	const struct measure_otf2_group *group = &definitions->groups.items[of->group];

	if (of->is_inter && has_member(group, process))
		group = &definitions->groups.items[of->other_group];
	if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
		return (uint32_t)process;
	if (rank >= group->nr_members ||
		group->members[rank] >= alignment->unified->job->processes.nr)
		return MEASURE_NONE;
	return (uint32_t)group->members[rank];
}

static bool is_alone(const struct measure_cut_alignment *alignment, uint32_t comm)
{
	const struct measure_archive_definitions *definitions = &alignment->unified->definitions;
	const uint32_t group = definitions->comms.items[comm].group;

	return definitions->groups.items[group].type == OTF2_GROUP_TYPE_COMM_SELF;
}

/* A window has the members of its communicator. */
static bool has_others(const struct measure_cut_alignment *alignment, bool is_window, uint32_t space)
{
	if (!is_window)
		return !is_alone(alignment, space);
	space = alignment->unified->definitions.windows.items[space].comm;
	return space != MEASURE_NO_ID && !is_alone(alignment, space);
}

static uint32_t make_lane(struct measure_cut_alignment *alignment, size_t process,
	enum measure_cut_kind kind, uint32_t space, uint32_t peer, uint32_t tag)
{
	const bool is_window = kind == MEASURE_CUT_WINDOW;
	const uint32_t own = (uint32_t)process;

	space = space_of(alignment, process, is_window, space);
	if (space == MEASURE_NONE)
		return MEASURE_NONE;
	if (is_window || kind == MEASURE_CUT_COLLECTIVE)
		return has_others(alignment, is_window, space)
			       ? intern(alignment, collective_key(kind, space, own))
			       : MEASURE_NONE;
	peer = peer_of(alignment, process, space, peer);
	if (peer == MEASURE_NONE)
		return MEASURE_NONE;
	return intern(alignment, measure_key_pair((uint64_t)space << 32 | tag,
					 kind == MEASURE_CUT_SEND ? (uint64_t)own << 32 | peer
								  : (uint64_t)peer << 32 | own));
}

uint32_t measure_align_lane(struct measure_cut_alignment *alignment, size_t process,
	enum measure_cut_kind kind, uint32_t space, uint32_t peer, uint32_t tag)
{
	struct measure_map *lanes = &alignment->processes[process].lanes;
	const struct measure_key key = measure_cut_key(kind, space, peer, tag);
	uint32_t lane = measure_map_get(lanes, key);

	if (lane != MEASURE_NONE)
		return lane;
	lane = make_lane(alignment, process, kind, space, peer, tag);
	if (lane != MEASURE_NONE)
		measure_map_set(lanes, key, lane);
	return lane;
}

/* ------------------------------------------------------------------- what was dropped --- */

static void add_lanes(
	struct measure_cut_alignment *alignment, size_t process, const struct measure_cut *cut)
{
	for (size_t i = 0; i < cut->nr_lanes; i++) {
		const struct measure_cut_lane *from = &cut->lanes[i];
		const enum measure_cut_kind kind = (enum measure_cut_kind)from->kind;
		const uint32_t lane = measure_align_lane(
			alignment, process, kind, from->space, from->peer, from->tag);

		if (lane != MEASURE_NONE)
			alignment->lanes[lane].nr[measure_align_side(kind)] += from->nr;
	}
}

static void load_location(
	struct measure_cut_alignment *alignment, size_t process, int part_fd, uint32_t location)
{
	struct measure_align_process *to = &alignment->processes[process];
	struct measure_cut *cut = &to->locations[location].cut;
	const measure_status_t status = measure_cut_load(part_fd, location, cut);

	if (status == MEASURE_ERROR_NOT_FOUND)
		return;
	to->has_cut = true;
	to->is_unknown |= status != MEASURE_OK || cut->is_unknown;
	to->has_overflowed |= cut->has_overflowed;
	if (cut->last > to->last) {
		to->last = cut->last;
		to->last_location = location;
	}
	add_lanes(alignment, process, cut);
}

static void load(struct measure_cut_alignment *alignment, size_t process)
{
	struct measure_align_process *to = &alignment->processes[process];
	const struct measure_part *part = alignment->unified->job->processes.items[process].part;
	int part_fd;

	if (!part)
		return;
	to->nr_locations = part->locations.nr;
	to->locations = measure_zeroed(to->nr_locations, sizeof(*to->locations));
	part_fd = measure_part_open(alignment->parts_fd, part);
	to->is_unknown = part_fd < 0;
	for (uint32_t i = 0; i < to->nr_locations && part_fd >= 0; i++)
		load_location(alignment, process, part_fd, i);
	if (part_fd >= 0)
		close(part_fd);
	alignment->nr_unknown += to->is_unknown || to->has_overflowed;
}

/* ---------------------------------------------------------------------------- quotas --- */

static uint64_t missing(uint64_t of_others, uint64_t own)
{
	return of_others > own ? of_others - own : 0;
}

static void set_message_quota(struct measure_cut_alignment *alignment, struct measure_align_lane *lane)
{
	struct measure_align_process *sender = &alignment->processes[sender_of(lane)];
	struct measure_align_process *receiver = &alignment->processes[receiver_of(lane)];

	if (sender->is_unknown || sender->has_overflowed || receiver->is_unknown ||
		receiver->has_overflowed)
		return;
	lane->quota[0] = missing(lane->nr[1], lane->nr[0]);
	lane->quota[1] = missing(lane->nr[0], lane->nr[1]);
	sender->nr_quota += lane->quota[0];
	receiver->nr_quota += lane->quota[1];
}

/* The most that any member has dropped of each communicator or window. */
static void note_most(struct measure_cut_alignment *alignment)
{
	const size_t nr = alignment->nr_lanes;

	for (size_t i = 0; i < nr; i++) {
		const struct measure_align_lane lane = alignment->lanes[i];
		uint32_t all;

		if (is_message(&lane) || alignment->processes[lane.key.low].is_unknown)
			continue;
		all = intern(alignment, measure_key_pair(lane.key.high, ALL_MEMBERS));
		if (alignment->lanes[all].nr[0] < lane.nr[0])
			alignment->lanes[all].nr[0] = lane.nr[0];
	}
}

/* Also where a member has dropped none. */
static void set_collective_quota(struct measure_cut_alignment *alignment, size_t process,
	enum measure_cut_kind kind, uint32_t space)
{
	const uint32_t in_archive = space_of(alignment, process, kind == MEASURE_CUT_WINDOW, space);
	uint32_t all, own;

	if (in_archive == MEASURE_NONE)
		return;
	all = measure_map_get(&alignment->ids, collective_key(kind, in_archive, ALL_MEMBERS));
	own = all == MEASURE_NONE ? MEASURE_NONE
				  : measure_align_lane(alignment, process, kind, space, 0, 0);
	if (own == MEASURE_NONE || alignment->lanes[own].quota[0] > 0)
		return;
	alignment->lanes[own].quota[0] =
		missing(alignment->lanes[all].nr[0], alignment->lanes[own].nr[0]);
	alignment->processes[process].nr_quota += alignment->lanes[own].quota[0];
}

static void set_collective_quotas(struct measure_cut_alignment *alignment, size_t process)
{
	const struct measure_part *part = alignment->unified->job->processes.items[process].part;

	if (!part || alignment->processes[process].is_unknown)
		return;
	for (uint32_t i = 0; i < part->comms.nr; i++)
		set_collective_quota(alignment, process, MEASURE_CUT_COLLECTIVE, i);
	for (uint32_t i = 0; i < part->windows.nr; i++)
		set_collective_quota(alignment, process, MEASURE_CUT_WINDOW, i);
}

/* ------------------------------------------------------------------------- the whole --- */

static bool is_any_cut(const struct measure_cut_alignment *alignment)
{
	for (size_t i = 0; i < alignment->unified->job->processes.nr; i++)
		if (alignment->processes[i].has_cut)
			return true;
	return false;
}

static void count_removed(struct measure_cut_alignment *alignment)
{
	for (size_t i = 0; i < alignment->unified->job->processes.nr; i++)
		for (size_t k = 0; k < alignment->processes[i].nr_locations; k++)
			alignment->nr_removed += alignment->processes[i].locations[k].nr_removed;
}

static void align_processes(struct measure_cut_alignment *alignment)
{
	const size_t nr = alignment->unified->job->processes.nr;

	for (size_t i = 0; i < nr; i++)
		if (alignment->processes[i].has_cut)
			measure_align_scan(alignment, i, true);
	note_most(alignment);
	for (size_t i = 0; i < alignment->nr_lanes; i++)
		if (is_message(&alignment->lanes[i]))
			set_message_quota(alignment, &alignment->lanes[i]);
	for (size_t i = 0; i < nr; i++)
		set_collective_quotas(alignment, i);
	for (size_t i = 0; i < nr; i++)
		if (alignment->processes[i].has_cut || alignment->processes[i].nr_quota > 0)
			measure_align_scan(alignment, i, false);
	count_removed(alignment);
}

void measure_align(struct measure_cut_alignment *alignment, const struct measure_unified *unified,
	const char *directory, int parts_fd)
{
	const size_t nr = unified->job->processes.nr;

	alignment->unified = unified;
	alignment->directory = directory;
	alignment->parts_fd = parts_fd;
	alignment->processes = measure_zeroed(nr, sizeof(*alignment->processes));
	for (size_t i = 0; i < nr; i++)
		if (unified->job->processes.items[i].part &&
			unified->job->processes.items[i].part->keeper.kept == MEASURE_KEPT_LAST)
			load(alignment, i);
	if (is_any_cut(alignment))
		align_processes(alignment);
}

void measure_align_free(struct measure_cut_alignment *alignment)
{
	const size_t nr = alignment->processes ? alignment->unified->job->processes.nr : 0;

	for (size_t i = 0; i < nr; i++) {
		struct measure_align_process *process = &alignment->processes[i];

		for (size_t k = 0; k < process->nr_locations; k++) {
			measure_cut_free(&process->locations[k].cut);
			measure_free(process->locations[k].removed);
		}
		measure_free(process->locations);
		measure_map_free(&process->lanes);
	}
	measure_free(alignment->processes);
	measure_free(alignment->lanes);
	measure_map_free(&alignment->ids);
}

const struct measure_align_location *measure_align_location(
	const struct measure_cut_alignment *alignment, size_t process, size_t location)
{
	const struct measure_align_process *of =
		alignment->processes ? &alignment->processes[process] : NULL;

	if (!of || location >= of->nr_locations || of->locations[location].nr_removed == 0)
		return NULL;
	return &of->locations[location];
}
