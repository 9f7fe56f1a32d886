/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unification; see unify.h. */
#include "config.h"

#include "unify.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>

struct paradigm {
	uint8_t paradigm;
	uint8_t class;
	const char *name;
	const char *file;
	const char *comm_template;
	const char *window_template;
};

static const struct paradigm paradigms[] = {
#define PARADIGM(NAME, CLASS, name, file, comms, windows)                                          \
	{OTF2_PARADIGM_##NAME, OTF2_PARADIGM_CLASS_##CLASS, name, file, comms, windows},
#include "paradigms.def"
#undef PARADIGM
};
#define NR_PARADIGMS (sizeof(paradigms) / sizeof(*paradigms))

uint32_t measure_unify_string(struct measure_unified *unified, const char *text)
{
	uint32_t id = 0;
	measure_status_t status = measure_intern_put(&unified->definitions.strings, text,
		strlen(text) + 1, &id, NULL);

	measure_unify_note(unified, status);
	return status == MEASURE_OK ? id : 0;
}

/* A region of a library has the name of its paradigm where others have their source file. */
static uint32_t file_of(struct measure_unified *unified, const struct measure_otf2_region *region)
{
	const char *file = measure_intern_key(&unified->definitions.strings, region->file);

	for (size_t i = 0; i < NR_PARADIGMS && !*file; i++)
		if (paradigms[i].paradigm == region->paradigm)
			return measure_unify_string(unified, paradigms[i].file);
	return region->file;
}

/* What a header has is one region, whichever modules it was compiled into: the first one is told.
 */
uint32_t measure_unify_region(struct measure_unified *unified,
	const struct measure_otf2_region *region)
{
	struct measure_otf2_region named = *region, key;
	uint32_t id = 0;
	bool is_new = false;

	if (unified->status != MEASURE_OK)
		return 0;
	named.file = file_of(unified, region);
	key = named;
	key.module = 0;
	measure_unify_note(
		unified, measure_intern_put(&unified->regions, &key, sizeof(key), &id, &is_new));
	if (is_new)
		measure_unify_note(
			unified, measure_array_push(&unified->definitions.regions, named));
	return id;
}

/* The key of a group is {type, paradigm, members}, and keeps the members for the archive. */
uint32_t measure_unify_group(struct measure_unified *unified, uint8_t type, uint8_t paradigm,
	const uint64_t *members, uint32_t nr_members)
{
	size_t size = (2 + (size_t)nr_members) * sizeof(uint64_t);
	uint64_t *key = malloc(size);
	uint32_t id = 0;
	bool is_new = false;

	if (!key) {
		measure_unify_note(unified, MEASURE_ERROR_MEMORY);
		return 0;
	}
	key[0] = type;
	key[1] = paradigm;
	if (nr_members)
		memcpy(key + 2, members, nr_members * sizeof(*members));
	measure_unify_note(unified, measure_intern_put(&unified->groups, key, size, &id, &is_new));
	free(key);
	if (!is_new)
		return id;
	const uint64_t *kept = measure_intern_key(&unified->groups, id);
	struct measure_otf2_group group = {0, type, paradigm, nr_members, kept + 2};
	measure_unify_note(unified, measure_array_push(&unified->definitions.groups, group));
	if (nr_members > unified->largest)
		unified->largest = nr_members;
	return id;
}

static bool uses(const struct measure_archive_definitions *definitions, uint8_t paradigm)
{
	/* regions of the program's own say nothing of how its threads come to be */
	for (size_t i = 0; i < definitions->regions.nr && paradigm != OTF2_PARADIGM_USER; i++)
		if (definitions->regions.items[i].paradigm == paradigm)
			return true;
	for (size_t i = 0; i < definitions->groups.nr; i++)
		if (definitions->groups.items[i].paradigm == paradigm)
			return true;
	return false;
}

static void unify_paradigms(struct measure_unified *unified)
{
	for (size_t i = 0; i < NR_PARADIGMS; i++) {
		const struct paradigm *from = &paradigms[i];
		if (!uses(&unified->definitions, from->paradigm))
			continue;
		struct measure_otf2_paradigm to = {from->paradigm, from->class,
			measure_unify_string(unified, from->name),
			measure_unify_string(unified, from->comm_template),
			measure_unify_string(unified, from->window_template)};
		measure_unify_note(
			unified, measure_array_push(&unified->definitions.paradigms, to));
	}
}

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

static void copy_knots(
	struct measure_unified *unified, const struct measure_clock_correction *timeline)
{
	for (size_t i = 0; i < timeline->corrections.nr; i++) {
		const struct measure_correction *correction = &timeline->corrections.items[i];
		unified->locals.items[i].nr_knots = correction->knots.nr;
		for (size_t k = 0; k < correction->knots.nr; k++) {
			const struct measure_knot *from = &correction->knots.items[k];
			struct measure_otf2_knot to = {from->ticks, from->offset, from->bound};
			measure_unify_note(unified, measure_array_push(&unified->knots, to));
		}
	}
	if (unified->status != MEASURE_OK)
		return;
	const struct measure_otf2_knot *place = unified->knots.items;
	for (size_t i = 0; i < unified->locals.nr; i++) {
		unified->locals.items[i].knots = place;
		place += unified->locals.items[i].nr_knots;
	}
}

static void make_locals(struct measure_unified *unified)
{
	struct measure_local_definitions empty = {.nr_knots = 0};

	for (size_t i = 0; i < unified->job->processes.nr; i++)
		measure_unify_note(unified, measure_array_push(&unified->locals, empty));
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
	make_locals(unified);
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
		measure_unify_probes(unified);
	measure_unify_io(unified);
	for (size_t i = 0; i < job->processes.nr && unified->status == MEASURE_OK; i++)
		unify_strings(unified, i);
	if (unified->status == MEASURE_OK) {
		unify_paradigms(unified);
		copy_knots(unified, timeline);
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
	free(unified->knots.items);
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
