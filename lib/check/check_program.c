/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ProgramBegin and ProgramEnd: at most one of each per process, on one location, and nothing
 * of the process outside. */
#include "config.h"

#include "check_internal.h"

#include <string.h>

#include "trace/archive/trace_properties.h"

void program_check_start(struct program_check *programs, struct check *check)
{
	*programs = (struct program_check){.check = check,
		.programs = measure_zeroed(
			check->trace->definitions.nr_location_groups, sizeof(struct program))};
}

void program_check_begin_location(struct program_check *programs, uint32_t location)
{
	programs->location = location;
	programs->process = programs->check->trace->definitions.locations[location].group;
	programs->nr_seen = 0;
}

static void note_begin(struct program *program, struct measure_place place, uint64_t nr_seen)
{
	if (program->nr_begins++)
		return;
	program->begin = place;
	program->is_begin_first = nr_seen == 1;
}

static void note_end(struct program *program, struct measure_place place)
{
	if (program->nr_ends++)
		return;
	program->end = place;
	program->is_end_last = true;
}

void program_check_event(struct program_check *programs, const struct measure_event *event)
{
	struct measure_place place = {programs->location, event->time, event->position};
	struct program *program;

	if (programs->process == MEASURE_NONE)
		return;
	program = &programs->programs[programs->process];
	programs->nr_seen++;
	if (!program->has_events || place.time < program->earliest.time)
		program->earliest = place;
	if (!program->has_events || place.time > program->latest.time)
		program->latest = place;
	program->has_events = true;
	if (program->nr_ends && program->end.location == place.location)
		program->is_end_last = false;
	if (event->kind == MEASURE_EVENT_PROGRAM_BEGIN)
		note_begin(program, place, programs->nr_seen);
	else if (event->kind == MEASURE_EVENT_PROGRAM_END)
		note_end(program, place);
}

static void check_bounds(struct check *check, const struct program *program)
{
	if (program->nr_begins &&
		(!program->is_begin_first || program->earliest.time < program->begin.time))
		measure_report(&check->findings, MEASURE_CHECK_PROGRAM_BOUNDS,
			program->is_begin_first ? program->earliest : program->begin, "%s",
			program->is_begin_first ? "recorded before ProgramBegin"
						: "ProgramBegin is not the first record here");
	if (program->nr_ends && (!program->is_end_last || program->latest.time > program->end.time))
		measure_report(&check->findings, MEASURE_CHECK_PROGRAM_BOUNDS,
			program->is_end_last ? program->latest : program->end, "%s",
			program->is_end_last ? "recorded after ProgramEnd"
					     : "ProgramEnd is not the last record here");
}

static void check_program(struct check *check, const struct program *program)
{
	if (program->nr_begins > 1 || program->nr_ends > 1)
		measure_report(&check->findings, MEASURE_CHECK_PROGRAM_ONCE, program->begin,
			"%u ProgramBegin, %u ProgramEnd", program->nr_begins, program->nr_ends);
	else if (program->nr_begins != program->nr_ends)
		measure_report(&check->findings, MEASURE_CHECK_PROGRAM_OPEN,
			program->nr_begins ? program->begin : program->end, "%s without %s",
			program->nr_begins ? "ProgramBegin" : "ProgramEnd",
			program->nr_begins ? "ProgramEnd" : "ProgramBegin");
	else if (program->nr_begins && program->begin.location != program->end.location)
		measure_report(&check->findings, MEASURE_CHECK_PROGRAM_ONCE, program->end,
			"ProgramBegin is on another location");
	check_bounds(check, program);
}

/* It may have begun after what the archive is a slice of, or not be a part of it. */
static bool is_sliced(const struct measure_group_properties *properties, size_t process)
{
	const char *cut = measure_group_text(properties, process, MEASURE_PROPERTY_CUT, 0);

	return cut && !strcmp(cut, MEASURE_CUT_SLICE);
}

void program_check_finish(struct program_check *programs)
{
	const struct measure_definitions *definitions = &programs->check->trace->definitions;
	struct measure_group_properties properties;

	measure_group_properties_make(definitions, &properties);
	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		const struct measure_location_group *group = &definitions->location_groups[i];

		if (programs->programs[i].has_events) {
			programs->check->nr_processes++;
			check_program(programs->check, &programs->programs[i]);
		} else if (group->type == OTF2_LOCATION_GROUP_TYPE_PROCESS &&
			   !is_sliced(&properties, i)) {
			measure_report(&programs->check->findings, MEASURE_CHECK_LOCATION_SILENT,
				measure_nowhere, "location group %u (%s)", group->id,
				measure_text(definitions, group->name));
		}
	}
	measure_group_properties_free(&properties);
	measure_free(programs->programs);
}
