/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes and threads, and what is known of each; their nodes are in unify_nodes.c. */
#include "config.h"

#include <ctype.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/close/truncation.h"
#include "node_topology.h"
#include "base/file.h"
#include "assemble/close/self_timing_costs.h"
#include "unify.h"

/* OpenSHMEM calls a rank so where the program does not use MPI, too. */
static const char *name_rank(const struct measure_part *part)
{
	const char *name = "MPI Rank";

	for (size_t i = 0; part && i < part->comms.nr; i++) {
		if (part->comms.items[i].def.paradigm == OTF2_PARADIGM_MPI)
			return "MPI Rank";
		if (part->comms.items[i].def.paradigm == OTF2_PARADIGM_SHMEM)
			name = "PE";
	}
	return name;
}

static uint32_t name_process(struct measure_unified *unified, const struct measure_process *process)
{
	const char *program =
		process->part && process->part->has_process ? process->part->process.program : "";
	char text[512];

	if (process->world == 0)
		snprintf(text, sizeof(text), "%s %u", name_rank(process->part), process->rank);
	else if (process->world != MEASURE_NO_ID)
		snprintf(text, sizeof(text), "MPI Rank %u of world %u", process->rank,
			process->world);
	else if (process->rank != MEASURE_NO_ID)
		snprintf(text, sizeof(text), "Rank %u (%s)", process->rank,
			measure_base_name(program));
	else
		snprintf(text, sizeof(text), "Process %u (%s)", process->id,
			measure_base_name(program));
	return measure_unify_string(unified, text);
}

static uint32_t name_location(struct measure_unified *unified, const struct measure_part *part,
	size_t index)
{
	const char *given = part && index < part->locations.nr ? part->locations.items[index].name
							       : "";
	char text[32];

	if (given[0])
		return measure_unify_string(unified, given);
	if (index == 0)
		return measure_unify_string(unified, "Master thread");
	snprintf(text, sizeof(text), "Thread %zu", index);
	return measure_unify_string(unified, text);
}

static void add_location_property(struct measure_unified *unified, uint64_t location,
	const char *name, enum measure_otf2_value type, uint64_t value)
{
	const struct measure_otf2_property property = {.of = MEASURE_OTF2_OF_LOCATION,
		.owner = location,
		.name = measure_unify_string(unified, name),
		.type = type,
		.number = value};

	measure_unify_push(unified, &unified->definitions.properties, property);
}

/* Where its thread began. */
static void add_begin(struct measure_unified *unified, uint64_t location, uint32_t processor,
	const struct measure_node_topology *topology)
{
	char text[256] = "";

	add_location_property(
		unified, location, "MEASURE::PROCESSOR", MEASURE_OTF2_UINT64, processor);
	if (topology)
		measure_node_topology_describe(topology, processor, text, sizeof(text));
	if (text[0])
		add_location_property(unified, location, "MEASURE::PLACE", MEASURE_OTF2_STRING,
			measure_unify_string(unified, text));
}

/* That the same property of the same location has another value later. */
static bool is_replaced(const struct measure_part *part, size_t index)
{
	const struct measure_def_location_property *items = part->location_properties.items;

	for (size_t i = index + 1; i < part->location_properties.nr; i++)
		if (items[i].location == items[index].location &&
			strcmp(items[i].name, items[index].name) == 0)
			return true;
	return false;
}

static void add_given_to_locations(
	struct measure_unified *unified, const struct measure_process *process)
{
	const struct measure_part *part = process->part;

	for (size_t i = 0; part && i < part->location_properties.nr; i++) {
		const struct measure_def_location_property *given =
			&part->location_properties.items[i];
		if (given->location >= measure_process_nr_locations(process) ||
			is_replaced(part, i))
			continue;
		add_location_property(unified, measure_location_id(process, given->location),
			given->name, given->is_number ? MEASURE_OTF2_UINT64 : MEASURE_OTF2_STRING,
			given->is_number ? given->number
					 : measure_unify_string(unified, given->text));
	}
}

static void add_locations(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_seat *seat)
{
	const struct measure_part *part = process->part;

	for (size_t i = 0; i < measure_process_nr_locations(process); i++) {
		const struct measure_part_location *from =
			part && i < part->locations.nr ? &part->locations.items[i] : NULL;
		struct measure_otf2_location location = {measure_location_id(process, i),
			name_location(unified, part, i), 0, process->id,
			OTF2_LOCATION_TYPE_CPU_THREAD};
		if (from)
			location.nr_events = from->events.nr_events;
		if (from && from->device[0])
			location.type = OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
		measure_unify_push(unified, &unified->definitions.locations, location);
		if (from && from->processor)
			add_begin(unified, location.id, from->processor - 1, seat->topology);
	}
}

