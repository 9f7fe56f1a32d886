/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files of a slice: records as they are handed out (slicing.h), those that are made up with
 * an attribute that says so; and the properties that tell that the archive is a slice. */
#include "config.h"

#include "emit_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/otf2_records.h"
#include "trace/archive/trace_properties.h"
#include "trace/common/containers.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* -------------------------------------------------------------------------- records --- */

struct slice_writer {
	OTF2_EvtWriter *writer;
	OTF2_AttributeList *attributes;
	MEASURE_GROWING(uint32_t, narrow); /* an array of references */
};

static const uint32_t *slice_narrow(
	struct slice_writer *writer, const struct measure_record *record, uint64_t nr)
{
	writer->nr_narrow = 0;
	*measure_append(writer, narrow) = 0;
	writer->nr_narrow = 0;
	for (uint64_t i = 0; i < nr; i++)
		*measure_append(writer, narrow) = (uint32_t)record->items[i];
	return writer->narrow;
}

/* The fields of a record, one after the other. */
#define TAKE(type, name, ...) TAKE_##type(name)
#define TAKE_U8(name)         const uint8_t name = (uint8_t)*taken++;
#define TAKE_U32(name)        const uint32_t name = (uint32_t)*taken++;
#define TAKE_U64(name)        const uint64_t name = *taken++;
#define TAKE_I64(name)        const int64_t name = (int64_t)*taken++;
#define TAKE_TIME(name)       const uint64_t name = *taken++;
#define TAKE_U32S(name)       const uint32_t *name = slice_narrow(writer, record, *taken++);
#define TAKE_VALUES(name)                                                                          \
	const OTF2_Type *name##_types = record->types;                                             \
	const OTF2_MetricValue *name = (const OTF2_MetricValue *)(const void *)record->items;      \
	taken++;
