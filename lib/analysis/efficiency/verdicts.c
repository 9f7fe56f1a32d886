/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums over waits and over the profile, to explain efficiencies. Both are of the whole run. */
#include "config.h"

#include "verdicts.h"

#include <strings.h>

#include "analysis/waits/path_kinds.h"

static bool counts(const struct measure_path_kind *kinds, uint32_t pattern, uint32_t path)
{
	return pattern != MEASURE_WAIT_FINALIZE && kinds[path].is_mpi &&
	       measure_wait_patterns[pattern].part == MEASURE_WAIT_ADDED;
}

/* MPI_Init, MPI_Init_thread, MPI_Finalize are outside of the window. */
static bool is_outside(const struct measure_profile *profile, uint32_t region)
{
	const char *name = measure_profile_region_name(profile, region);

	return strncasecmp(name, "MPI_Init", 8) == 0 || strcasecmp(name, "MPI_Finalize") == 0;
}

static uint32_t find_most(const uint64_t *ticks, size_t nr)
{
	uint32_t most = MEASURE_NONE;

	for (uint32_t i = 0; i < nr; i++)
		if (ticks[i] > 0 && (most == MEASURE_NONE || ticks[i] > ticks[most]))
			most = i;
	return most;
}

/* First by location, then by path of the one that is waited for most. */
struct measure_waited_for measure_waited_for_find(const struct measure_waits *waits)
{
	struct measure_path_kind *kinds = measure_path_kinds_find(waits);
	const size_t nr_locations = waits->dependencies.nr_locations;
	uint64_t *by_location = measure_zeroed(nr_locations, sizeof(*by_location));
	uint64_t *by_path = measure_zeroed(waits->profile.nr_paths, sizeof(*by_path));
	struct measure_waited_for found = {.path = MEASURE_NONE};

	for (size_t i = 0; i < waits->nr_causes; i++) {
		const struct measure_wait_cause *cause = &waits->causes[i];

		if (!counts(kinds, cause->pattern, cause->path) || cause->cause >= nr_locations)
			continue;
		by_location[cause->cause] += cause->ticks;
		found.all += cause->ticks;
	}
	found.location = find_most(by_location, nr_locations);
	for (size_t i = 0; i < waits->nr_causes && found.location != MEASURE_NONE; i++)
		if (counts(kinds, waits->causes[i].pattern, waits->causes[i].path) &&
			waits->causes[i].cause == found.location)
			by_path[waits->causes[i].path] += waits->causes[i].ticks;
	if (found.location != MEASURE_NONE) {
		found.of_location = by_location[found.location];
		found.path = find_most(by_path, waits->profile.nr_paths);
		found.ticks = by_path[found.path];
	}
	measure_free(kinds);
	measure_free(by_location);
	measure_free(by_path);
	return found;
}

struct measure_transferred measure_transferred_find(
	const struct measure_waits *waits, const bool *is_master)
{
	const struct measure_profile *profile = &waits->profile;
	struct measure_path_kind *kinds = measure_path_kinds_find(waits);
	const size_t nr = profile->trace->definitions.nr_regions;
	uint64_t *by_region = measure_zeroed(nr, sizeof(*by_region));
	struct measure_transferred found = {.all = 0};

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *row = &profile->rows[i];
		const uint32_t region = profile->paths[row->path].region;

		if (region < nr && is_master[row->location] && kinds[row->path].is_mpi)
			by_region[region] += row->exclusive;
	}
	for (size_t i = 0; i < waits->nr_rows; i++) {
		const struct measure_wait_row *row = &waits->rows[i];
		const uint32_t region = profile->paths[row->path].region;

		if (region < nr && is_master[row->location] &&
			counts(kinds, row->pattern, row->path))
			by_region[region] -=
				row->ticks < by_region[region] ? row->ticks : by_region[region];
	}
	for (size_t i = 0; i < nr; i++) {
		if (is_outside(profile, (uint32_t)i))
			by_region[i] = 0;
		found.all += by_region[i];
	}
	found.region = find_most(by_region, nr);
	found.ticks = found.region == MEASURE_NONE ? 0 : by_region[found.region];
	measure_free(kinds);
	measure_free(by_region);
	return found;
}
