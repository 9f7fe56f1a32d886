/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of writing an archive: emit.c (order of things), emit_definitions.c (global ones),
 * emit_local.c, emit_events.c, emit_snapshots.c, emit_apart.c, emit_files.c, emit_verify.c. */
#ifndef MEASURE_SYNC_EMIT_INTERNAL_H
#define MEASURE_SYNC_EMIT_INTERNAL_H

#include <errno.h>

#include <otf2/otf2.h>

#include "sync/emit.h"
#include "sync/numbering.h"

struct emitting {
	struct measure_sync_emission *emission;
	OTF2_Reader *reader; /* of its own: ids and times as they are in the files */
	OTF2_Archive *archive;
	struct measure_sync_numbering numbering;
	uint32_t nr_thumbnails;
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

/* What breaks off, or is not there, becomes what readers can read to its end. */
static inline bool emit_is_rewritten(const struct emitting *emitting, uint32_t location)
{
	return emitting->emission->kind == MEASURE_SYNC_EMIT_EVENTS ||
	       emitting->emission->graph->trace->definitions.locations[location].is_broken ||
	       emit_is_forced(emitting, location);
}

/* Collective: sets first, last and is_unchanged. */
void emit_find_span(struct measure_sync_emission *emission);
void emit_global_definitions(struct emitting *emitting);
void emit_local_definitions(struct emitting *emitting, uint32_t location);
void emit_events(struct emitting *emitting, uint32_t location);

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
	const uint64_t raw = measure_offsets_invert(&trace->offsets[location], time);

	if (raw < clock->last)
		clock->reading = (struct measure_sync_reading){0, 0};
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

/* Shares all that is in a directory, but for the names that are there already and those that end
 * in one of `suffixes` (NULL ends them). */
bool emit_share_all(int from_directory, int to_directory, const char *const *suffixes);

#endif
