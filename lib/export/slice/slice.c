/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making a slice, from its window to the archive. */
#include "config.h"

#include "slice_internal.h"

#include "sync/write/slicing.h"

/* Rounded clocks do not show every tick: the window is widened to ticks that all show. */
#define MOST_TICKS 64

/* ------------------------------------------------------------------------------ window --- */

static bool is_shown(const struct slice *slice, uint64_t time)
{
	const struct measure_trace *trace = slice->trace;

	for (size_t i = 0; i < slice->definitions->nr_locations; i++) {
		const struct measure_clock_function *offsets = &trace->offsets[i];

		if (slice->locations[i].is_kept &&
			measure_clock_function_apply(
				offsets, measure_clock_function_invert(offsets, time)) != time)
			return false;
	}
	return true;
}

static uint64_t shown_time(const struct slice *slice, uint64_t time, int64_t step)
{
	for (int i = 0; i < MOST_TICKS; i++)
		if (is_shown(slice, time + (uint64_t)(step * i)))
			return time + (uint64_t)(step * i);
	return time;
}

static void find_window(struct slice *slice, const struct measure_slice_options *options)
{
	const struct measure_clock *clock = &slice->definitions->clock;

	slice->from = shown_time(slice, options->from, -1);
	slice->until = shown_time(slice, options->until, 1);
	if (!clock->is_defined)
		return;
	if (slice->from < clock->offset)
		slice->from = clock->offset;
	if (slice->until > clock->offset + clock->length)
		slice->until = clock->offset + clock->length;
}

/* Made up records lie between those that were recorded. */
static void find_raw_times(struct slice *slice)
{
	for (size_t i = 0; i < slice->definitions->nr_locations; i++) {
		const struct measure_clock_function *offsets = &slice->trace->offsets[i];
		struct slice_location *location = &slice->locations[i];

		location->raw_from = measure_clock_function_invert(offsets, slice->from);
		location->raw_until = measure_clock_function_invert(offsets, slice->until);
		if (location->first > location->last)
			continue;
		if (location->raw_from > location->raw_first)
			location->raw_from = location->raw_first;
		if (location->raw_until < location->raw_last)
			location->raw_until = location->raw_last;
	}
}

/* --------------------------------------------------------------------------- processes --- */

static void find_processes(struct slice *slice, const struct measure_slice_options *options)
{
	const struct measure_definitions *definitions = slice->definitions;

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t process = definitions->locations[i].group;

		if (process == MEASURE_NONE)
			continue;
		slice->processes[process].is_kept |= !options->locations || options->locations[i];
		*measure_append(&slice->processes[process], locations) = i;
	}
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t process = definitions->locations[i].group;

		slice->locations[i].is_kept =
			process != MEASURE_NONE && slice->processes[process].is_kept;
		slice->locations[i].first = 1;
	}
}

static void find_barrier_regions(struct slice *slice)
{
	for (size_t i = 0; i < slice->definitions->nr_regions; i++)
		slice->is_barrier[i] =
			slice->definitions->regions[i].role == OTF2_REGION_ROLE_BARRIER ||
			slice->definitions->regions[i].role == OTF2_REGION_ROLE_IMPLICIT_BARRIER;
}

static bool has_lost_member(const struct slice *slice, uint32_t comm)
{
	const struct measure_definitions *definitions = slice->definitions;
	const uint32_t group = definitions->comms[comm].groups[0];

	if (group >= definitions->nr_groups || measure_group_is_self(definitions, group))
		return false;
	for (uint32_t i = 0; i < definitions->groups[group].nr_members; i++) {
		const uint32_t location = measure_group_location(
			definitions, group, measure_group_rank(&definitions->groups[group], i));

		if (location != MEASURE_NONE && !slice->locations[location].is_kept)
			return true;
	}
	return false;
}

static void find_lost_members(struct slice *slice)
{
	for (size_t i = 0; i < slice->definitions->nr_io_handles; i++) {
		const uint32_t comm = slice->definitions->io_handles[i].comm;

		slice->has_lost_members[i] = comm != MEASURE_NONE && has_lost_member(slice, comm);
	}
}

/* Who has opened none yet of a file that is used together, is to have it, too. */
static void find_member_uses(struct slice *slice, uint32_t handle, uint32_t comm)
{
	const struct measure_definitions *definitions = slice->definitions;
	const uint32_t group = definitions->comms[comm].groups[0];

	if (group >= definitions->nr_groups || measure_group_is_self(definitions, group))
		return;
	for (uint32_t i = 0; i < definitions->groups[group].nr_members; i++) {
		const uint32_t location = measure_group_location(
			definitions, group, measure_group_rank(&definitions->groups[group], i));
		struct slice_use *use;

		if (location == MEASURE_NONE || !slice->locations[location].is_kept)
			continue;
		use = slice_use_of(slice, handle, definitions->locations[location].group);
		if (use->location == MEASURE_NONE)
			use->location = location;
	}
}

