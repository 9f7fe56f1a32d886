/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of the program's own annotations. */
#include "config.h"

#include "summary.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "base/printable.h"

#define TOLD 10 /* regions of each kind */

void measure_summary_print_switched(FILE *out, const struct measure_job *job)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < job->processes.nr; i++)
		if (job->processes.items[i].part)
			nr += measure_part_count(job->processes.items[i].part, "switched_off");
	if (nr)
		fprintf(out,
			"switched    %s events were left out while the program had recording off\n",
			measure_summary_number(nr));
}

struct user_found {
	uint32_t nr;
	uint32_t items[TOLD]; /* regions of the archive */
};

/* Of a process that was killed regions are open, and nothing is wrong with that. */
static bool counts(const struct measure_part *part, const struct measure_def_unbalanced *def)
{
	return def->how != MEASURE_LEFT_AT_END ||
	       (part->has_end && part->end.how == MEASURE_END_EXITED);
}

static void user_add(struct user_found *found, uint32_t region)
{
	for (uint32_t i = 0; i < found->nr && i < TOLD; i++)
		if (found->items[i] == region)
			return;
	if (found->nr < TOLD)
		found->items[found->nr] = region;
	found->nr++;
}

static void user_look(const struct measure_unified *unified, size_t process, uint32_t how,
	struct user_found *found)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].regions;

	for (size_t k = 0; part && k < part->unbalanced.nr; k++) {
		const struct measure_def_unbalanced *def = &part->unbalanced.items[k];
		if (def->how != how || def->region >= map->nr || !counts(part, def))
			continue;
		uint32_t region = map->items[def->region];
		if (region < unified->definitions.regions.nr &&
			unified->definitions.regions.items[region].paradigm == OTF2_PARADIGM_USER &&
			part->regions.items[def->region].kind == MEASURE_PART_REGION_NAMED)
			user_add(found, region);
	}
}

static void user_print(
	FILE *out, const struct measure_unified *unified, const struct user_found *found)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;

	for (uint32_t i = 0; i < found->nr && i < TOLD; i++) {
		const struct measure_otf2_region *region =
			&definitions->regions.items[found->items[i]];
		const char *file = measure_intern_key(&definitions->strings, region->file);
		fprintf(out, "    %s",
			MEASURE_PRINTABLE(measure_intern_key(&definitions->strings, region->name)));
		if (*file)
			fprintf(out, " (%s:%u)", MEASURE_PRINTABLE(file), region->begin_line);
		fputc('\n', out);
	}
	if (found->nr > TOLD)
		fprintf(out, "    and more\n");
}

void measure_summary_print_unbalanced(FILE *out, const struct measure_unified *unified)
{
	static const char *const words[] = {
		[MEASURE_NOT_LEFT] = "begun and not ended; they end with what they lie in",
		[MEASURE_NOT_ENTERED] = "ended and not begun; these ends were dropped",
		[MEASURE_LEFT_AT_END] = "still open when the process or its thread ended",
	};

	for (uint32_t how = 0; how < sizeof(words) / sizeof(*words); how++) {
		struct user_found found = {0};
		for (size_t i = 0; i < unified->job->processes.nr; i++)
			user_look(unified, i, how, &found);
		if (found.nr == 0)
			continue;
		fprintf(out, "  user regions %s:\n", words[how]);
		user_print(out, unified, &found);
	}
}
