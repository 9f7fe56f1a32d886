/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unification; see unify.h. */
#include "config.h"

#include "unify.h"

#include "assemble/write/local_definitions.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- local --- */

/* ProgramBegin names string 0, which is the path of the program, and its arguments behind it. */
static void unify_program_name(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const char *program = part && part->has_process ? part->process.program : "";
	uint32_t id = measure_unify_string(unified, program);

	measure_unify_push(unified, &unified->locals.items[process].strings, id);
}

/* Texts that its records name. One whose record is lost has none. */
static void unify_strings(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;

	unify_program_name(unified, process);
	for (size_t k = 1; part && k < part->strings.nr; k++) {
		const char *text = part->strings.items[k].text;
		measure_unify_push(unified, &unified->locals.items[process].strings,
			measure_unify_string(unified, text ? text : ""));
	}
}

static void make_locals(
	struct measure_unified *unified, const struct measure_clock_correction *timeline)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		measure_unify_push(unified, &unified->locals,
			(struct measure_local_definitions){
				.clock = &timeline->corrections.items[i].function});
}

static void note_size(struct measure_unified *unified, size_t size)
{
	if (size > unified->largest)
		unified->largest = size;
}

static void note_sizes(struct measure_unified *unified)
{
	const struct measure_intern *strings = &unified->definitions.strings;

	for (size_t i = 0; i < strings->entries.nr; i++)
		note_size(unified, strings->entries.items[i].size);
	for (size_t i = 0; i < unified->locals.nr; i++)
		note_size(unified, measure_local_definitions_size(&unified->locals.items[i]));
}

measure_status_t measure_unify(const struct measure_job *job,
	const struct measure_clock_correction *timeline, struct measure_unified *unified)
{
	static void (*const steps[])(struct measure_unified *) = {
		measure_unify_places,
		measure_unify_regions,
		measure_unify_comms,
		measure_unify_topologies,
		measure_unify_windows,
		measure_unify_attributes,
		measure_unify_metrics,
		measure_unify_sampled,
		measure_unify_self_timings,
	};

	unified->job = job;
	unified->definitions.clock = (struct measure_otf2_clock){timeline->resolution,
		timeline->begin, timeline->length, timeline->realtime};
	measure_unify_string(unified, "");
	make_locals(unified, timeline);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && unified->status == MEASURE_OK; i++)
		steps[i](unified);
	measure_unify_io(unified);
	for (size_t i = 0; i < job->processes.nr && unified->status == MEASURE_OK; i++)
		unify_strings(unified, i);
	if (unified->status == MEASURE_OK) {
		measure_unify_paradigms(unified);
		measure_unify_markers(unified, timeline);
		note_sizes(unified);
	}
	return unified->status;
}

void measure_unified_free(struct measure_unified *unified)
{
	struct measure_archive_definitions *definitions = &unified->definitions;

	for (size_t i = 0; i < unified->locals.nr; i++) {
#define ID_MAP(kind, map) free(unified->locals.items[i].map.items);
#include "assemble/write/id_maps.def"
#undef ID_MAP
	}
	free(unified->locals.items);
	for (size_t i = 0; i < unified->sampled.nr; i++)
		free(unified->sampled.items[i].metric_classes.items);
	free(unified->sampled.items);
	measure_intern_free(&unified->groups);
	measure_intern_free(&unified->regions);
	measure_intern_free(&unified->filtered);
	measure_intern_free(&unified->filtered_known);
	measure_intern_free(&unified->attributes);
	measure_intern_free(&unified->parameters);
	measure_intern_free(&unified->metrics);
	measure_intern_free(&unified->metric_classes);
	measure_intern_free(&unified->sources);
	measure_intern_free(&unified->contexts);
	measure_intern_free(&unified->generators);
	measure_intern_free(&definitions->strings);
	free(definitions->markers.items);
#define DEFINITION(type, array, write) free(definitions->array.items);
#include "assemble/write/archive_definitions.def"
#undef DEFINITION
	memset(unified, 0, sizeof(*unified));
}
