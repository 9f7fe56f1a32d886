/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots: what was going on at a location at some times. Like with markers, readers do not apply
 * clock offsets to them, nor mapping tables. Their positions in event files stay. */
#include "config.h"

#include "emit_internal.h"

#include "format/otf2_records.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct snapshot_copy {
	struct emitting *emitting;
	OTF2_SnapWriter *writer;
	uint32_t location;
	struct emit_clock clock;    /* of snapshots, and */
	struct emit_clock original; /* of what they tell of */
};

/* Wrong ones would be worse than none. */
static OTF2_AttributeList *known(const struct snapshot_copy *copy, OTF2_AttributeList *attributes)
{
	return copy->emitting->numbering.of[MEASURE_KIND_ATTRIBUTE].is_changed ? NULL : attributes;
}

#define NEW(type, name, refers_to, slot) , NEW_##type(name, MEASURE_KIND_##refers_to)
#define NEW_U8(name, kind)               name
#define NEW_U32(name, kind)              (uint32_t) measure_new_id(&copy->emitting->numbering, kind, name)
#define NEW_U64(name, kind)              name
#define NEW_I64(name, kind)              name
#define NEW_TIME(name, kind)             emit_correct(copy->emitting, copy->location, &copy->original, name)
#define NEW_VALUES(name, kind)           name##_types, name
#define SNAPSHOT(Name, ...)                                                                        \
	static OTF2_CallbackCode on_##Name(OTF2_LocationRef location, OTF2_TimeStamp time,         \
		void *data,                                                                        \
		OTF2_AttributeList *attributes MEASURE_EACH_FIELD(                                 \
			MEASURE_PARAMETER, ##__VA_ARGS__))                                         \
	{                                                                                          \
		struct snapshot_copy *copy = data;                                                 \
                                                                                                   \
		(void)location;                                                                    \
		time = emit_correct(copy->emitting, copy->location, &copy->clock, time);           \
		emit_note_record(copy->emitting,                                                   \
			OTF2_SnapWriter_##Name(copy->writer, known(copy, attributes),              \
				time MEASURE_EACH_FIELD(NEW, ##__VA_ARGS__)));                     \
		return OTF2_CALLBACK_SUCCESS;                                                      \
	}
#define COPY_SNAPSHOTS(Name, ...) SNAPSHOT(Name, (TIME, original, NONE, NONE), ##__VA_ARGS__)
#define COPY_EVENTS(Name, ...)
#define EVENT(number, Name, NAME, name, shape, by, in, ...) COPY_##in(Name, ##__VA_ARGS__)
#include "format/otf2_records.def"
SNAPSHOT(SnapshotStart, (U64, nr_records, NONE, NONE))
SNAPSHOT(SnapshotEnd, (U64, position, NONE, NONE))
#undef SNAPSHOT

static OTF2_CallbackCode on_Unknown(
	OTF2_LocationRef location, OTF2_TimeStamp time, void *data, OTF2_AttributeList *attributes)
{
	(void)location, (void)time, (void)attributes;
	return emit_refuse_unknown(((struct snapshot_copy *)data)->emitting);
}

static OTF2_SnapReaderCallbacks *snapshots_make_callbacks(void)
{
	OTF2_SnapReaderCallbacks *callbacks = OTF2_SnapReaderCallbacks_New();

#define SNAPSHOT(Name, ...) OTF2_SnapReaderCallbacks_Set##Name##Callback(callbacks, on_##Name);
#include "format/otf2_records.def"
	SNAPSHOT(SnapshotStart)
	SNAPSHOT(SnapshotEnd)
#undef SNAPSHOT
#undef EVENT
	OTF2_SnapReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	return callbacks;
}

/* Readers want a file of each location. */
static void emit_location(struct emitting *emitting, uint32_t location)
{
	const uint64_t id = emit_definitions_of(emitting)->locations[location].id;
	struct snapshot_copy copy = {.emitting = emitting, .location = location};
	OTF2_SnapReader *reader = OTF2_Reader_GetSnapReader(emitting->reader, id);
	OTF2_SnapReaderCallbacks *callbacks;
	uint64_t nr_read;

	copy.writer = OTF2_Archive_GetSnapWriter(emitting->archive, id);
	emit_note(emitting, copy.writer ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
	if (!reader) {
		emitting->emission->nr_snapless++;
		if (copy.writer)
			emit_note(emitting,
				OTF2_Archive_CloseSnapWriter(emitting->archive, copy.writer));
		return;
	}
	callbacks = snapshots_make_callbacks();
	emit_note_input(emitting,
		OTF2_Reader_RegisterSnapCallbacks(emitting->reader, reader, callbacks, &copy));
	OTF2_SnapReaderCallbacks_Delete(callbacks);
	if (copy.writer) {
		emit_note_input(emitting,
			OTF2_Reader_ReadAllLocalSnapshots(emitting->reader, reader, &nr_read));
		emit_note(emitting, OTF2_Archive_CloseSnapWriter(emitting->archive, copy.writer));
	}
	OTF2_Reader_CloseSnapReader(emitting->reader, reader);
}

void emit_snapshots(struct emitting *emitting)
{
	const size_t nr_locations = emit_definitions_of(emitting)->nr_locations;
	uint32_t nr = 0;

	OTF2_Reader_GetNumberOfSnapshots(emitting->reader, &nr);
	if (nr == 0 || emitting->code != OTF2_SUCCESS)
		return;
	emit_note_input(emitting, OTF2_Reader_OpenSnapFiles(emitting->reader));
	emit_note(emitting, OTF2_Archive_SetNumberOfSnapshots(emitting->archive, nr));
	emit_note(emitting, OTF2_Archive_OpenSnapFiles(emitting->archive));
	for (uint32_t i = 0; i < nr_locations && emitting->code == OTF2_SUCCESS; i++)
		if (emit_is_mine(emitting, i))
			emit_location(emitting, i);
	OTF2_Reader_CloseSnapFiles(emitting->reader);
	emit_note(emitting, OTF2_Archive_CloseSnapFiles(emitting->archive));
}