static void find_uses(struct slice *slice)
{
	for (uint32_t i = 0; i < slice->definitions->nr_io_handles; i++) {
		const uint32_t comm = slice->definitions->io_handles[i].comm;

		if (comm != MEASURE_NONE && slice->has_used[i] && !slice->has_lost_members[i])
			find_member_uses(slice, i, comm);
	}
}

/* -------------------------------------------------------------------------------- all --- */

static void slice_start(struct slice *slice, struct measure_trace *trace,
	const struct measure_slice_options *options)
{
	const struct measure_definitions *definitions = &trace->definitions;

	*slice = (struct slice){.trace = trace, .definitions = definitions};
	slice->locations = measure_zeroed(definitions->nr_locations + 1, sizeof(*slice->locations));
	slice->processes =
		measure_zeroed(definitions->nr_location_groups + 1, sizeof(*slice->processes));
	slice->is_barrier = measure_zeroed(definitions->nr_regions + 1, sizeof(*slice->is_barrier));
	slice->has_lost_members =
		measure_zeroed(definitions->nr_io_handles + 1, sizeof(*slice->has_lost_members));
	slice->has_used = measure_zeroed(definitions->nr_io_handles + 1, sizeof(*slice->has_used));
	measure_ranks_start(&slice->ranks, definitions);
	find_processes(slice, options);
	find_window(slice, options);
	find_barrier_regions(slice);
	find_lost_members(slice);
}

static void location_free(struct slice_location *location)
{
	measure_free(location->removed);
	measure_free(location->at_from.items);
	measure_free(location->at_until.items);
	measure_free(location->teams);
	measure_map_free(&location->team_ids);
	for (size_t i = 0; i < location->nr_metrics; i++)
		slice_made_free(&location->metrics[i]);
	measure_free(location->metrics);
	measure_map_free(&location->metric_ids);
	slice_made_list_free(&location->before);
	slice_made_list_free(&location->after);
}

static void process_free(struct slice_process *process)
{
	measure_free(process->at_from.items);
	measure_map_free(&process->at_from.ids);
	measure_free(process->at_until.items);
	measure_map_free(&process->at_until.ids);
	measure_free(process->locations);
}

static void slice_free(struct slice *slice)
{
	for (size_t i = 0; i < slice->definitions->nr_locations; i++)
		location_free(&slice->locations[i]);
	for (size_t i = 0; i < slice->definitions->nr_location_groups; i++)
		process_free(&slice->processes[i]);
	measure_free(slice->locations);
	measure_free(slice->processes);
	measure_free(slice->is_barrier);
	measure_free(slice->has_lost_members);
	measure_free(slice->has_used);
	measure_free(slice->uses);
	measure_map_free(&slice->use_ids);
	slice_lanes_free(&slice->lanes);
	measure_ranks_free(&slice->ranks);
}

static void scan_all(struct slice *slice)
{
	for (uint32_t i = 0; i < slice->definitions->nr_location_groups; i++)
		if (slice->processes[i].is_kept)
			slice_scan(slice, i);
}

static bool is_whole(const struct slice *slice)
{
	for (size_t i = 0; i < slice->definitions->nr_location_groups; i++) {
		const struct slice_process *process = &slice->processes[i];

		if (process->nr_locations > 0 &&
			(!process->is_kept || process->has_before || process->has_after))
			return false;
	}
	return true;
}

static measure_status_t slice_write(
	struct slice *slice, const char *directory, struct measure_slice_result *result)
{
	measure_status_t status;

	scan_all(slice);
	result->is_whole = is_whole(slice);
	if (result->is_whole)
		return measure_sync_emit_slice(slice->trace, NULL, directory);
	find_raw_times(slice);
	find_uses(slice);
	slice_lanes_settle(&slice->lanes);
	slice->is_deciding = true;
	scan_all(slice);
	for (uint32_t i = 0; i < slice->definitions->nr_location_groups; i++)
		if (slice->processes[i].is_kept)
			slice_make_up(slice, i);
	status = slice_copy(slice, directory);
	result->nr_removed = slice->nr_removed;
	result->nr_made = slice->nr_made;
	return status;
}

measure_status_t measure_slice_write(struct measure_trace *trace,
	const struct measure_slice_options *options, const char *directory,
	struct measure_slice_result *result)
{
	struct slice slice;
	measure_status_t status;

	*result = (struct measure_slice_result){.is_whole = false};
	slice_start(&slice, trace, options);
	result->from = slice.from;
	result->until = slice.until;
	status = slice_write(&slice, directory, result);
	slice_free(&slice);
	return status;
}