/* --------------------------------------------------------------------- properties --- */

static void add_property(struct measure_unified *unified, const struct measure_process *process,
	const char *name, struct measure_otf2_property property)
{
	property.owner = process->id;
	property.name = measure_unify_string(unified, name);
	measure_unify_push(unified, &unified->definitions.properties, property);
}

static void add_number(struct measure_unified *unified, const struct measure_process *process,
	const char *name, uint64_t value)
{
	struct measure_otf2_property property = {.type = MEASURE_OTF2_UINT64, .number = value};

	add_property(unified, process, name, property);
}

static void add_real(struct measure_unified *unified, const struct measure_process *process,
	const char *name, double value)
{
	struct measure_otf2_property property = {.type = MEASURE_OTF2_DOUBLE, .real = value};

	add_property(unified, process, name, property);
}

static void add_text(struct measure_unified *unified, const struct measure_process *process,
	const char *name, const char *value)
{
	struct measure_otf2_property property = {.type = MEASURE_OTF2_STRING,
		.number = measure_unify_string(unified, value)};

	add_property(unified, process, name, property);
}

static void add_exit(struct measure_unified *unified, const struct measure_process *process)
{
	const struct measure_part *part = process->part;
	char text[64] = "unknown";

	if (part->has_end && part->end.how == MEASURE_END_EXITED)
		snprintf(text, sizeof(text), "exit status %lld", (long long)part->end.status);
	if (part->has_end && part->end.how == MEASURE_END_SIGNALLED)
		snprintf(text, sizeof(text), "signal %lld", (long long)part->end.status);
	if (part->has_end && part->end.how == MEASURE_END_REPLACED)
		snprintf(text, sizeof(text), "became another program");
	if (part->has_end && part->end.how == MEASURE_END_RUNNING)
		snprintf(text, sizeof(text), "still running");
	if (part->has_end && part->end.how == MEASURE_END_DETACHED)
		snprintf(text, sizeof(text), "detached");
	add_text(unified, process, "MEASURE::EXIT", text);
}

static void add_cut(struct measure_unified *unified, const struct measure_process *process)
{
	enum measure_truncation cut = measure_part_truncation(process->part);

	if (cut == MEASURE_TRUNCATION_NONE)
		return;
	add_text(unified, process, "MEASURE::CUT", measure_truncation_word(cut));
	if (process->part && process->part->end.reason && process->part->end.reason[0])
		add_text(unified, process, "MEASURE::CUT_REASON", process->part->end.reason);
}

static void add_counts(struct measure_unified *unified, const struct measure_process *process)
{
	for (size_t i = 0; i < process->part->counts.nr; i++) {
		const struct measure_def_count *count = &process->part->counts.items[i];
		char name[128];
		snprintf(name, sizeof(name), "MEASURE::%s", count->name);
		for (char *place = name; *place; place++)
			*place = (char)toupper((unsigned char)*place);
		if (count->value > 0)
			add_number(unified, process, name, count->value);
	}
}

static void add_given(struct measure_unified *unified, const struct measure_process *process)
{
	for (size_t i = 0; i < process->part->properties.nr; i++) {
		const struct measure_def_property *given = &process->part->properties.items[i];
		char name[256];
		snprintf(name, sizeof(name), "%s%s", strstr(given->name, "::") ? "" : "MEASURE::",
			given->name);
		add_text(unified, process, name, given->value);
	}
}

static void add_truth(struct measure_unified *unified, const struct measure_process *process)
{
	const struct measure_def_clock_truth *truth = &process->part->truth;

	add_text(unified, process, "MEASURE::CLOCK_TRUTH", truth->specification);
	add_real(unified, process, "MEASURE::CLOCK_TRUTH_OFFSET", truth->offset);
	add_real(unified, process, "MEASURE::CLOCK_TRUTH_DRIFT", truth->drift);
	add_number(unified, process, "MEASURE::CLOCK_TRUTH_ORIGIN", truth->origin);
}

