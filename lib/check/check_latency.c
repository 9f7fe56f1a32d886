/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long messages take: sums by where they go. */
#include "config.h"

#include "check_internal.h"

#include "sync/graph/min_latency.h"

#define NS_PER_SECOND 1000000000

/* The first one ends before 0: that is where the second one begins. */
const int64_t check_decades[CHECK_NR_DECADES - 1] = {
	0, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

static struct check_time_row *add_row(
	struct check_times *times, enum check_way way, uint32_t from, uint32_t to)
{
	times->rows = measure_grow(times->rows, times->nr, &times->room, sizeof(*times->rows));
	times->rows[times->nr] = (struct check_time_row){
		.way = way, .from = from, .to = to, .least = INT64_MAX, .most = INT64_MIN};
	return &times->rows[times->nr++];
}

void times_start(struct check *check, const struct measure_sync_latencies *latencies)
{
	check->has_times = true;
	check->times.latencies = measure_min_latencies_in_ticks(latencies, check->trace);
	add_row(&check->times, CHECK_WAY_PROCESS, MEASURE_NONE, MEASURE_NONE);
	add_row(&check->times, CHECK_WAY_NODE, MEASURE_NONE, MEASURE_NONE);
}

void times_free(struct check_times *times)
{
	measure_free(times->rows);
	measure_map_free(&times->ids);
}

static uint32_t host_of(const struct measure_definitions *definitions, uint32_t process)
{
	return process == MEASURE_NONE ? MEASURE_NONE : definitions->location_groups[process].host;
}

static struct check_time_row *row_of(
	struct check *check, uint32_t from_location, uint32_t to_location)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	struct check_times *times = &check->times;
	uint32_t from_process = definitions->locations[from_location].group;
	uint32_t to_process = definitions->locations[to_location].group;
	uint32_t from = host_of(definitions, from_process), to = host_of(definitions, to_process);
	uint32_t index;

	if (from_process == to_process && from_process != MEASURE_NONE)
		return &times->rows[CHECK_WAY_PROCESS];
	if (from == to && from != MEASURE_NONE)
		return &times->rows[CHECK_WAY_NODE];
	index = measure_map_intern(&times->ids, measure_key_pair(from, to), (uint32_t)times->nr);
	if (index == times->nr)
		return add_row(times, CHECK_WAY_NETWORK, from, to);
	return &times->rows[index];
}

static int decade_of(const struct measure_trace *trace, int64_t ticks)
{
	const uint64_t resolution = trace->definitions.clock.resolution;
	int decade = 0;

	while (decade < CHECK_NR_DECADES - 1 &&
		(measure_wide_t)ticks * NS_PER_SECOND >=
			(measure_wide_t)check_decades[decade] *
				(int64_t)(resolution ? resolution : NS_PER_SECOND))
		decade++;
	return decade;
}

static int64_t least_of(const struct check_times *times, enum check_way way)
{
	const int64_t least[] = {[CHECK_WAY_PROCESS] = times->latencies.process,
		[CHECK_WAY_NODE] = times->latencies.node,
		[CHECK_WAY_NETWORK] = times->latencies.network};

	return least[way];
}

void times_instance(struct check *check, const struct measure_instance *instance)
{
	struct check_time_row *row;
	int64_t taken;

	if (instance->nr_sends != 1 || instance->nr_receives != 1 ||
		instance->sends[0].location == instance->receives[0].location)
		return;
	row = row_of(check, instance->sends[0].location, instance->receives[0].location);
	taken = (int64_t)(instance->receives[0].time - instance->sends[0].time);
	row->nr++;
	row->decades[decade_of(check->trace, taken)]++;
	row->nr_below += taken >= 0 && taken < least_of(&check->times, row->way);
	row->sum += taken;
	if (taken < row->least)
		row->least = taken;
	if (taken > row->most)
		row->most = taken;
}
