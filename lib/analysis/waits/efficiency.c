/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies from a profile: sums of exclusive times by what regions are. */
#include "config.h"

#include "efficiency.h"

#include "region_kinds.h"

/* Ticks by region, pseudo regions behind the others. */
struct region_ticks {
	uint64_t *of_most, *of_all;
	size_t nr;
};

static bool is_pseudo(uint32_t region)
{
	return region > MEASURE_PSEUDO_BEFORE && region < MEASURE_PSEUDO_END;
}

static enum measure_region_class class_of(const struct measure_waits *waits, uint32_t path)
{
	const uint32_t region = waits->profile.paths[path].region;

	if (region == MEASURE_PSEUDO_NO_REGION || region == MEASURE_PSEUDO_UNDEFINED ||
		region == MEASURE_PSEUDO_TASKS)
		return MEASURE_REGION_CLASS_USEFUL;
	return is_pseudo(region) ? MEASURE_REGION_CLASS_REMOVED
				 : measure_region_classes[waits->region_kinds[region]];
}

/* By location: one more than the place among processes of the one whose master it is; 0: of none.
 */
static uint32_t *find_masters(
	struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const struct measure_trace *trace = waits->profile.trace;
	const struct measure_definitions *definitions = &trace->definitions;
	uint32_t *masters = measure_zeroed(definitions->nr_locations, sizeof(*masters));
	bool *has_events = measure_zeroed(definitions->nr_locations, sizeof(*has_events));
	uint32_t group = MEASURE_NONE;

	for (size_t i = 0; i < waits->profile.nr_rows; i++)
		has_events[waits->profile.rows[i].location] |= waits->profile.rows[i].inclusive > 0;
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t index = trace->reading_order[i];
		const struct measure_location_definition *location = &definitions->locations[index];

		if (location->group == group || location->group == MEASURE_NONE ||
			location->type != OTF2_LOCATION_TYPE_CPU_THREAD || !has_events[index])
			continue;
		group = location->group;
		*measure_append(efficiency, processes) =
			(struct measure_process_time){.location = index};
		masters[index] = (uint32_t)efficiency->nr_processes;
	}
	measure_free(has_events);
	return masters;
}

static void add_times(struct measure_efficiency *efficiency, const struct measure_waits *waits,
	const uint32_t *masters)
{
	for (size_t i = 0; i < waits->profile.nr_rows; i++) {
		const struct measure_profile_row *row = &waits->profile.rows[i];
		const enum measure_region_class class = class_of(waits, row->path);
		struct measure_process_time *process;

		if (masters[row->location] == 0)
			continue;
		process = &efficiency->processes[masters[row->location] - 1];
		if (class == MEASURE_REGION_CLASS_USEFUL || class == MEASURE_REGION_CLASS_IO)
			process->useful += row->exclusive;
		if (class == MEASURE_REGION_CLASS_IO)
			process->io += row->exclusive;
	}
}

static void divide(struct measure_efficiency *efficiency)
{
	const double nr = (double)efficiency->nr_processes;

	for (size_t i = 0; i < efficiency->nr_processes; i++) {
		const uint64_t useful = efficiency->processes[i].useful;

		efficiency->useful += useful;
		if (efficiency->most == MEASURE_NONE || useful > efficiency->most_useful) {
			efficiency->most = (uint32_t)i;
			efficiency->most_useful = useful;
		}
	}
	if (efficiency->most_useful == 0 || efficiency->run_ticks == 0)
		return;
	efficiency->parallel = (double)efficiency->useful / (nr * (double)efficiency->run_ticks);
	efficiency->balance = (double)efficiency->useful / (nr * (double)efficiency->most_useful);
	efficiency->communication = (double)efficiency->most_useful / (double)efficiency->run_ticks;
}

/* ------------------------------------------------------------------------- verdict --- */

static size_t place_of_region(const struct measure_waits *waits, uint32_t region)
{
	return is_pseudo(region) ? waits->profile.trace->definitions.nr_regions + region -
					   MEASURE_PSEUDO_BEFORE
				 : region;
}

static void add_regions(const struct measure_efficiency *efficiency,
	const struct measure_waits *waits, const uint32_t *masters, struct region_ticks *ticks)
{
	for (size_t i = 0; i < waits->profile.nr_rows; i++) {
		const struct measure_profile_row *row = &waits->profile.rows[i];
		const enum measure_region_class class = class_of(waits, row->path);
		const size_t place = place_of_region(waits, waits->profile.paths[row->path].region);

		if (masters[row->location] == 0 ||
			(class != MEASURE_REGION_CLASS_USEFUL && class != MEASURE_REGION_CLASS_IO))
			continue;
		ticks->of_all[place] += row->exclusive;
		if (masters[row->location] == efficiency->most + 1)
			ticks->of_most[place] += row->exclusive;
	}
}

/* The region in which the process that computes most is farthest above the mean. */
static void find_region(struct measure_efficiency *efficiency, const struct measure_waits *waits,
	const uint32_t *masters)
{
	const size_t nr_regions = waits->profile.trace->definitions.nr_regions;
	struct region_ticks ticks = {.nr = nr_regions + MEASURE_PSEUDO_END - MEASURE_PSEUDO_BEFORE};
	const double nr = (double)efficiency->nr_processes;
	double most = 0;

	ticks.of_most = measure_zeroed(ticks.nr, sizeof(*ticks.of_most));
	ticks.of_all = measure_zeroed(ticks.nr, sizeof(*ticks.of_all));
	add_regions(efficiency, waits, masters, &ticks);
	for (size_t i = 0; i < ticks.nr; i++) {
		const double mean = (double)ticks.of_all[i] / nr;

		if ((double)ticks.of_most[i] - mean <= most)
			continue;
		most = (double)ticks.of_most[i] - mean;
		efficiency->region = i < nr_regions
					     ? (uint32_t)i
					     : (uint32_t)(i - nr_regions + MEASURE_PSEUDO_BEFORE);
		efficiency->region_ticks = ticks.of_most[i];
		efficiency->region_mean = mean;
	}
	measure_free(ticks.of_most);
	measure_free(ticks.of_all);
}

void measure_efficiency_find(
	struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const struct measure_profile *profile = &waits->profile;
	uint32_t *masters;

	*efficiency = (struct measure_efficiency){.most = MEASURE_NONE, .region = MEASURE_NONE};
	masters = find_masters(efficiency, waits);
	efficiency->run_ticks = profile->last > profile->first ? profile->last - profile->first : 0;
	add_times(efficiency, waits, masters);
	divide(efficiency);
	if (efficiency->most != MEASURE_NONE)
		find_region(efficiency, waits, masters);
	measure_free(masters);
}

void measure_efficiency_free(struct measure_efficiency *efficiency)
{
	measure_free(efficiency->processes);
	*efficiency = (struct measure_efficiency){.nr_processes = 0};
}

double measure_efficiency_excess(const struct measure_efficiency *efficiency)
{
	return efficiency->balance > 0 ? 1 / efficiency->balance - 1 : 0;
}
