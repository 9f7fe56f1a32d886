/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Has the OTF2 library read one record at a time. */
#include "config.h"

#include "library_reader.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

struct measure_library_reader {
	OTF2_Reader *archive;
	OTF2_EvtReader *events;
	bool has_record; /* not one of a kind that this library knows, and we do not */
	struct measure_record record;
	struct measure_record_attribute *attributes;
	uint64_t *items;
	uint8_t *types;
	size_t room_attributes, room_items, room_types;
};

static void library_keep_attributes(
	struct measure_library_reader *reader, const OTF2_AttributeList *attributes)
{
	struct measure_record *record = &reader->record;
	const uint32_t nr = OTF2_AttributeList_GetNumberOfElements(attributes);
	struct measure_record_attribute attribute;

	record->nr_attributes = 0;
	for (uint32_t i = 0; i < nr; i++) {
		if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute.id,
			    &attribute.type, &attribute.value) != OTF2_SUCCESS)
			continue;
		reader->attributes = measure_grow(reader->attributes, record->nr_attributes,
			&reader->room_attributes, sizeof(*reader->attributes));
		reader->attributes[record->nr_attributes++] = attribute;
	}
	record->attributes = reader->attributes;
}

static void library_keep_item(struct measure_library_reader *reader, size_t i, uint64_t item)
{
	reader->items =
		measure_grow(reader->items, i, &reader->room_items, sizeof(*reader->items));
	reader->items[i] = item;
	reader->record.items = reader->items;
}

static void library_keep_type(struct measure_library_reader *reader, size_t i, uint8_t type)
{
	reader->types =
		measure_grow(reader->types, i, &reader->room_types, sizeof(*reader->types));
	reader->types[i] = type;
	reader->record.types = reader->types;
}

/* Parameters of callbacks, put into the values of the record one after the other. */
#define KEEP(type, name, ...) KEEP_##type(name)
#define KEEP_U8(name)	      *place++ = name;
#define KEEP_U32(name)	      *place++ = name;
#define KEEP_U64(name)	      *place++ = name;
#define KEEP_I64(name)	      *place++ = (uint64_t)name;
#define KEEP_TIME(name)	      *place++ = name;
#define KEEP_U32S(name)                                                                            \
	for (size_t i = 0; i < place[-1]; i++)                                                     \
		library_keep_item(reader, i, name[i]);                                              \
	*place = place[-1];
#define KEEP_VALUES(name)                                                                          \
	for (size_t i = 0; i < place[-1]; i++) {                                                   \
		library_keep_type(reader, i, name##_types[i]);                                      \
		library_keep_item(reader, i, name[i].unsigned_int);                                 \
	}                                                                                          \
	*place = place[-1];

#define EVENT(number, Name, NAME, name, shape, writer, files, ...)                                 \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data,                                                     \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		struct measure_library_reader *reader = data;                                         \
		uint64_t *place = reader->record.values;                                           \
                                                                                                   \
		(void)location, (void)place;                                                       \
		reader->has_record = true;                                                         \
		reader->record.kind = MEASURE_EVENT_##NAME;                                        \
		reader->record.time = time;                                                        \
		reader->record.position = position;                                                \
		MEASURE_EACH_FIELD(KEEP, ##__VA_ARGS__)                                            \
		library_keep_attributes(reader, attributes);                                        \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#include "format/otf2_records.def"
EVENT(, Unknown, UNKNOWN, unknown, SIZED, OTHERS, EVENTS)
#undef EVENT

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

struct measure_library_reader *measure_library_reader_open(
	OTF2_Reader *archive, OTF2_LocationRef location)
{
	OTF2_EvtReaderCallbacks *callbacks;
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(archive, location);
	struct measure_library_reader *reader;

	if (!events)
		return NULL;
	reader = measure_zeroed(1, sizeof(*reader));
	reader->archive = archive;
	reader->events = events;
	callbacks = make_callbacks();
	if (!callbacks)
		measure_out_of_memory();
	OTF2_Reader_RegisterEvtCallbacks(archive, events, callbacks, reader);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_EvtReader_ApplyMappingTables(events, true);
	OTF2_EvtReader_ApplyClockOffsets(events, false);
	return reader;
}

const struct measure_record *measure_library_reader_next(
	struct measure_library_reader *reader, OTF2_ErrorCode *status)
{
	uint64_t nr;

	reader->has_record = false;
	do {
		nr = 0;
		*status = OTF2_Reader_ReadLocalEvents(reader->archive, reader->events, 1, &nr);
	} while (nr > 0 && !reader->has_record);
	return nr > 0 ? &reader->record : NULL;
}

void measure_library_reader_close(struct measure_library_reader *reader)
{
	if (!reader)
		return;
	OTF2_Reader_CloseEvtReader(reader->archive, reader->events);
	measure_free(reader->attributes);
	measure_free(reader->items);
	measure_free(reader->types);
	measure_free(reader);
}