#define EVENT(number, Name, NAME, name, shape, by, in, ...)                                        \
	static OTF2_ErrorCode slice_write_##Name(                                                  \
		struct slice_writer *writer, const struct measure_record *record)                  \
	{                                                                                          \
		const uint64_t *taken = record->values;                                            \
		MEASURE_EACH_FIELD(TAKE, ##__VA_ARGS__)                                            \
		(void)taken;                                                                       \
		return OTF2_EvtWriter_##Name(writer->writer, writer->attributes,                   \
			record->time MEASURE_EACH_FIELD(MEASURE_ARGUMENT, ##__VA_ARGS__));         \
	}
#include "format/otf2_records.def"
#undef EVENT

static OTF2_ErrorCode (*const slice_write[MEASURE_NR_EVENT_KINDS])(
	struct slice_writer *writer, const struct measure_record *record) = {
#define EVENT(number, Name, NAME, ...) [MEASURE_EVENT_##NAME] = slice_write_##Name,
#include "format/otf2_records.def"
#undef EVENT
};

static void slice_add_attributes(const struct emitting *emitting, struct slice_writer *writer,
	const struct measure_record *record, bool is_made)
{
	for (uint32_t i = 0; i < record->nr_attributes; i++)
		OTF2_AttributeList_AddAttribute(writer->attributes, record->attributes[i].id,
			record->attributes[i].type, record->attributes[i].value);
	if (is_made && emitting->synthetic != MEASURE_NONE)
		OTF2_AttributeList_AddUint8(writer->attributes, emitting->synthetic, 1);
}

static void slice_write_all(struct emitting *emitting, struct slice_writer *writer)
{
	const struct measure_slicing *slicing = emitting->emission->slicing;
	const struct measure_record *record;
	bool is_made;

	while (emitting->code == OTF2_SUCCESS &&
		(record = slicing->next(slicing->data, &is_made))) {
		if (!slice_write[record->kind]) {
			emit_refuse_unknown(emitting);
			return;
		}
		slice_add_attributes(emitting, writer, record, is_made);
		emit_note_record(emitting, slice_write[record->kind](writer, record));
		OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
	}
}

void emit_slice_events(struct emitting *emitting, uint32_t location)
{
	const struct measure_slicing *slicing = emitting->emission->slicing;
	struct slice_writer writer = {
		.writer = OTF2_Archive_GetEvtWriter(
			emitting->archive, emit_definitions_of(emitting)->locations[location].id),
		.attributes = OTF2_AttributeList_New()};

	if (!writer.writer) {
		emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
		OTF2_AttributeList_Delete(writer.attributes);
		return;
	}
	slicing->begin(slicing->data, location);
	slice_write_all(emitting, &writer);
	slicing->end(slicing->data);
	emit_note(emitting,
		OTF2_EvtWriter_GetNumberOfEvents(writer.writer, &emitting->nr_written[location]));
	emit_note(emitting, OTF2_Archive_CloseEvtWriter(emitting->archive, writer.writer));
	OTF2_AttributeList_Delete(writer.attributes);
	measure_free(writer.narrow);
}

/* ---------------------------------------------------------------------- definitions --- */

/* The id of an attribute that the archive has already, as a slice of a slice does. Where ids have
 * to change, no id is free in event files: what is made up is not told apart then. */
void emit_slice_start(struct emitting *emitting)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	const struct measure_id_numbers *numbers = &emitting->numbering.of[MEASURE_KIND_ATTRIBUTE];

	emitting->synthetic = MEASURE_NONE;
	if (!emitting->emission->slicing || numbers->is_changed)
		return;
	emitting->synthetic = (uint32_t)emit_next_id(emitting, MEASURE_KIND_ATTRIBUTE);
	for (size_t i = 0; i < definitions->nr_attributes && i < numbers->nr; i++) {
		const struct measure_attribute *attribute = &definitions->attributes[i];

		if (attribute->type != OTF2_TYPE_UINT8 ||
			strcmp(measure_text(definitions, attribute->name),
				MEASURE_ATTRIBUTE_SYNTHETIC) != 0)
			continue;
		emitting->synthetic = (uint32_t)numbers->ids[i];
		emitting->is_synthetic_there = true;
	}
}

static void slice_define_attribute(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string)
{
	emit_note(emitting,
		OTF2_GlobalDefWriter_WriteString(writer, string, MEASURE_ATTRIBUTE_SYNTHETIC));
	emit_note(emitting, OTF2_GlobalDefWriter_WriteString(writer, string + 1,
				    "Made up where the archive was cut; not recorded"));
	emit_note(emitting, OTF2_GlobalDefWriter_WriteAttribute(writer, emitting->synthetic, string,
				    string + 1, OTF2_TYPE_UINT8));
}

/* Processes that say why they were cut short go on to say it. */
static void slice_define_cuts(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	const OTF2_AttributeValue value = {.stringRef = string + 1};
	struct measure_group_properties properties;

	emit_note(emitting, OTF2_GlobalDefWriter_WriteString(writer, string, MEASURE_PROPERTY_CUT));
	emit_note(
		emitting, OTF2_GlobalDefWriter_WriteString(writer, string + 1, MEASURE_CUT_SLICE));
	measure_group_properties_make(definitions, &properties);
	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		if (emitting->emission->slicing->are_cut[i] &&
			!measure_group_text(&properties, i, MEASURE_PROPERTY_CUT, 0))
			emit_note(emitting, OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer,
						    (uint32_t)measure_new_id(&emitting->numbering,
							    MEASURE_KIND_LOCATION_GROUP,
							    definitions->location_groups[i].id),
						    string, OTF2_TYPE_STRING, value));
	measure_group_properties_free(&properties);
}

void emit_slice_definitions(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string)
{
	if (string > MEASURE_NONE - 4) {
		emit_note_input(emitting, OTF2_ERROR_INDEX_OUT_OF_BOUNDS);
		return;
	}
	if (emitting->synthetic != MEASURE_NONE && !emitting->is_synthetic_there)
		slice_define_attribute(emitting, writer, string);
	slice_define_cuts(emitting, writer, string + 2);
}

void emit_slice_property(struct emitting *emitting)
{
	const struct measure_slicing *slicing = emitting->emission->slicing;
	char value[64];

	snprintf(value, sizeof(value), "%" PRIu64 " %" PRIu64, slicing->from, slicing->until);
	emit_note(emitting,
		OTF2_Archive_SetProperty(emitting->archive, MEASURE_PROPERTY_SLICE, value, true));
}

struct measure_clock emit_slice_clock(
	const struct measure_slicing *slicing, const struct measure_clock *whole)
{
	struct measure_clock clock = *whole;

	if (clock.realtime != UINT64_MAX && clock.resolution)
		clock.realtime +=
			(uint64_t)(int64_t)((long double)(int64_t)(slicing->from - whole->offset) *
					    1e9L / clock.resolution);
	clock.offset = slicing->from;
	clock.length = slicing->until - slicing->from;
	return clock;
}
