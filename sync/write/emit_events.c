/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files written anew: every record as it was, at its corrected time, or as it was with clock
 * offsets; with a filter without the calls that it leaves out. */
#include "config.h"

#include "emit_internal.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Both readers come to the same events; an event is asked for more than once where it is copied. */
static uint64_t compensated_time(struct event_copy *copy, uint64_t position)
{
	const struct measure_event *event;

	while (copy->nr_compensated < position && (event = measure_stream_next(&copy->stream))) {
		measure_compensated_time(&copy->compensated, event);
		copy->nr_compensated = event->position;
	}
	return copy->compensated.time;
}

uint64_t emit_event_time(struct event_copy *copy, uint64_t raw, uint64_t position)
{
	if (copy->emitting->emission->compensation)
		return compensated_time(copy, position);
	if (!emit_has_new_times(copy->emitting, copy->location))
		return raw;
	return measure_sync_correct(emit_correction(copy->emitting, copy->location), &copy->reading,
		raw, copy->location, position);
}

/* A time inside a record lies ahead of those of the next records. */
static uint64_t time_ahead(const struct event_copy *copy, uint64_t raw, uint64_t position)
{
	/* Ends of flushes, which have no length then. */
	if (copy->emitting->emission->compensation)
		return copy->compensated.time;
	struct event_copy ahead = *copy;

	return emit_event_time(&ahead, raw, position);
}

#undef MEASURE_ARGUMENT_TIME
#define MEASURE_ARGUMENT_TIME(raw) time_ahead(copy, raw, position)
#define EVENT(number, Name, NAME, name, shape, by, in, ...)                                        \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data,                                                     \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		struct event_copy *copy = data;                                                    \
                                                                                                   \
		(void)location;                                                                    \
		if (copy->filter)                                                                  \
			emit_settle(copy);                                                         \
		time = emit_event_time(copy, time, position);                                      \
		if (unlikely(position == copy->next_added))                                        \
			emit_added_values(copy, time, position);                                   \
		emit_note_record(copy->emitting,                                                   \
			OTF2_EvtWriter_##Name(copy->writer, attributes,                            \
				time MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__)));        \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "format/otf2_records.def"
#undef EVENT

static OTF2_CallbackCode on_Unknown(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *data, OTF2_AttributeList *attributes)
{
	struct event_copy *copy = data;

	(void)location, (void)time, (void)position, (void)attributes;
	return emit_refuse_unknown(copy->emitting);
}

static OTF2_EvtReaderCallbacks *make_callbacks(bool has_filter)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define EVENT(number, Name, ...) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_records.def"
#undef EVENT
	OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	if (has_filter)
		emit_filter_callbacks(callbacks);
	return callbacks;
}

static void start_filter(struct event_copy *copy)
{
	copy->filter = copy->emitting->filter;
	copy->reached = UINT32_MAX;
	if (copy->filter)
		measure_sync_filter_begin(copy->filter, copy->location);
}

/* What is held at the end are calls that have none. */
static void end_filter(struct event_copy *copy)
{
	if (copy->filter)
		emit_settle(copy);
	measure_free(copy->held);
}

static void count_written(const struct event_copy *copy)
{
	emit_note(copy->emitting, OTF2_EvtWriter_GetNumberOfEvents(copy->writer,
					  &copy->emitting->nr_written[copy->location]));
}

static void start_compensation(struct event_copy *copy)
{
	const struct measure_sync_emission *emission = copy->emitting->emission;

	if (!emission->compensation)
		return;
	measure_compensated_reading_start(
		&copy->compensated, emission->compensation, copy->location);
	measure_stream_open(&copy->stream, emission->graph->trace, copy->location);
}

static void end_compensation(struct event_copy *copy)
{
	uint64_t nr_read;

	if (copy->emitting->emission->compensation)
		measure_stream_close(&copy->stream, &nr_read);
}

/* A file that breaks off: what could be read of it is kept. */
static void copy_events(struct event_copy *copy, OTF2_EvtReader *reader, uint64_t nr)
{
	struct emitting *emitting = copy->emitting;
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks(copy->filter);
	uint64_t nr_read;

	emit_note_input(emitting,
		OTF2_Reader_RegisterEvtCallbacks(emitting->reader, reader, callbacks, copy));
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_EvtReader_ApplyMappingTables(reader, false);
	OTF2_EvtReader_ApplyClockOffsets(reader, false);
	OTF2_Reader_ReadLocalEvents(emitting->reader, reader, nr, &nr_read);
	OTF2_Reader_CloseEvtReader(emitting->reader, reader);
}

void emit_events(struct emitting *emitting, uint32_t location)
{
	const struct measure_location_definition *definition =
		&emit_definitions_of(emitting)->locations[location];
	struct event_copy copy = {.emitting = emitting,
		.writer = OTF2_Archive_GetEvtWriter(emitting->archive, definition->id),
		.location = location};
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(emitting->reader, definition->id);

	if (!copy.writer) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	start_filter(&copy);
	start_compensation(&copy);
	emit_added_start(&copy);
	if (reader)
		copy_events(&copy, reader, definition->nr_found);
	end_filter(&copy);
	end_compensation(&copy);
	emit_added_end(&copy);
	if (emit_has_other_events(emitting))
		count_written(&copy);
	emit_note(emitting, OTF2_Archive_CloseEvtWriter(emitting->archive, copy.writer));
}
