/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties that name regions of the program's own annotations whose begin and end do not pair. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>

#include "assemble/write/properties.h"

#define MOST_NAMED 10 /* regions of each kind, and one more */

struct unbalanced_found {
	uint32_t nr;
	uint32_t items[MOST_NAMED + 1]; /* regions of the archive */
};

/* Of a process that was killed regions are open, and nothing is wrong with that. */
static bool counts(const struct measure_part *part, const struct measure_def_unbalanced *def)
{
	return def->how != MEASURE_LEFT_AT_END ||
	       (part->has_end && part->end.how == MEASURE_END_EXITED);
}

static void add_region(struct unbalanced_found *found, uint32_t region)
{
	for (uint32_t i = 0; i < found->nr; i++)
		if (found->items[i] == region)
			return;
	if (found->nr <= MOST_NAMED)
		found->items[found->nr++] = region;
}

static bool is_annotation(uint8_t paradigm)
{
	return paradigm == OTF2_PARADIGM_USER || paradigm == OTF2_PARADIGM_KOKKOS;
}

static void unbalanced_look(const struct measure_unified *unified, size_t process, uint32_t how,
	struct unbalanced_found *found)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].regions;

	for (size_t k = 0; part && k < part->unbalanced.nr; k++) {
		const struct measure_def_unbalanced *def = &part->unbalanced.items[k];
		if (def->how != how || def->region >= map->nr || !counts(part, def))
			continue;
		uint32_t region = map->items[def->region];
		if (region < unified->definitions.regions.nr &&
			is_annotation(unified->definitions.regions.items[region].paradigm) &&
			part->regions.items[def->region].kind == MEASURE_PART_REGION_NAMED)
			add_region(found, region);
	}
}

void measure_properties_write_unbalanced(
	struct measure_archive *archive, const struct measure_unified *unified)
{
	static const char *const names[] = {
		[MEASURE_NOT_LEFT] = "MEASURE::UNBALANCED::NOT_LEFT",
		[MEASURE_NOT_ENTERED] = "MEASURE::UNBALANCED::NOT_ENTERED",
		[MEASURE_LEFT_AT_END] = "MEASURE::UNBALANCED::LEFT_AT_END",
	};

	for (uint32_t how = 0; how < sizeof(names) / sizeof(*names); how++) {
		char text[16 * (MOST_NAMED + 1)] = "";
		struct unbalanced_found found = {0};
		int length = 0;
		for (size_t i = 0; i < unified->job->processes.nr; i++)
			unbalanced_look(unified, i, how, &found);
		for (uint32_t i = 0; i < found.nr; i++)
			length += snprintf(text + length, sizeof(text) - (size_t)length, "%s%u",
				i ? " " : "", found.items[i]);
		if (found.nr)
			measure_archive_property(archive, names[how], text);
	}
}
