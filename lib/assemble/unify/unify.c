/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unification; see unify.h. */
#include "config.h"

#include "unify.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- local --- */

/* ProgramBegin names string 0, which is the path of the program, and its arguments behind it. */
static void unify_program_name(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const char *program = part && part->has_process ? part->process.program : "";
	uint32_t id = measure_unify_string(unified, program);

	measure_unify_note(
		unified, measure_array_push(&unified->locals.items[process].strings, id));
}

/* Texts that its records name. One whose record is lost has none. */
static void unify_strings(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;

	unify_program_name(unified, process);
	for (size_t k = 1; part && k < part->strings.nr; k++) {
		const char *text = part->strings.items[k].text;
		measure_unify_note(
			unified, measure_array_push(&unified->locals.items[process].strings,
					 measure_unify_string(unified, text ? text : "")));
	}
}

static void make_locals(
	struct measure_unified *unified, const struct measure_clock_correction *timeline)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		measure_unify_note(unified,
			measure_array_push(&unified->locals,
				(struct measure_local_definitions){
					.clock = &timeline->corrections.items[i].function}));
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
	for (size_t i = 0; i < unified->locals.nr; i++) {
		const struct measure_local_definitions *local = &unified->locals.items[i];
		note_size(unified, local->strings.nr);
		note_size(unified, local->regions.nr);
		note_size(unified, local->comms.nr);
		note_size(unified, local->groups.nr);
		note_size(unified, local->contexts.nr);
		note_size(unified, local->windows.nr);
		note_size(unified, local->io_files.nr);
		note_size(unified, local->io_handles.nr);
	}
}

measure_status_t measure_unify(const struct measure_job *job,
	const struct measure_clock_correction *timeline, struct measure_unified *unified)
{
	unified->job = job;
	unified->definitions.clock = (struct measure_otf2_clock){timeline->resolution,
		timeline->begin, timeline->length, timeline->realtime};
	measure_unify_string(unified, "");
	make_locals(unified, timeline);
	if (unified->status == MEASURE_OK)
		measure_unify_places(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_regions(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_comms(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_topologies(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_windows(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_attributes(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_metrics(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_sampled(unified);
	if (unified->status == MEASURE_OK)
		measure_unify_self_timings(unified);
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
		free(unified->locals.items[i].strings.items);
		free(unified->locals.items[i].regions.items);
		free(unified->locals.items[i].comms.items);
		free(unified->locals.items[i].groups.items);
		free(unified->locals.items[i].windows.items);
		free(unified->locals.items[i].attributes.items);
		free(unified->locals.items[i].parameters.items);
		free(unified->locals.items[i].metric_classes.items);
		free(unified->locals.items[i].contexts.items);
		free(unified->locals.items[i].generators.items);
		free(unified->locals.items[i].io_files.items);
		free(unified->locals.items[i].io_handles.items);
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
	free(definitions->paradigms.items);
	free(definitions->nodes.items);
	free(definitions->processes.items);
	free(definitions->properties.items);
	free(definitions->locations.items);
	free(definitions->regions.items);
	free(definitions->groups.items);
	free(definitions->comms.items);
	free(definitions->dimensions.items);
	free(definitions->topologies.items);
	free(definitions->coordinates.items);
	free(definitions->windows.items);
	free(definitions->attributes.items);
	free(definitions->parameters.items);
	free(definitions->markers.items);
	free(definitions->metrics.items);
	free(definitions->metric_classes.items);
	free(definitions->metric_recorders.items);
	free(definitions->sources.items);
	free(definitions->contexts.items);
	free(definitions->generators.items);
	free(definitions->io_paradigms.items);
	free(definitions->io_files.items);
	free(definitions->io_handles.items);
	memset(unified, 0, sizeof(*unified));
}
