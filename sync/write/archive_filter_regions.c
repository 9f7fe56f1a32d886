/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of an archive as rules see them: with the names that were matched while recording. */
#include "config.h"

#include "archive_filter.h"

#include <stdio.h>
#include <string.h>

#include "trace/common/containers.h"

/* Archives of others name processes so, too. */
static uint32_t rank_by_name(const struct measure_definitions *definitions, uint32_t process)
{
	const char *name = measure_text(definitions, definitions->location_groups[process].name);
	unsigned rank;

	return sscanf(name, "MPI Rank %u", &rank) == 1 ? rank : 0;
}

static uint32_t *find_ranks(const struct measure_definitions *definitions)
{
	uint32_t *ranks = measure_zeroed(definitions->nr_location_groups, sizeof(*ranks));

	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		ranks[i] = rank_by_name(definitions, i);
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];

		if (property->kind == MEASURE_KIND_LOCATION_GROUP &&
			property->owner != MEASURE_NONE && property->type == OTF2_TYPE_UINT64 &&
			!strcmp(measure_text(definitions, property->name), MEASURE_PROPERTY_RANK))
			ranks[property->owner] = (uint32_t)property->value.uint64;
	}
	return ranks;
}

void measure_sync_region_filter_start(struct measure_sync_region_filter *regions,
	const struct measure_filter *filter, const struct measure_definitions *definitions)
{
	*regions = (struct measure_sync_region_filter){.filter = filter,
		.definitions = definitions,
		.ranks = find_ranks(definitions),
		.process = MEASURE_NONE,
		.regions = measure_zeroed(definitions->nr_regions, sizeof(*regions->regions))};
}

void measure_sync_region_filter_free(struct measure_sync_region_filter *regions)
{
	measure_free(regions->ranks);
	measure_free(regions->regions);
}

void measure_sync_region_filter_process(
	struct measure_sync_region_filter *regions, uint32_t process)
{
	if (process != regions->process && measure_filter_wants_ranks(regions->filter))
		memset(regions->regions, 0,
			regions->definitions->nr_regions * sizeof(*regions->regions));
	regions->process = process;
}

/* The constructs of OpenMP that have no name of their own are known by their kind while recording:
 * "!$omp parallel @solver.c:12". NULL: it is none. */
static char *name_of_construct(const struct measure_region *region, const char *name)
{
	const char *place = strstr(name, " @");
	char *kind;

	if (region->paradigm != OTF2_PARADIGM_OPENMP || !place || strncmp(name, "!$omp ", 6) != 0)
		return NULL;
	kind = measure_copy_text(name);
	kind[place - name] = '\0';
	return kind;
}

/* A region of a library has no source file: what stands there is the name of its paradigm. */
static const char *source_of(const struct measure_region *region, const char *file)
{
	static const char *const libraries[] = {
#define PARADIGM(NAME, CLASS, name, file, comms, windows) [OTF2_PARADIGM_##NAME] = file,
#include "paradigms.def"
#undef PARADIGM
	};
	const size_t nr_libraries = sizeof(libraries) / sizeof(*libraries);
	const char *library = region->paradigm < nr_libraries ? libraries[region->paradigm] : NULL;

	return library && strcmp(file, library) == 0 ? "" : file;
}

static measure_filter_outcome_t match_region(
	const struct measure_sync_region_filter *regions, const struct measure_region *region)
{
	const struct measure_definitions *definitions = regions->definitions;
	const char *name = measure_text(definitions, region->name);
	const char *canonical = measure_text(definitions, region->canonical_name);
	const char *description = measure_text(definitions, region->description);
	char *construct = name_of_construct(region, name);
	const uint32_t rank =
		regions->process == MEASURE_NONE ? 0 : regions->ranks[regions->process];
	const struct measure_filter_region matched = {.name = construct ? construct : name,
		.mangled = construct    ? construct
			   : *canonical ? canonical
					: name,
		.file = construct ? "" : source_of(region, measure_text(definitions, region->file)),
		.module = *description == '/' ? description : "",
		.paradigm = region->paradigm,
		.role = region->role};
	const measure_filter_outcome_t outcome =
		measure_filter_match(regions->filter, &matched, rank);

	measure_free(construct);
	return outcome;
}

const struct measure_filter_outcome *measure_sync_region_filter(
	struct measure_sync_region_filter *regions, uint32_t region)
{
	static const struct measure_filter_outcome nothing;
	struct measure_sync_region_outcome *known;

	if (region >= regions->definitions->nr_regions)
		return &nothing;
	known = &regions->regions[region];
	if (!known->is_known) {
		known->matched.outcome =
			match_region(regions, &regions->definitions->regions[region]);
		known->matched.needs =
			measure_filter_needs(regions->filter, known->matched.outcome);
		known->is_known = true;
	}
	return &known->matched;
}
