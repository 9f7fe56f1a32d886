/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums by class, see group_bins.h. */
#include "config.h"

#include "group_bins.h"

#define MOST_OF_GROUP (UINT64_C(1) << 12)

/* ------------------------------------------------------------------------- groups --- */

static uint64_t nr_bins_of(uint64_t length, unsigned level)
{
	return length == 0 ? 1 : ((length - 1) >> level) + 1;
}

static void start_group(
	const struct measure_pyramid *pyramid, struct measure_pyramid_group *group, unsigned level)
{
	group->level = level;
	group->nr_bins = nr_bins_of(pyramid->length, level);
	group->ticks =
		measure_zeroed(group->nr_bins * MEASURE_PYRAMID_NR_COLUMNS, sizeof(*group->ticks));
}

/* The smallest one with which a group has few enough bins. */
static unsigned choose_level(const struct measure_pyramid *pyramid, uint64_t nr, uint64_t most)
{
	unsigned level = 0;

	most = nr > 0 && most / nr < MOST_OF_GROUP ? most / nr : MOST_OF_GROUP;
	while (level < 63 && nr_bins_of(pyramid->length, level) > (most > 0 ? most : 1))
		level++;
	return level;
}

static bool has_locations(const struct measure_definitions *definitions, uint32_t process)
{
	return definitions->location_groups[process].nr_locations > 0;
}

static void start_processes(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint64_t most)
{
	uint64_t nr = 0;
	unsigned level;

	pyramid->nr_processes = definitions->nr_location_groups;
	pyramid->processes = measure_zeroed(pyramid->nr_processes, sizeof(*pyramid->processes));
	for (uint32_t i = 0; i < pyramid->nr_processes; i++)
		nr += has_locations(definitions, i);
	level = choose_level(pyramid, nr, most);
	for (uint32_t i = 0; i < pyramid->nr_processes; i++)
		if (has_locations(definitions, i))
			start_group(pyramid, &pyramid->processes[i], level);
}

static void start_hosts(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint64_t most)
{
	uint64_t nr = 0;
	unsigned level;

	pyramid->nr_hosts = definitions->nr_tree_nodes;
	pyramid->hosts = measure_zeroed(pyramid->nr_hosts, sizeof(*pyramid->hosts));
	for (uint32_t i = 0; i < definitions->nr_location_groups; i++) {
		const uint32_t host = definitions->location_groups[i].host;

		if (!has_locations(definitions, i) || host == MEASURE_NONE ||
			pyramid->hosts[host].nr_bins > 0)
			continue;
		pyramid->hosts[host].nr_bins = 1;
		nr++;
	}
	level = choose_level(pyramid, nr, most);
	for (size_t i = 0; i < pyramid->nr_hosts; i++)
		if (pyramid->hosts[i].nr_bins > 0)
			start_group(pyramid, &pyramid->hosts[i], level);
}

void pyramid_groups_start(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint64_t most)
{
	start_group(pyramid, &pyramid->all, choose_level(pyramid, 1, most));
	start_hosts(pyramid, definitions, most);
	start_processes(pyramid, definitions, most);
}

/* Bins of the sum are as long, or longer. */
static void add_group(struct measure_pyramid_group *sum, const struct measure_pyramid_group *group)
{
	const unsigned wider = sum->level - group->level;

	for (uint64_t bin = 0; bin < group->nr_bins; bin++) {
		const uint64_t *from = &group->ticks[bin * MEASURE_PYRAMID_NR_COLUMNS];
		uint64_t *to = &sum->ticks[(bin >> wider) * MEASURE_PYRAMID_NR_COLUMNS];

		for (unsigned i = 0; i < MEASURE_PYRAMID_NR_COLUMNS; i++)
			to[i] += from[i];
	}
}

void pyramid_groups_add(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint32_t process,
	const struct pyramid_columns *columns)
{
	add_group(&pyramid->all, &columns->bins);
	if (process != MEASURE_NONE) {
		const uint32_t host = definitions->location_groups[process].host;

		add_group(&pyramid->processes[process], &columns->bins);
		if (host != MEASURE_NONE)
			add_group(&pyramid->hosts[host], &columns->bins);
	}
}

/* ------------------------------------------------------------------------ columns --- */

static void enter_bin(struct pyramid_columns *columns, uint64_t time)
{
	const unsigned level = columns->bins.level;
	uint64_t bin = time >> level;

	if (bin >= columns->bins.nr_bins)
		bin = columns->bins.nr_bins - 1;
	columns->row = &columns->bins.ticks[bin * MEASURE_PYRAMID_NR_COLUMNS];
	columns->end = bin + 1 == columns->bins.nr_bins ? UINT64_MAX : (bin + 1) << level;
}

void pyramid_columns_start(
	struct pyramid_columns *columns, const struct measure_pyramid_group *like)
{
	columns->bins = *like;
	columns->bins.ticks = measure_zeroed(
		like->nr_bins * MEASURE_PYRAMID_NR_COLUMNS, sizeof(*columns->bins.ticks));
	enter_bin(columns, 0);
}

void pyramid_columns_pass_slowly(
	struct pyramid_columns *columns, unsigned column, uint64_t from, uint64_t until)
{
	while (until > columns->end) {
		if (from >= columns->end) {
			enter_bin(columns, from);
			continue;
		}
		columns->row[column] += columns->end - from;
		from = columns->end;
		enter_bin(columns, from);
	}
	columns->row[column] += until - from;
}

/* -------------------------------------------------------------------------- share --- */

void pyramid_share_out(
	const struct pyramid_share *share, uint64_t from, uint64_t until, uint64_t ticks)
{
	const uint64_t length = until - from;
	uint64_t given = 0;

	for (uint64_t at = from; at < until;) {
		const uint64_t bin = at >> share->level;
		const uint64_t next = measure_earlier(until, (bin + 1) << share->level);
		const uint64_t so_far =
			(uint64_t)((unsigned __int128)ticks * (next - from) / length);

		if (bin >= share->first && bin - share->first < share->nr)
			share->sums[share->stride * (bin - share->first)] += so_far - given;
		given = so_far;
		at = next;
	}
}
