/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call path has the kind of its region, and is inside what its parent is inside of. */
#include "config.h"

#include "path_kinds.h"

#include "region_kinds.h"

static bool computes(const struct measure_waits *waits, uint32_t region)
{
	enum measure_region_class class;

	if (region >= waits->profile.trace->definitions.nr_regions)
		return region == MEASURE_PSEUDO_NO_REGION || region == MEASURE_PSEUDO_UNDEFINED ||
		       region == MEASURE_PSEUDO_TASKS;
	class = measure_region_classes[waits->region_kinds[region]];
	return class == MEASURE_REGION_CLASS_USEFUL || class == MEASURE_REGION_CLASS_IO;
}

static struct measure_path_kind kind_of_path(
	const struct measure_waits *waits, uint32_t region, const struct measure_path_kind *parent)
{
	const struct measure_region *definition = measure_profile_region(&waits->profile, region);
	struct measure_path_kind kind = {.is_mpi = parent->is_mpi};
	const bool is_parallel_region = definition && definition->role == OTF2_REGION_ROLE_PARALLEL;

	kind.is_mpi |= definition && definition->paradigm == OTF2_PARADIGM_MPI;
	kind.is_useful = !kind.is_mpi && computes(waits, region);
	kind.is_parallel =
		parent->is_parallel || is_parallel_region || region == MEASURE_PSEUDO_TASKS;
	return kind;
}

struct measure_path_kind *measure_path_kinds_find(const struct measure_waits *waits)
{
	static const struct measure_path_kind none;
	const struct measure_profile *profile = &waits->profile;
	struct measure_path_kind *kinds = measure_zeroed(profile->nr_paths, sizeof(*kinds));

	for (size_t i = 0; i < profile->nr_paths; i++)
		kinds[i] = kind_of_path(waits, profile->paths[i].region,
			i > 0 ? &kinds[profile->paths[i].parent] : &none);
	return kinds;
}
