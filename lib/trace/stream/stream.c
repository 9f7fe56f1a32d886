/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes events of records: ids become indices, and the clock offsets are applied here, because
 * both raw and corrected time are wanted in one pass. */
#include "config.h"

#include "stream.h"

#include <string.h>

#include "trace/common/trace_error.h"
#include "format/otf2_records.h"
#include "trace/archive/trace.h"
#include "trace/archive/id_mapping.h"
#include "library_reader.h"

static struct measure_place stream_place(
	const struct measure_stream *stream, const struct measure_event *event)
{
	return (struct measure_place){stream->location, event->time, event->position};
}

static void stream_report_reference(const struct measure_stream *stream,
	const struct measure_event *event, enum measure_kind kind, uint64_t id)
{
	struct measure_findings *findings = stream->trace->findings;

	if (measure_kind_is_undefined(kind, id))
		measure_report(findings, MEASURE_CHECK_EVENT_REFERENCE, stream_place(stream, event),
			"%s has no %s", measure_event_names[event->kind], measure_kind_words[kind]);
	else
		measure_report(findings, MEASURE_CHECK_EVENT_REFERENCE, stream_place(stream, event),
			"%s refers to %s %llu", measure_event_names[event->kind],
			measure_kind_words[kind], (unsigned long long)id);
}

static uint32_t stream_resolve(const struct measure_stream *stream,
	const struct measure_event *event, enum measure_kind kind, uint64_t id)
{
	const uint32_t index = measure_definition_index(&stream->trace->definitions, kind, id);

	if (unlikely(index == MEASURE_NONE))
		stream_report_reference(stream, event, kind, id);
	return index;
}

static bool is_refusal(
	const struct measure_definitions *definitions, const struct measure_attribute *attribute)
{
	return strcmp(measure_text(definitions, attribute->name), MEASURE_ATTRIBUTE_REFUSED) == 0;
}

static void stream_read_attribute(struct measure_stream *stream, struct measure_event *event,
	const struct measure_record_attribute *attribute)
{
	const struct measure_definitions *definitions = &stream->trace->definitions;
	const uint32_t index =
		stream_resolve(stream, event, MEASURE_KIND_ATTRIBUTE, attribute->id);

	if (index == MEASURE_NONE)
		return;
	event->is_refused |= is_refusal(definitions, &definitions->attributes[index]);
	if (definitions->attributes[index].type != attribute->type)
		measure_report(stream->trace->findings, MEASURE_CHECK_ATTRIBUTE_TYPE,
			stream_place(stream, event), "attribute %u of type %u, defined as type %u",
			attribute->id, attribute->type, definitions->attributes[index].type);
}

static uint64_t stream_read_field(struct measure_stream *stream,
	const struct measure_record_field *field, const struct measure_record *record,
	uint64_t value)
{
	if (field->kind == MEASURE_NR_KINDS)
		return value;
	if (field->type != MEASURE_FIELD_U32S)
		return stream_resolve(stream, &stream->event, field->kind, value);
	for (size_t i = 0; i < value; i++)
		stream_resolve(stream, &stream->event, field->kind, record->items[i]);
	return value;
}

static uint64_t stream_read_time(struct measure_stream *stream, const struct measure_record *record)
{
	for (; stream->nr_steps > 0 &&
		measure_clock_step_is_done(stream->steps, record->time, record->position);
		stream->steps++, stream->nr_steps--) {
		stream->offsets = stream->steps->offsets;
		stream->reading = (struct measure_clock_reading){.number = 0};
	}
	return measure_clock_function_read(stream->offsets, &stream->reading, record->time);
}

static const struct measure_event *stream_read_record(
	struct measure_stream *stream, const struct measure_record *record)
{
	const struct measure_record_format *format = &measure_record_formats[record->kind];
	uint64_t slots[MEASURE_NR_SLOTS] = {[MEASURE_SLOT_ref] = MEASURE_NONE};
	struct measure_event *event = &stream->event;

	event->kind = (uint8_t)record->kind;
	event->raw = record->time;
	event->position = record->position;
	event->time = stream_read_time(stream, record);
	for (uint8_t i = 0; i < format->nr_fields; i++)
		slots[format->fields[i].slot] = stream_read_field(
			stream, &format->fields[i], record, record->values[i]);
	event->number = slots[MEASURE_SLOT_number];
	event->sent = slots[MEASURE_SLOT_sent];
	event->received = slots[MEASURE_SLOT_received];
	event->ref = (uint32_t)slots[MEASURE_SLOT_ref];
	event->peer = (uint32_t)slots[MEASURE_SLOT_peer];
	event->tag = (uint32_t)slots[MEASURE_SLOT_tag];
	event->op = (uint8_t)slots[MEASURE_SLOT_op];
	event->is_refused = false;
	for (uint32_t i = 0; i < record->nr_attributes; i++)
		stream_read_attribute(stream, event, &record->attributes[i]);
	return event;
}

