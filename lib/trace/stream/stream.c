/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Delivers the events of one location. The mapping tables are applied by the OTF2 library,
 * the clock offsets here, because both raw and corrected time are wanted in one pass. */
#include "config.h"

#include "stream.h"

#include <string.h>

#include <otf2/otf2.h>

#include "trace/common/trace_error.h"
#include "format/otf2_records.h"
#include "trace/archive/trace.h"
#include "trace/archive/file_truncation.h"

struct stream {
	struct measure_trace *trace;
	uint32_t location;
	struct measure_clock_reading reading;
	uint64_t nr_delivered;
	bool is_cut; /* the file has no more whole events, and no end mark */
	measure_event_fn deliver;
	void *data;
};

const char *const measure_event_names[MEASURE_NR_EVENT_KINDS] = {
#define EVENT(number, Name, ...) #Name,
#include "format/otf2_records.def"
#undef EVENT
	"Unknown",
};

static uint32_t resolve(struct stream *stream, const struct measure_event *event,
	enum measure_kind kind, uint64_t id)
{
	uint32_t index = measure_definition_index(&stream->trace->definitions, kind, id);
	struct measure_place place = {stream->location, event->time, event->position};

	if (index != MEASURE_NONE)
		return index;
	if (measure_kind_is_undefined(kind, id))
		measure_report(stream->trace->findings, MEASURE_CHECK_EVENT_REFERENCE, place,
			"%s has no %s", measure_event_names[event->kind], measure_kind_words[kind]);
	else
		measure_report(stream->trace->findings, MEASURE_CHECK_EVENT_REFERENCE, place,
			"%s refers to %s %llu", measure_event_names[event->kind],
			measure_kind_words[kind], (unsigned long long)id);
	return index;
}

static bool is_refusal(
	const struct measure_definitions *definitions, const struct measure_attribute *attribute)
{
	return strcmp(measure_text(definitions, attribute->name), MEASURE_ATTRIBUTE_REFUSED) == 0;
}

static void read_attributes(
	struct stream *stream, struct measure_event *event, OTF2_AttributeList *attributes)
{
	uint32_t nr = OTF2_AttributeList_GetNumberOfElements(attributes);

	for (uint32_t i = 0; i < nr; i++) {
		const struct measure_definitions *definitions = &stream->trace->definitions;
		struct measure_place place = {stream->location, event->time, event->position};
		OTF2_AttributeRef id;
		OTF2_AttributeValue value;
		OTF2_Type type;
		uint32_t index;

		if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &id, &type, &value) !=
			OTF2_SUCCESS)
			continue;
		index = resolve(stream, event, MEASURE_KIND_ATTRIBUTE, id);
		if (index == MEASURE_NONE)
			continue;
		event->is_refused |= is_refusal(definitions, &definitions->attributes[index]);
		if (definitions->attributes[index].type != type)
			measure_report(stream->trace->findings, MEASURE_CHECK_ATTRIBUTE_TYPE, place,
				"attribute %u of type %u, defined as type %u", id, type,
				definitions->attributes[index].type);
	}
}

static OTF2_CallbackCode hand_over(
	struct stream *stream, struct measure_event *event, OTF2_AttributeList *attributes)
{
	if (attributes)
		read_attributes(stream, event, attributes);
	stream->nr_delivered++;
	stream->deliver(stream->data, event);
	return OTF2_CALLBACK_SUCCESS;
}

static struct measure_event start_event(
	struct stream *stream, enum measure_event_kind kind, uint64_t raw, uint64_t position)
{
	const struct measure_clock_function *offsets = &stream->trace->offsets[stream->location];

	return (struct measure_event){.kind = kind,
		.raw = raw,
		.position = position,
		.time = measure_clock_function_read(offsets, &stream->reading, raw),
		.ref = MEASURE_NONE};
}

/* A field as the event has it: what refers to a definition by its index. */
static inline uint64_t field(struct stream *stream, const struct measure_event *event,
	enum measure_kind kind, uint64_t value)
{
	return kind == MEASURE_KIND_NONE ? value : resolve(stream, event, kind, value);
}

