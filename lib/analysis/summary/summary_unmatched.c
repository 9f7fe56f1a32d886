/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of patterns of the filter that fit no region of the run. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "filter/filter.h"
#include "summary.h"

#define MOST_TOLD 10

struct telling {
	FILE *out;
	size_t nr;
};

static void tell(void *context, const char *pattern)
{
	struct telling *telling = context;

	if (telling->nr == 0)
		fprintf(telling->out, "unmatched   patterns of the filter that no region had:\n");
	if (telling->nr++ < MOST_TOLD)
		fprintf(telling->out, "            %s\n", MEASURE_PRINTABLE(pattern));
}

static const char *text_of(const struct measure_unified *unified, uint32_t id)
{
	return measure_intern_key(&unified->definitions.strings, id);
}

/* All that were recorded, and those that were left out. NULL: no memory. */
static struct measure_filter_region *list_regions(const struct measure_unified *unified, size_t *nr)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;
	struct measure_filter_region *regions = calloc(
		definitions->regions.nr + unified->filtered_known.entries.nr + 1, sizeof(*regions));

	*nr = 0;
	for (size_t i = 0; regions && i < definitions->regions.nr; i++) {
		const struct measure_otf2_region *region = &definitions->regions.items[i];
		regions[(*nr)++] = (struct measure_filter_region){
			.name = text_of(unified, region->name),
			.mangled = text_of(unified, region->canonical),
			.file = text_of(unified, region->file)};
	}
	for (size_t i = 0; regions && i < unified->filtered_known.entries.nr; i++) {
		const char *name = unified->filtered_known.entries.items[i].key;
		const char *canonical = name + strlen(name) + 1;
		regions[(*nr)++] = (struct measure_filter_region){.name = name,
			.mangled = canonical,
			.file = canonical + strlen(canonical) + 1};
	}
	return regions;
}

static struct measure_filter *make_filter(const struct measure_job *job)
{
	struct measure_filter_error error = {.say = NULL};
	struct measure_filter *filter = measure_filter_new();

	if (filter &&
		measure_filter_add(filter, "", measure_summary_rules(job, MEASURE_RULES_OF_FILES),
			&error) == MEASURE_OK &&
		measure_filter_add_option(filter, "", false,
			measure_summary_rules(job, MEASURE_RULES_TO_EXCLUDE), &error) == MEASURE_OK &&
		measure_filter_add_option(filter, "", true,
			measure_summary_rules(job, MEASURE_RULES_TO_INCLUDE), &error) == MEASURE_OK)
		return filter;
	measure_filter_free(filter);
	return NULL;
}

void measure_summary_print_unmatched(FILE *out, const struct measure_unified *unified)
{
	struct measure_filter *filter = make_filter(unified->job);
	struct measure_filter_region *regions;
	struct telling telling = {out, 0};
	size_t nr;

	if (!filter)
		return;
	regions = measure_filter_is_empty(filter) ? NULL : list_regions(unified, &nr);
	if (regions)
		measure_filter_visit_unmatched(filter, regions, nr, tell, &telling);
	if (telling.nr > MOST_TOLD)
		fprintf(out, "            and %zu more\n", telling.nr - MOST_TOLD);
	free(regions);
	measure_filter_free(filter);
}
