/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files written anew: every record as it was, at its corrected time. */
#include "config.h"

#include "sync/emit_internal.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SPREAD(...) __VA_ARGS__

struct event_copy {
	struct emitting *emitting;
	OTF2_EvtWriter *writer;
	uint32_t location;
	struct measure_sync_reading reading;
};

static uint64_t correct(struct event_copy *copy, uint64_t raw, uint64_t position)
{
	return measure_sync_correct(emit_correction(copy->emitting, copy->location), &copy->reading,
		raw, copy->location, position);
}

/* A time inside a record lies ahead of those of the next records. */
static uint64_t correct_ahead(const struct event_copy *copy, uint64_t raw, uint64_t position)
{
	struct measure_sync_reading reading = copy->reading;

	return measure_sync_correct(
		emit_correction(copy->emitting, copy->location), &reading, raw, copy->location, position);
}

#define TIME(raw) correct_ahead(copy, raw, position)
#define EVENT(Name, parameters, arguments)                                                         \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data, OTF2_AttributeList *attributes SPREAD parameters)   \
	{                                                                                          \
		struct event_copy *copy = data;                                                    \
                                                                                                   \
		(void)location;                                                                    \
		time = correct(copy, time, position);                                              \
		emit_note_record(copy->emitting,                                                   \
			OTF2_EvtWriter_##Name(copy->writer, attributes, time SPREAD arguments));   \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "sync/event_records.def"
#undef EVENT

static OTF2_CallbackCode on_Unknown(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *data, OTF2_AttributeList *attributes)
{
	struct event_copy *copy = data;

	(void)location, (void)time, (void)position, (void)attributes;
	return emit_refuse_unknown(copy->emitting);
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define EVENT(Name, parameters, arguments)                                                         \
	OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "sync/event_records.def"
#undef EVENT
	OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	return callbacks;
}

/* A file that breaks off: what could be read of it is kept. */
void emit_events(struct emitting *emitting, uint32_t location)
{
	const struct measure_location_definition *definition =
		&emitting->emission->graph->trace->definitions.locations[location];
	uint64_t id = definition->id, nr_read;
	struct event_copy copy = {emitting, OTF2_Archive_GetEvtWriter(emitting->archive, id),
		location, {0, 0}};
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(emitting->reader, id);
	OTF2_EvtReaderCallbacks *callbacks = make_callbacks();

	if (!copy.writer)
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
	if (copy.writer && reader) {
		emit_note_input(emitting, OTF2_Reader_RegisterEvtCallbacks(
						  emitting->reader, reader, callbacks, &copy));
		OTF2_EvtReader_ApplyMappingTables(reader, false);
		OTF2_EvtReader_ApplyClockOffsets(reader, false);
		OTF2_Reader_ReadLocalEvents(
			emitting->reader, reader, definition->nr_found, &nr_read);
		OTF2_Reader_CloseEvtReader(emitting->reader, reader);
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	if (copy.writer)
		emit_note(emitting, OTF2_Archive_CloseEvtWriter(emitting->archive, copy.writer));
}
