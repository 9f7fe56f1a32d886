/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The global definitions: a copy of the input's (definition_copy.h) with other clock properties and
 * numbers of events, and what was lost. */
#include "config.h"

#include "emit_internal.h"

#include "trace/archive/definition_copy.h"
#include "trace/common/containers.h"

#define UNKNOWN_REALTIME UINT64_MAX

/* As many as are there, whatever the archive says. */
static uint64_t nr_events_of(void *data, uint64_t id, uint64_t nr_said)
{
	const struct emitting *emitting = data;
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	uint32_t index = measure_definition_index(definitions, MEASURE_KIND_LOCATION, id);

	if (index != MEASURE_NONE && emitting->nr_written)
		return emitting->nr_written[index];
	if (index == MEASURE_NONE || definitions->locations[index].nr_found == MEASURE_NOT_READ)
		return nr_said;
	return definitions->locations[index].nr_found;
}

static void note_record(void *data, OTF2_ErrorCode code)
{
	emit_note_record(data, code);
}

/* True: there are events. */
static bool find_span_of(const struct measure_sync_emission *emission, uint32_t domain,
	uint64_t *first, uint64_t *last)
{
	const struct measure_sync_correction *correction = &emission->corrections[domain];
	const struct measure_sync_span *span = &emission->graph->of[domain].span;
	struct measure_sync_reading reading = {.piece = 0};

	if (span->first > span->last)
		return false;
	*first = measure_sync_correct(correction, &reading, span->first, 0, 0);
	*last = measure_sync_correct(correction, &reading, span->last, MEASURE_NONE, UINT64_MAX);
	return true;
}

static bool is_unchanged(const struct measure_sync_emission *emission, uint32_t location)
{
	if (emission->compensation)
		return false;

	const struct measure_sync_correction *correction =
		&emission->corrections[emission->graph->domains[location]];

	return correction->nr == 1 && measure_clock_function_is_same(&correction->pieces[0].offsets,
					      &emission->graph->trace->offsets[location]);
}

static void find_compensated_span(struct measure_sync_emission *emission)
{
	const struct measure_sync_graph *graph = emission->graph;
	uint64_t first, last;

	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		if (!measure_sync_is_mine(graph, i) ||
			!measure_compensated_span(emission->compensation, i, &first, &last))
			continue;
		if (first < emission->first)
			emission->first = first;
		if (last > emission->last)
			emission->last = last;
	}
}

static void find_span(struct measure_sync_emission *emission)
{
	const struct measure_sync_graph *graph = emission->graph;
	uint64_t first, last;

	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		if (!measure_sync_is_mine(graph, graph->of[i].a_location) ||
			!find_span_of(emission, i, &first, &last))
			continue;
		if (first < emission->first)
			emission->first = first;
		if (last > emission->last)
			emission->last = last;
	}
}

void emit_find_span(struct measure_sync_emission *emission)
{
	const struct measure_sync_graph *graph = emission->graph;
	uint64_t nr_changed = 0;

	emission->first = UINT64_MAX;
	emission->last = 0;
	if (emission->compensation)
		find_compensated_span(emission);
	else
		find_span(emission);
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++)
		nr_changed += measure_sync_is_mine(graph, i) && !is_unchanged(emission, i);
	graph->job->ops->combine(&emission->first, 1, MEASURE_SYNC_JOB_LEAST);
	graph->job->ops->combine(&emission->last, 1, MEASURE_SYNC_JOB_MOST);
	emission->is_unchanged = measure_sync_job_sum(graph->job, nr_changed) == 0;
}

static struct measure_clock clock_of(const struct measure_sync_emission *emission)
{
	struct measure_clock clock = emission->graph->trace->definitions.clock;

	if (emission->slicing)
		return emit_slice_clock(emission->slicing, &clock);
	if (emission->first <= emission->last &&
		(!emission->is_unchanged || emission->first < clock.offset ||
			emission->last - clock.offset > clock.length)) {
		if (clock.realtime != UNKNOWN_REALTIME && clock.resolution)
			clock.realtime +=
				(uint64_t)(int64_t)((long double)(int64_t)(emission->first -
									   clock.offset) *
						    1e9L / clock.resolution);
		clock.offset = emission->first;
		clock.length = emission->last - emission->first;
	}
	return clock;
}

struct measure_clock measure_sync_emission_clock(struct measure_sync_emission *emission)
{
	emit_find_span(emission);
	return clock_of(emission);
}

static void write_clock_properties(struct emitting *emitting, OTF2_GlobalDefWriter *writer)
{
	const struct measure_clock clock = clock_of(emitting->emission);

	if (clock.is_defined)
		emit_note(emitting,
			OTF2_GlobalDefWriter_WriteClockProperties(writer, clock.resolution,
				clock.offset, clock.length, clock.realtime));
}

/* A location that never recorded needs no file. */
static bool has_lost(const struct measure_location_definition *location)
{
	return location->is_broken && !location->is_truncated &&
	       (location->nr_found > 0 || location->nr_events > 0);
}

/* The files have an end now: who reads them would take them for whole. `string`: the next id, taken
 * if it is needed; MEASURE_NONE: there is none left. */
static void write_losses(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef *string)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	OTF2_StringRef name = MEASURE_NONE;

	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];
		OTF2_AttributeValue value = {.uint64 = OTF2_UNDEFINED_UINT64};

		if (!has_lost(location))
			continue;
		if (*string == MEASURE_NONE)
			return;
		if (name == MEASURE_NONE) {
			name = (*string)++;
			emit_note(emitting, OTF2_GlobalDefWriter_WriteString(
						    writer, name, MEASURE_PROPERTY_LOST_TRUNCATED));
		}
		if (location->nr_events > location->nr_found)
			value.uint64 = location->nr_events - location->nr_found;
		emit_note(emitting, OTF2_GlobalDefWriter_WriteLocationProperty(
					    writer, location->id, name, OTF2_TYPE_UINT64, value));
	}
}

void emit_global_definitions(struct emitting *emitting)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(emitting->archive);
	const struct measure_definition_copying copying = {
		&emitting->numbering, writer, nr_events_of, note_record, emitting};
	OTF2_StringRef string = measure_definitions_next_string(&emitting->numbering);
	OTF2_ErrorCode code;

	if (!writer) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	write_clock_properties(emitting, writer);
	code = measure_definitions_copy(&copying, emitting->reader);
	if (code == OTF2_ERROR_UNKNOWN_TYPE)
		emit_refuse_unknown(emitting);
	emit_note_input(emitting, code);
	write_losses(emitting, writer, &string);
	if (emitting->emission->additions)
		emit_added_definitions(emitting, writer, string);
	if (emitting->emission->slicing)
		emit_slice_definitions(emitting, writer, string);
	emit_note(emitting, OTF2_Archive_CloseGlobalDefWriter(emitting->archive, writer));
}
