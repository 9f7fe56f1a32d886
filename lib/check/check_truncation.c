/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes say that their recording was cut short, and why: by the properties that Measure
 * gives their location groups (doc/survival.md). */
#include "config.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/json_text.h"

#define NR_STORIES 20 /* that people are told */
#define NR_NAMES   8  /* of processes with one and the same story */

struct story {
	const char *cut; /* NULL: it was not cut */
	const char *exit, *reason;
	bool is_told;
};

static void truncation_note(struct story *story, const char *name, const char *text)
{
	if (!strcmp(name, "MEASURE::CUT"))
		story->cut = text;
	else if (!strcmp(name, "MEASURE::EXIT"))
		story->exit = text;
	else if (!strcmp(name, "MEASURE::CUT_REASON"))
		story->reason = text;
}

/* By location group. The caller frees it. */
static struct story *truncation_collect(const struct measure_definitions *definitions)
{
	struct story *stories =
		measure_zeroed(definitions->nr_location_groups + 1, sizeof(*stories));

	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		stories[i].exit = stories[i].reason = "";
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];

		if (property->kind == MEASURE_KIND_LOCATION_GROUP &&
			property->type == OTF2_TYPE_STRING &&
			property->owner < definitions->nr_location_groups)
			truncation_note(&stories[property->owner],
				measure_text(definitions, property->name),
				measure_text(definitions, property->value.stringRef));
	}
	return stories;
}

static bool truncation_is_same(const struct story *a, const struct story *b)
{
	return a->cut && b->cut && !strcmp(a->cut, b->cut) && !strcmp(a->exit, b->exit) &&
	       !strcmp(a->reason, b->reason);
}

/* The story of a process, with all that have the same one. */
static void print_story(
	const struct measure_definitions *definitions, struct story *stories, size_t first)
{
	size_t nr = 0;

	printf("  cut     %s: %s%s%s:", MEASURE_PRINTABLE(stories[first].cut),
		MEASURE_PRINTABLE(stories[first].exit), *stories[first].reason ? ", " : "",
		MEASURE_PRINTABLE(stories[first].reason));
	for (size_t i = first; i < definitions->nr_location_groups; i++) {
		if (stories[i].is_told || !truncation_is_same(&stories[i], &stories[first]))
			continue;
		stories[i].is_told = true;
		if (nr++ < NR_NAMES)
			printf("%s %s", nr > 1 ? "," : "",
				MEASURE_PRINTABLE(measure_text(
					definitions, definitions->location_groups[i].name)));
	}
	if (nr > NR_NAMES)
		printf(", and %zu more", nr - NR_NAMES);
	putchar('\n');
}

void check_print_cuts_text(const struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	struct story *stories = truncation_collect(definitions);
	size_t nr_told = 0, nr_more = 0;

	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		if (!stories[i].cut || stories[i].is_told)
			continue;
		if (nr_told++ < NR_STORIES)
			print_story(definitions, stories, i);
		else
			nr_more++;
	}
	if (nr_more)
		printf("  cut     %zu more processes\n", nr_more);
	measure_free(stories);
}

void check_print_cuts_json(const struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	struct story *stories = truncation_collect(definitions);
	const char *separator = "";

	printf(",\n  \"cuts\": [");
	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		if (!stories[i].cut)
			continue;
		printf("%s\n    {\"process\": ", separator);
		measure_json_text(
			stdout, measure_text(definitions, definitions->location_groups[i].name));
		printf(", \"cut\": ");
		measure_json_text(stdout, stories[i].cut);
		printf(", \"exit\": ");
		measure_json_text(stdout, stories[i].exit);
		printf(", \"reason\": ");
		measure_json_text(stdout, stories[i].reason);
		putchar('}');
		separator = ",";
	}
	printf("\n  ]");
	measure_free(stories);
}