static const struct measure_record *stream_next_record(struct measure_stream *stream)
{
	stream->record = stream->library ? measure_library_reader_next(
						   stream->library, &stream->library_status)
					 : measure_event_decoder_next(&stream->decoder);
	stream->nr_read += stream->record != NULL;
	return stream->record;
}

const struct measure_event *measure_stream_next_slowly(struct measure_stream *stream)
{
	const struct measure_record *record = stream_next_record(stream);

	return record ? stream_read_record(stream, record) : NULL;
}

const struct measure_event *measure_stream_next_of(
	struct measure_stream *stream, enum measure_event_kind kind)
{
	const struct measure_record *record;
	struct measure_decoded_call call;

	do {
		while (!stream->library && measure_event_decoder_peek_call(&stream->decoder, &call))
			measure_event_decoder_take_call(&stream->decoder, &call);
		record = stream_next_record(stream);
	} while (record && record->kind != kind);
	return record ? stream_read_record(stream, record) : NULL;
}

static void stream_open_library(struct measure_stream *stream)
{
	const struct measure_trace *trace = stream->trace;

	stream->decoder.state = MEASURE_EVENT_DECODER_AT_END;
	stream->library_status = OTF2_ERROR_FILE_INTERACTION;
	stream->library = measure_library_reader_open(
		trace->reader, trace->definitions.locations[stream->location].id);
}

static void stream_begin(
	struct measure_stream *stream, struct measure_trace *trace, uint32_t location)
{
	const struct measure_id_mapping *mapping = trace->mappings[location];
	const struct measure_event_clock clock = measure_event_clock_of(trace, location);
	const struct measure_id_index *regions =
		mapping ? &mapping->regions : &trace->definitions.small_ids[MEASURE_KIND_REGION];

	*stream = (struct measure_stream){.trace = trace,
		.location = location,
		.offsets = clock.offsets,
		.steps = clock.steps,
		.nr_steps = clock.nr_steps,
		.regions = regions->indices,
		/* the fast way knows no steps */
		.nr_regions = clock.nr_steps ? 0 : regions->nr};
	measure_error_start();
}

void measure_stream_open(
	struct measure_stream *stream, struct measure_trace *trace, uint32_t location)
{
	char *path;

	stream_begin(stream, trace, location);
	if (trace->is_foreign) {
		stream_open_library(stream);
		return;
	}
	path = measure_trace_file(trace, location, ".evt");
	measure_event_decoder_open(
		&stream->decoder, path, trace->chunk_size, trace->mappings[location]);
	measure_free(path);
}

void measure_stream_open_memory(struct measure_stream *stream, struct measure_trace *trace,
	uint32_t location, const uint8_t *bytes, size_t size)
{
	stream_begin(stream, trace, location);
	measure_event_decoder_open_memory(&stream->decoder, bytes, size, trace->chunk_size);
	stream->decoder.mapping = trace->mappings[location];
}

static measure_status_t stream_end(const struct measure_stream *stream)
{
	const struct measure_event_decoder *decoder = &stream->decoder;

	switch (decoder->state) {
	case MEASURE_EVENT_DECODER_READING:
	case MEASURE_EVENT_DECODER_AT_END:
		if (!stream->trace->is_foreign || stream->library_status == OTF2_SUCCESS)
			return MEASURE_OK;
		measure_error_set("%s", measure_error_cause());
		break;
	case MEASURE_EVENT_DECODER_CUT_OFF:
		measure_error_set("the file ends there");
		break;
	case MEASURE_EVENT_DECODER_DAMAGED:
		measure_error_set("byte %zu of the file: %s",
			(size_t)(decoder->place - decoder->file), decoder->fault);
		break;
	case MEASURE_EVENT_DECODER_UNREADABLE:
		measure_error_set("%s", decoder->fault);
		break;
	}
	return MEASURE_ERROR_FORMAT;
}

measure_status_t measure_stream_close(struct measure_stream *stream, uint64_t *nr_read)
{
	struct measure_location_definition *location =
		&stream->trace->definitions.locations[stream->location];
	const measure_status_t status = stream_end(stream);

	*nr_read = stream->library ? stream->nr_read : stream->decoder.position;
	location->nr_found = *nr_read;
	location->is_broken = status != MEASURE_OK;
	measure_library_reader_close(stream->library);
	measure_event_decoder_close(&stream->decoder);
	return status;
}

measure_status_t measure_stream_read(struct measure_trace *trace, uint32_t location,
	measure_event_fn deliver, void *data, uint64_t *nr_read)
{
	const struct measure_event *event;
	struct measure_stream stream;

	measure_stream_open(&stream, trace, location);
	while ((event = measure_stream_next(&stream)))
		deliver(data, event);
	return measure_stream_close(&stream, nr_read);
}
