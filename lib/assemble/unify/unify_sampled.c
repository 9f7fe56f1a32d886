/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What keepers have sampled: a location for each series of a process, behind those of its threads.
 * What the values are of, its name and a property say. OTF2 has instances of metric classes for
 * that, but ViTE dies of a record that names one. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>

#include "unify.h"
#include "metric.h"

static uint32_t put_metric(struct measure_unified *unified, const struct measure_def_sampled *from)
{
	const struct measure_def_metric metric = {.name = from->name,
		.description = from->description,
		.unit = from->unit,
		.type = from->type,
		.mode = from->mode,
		.value_type = from->value_type,
		.base = from->base,
		.exponent = from->exponent};

	return measure_unify_metric(unified, &metric);
}

static void put_class(struct measure_unified *unified, const uint32_t *members, uint32_t nr,
	measure_id_map_t *classes)
{
	uint32_t id = measure_unify_metric_class(
		unified, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_UNKNOWN, members, nr);

	measure_unify_push(unified, classes, id);
}

/* One of all, or one of each. */
static void put_classes(struct measure_unified *unified, uint32_t series,
	const struct measure_part_sampled *sampled, measure_id_map_t *classes)
{
	uint32_t members[MEASURE_MOST_SINGLE], nr = (uint32_t)sampled->metrics.nr;

	for (uint32_t i = 0; i < nr; i++)
		members[i] = put_metric(unified, &sampled->metrics.items[i]);
	if (!measure_series_is_single(series))
		put_class(unified, members, nr, classes);
	else
		for (uint32_t i = 0; i < nr; i++)
			put_class(unified, &members[i], 1, classes);
}

static uint32_t name_location(struct measure_unified *unified, const struct measure_part *part,
	const struct measure_def_sampled *first)
{
	char text[512];
	int used;

	if (first->scope == MEASURE_METRIC_NODE)
		used = snprintf(text, sizeof(text), "Metrics of node %s",
			part->has_process ? part->process.host : "");
	else
		used = snprintf(text, sizeof(text), "Metrics of the process");
	if (*first->plugin && used > 0 && (size_t)used < sizeof(text))
		snprintf(text + used, sizeof(text) - (size_t)used, " by %s", first->plugin);
	return measure_unify_string(unified, text);
}

static void add_scope(struct measure_unified *unified, uint64_t location, const char *scope)
{
	const struct measure_otf2_property property = {.of = MEASURE_OTF2_OF_LOCATION,
		.owner = location,
		.name = measure_unify_string(unified, "MEASURE::METRIC_SCOPE"),
		.type = MEASURE_OTF2_STRING,
		.number = measure_unify_string(unified, scope)};

	measure_unify_push(unified, &unified->definitions.properties, property);
}

/* One for each class that is told once, however many metrics are equal. */
static void add_recorders(
	struct measure_unified *unified, const struct measure_sampled_location *location)
{
	for (size_t i = 0; i < location->metric_classes.nr; i++) {
		const struct measure_otf2_metric_recorder recorder = {
			location->metric_classes.items[i], location->id};
		bool is_told = false;
		for (size_t k = 0; k < i; k++)
			is_told |= location->metric_classes.items[k] == recorder.metric_class;
		if (!is_told)
			measure_unify_push(
				unified, &unified->definitions.metric_recorders, recorder);
	}
}

static void add_location(
	struct measure_unified *unified, size_t number, uint32_t series, size_t index)
{
	const struct measure_process *process = &unified->job->processes.items[number];
	const struct measure_part_sampled *sampled = &process->part->sampled[series];
	const struct measure_def_sampled *first = &sampled->metrics.items[0];
	const struct measure_otf2_location location = {measure_location_id(process, index),
		name_location(unified, process->part, first), sampled->events.nr_events,
		process->id, OTF2_LOCATION_TYPE_METRIC};
	struct measure_sampled_location entry = {number, series, location.id, {0}};

	put_classes(unified, series, sampled, &entry.metric_classes);
	measure_unify_push(unified, &unified->definitions.locations, location);
	measure_unify_push(unified, &unified->sampled, entry);
	add_recorders(unified, &entry);
	add_scope(unified, location.id, first->scope == MEASURE_METRIC_NODE ? "node" : "process");
}

void measure_unify_sampled(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		size_t index = measure_process_nr_locations(process);
		for (uint32_t series = 0; process->part && series < MEASURE_SERIES; series++)
			if (process->part->sampled[series].events.nr_events > 0 &&
				unified->status == MEASURE_OK)
				add_location(unified, i, series, index++);
	}
}
