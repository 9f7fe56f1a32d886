/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an archive gets in addition: a metric class with its values, and markers. */
#include "config.h"

#include "emit_internal.h"

#include <string.h>

#include "trace/common/containers.h"

/* ---------------------------------------------------------------------------- ids --- */

/* That of what comes after all that are there. */
uint64_t emit_next_id(const struct emitting *emitting, enum measure_kind kind)
{
	const struct measure_id_numbers *numbers = &emitting->numbering.of[kind];
	uint64_t id = numbers->is_changed ? numbers->nr : 0;

	for (size_t i = 0; i < numbers->nr && !numbers->is_changed; i++)
		if (numbers->ids[i] >= id)
			id = numbers->ids[i] + 1;
	return id;
}

uint32_t emit_added_metric(const struct emitting *emitting)
{
	return (uint32_t)emit_next_id(emitting, MEASURE_KIND_METRIC);
}

/* ------------------------------------------------------------------------- values --- */

static void find_next(struct event_copy *copy)
{
	const struct measure_added_values *values = &copy->added;

	copy->next_added =
		copy->nr_added < values->nr ? values->items[copy->nr_added].position : UINT64_MAX;
}

void emit_added_start(struct event_copy *copy)
{
	const struct measure_additions *additions = copy->emitting->emission->additions;

	copy->next_added = UINT64_MAX;
	if (!additions)
		return;
	additions->find_values(additions->data, copy->location, &copy->added);
	for (size_t i = 0; i < additions->nr_members; i++)
		copy->added_types[i] = OTF2_TYPE_UINT64;
	find_next(copy);
}

void emit_added_values(struct event_copy *copy, uint64_t time, uint64_t position)
{
	const struct measure_added_values *values = &copy->added;

	for (; copy->nr_added < values->nr && values->items[copy->nr_added].position == position;
		copy->nr_added++) {
		const struct measure_added_value *value = &values->items[copy->nr_added];

		copy->added_totals[value->member].unsigned_int = value->value;
	}
	emit_note(copy->emitting, OTF2_EvtWriter_Metric(copy->writer, NULL, time,
					  copy->emitting->added_metrics[copy->location],
					  copy->emitting->emission->additions->nr_members,
					  copy->added_types, copy->added_totals));
	find_next(copy);
}

void emit_added_end(struct event_copy *copy)
{
	measure_free(copy->added.items);
}

/* -------------------------------------------------------------------- definitions --- */

/* The metric class, behind all that has been copied. `string`: the first id that is free. */
void emit_added_definitions(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string)
{
	const struct measure_additions *additions = emitting->emission->additions;
	const uint64_t first = emit_next_id(emitting, MEASURE_KIND_METRIC_MEMBER);
	OTF2_MetricMemberRef members[UINT8_MAX];

	if (string > UINT32_MAX - 4 * (uint32_t)additions->nr_members ||
		first + additions->nr_members >= MEASURE_NONE) {
		emit_note_input(emitting, OTF2_ERROR_INDEX_OUT_OF_BOUNDS);
		return;
	}
	for (uint8_t i = 0; i < additions->nr_members; i++, string += 3) {
		const struct measure_added_member *member = &additions->members[i];

		emit_note(emitting, OTF2_GlobalDefWriter_WriteString(writer, string, member->name));
		emit_note(emitting,
			OTF2_GlobalDefWriter_WriteString(writer, string + 1, member->description));
		emit_note(emitting,
			OTF2_GlobalDefWriter_WriteString(writer, string + 2, member->unit));
		members[i] = (OTF2_MetricMemberRef)(first + i);
		emit_note(emitting,
			OTF2_GlobalDefWriter_WriteMetricMember(writer, members[i], string,
				string + 1, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START,
				OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string + 2));
	}
	emit_note(emitting, OTF2_GlobalDefWriter_WriteMetricClass(writer,
				    emit_added_metric(emitting), additions->nr_members, members,
				    OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_UNKNOWN));
}

void emit_added_markers(struct emitting *emitting, OTF2_MarkerWriter *writer, OTF2_MarkerRef marker)
{
	const struct measure_additions *additions = emitting->emission->additions;
	const struct measure_definitions *definitions = emit_definitions_of(emitting);

	emit_note(emitting, OTF2_MarkerWriter_WriteDefMarker(writer, marker, additions->group,
				    additions->category, OTF2_SEVERITY_HIGH));
	for (size_t i = 0; i < additions->nr_markers; i++) {
		const struct measure_added_marker *added = &additions->markers[i];
		const uint64_t location = measure_new_id(&emitting->numbering,
			MEASURE_KIND_LOCATION, definitions->locations[added->location].id);

		emit_note(emitting,
			OTF2_MarkerWriter_WriteMarker(writer, added->time, added->duration, marker,
				OTF2_MARKER_SCOPE_LOCATION, location, added->text));
	}
}