#define SET_NONE(value)     (void)(value);
#define SET_ref(value)      event.ref = (uint32_t)(value);
#define SET_peer(value)     event.peer = (uint32_t)(value);
#define SET_tag(value)      event.tag = (uint32_t)(value);
#define SET_op(value)       event.op = (uint8_t)(value);
#define SET_number(value)   event.number = value;
#define SET_sent(value)     event.sent = value;
#define SET_received(value) event.received = value;
#define SET(name, KIND, slot)                                                                      \
	SET_##slot(field(stream, &event, MEASURE_KIND_##KIND, (uint64_t)(name)))
#define TAKE_U8   SET
#define TAKE_U32  SET
#define TAKE_U64  SET
#define TAKE_I64  SET
#define TAKE_TIME SET
#define TAKE_U32S(name, KIND, nr)                                                                  \
	for (uint32_t i = 0; i < nr; i++)                                                          \
		resolve(stream, &event, MEASURE_KIND_##KIND, name[i]);
#define TAKE_VALUES(name, KIND, nr)       (void)name##_types, (void)name;
#define TAKE(type, name, refers_to, slot) TAKE_##type(name, refers_to, slot)

#define EVENT(number, Name, NAME, name, shape, by, in, ...)                                        \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data,                                                     \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		struct stream *stream = data;                                                      \
		struct measure_event event =                                                       \
			start_event(stream, MEASURE_EVENT_##NAME, time, position);                 \
                                                                                                   \
		(void)location;                                                                    \
		MEASURE_EACH_FIELD(TAKE, ##__VA_ARGS__)                                            \
		return hand_over(stream, &event, attributes);                                      \
	}
#include "format/otf2_records.def"
#undef EVENT

static OTF2_CallbackCode on_Unknown(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *data, OTF2_AttributeList *attributes)
{
	struct stream *stream = data;
	struct measure_event event = start_event(stream, MEASURE_EVENT_UNKNOWN, time, position);

	(void)location;
	return hand_over(stream, &event, attributes);
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

	if (!callbacks)
		return NULL;
#define EVENT(number, Name, ...) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_records.def"
#undef EVENT
	OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	return callbacks;
}

static OTF2_ErrorCode read_events(struct stream *stream, OTF2_EvtReader *reader, uint64_t nr_whole)
{
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
	OTF2_ErrorCode status = OTF2_ERROR_MEM_FAULT;
	uint64_t nr_read;

	if (callbacks)
		status = OTF2_Reader_RegisterEvtCallbacks(
			stream->trace->reader, reader, callbacks, stream);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_EvtReader_ApplyMappingTables(reader, true);
	OTF2_EvtReader_ApplyClockOffsets(reader, false);
	if (status == OTF2_SUCCESS)
		status = OTF2_Reader_ReadLocalEvents(
			stream->trace->reader, reader, nr_whole, &nr_read);
	stream->is_cut = status == OTF2_SUCCESS && nr_read >= nr_whole;
	return status;
}

measure_status_t measure_stream_read(struct measure_trace *trace, uint32_t location,
	measure_event_fn deliver, void *data, uint64_t *nr_read)
{
	struct stream stream = {
		.trace = trace, .location = location, .deliver = deliver, .data = data};
	const uint64_t nr_whole = measure_trace_nr_intact(trace, location);
	OTF2_ErrorCode status = OTF2_ERROR_FILE_INTERACTION;
	OTF2_EvtReader *reader;

	measure_error_start();
	reader = OTF2_Reader_GetEvtReader(trace->reader, trace->definitions.locations[location].id);
	if (reader) {
		status = read_events(&stream, reader, nr_whole);
		OTF2_Reader_CloseEvtReader(trace->reader, reader);
	}
	*nr_read = stream.nr_delivered;
	trace->definitions.locations[location].nr_found = stream.nr_delivered;
	trace->definitions.locations[location].is_broken = status != OTF2_SUCCESS || stream.is_cut;
	if (status == OTF2_SUCCESS && !stream.is_cut)
		return MEASURE_OK;
	measure_error_set("%s", stream.is_cut ? "the file ends there" : measure_error_cause());
	return MEASURE_ERROR_FORMAT;
}