static void add_properties(struct measure_unified *unified, const struct measure_process *process)
{
	const struct measure_part *part = process->part;

	add_cut(unified, process);
	if (!part) {
		add_text(unified, process, "MEASURE::EXIT", "nothing was recorded");
		return;
	}
	if (part->has_process) {
		add_number(unified, process, "MEASURE::CLOCK_DOMAIN", part->process.clock_domain);
		add_text(unified, process, "MEASURE::CLOCK", part->process.clock);
		add_text(unified, process, "MEASURE::HOST", part->process.host);
		add_number(unified, process, "MEASURE::PROCESS_ID", (uint64_t)part->process.pid);
	}
	if (part->has_launch && part->launch.rank != UINT32_MAX)
		add_number(unified, process, "MEASURE::RANK", part->launch.rank);
	add_exit(unified, process);
	add_counts(unified, process);
	add_given(unified, process);
	if (part->has_truth)
		add_truth(unified, process);
}

static void add_process(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_seat *seat)
{
	const struct measure_otf2_process group = {process->id, name_process(unified, process),
		seat->node, seat->host, measure_job_creator(unified->job, process),
		OTF2_LOCATION_GROUP_TYPE_PROCESS};

	measure_unify_push(unified, &unified->definitions.processes, group);
	add_locations(unified, process, seat);
	add_given_to_locations(unified, process);
	add_properties(unified, process);
}

/* ------------------------------------------------------------------------ devices --- */

/* Where there are several processes, each with a first device, it says whose it is. */
static uint32_t name_device(struct measure_unified *unified, const struct measure_process *process,
	const char *device)
{
	char text[1024];

	if (unified->job->processes.nr == 1)
		return measure_unify_string(unified, device);
	snprintf(text, sizeof(text), "%s of %s", device,
		(const char *)measure_intern_key(
			&unified->definitions.strings, name_process(unified, process)));
	return measure_unify_string(unified, text);
}

/* The location group of a device that the process uses; they come after those of all processes. */
static uint32_t device_group(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_seat *seat, const char *device)
{
	struct measure_archive_definitions *definitions = &unified->definitions;
	struct measure_otf2_process group = {0, name_device(unified, process, device), seat->node,
		seat->host, process->id, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR};

	for (size_t i = unified->job->processes.nr; i < definitions->processes.nr; i++)
		if (definitions->processes.items[i].creator == process->id &&
			definitions->processes.items[i].name == group.name)
			return definitions->processes.items[i].id;
	group.id = definitions->processes.items[definitions->processes.nr - 1].id + 1;
	measure_unify_push(unified, &definitions->processes, group);
	return group.id;
}

/* Moves the locations of streams there. */
static void add_devices(struct measure_unified *unified, const struct measure_seat *seats)
{
	struct measure_otf2_location *location = unified->definitions.locations.items;

	for (size_t i = 0; i < unified->job->processes.nr && unified->status == MEASURE_OK; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		const struct measure_part *part = process->part;
		for (size_t k = 0; k < measure_process_nr_locations(process); k++, location++)
			if (location->type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM)
				location->process = device_group(unified, process, &seats[i],
					part->locations.items[k].device);
	}
}

void measure_unify_places(struct measure_unified *unified)
{
	const size_t nr = unified->job->processes.nr;
	struct measure_seat *seats = calloc(nr + 1, sizeof(*seats));

	if (!seats) {
		measure_unify_note(unified, MEASURE_ERROR_MEMORY);
		return;
	}
	measure_unify_nodes(unified, seats);
	for (size_t i = 0; i < nr; i++)
		add_process(unified, &unified->job->processes.items[i], &seats[i]);
	add_devices(unified, seats);
	free(seats);
}

/* --------------------------------------------------- what events of each thread cost --- */

static void add_self_timing(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_def_self_timing *timing)
{
	char name[64], text[MEASURE_TIMING_TEXT];
	struct measure_cost cost = {0};

	if (timing->kind >= MEASURE_TIMING_KINDS || timing->location >= process->part->locations.nr)
		return;
	measure_cost_add(&cost, timing);
	measure_cost_print(&cost, text);
	snprintf(name, sizeof(name), "MEASURE::SELF_TIMING::%s", measure_cost_name(timing->kind));
	struct measure_otf2_property property = {.type = MEASURE_OTF2_STRING,
		.of = MEASURE_OTF2_OF_LOCATION,
		.owner = measure_location_id(process, timing->location),
		.name = measure_unify_string(unified, name),
		.number = measure_unify_string(unified, text)};
	measure_unify_push(unified, &unified->definitions.properties, property);
}

void measure_unify_self_timings(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		size_t nr = process->part ? process->part->self_timings.nr : 0;
		for (size_t k = 0; k < nr; k++)
			add_self_timing(unified, process, &process->part->self_timings.items[k]);
	}
}
