/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up samples by function; see stacks.h. */
#include "config.h"

#include "stacks.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>

/* Enough for a picture: more functions are not worth the trouble, smaller ones neither. */
#define MOST_WORTH  8
#define SHARE_WORTH 0.03 /* of all samples */

struct adding {
	const struct measure_unified *unified;
	struct measure_stacks *stacks;
	uint64_t *contexts;                        /* samples, by context of the archive */
	struct measure_stacks_function *functions; /* by region of the archive */
	uint32_t *seen; /* by region: the last context that it was seen in, + 1 */
};

static uint64_t losses_of(const struct measure_part *part)
{
	static const char *const names[] = {
		"samples_busy", "samples_idle", "samples_homeless", "samples_undefined"};
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		sum += measure_part_count(part, names[i]);
	return sum;
}

static void add_part(struct adding *adding, size_t process)
{
	const struct measure_part *part = adding->unified->job->processes.items[process].part;
	const measure_id_map_t *map = &adding->unified->locals.items[process].contexts;
	struct measure_stacks *stacks = adding->stacks;

	if (!part)
		return;
	for (size_t i = 0; i < part->context_tallies.nr; i++) {
		const struct measure_def_context_tally *tally = &part->context_tallies.items[i];
		if (tally->context >= map->nr)
			continue;
		adding->contexts[map->items[tally->context]] += tally->samples;
		stacks->nr += tally->samples;
	}
	stacks->nr_taken += measure_part_count(part, "samples");
	stacks->nr_late += measure_part_count(part, "samples_missed");
	stacks->nr_lost += losses_of(part);
}

static const char *text_of(const struct adding *adding, uint32_t string)
{
	return measure_intern_key(&adding->unified->definitions.strings, string);
}

static bool is_program(const struct adding *adding, const char *module)
{
	const struct measure_job *job = adding->unified->job;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		if (part && part->has_process && strcmp(part->process.program, module) == 0)
			return true;
	}
	return false;
}

/* What the user may be able to compile anew. */
static bool is_own(const struct adding *adding, uint32_t id)
{
	const struct measure_otf2_region *region = &adding->unified->definitions.regions.items[id];

	return *text_of(adding, region->file) ||
	       is_program(adding, text_of(adding, region->module));
}

static void add_context(struct adding *adding, uint32_t leaf)
{
	const struct measure_definitions *definitions = &adding->unified->definitions;
	uint64_t samples = adding->contexts[leaf];
	bool has_inner = false;

	for (uint32_t id = leaf; id != UINT32_MAX; id = definitions->contexts.items[id].parent) {
		uint32_t region = definitions->contexts.items[id].region;
		struct measure_stacks_function *function = &adding->functions[region];
		if (id == leaf)
			function->self += samples;
		if (adding->seen[region] == leaf + 1)
			continue;
		adding->seen[region] = leaf + 1;
		function->whole += samples;
		if (has_inner || !is_own(adding, region))
			continue;
		has_inner = true;
		function->inner += samples;
		adding->stacks->nr_inner += samples;
	}
}

static int compare(const void *left, const void *right)
{
	const struct measure_stacks_function *a = left, *b = right;

	if (a->inner != b->inner)
		return a->inner < b->inner ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

static measure_status_t add_all(struct adding *adding)
{
	const struct measure_definitions *definitions = &adding->unified->definitions;
	struct measure_stacks *stacks = adding->stacks;
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < adding->unified->job->processes.nr; i++)
		add_part(adding, i);
	for (uint32_t i = 0; i < definitions->contexts.nr; i++)
		if (adding->contexts[i])
			add_context(adding, i);
	for (uint32_t i = 0; i < definitions->regions.nr && status == MEASURE_OK; i++) {
		adding->functions[i].region = i;
		if (adding->functions[i].inner)
			status = measure_array_push(&stacks->functions, adding->functions[i]);
	}
	if (stacks->functions.nr)
		qsort(stacks->functions.items, stacks->functions.nr,
			sizeof(*stacks->functions.items), compare);
	return status;
}

measure_status_t measure_stacks_make(
	const struct measure_unified *unified, struct measure_stacks *stacks)
{
	size_t nr_regions = unified->definitions.regions.nr;
	struct adding adding = {unified, stacks,
		calloc(unified->definitions.contexts.nr + 1, sizeof(*adding.contexts)),
		calloc(nr_regions + 1, sizeof(*adding.functions)),
		calloc(nr_regions + 1, sizeof(*adding.seen))};
	measure_status_t status = MEASURE_ERROR_MEMORY;

	if (adding.contexts && adding.functions && adding.seen)
		status = add_all(&adding);
	free(adding.contexts);
	free(adding.functions);
	free(adding.seen);
	return status;
}

void measure_stacks_free(struct measure_stacks *stacks)
{
	free(stacks->functions.items);
	memset(stacks, 0, sizeof(*stacks));
}

bool measure_stacks_is_recorded(
	const struct measure_unified *unified, const struct measure_stacks_function *function)
{
	return unified->definitions.regions.items[function->region].paradigm !=
	       OTF2_PARADIGM_SAMPLING;
}

uint32_t measure_stacks_worth(
	const struct measure_unified *unified, const struct measure_stacks *stacks)
{
	uint32_t nr = 0;

	while (nr < MOST_WORTH && nr < stacks->functions.nr) {
		const struct measure_stacks_function *function = &stacks->functions.items[nr];
		if ((double)function->inner < SHARE_WORTH * (double)stacks->nr)
			break;
		nr++;
	}
	for (uint32_t i = 0; i < nr; i++)
		if (!measure_stacks_is_recorded(unified, &stacks->functions.items[i]))
			return nr;
	return 0;
}
