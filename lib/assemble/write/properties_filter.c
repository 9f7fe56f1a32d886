/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties that tell what the filter did: regions that it left out, and patterns of it that fit
 * no region of the run. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "assemble/write/properties.h"

#define MOST_NAMED 10

/* "MEASURE::<WHAT>::<number>", the first ones of them. */
static void name_one(
	struct measure_archive *archive, const char *what, size_t number, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "MEASURE::%s::%zu", what, number);
	if (number <= MOST_NAMED)
		measure_archive_property(archive, name, text);
}

static void write_total(struct measure_archive *archive, const char *name, size_t nr)
{
	char value[32];

	snprintf(value, sizeof(value), "%zu", nr);
	if (nr)
		measure_archive_property(archive, name, value);
}

/* The first ones in alphabetical order. */
void measure_properties_write_filtered(
	struct measure_archive *archive, const struct measure_unified *unified)
{
	const struct measure_intern *filtered = &unified->filtered;
	const size_t nr = filtered->entries.nr;
	const char *last = "";

	write_total(archive, "MEASURE::FILTERED", nr);
	for (size_t i = 0; i < nr && i < MOST_NAMED; i++) {
		const char *next = NULL;
		for (size_t k = 0; k < nr; k++) {
			const char *name = filtered->entries.items[k].key;
			if (strcmp(name, last) > 0 && (!next || strcmp(name, next) < 0))
				next = name;
		}
		if (!next) /* one without a name */
			break;
		name_one(archive, "FILTERED", i + 1, next);
		last = next;
	}
}

/* ------------------------------------------------------------------------ patterns --- */

struct unmatched {
	struct measure_archive *archive;
	size_t nr;
};

static void note_pattern(void *context, const char *pattern)
{
	struct unmatched *unmatched = context;

	name_one(unmatched->archive, "UNMATCHED", ++unmatched->nr, pattern);
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
		regions[(*nr)++] =
			(struct measure_filter_region){.name = text_of(unified, region->name),
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

/* The text of the rules that the first process has that has such ones; "": none. */
static const char *rules_of(const struct measure_job *job, const char *name)
{
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		for (size_t k = 0; part && k < part->properties.nr; k++)
			if (strcmp(part->properties.items[k].name, name) == 0)
				return part->properties.items[k].value;
	}
	return "";
}

static struct measure_filter *make_filter(const struct measure_job *job)
{
	struct measure_filter_error error = {.say = NULL};
	struct measure_filter *filter = measure_filter_new();

	if (filter &&
		measure_filter_add(filter, "", rules_of(job, "MEASURE::FILTER"), &error) ==
			MEASURE_OK &&
		measure_filter_add_option(filter, "", false,
			rules_of(job, "MEASURE::FILTER_EXCLUDE"), &error) == MEASURE_OK &&
		measure_filter_add_option(filter, "", true,
			rules_of(job, "MEASURE::FILTER_INCLUDE"), &error) == MEASURE_OK)
		return filter;
	measure_filter_free(filter);
	return NULL;
}

void measure_properties_write_unmatched(
	struct measure_archive *archive, const struct measure_unified *unified)
{
	struct measure_filter *filter = make_filter(unified->job);
	struct measure_filter_region *regions;
	struct unmatched unmatched = {archive, 0};
	size_t nr;

	if (!filter)
		return;
	regions = measure_filter_is_empty(filter) ? NULL : list_regions(unified, &nr);
	if (regions)
		measure_filter_visit_unmatched(filter, regions, nr, note_pattern, &unmatched);
	write_total(archive, "MEASURE::UNMATCHED", unmatched.nr);
	free(regions);
	measure_filter_free(filter);
}
