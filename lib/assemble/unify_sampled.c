/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What keepers have sampled: a location for each process and scope, behind those of its threads.
 * What the values are of, its name and a property say. OTF2 has instances of metric classes for
 * that, but ViTE dies of a record that names one. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>

#include "assemble/unify.h"
#include "metric.h"

static uint32_t put_class(
	struct measure_unified *unified, const struct measure_part_sampled *sampled)
{
	uint32_t members[MEASURE_MOST_SAMPLED];

	for (size_t i = 0; i < sampled->metrics.nr; i++) {
		const struct measure_def_sampled *from = &sampled->metrics.items[i];
		const struct measure_def_metric metric = {.name = from->name,
			.description = from->description,
			.unit = from->unit,
			.type = from->type,
			.mode = from->mode,
			.value_type = from->value_type,
			.base = from->base,
			.exponent = from->exponent};
		members[i] = measure_unify_metric(unified, &metric);
	}
	return measure_unify_metric_class(unified, OTF2_METRIC_ASYNCHRONOUS,
		OTF2_RECORDER_KIND_UNKNOWN, members, (uint32_t)sampled->metrics.nr);
}

static uint32_t name_location(
	struct measure_unified *unified, const struct measure_part *part, uint32_t scope)
{
	char text[512] = "Metrics of the process";

	if (scope == MEASURE_METRIC_NODE)
		snprintf(text, sizeof(text), "Metrics of node %s",
			part->has_process ? part->process.host : "");
	return measure_unify_string(unified, text);
}

static void add_scope(struct measure_unified *unified, uint64_t location, const char *scope)
{
	const struct measure_otf2_property property = {.is_of_location = true,
		.owner = location,
		.name = measure_unify_string(unified, "MEASURE::METRIC_SCOPE"),
		.type = MEASURE_OTF2_STRING,
		.number = measure_unify_string(unified, scope)};

	measure_unify_note(unified, measure_array_push(&unified->definitions.properties, property));
}

static void add_location(
	struct measure_unified *unified, size_t number, uint32_t scope, size_t index)
{
	const struct measure_process *process = &unified->job->processes.items[number];
	const struct measure_part_sampled *sampled = &process->part->sampled[scope];
	const struct measure_otf2_location location = {measure_location_id(process, index),
		name_location(unified, process->part, scope), sampled->events.nr_events,
		process->id, true};
	const struct measure_otf2_metric_recorder recorder = {
		put_class(unified, sampled), location.id};
	const struct measure_sampled_location entry = {
		number, scope, location.id, recorder.metric_class};

	measure_unify_note(unified, measure_array_push(&unified->definitions.locations, location));
	measure_unify_note(
		unified, measure_array_push(&unified->definitions.metric_recorders, recorder));
	measure_unify_note(unified, measure_array_push(&unified->sampled, entry));
	add_scope(unified, location.id, scope == MEASURE_METRIC_NODE ? "node" : "process");
}

void measure_unify_sampled(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		size_t index = measure_process_nr_locations(process);
		for (uint32_t scope = 0; process->part && scope < MEASURE_SAMPLED_SCOPES; scope++)
			if (process->part->sampled[scope].events.nr_events > 0 &&
				unified->status == MEASURE_OK)
				add_location(unified, i, scope, index++);
	}
}
