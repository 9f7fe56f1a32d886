/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of writing an archive: emit.c (order of things), emit_definitions.c (global ones),
 * emit_local.c, emit_events.c, emit_filtered.c, emit_properties.c, emit_snapshots.c,
 * emit_markers.c, emit_additions.c, emit_slice.c, emit_files.c, emit_verify.c. */
#ifndef MEASURE_SYNC_WRITE_EMIT_INTERNAL_H
#define MEASURE_SYNC_WRITE_EMIT_INTERNAL_H

#include <errno.h>

#include <otf2/otf2.h>

#include "emit.h"
#include "archive_filter.h"
#include "trace/archive/id_remapping.h"
#include "trace/stream/stream.h"

/* Of a location: from ids in its event file to those of the definitions; NULL: they are the same.
 * The reader keeps them. */
struct emit_tables {
	const OTF2_IdMap *of[OTF2_MAPPING_MAX];
};

struct emitting {
	struct measure_sync_emission *emission;
	OTF2_Reader *reader; /* of its own: ids and times as they are in the files */
	OTF2_Archive *archive;
	struct measure_id_remapping numbering;
	uint32_t nr_thumbnails;
	/* With a filter: */
	struct measure_sync_filter *filter;
	struct emit_tables *tables; /* by location */
	/* With a filter, additions or a slice: */
	uint64_t *nr_written;       /* events, by location */
	uint32_t *added_metrics;    /* the class that is added, by the ids of event files */
	/* With a slice: */
	uint32_t synthetic;         /* the attribute of what is made up, or MEASURE_NONE */
	bool is_synthetic_there;    /* it is defined */
	bool is_counted;            /* the archive says how many events it has */
	OTF2_ErrorCode code; /* the first that was none of success */
	bool is_unreadable;  /* and it is the input's fault */
	bool has_unknown;    /* there are records that this version of OTF2 does not know */
	int error;           /* or the system's, by errno */
};

static inline void emit_note(struct emitting *emitting, OTF2_ErrorCode code)
{
	if (emitting->code == OTF2_SUCCESS)
		emitting->code = code;
}

/* Of reading, or of writing what was read. */
static inline void emit_note_input(struct emitting *emitting, OTF2_ErrorCode code)
{
	emitting->is_unreadable |= emitting->code == OTF2_SUCCESS && code != OTF2_SUCCESS;
	emit_note(emitting, code);
}

/* Of writing a record, which can fail for either reason. */
static inline void emit_note_record(struct emitting *emitting, OTF2_ErrorCode code)
{
	if (code == OTF2_ERROR_INVALID_ARGUMENT || code == OTF2_ERROR_INVALID_DATA ||
		code == OTF2_ERROR_INTEGRITY_FAULT || code == OTF2_ERROR_INVALID_ATTRIBUTE_TYPE)
		emit_note_input(emitting, code);
	else
		emit_note(emitting, code);
}

/* Of the system. */
static inline void emit_note_file(struct emitting *emitting)
{
	if (emitting->code == OTF2_SUCCESS)
		emitting->error = errno;
	emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
}

/* Of a newer OTF2: what this one does not know would be lost. */
static inline OTF2_CallbackCode emit_refuse_unknown(struct emitting *emitting)
{
	emitting->has_unknown = true;
	emit_note_input(emitting, OTF2_ERROR_UNKNOWN_TYPE);
	return OTF2_CALLBACK_INTERRUPT;
}

static inline const struct measure_definitions *emit_definitions_of(const struct emitting *emitting)
{
	return &emitting->emission->graph->trace->definitions;
}

static inline const struct measure_sync_correction *emit_correction(
	const struct emitting *emitting, uint32_t location)
{
	return &emitting->emission->corrections[emitting->emission->graph->domains[location]];
}

static inline bool emit_is_mine(const struct emitting *emitting, uint32_t location)
{
	return measure_sync_is_mine(emitting->emission->graph, location);
}

/* Offsets cannot say it. */
static inline bool emit_is_forced(const struct emitting *emitting, uint32_t location)
{
	return emitting->emission->kind == MEASURE_SYNC_EMIT_OFFSETS &&
	       emit_correction(emitting, location)->nr > 1;
}

/* Events get the corrected times themselves; else they have clock offsets. What breaks off, or is
 * not there, becomes what readers can read to its end. */
static inline bool emit_has_new_times(const struct emitting *emitting, uint32_t location)
{
	if (emitting->emission->slicing)
		return false;
	return emitting->emission->compensation ||
	       emitting->emission->kind == MEASURE_SYNC_EMIT_EVENTS ||
	       emit_definitions_of(emitting)->locations[location].is_broken ||
	       emit_is_forced(emitting, location);
}

/* The copy has not the events of the input. */
static inline bool emit_has_other_events(const struct emitting *emitting)
{
	return emitting->emission->filter || emitting->emission->additions ||
	       emitting->emission->slicing;
}

