/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Has the OTF2 library read one record at a time. */
#include "config.h"

#include "otf2_source.h"

#include "format/otf2_records.h"
#include "trace/common/containers.h"

struct measure_otf2_source {
	OTF2_Reader *reader;
	OTF2_EvtReader *events;
	bool has_record; /* not one of a kind that this library knows, and we do not */
	struct measure_record record;
	struct measure_record_attribute *attributes;
	uint64_t *items;
	uint8_t *types;
	size_t room_attributes, room_items, room_types;
};

/* Members of the union begin at one place; what a type does not fill is anything. */
static OTF2_AttributeValue clean(OTF2_Type type, OTF2_AttributeValue value)
{
	OTF2_AttributeValue cleaned = {.uint64 = 0};

	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		cleaned.uint8 = value.uint8;
		return cleaned;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		cleaned.uint16 = value.uint16;
		return cleaned;
	case OTF2_TYPE_NONE:
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
	case OTF2_TYPE_DOUBLE:
	case OTF2_TYPE_LOCATION:
		return value;
	default:
		if (type > OTF2_TYPE_LOCATION_GROUP)
			return value;
		cleaned.uint32 = value.uint32;
		return cleaned;
	}
}

static void source_keep_attributes(
	struct measure_otf2_source *source, const OTF2_AttributeList *attributes)
{
	struct measure_record *record = &source->record;
	const uint32_t nr = OTF2_AttributeList_GetNumberOfElements(attributes);
	struct measure_record_attribute attribute;

	record->nr_attributes = 0;
	for (uint32_t i = 0; i < nr; i++) {
		if (OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute.id,
			    &attribute.type, &attribute.value) != OTF2_SUCCESS)
			continue;
		attribute.value = clean(attribute.type, attribute.value);
		source->attributes = measure_grow(source->attributes, record->nr_attributes,
			&source->room_attributes, sizeof(*source->attributes));
		source->attributes[record->nr_attributes++] = attribute;
	}
	record->attributes = source->attributes;
}

static void source_keep_item(struct measure_otf2_source *source, size_t i, uint64_t item)
{
	source->items =
		measure_grow(source->items, i, &source->room_items, sizeof(*source->items));
	source->items[i] = item;
	source->record.items = source->items;
}

static void source_keep_type(struct measure_otf2_source *source, size_t i, uint8_t type)
{
	source->types =
		measure_grow(source->types, i, &source->room_types, sizeof(*source->types));
	source->types[i] = type;
	source->record.types = source->types;
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
		source_keep_item(source, i, name[i]);                                              \
	*place = place[-1];
#define KEEP_VALUES(name)                                                                          \
	for (size_t i = 0; i < place[-1]; i++) {                                                   \
		source_keep_type(source, i, name##_types[i]);                                      \
		source_keep_item(source, i, name[i].unsigned_int);                                 \
	}                                                                                          \
	*place = place[-1];

#define EVENT(number, Name, NAME, name, shape, writer, files, ...)                                 \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		uint64_t position, void *data,                                                     \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		struct measure_otf2_source *source = data;                                         \
		uint64_t *place = source->record.values;                                           \
                                                                                                   \
		(void)location, (void)place;                                                       \
		source->has_record = true;                                                         \
		source->record.kind = MEASURE_EVENT_##NAME;                                        \
		source->record.time = time;                                                        \
		source->record.position = position;                                                \
		MEASURE_EACH_FIELD(KEEP, ##__VA_ARGS__)                                            \
		source_keep_attributes(source, attributes);                                        \
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

struct measure_otf2_source *measure_otf2_source_open(OTF2_Reader *reader, OTF2_LocationRef location)
{
	OTF2_EvtReaderCallbacks *callbacks;
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
	struct measure_otf2_source *source;

	if (!events)
		return NULL;
	source = measure_zeroed(1, sizeof(*source));
	source->reader = reader;
	source->events = events;
	callbacks = make_callbacks();
	if (!callbacks)
		measure_out_of_memory();
	OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, source);
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_EvtReader_ApplyMappingTables(events, true);
	OTF2_EvtReader_ApplyClockOffsets(events, false);
	return source;
}

const struct measure_record *measure_otf2_source_next(
	struct measure_otf2_source *source, OTF2_ErrorCode *status)
{
	uint64_t nr;

	source->has_record = false;
	do {
		nr = 0;
		*status = OTF2_Reader_ReadLocalEvents(source->reader, source->events, 1, &nr);
	} while (nr > 0 && !source->has_record);
	return nr > 0 ? &source->record : NULL;
}

void measure_otf2_source_close(struct measure_otf2_source *source)
{
	if (!source)
		return;
	OTF2_Reader_CloseEvtReader(source->reader, source->events);
	measure_free(source->attributes);
	measure_free(source->items);
	measure_free(source->types);
	measure_free(source);
}