static inline bool emit_is_rewritten(const struct emitting *emitting, uint32_t location)
{
	return emit_has_other_events(emitting) || emit_has_new_times(emitting, location);
}

/* Collective: sets first, last and is_unchanged. */
void emit_find_span(struct measure_sync_emission *emission);
void emit_global_definitions(struct emitting *emitting);
/* `reader`: of the input, with the location selected. */
void emit_local_definitions(struct emitting *emitting, OTF2_Reader *reader, uint32_t location);
void emit_events(struct emitting *emitting, uint32_t location);

/* The properties of the archive, but for those that do not hold any more where the events are
 * others; these, once the events are written. */
void emit_properties(struct emitting *emitting);
void emit_changed_properties(struct emitting *emitting);

/* An event file being written anew. */
struct event_copy {
	struct emitting *emitting;
	OTF2_EvtWriter *writer;
	uint32_t location;
	struct measure_sync_reading reading;

	/* With compensation, the events again, with all that their prices depend on: */
	struct measure_compensated_reading compensated;
	struct measure_stream stream;
	uint64_t nr_compensated;

	/* emit_filtered.c: */
	struct measure_sync_filter *filter; /* or NULL */
	MEASURE_GROWING(struct emit_held, held);
	uint32_t reached; /* depth of the last calling context that is still as it was written */

	/* emit_additions.c: */
	uint64_t next_added; /* position of the next event that values come in front of */
	struct measure_added_values added;
	size_t nr_added; /* that have been written */
	OTF2_Type added_types[UINT8_MAX];
	OTF2_MetricValue added_totals[UINT8_MAX];
};

/* Of an event, in order. */
uint64_t emit_event_time(struct event_copy *copy, uint64_t raw, uint64_t position);

/* With a filter: what calls come by, and what has to be done before anything else is written. */
void emit_filter_callbacks(OTF2_EvtReaderCallbacks *callbacks);
void emit_settle(struct event_copy *copy);

/* With additions: the id of the metric class, its values, its definitions, markers. */
uint32_t emit_added_metric(const struct emitting *emitting);
void emit_added_start(struct event_copy *copy);
void emit_added_values(struct event_copy *copy, uint64_t time, uint64_t position);
void emit_added_end(struct event_copy *copy);
void emit_added_definitions(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string);
void emit_added_markers(
	struct emitting *emitting, OTF2_MarkerWriter *writer, OTF2_MarkerRef marker);

/* With a slice: its records, and what tells of it. */
void emit_slice_start(struct emitting *emitting);
void emit_slice_events(struct emitting *emitting, uint32_t location);
void emit_slice_definitions(
	struct emitting *emitting, OTF2_GlobalDefWriter *writer, OTF2_StringRef string);
struct measure_clock emit_slice_clock(
	const struct measure_slicing *slicing, const struct measure_clock *whole);
void emit_slice_property(struct emitting *emitting);
uint64_t emit_next_id(const struct emitting *emitting, enum measure_kind kind);

/* A time as a reader of the input sees it, corrected. `clock` is all zero at first, and best used
 * for times that increase. */
struct emit_clock {
	struct measure_sync_reading reading;
	uint64_t last;
};

static inline uint64_t emit_correct(
	struct emitting *emitting, uint32_t location, struct emit_clock *clock, uint64_t time)
{
	const struct measure_trace *trace = emitting->emission->graph->trace;
	const uint64_t raw = measure_clock_function_invert(&trace->offsets[location], time);

	if (emitting->emission->compensation)
		return measure_compensated_time_at(emitting->emission->compensation, location, raw);
	if (raw < clock->last)
		clock->reading = (struct measure_sync_reading){.piece = 0};
	clock->last = raw;
	return measure_sync_correct(
		emit_correction(emitting, location), &clock->reading, raw, location, UINT64_MAX);
}

/* `from`: the directory of the anchor `name`. */
void emit_markers(struct emitting *emitting, int from, const char *name);
void emit_thumbnails(struct emitting *emitting);
void emit_thumbnail_files(struct emitting *emitting, int from, int to, const char *name);
void emit_snapshots(struct emitting *emitting);

/* The archive is closed. */
void emit_verify(struct emitting *emitting, const char *directory, const char *name);

enum emit_sharing { EMIT_REFLINKED, EMIT_LINKED, EMIT_COPIED, EMIT_NOT_THERE, EMIT_FAILED };

/* Makes `to` share the content of `from`; names are relative to the directories. */
enum emit_sharing emit_share(int from_directory, const char *from, int to_directory, const char *to);

/* A summary of the recording, where there is one, with a word on what was left out since. */
bool emit_summary(int from_directory, int to_directory, uint64_t nr_filtered);

/* Shares all that is in a directory, but for the names that are there already and those that end
 * in one of `suffixes` (NULL ends them). */
bool emit_share_all(int from_directory, int to_directory, const char *const *suffixes);

#endif
