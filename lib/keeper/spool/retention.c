/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is not kept of the events; see retention.h. */
#include "config.h"

#include "retention.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "spool.h"

/* Chunks that are dropped before others are written again. */
#define DROPPED_AT_ONCE (2 * MEASURE_RETENTION_WRITTEN)

/* So long who makes an archive meanwhile is waited for. */
#define HOLD_NS UINT64_C(60000000000)

/* Chunks in use are saved and freed where they are more than 1 / SHORT of all. */
#define SHORT 8

static void note_changed(struct measure_retention *retention, uint32_t location)
{
	if (measure_part_fold_location(&retention->fold, location)->is_changed)
		return;
	if (measure_array_push(&retention->changed, location) != MEASURE_OK)
		measure_out_of_memory();
}

static void fold(struct measure_spool *spool, uint32_t location, const uint8_t *chunk)
{
	struct measure_retention *retention = spool->retention;
	const struct measure_segment *segment = spool->segment;

	note_changed(retention, location);
	measure_part_fold_chunk(&retention->fold, location, chunk, segment->layout.chunk_size,
		segment->journal, spool->journal_written);
}

/* What was not saved is known to be changed still. */
static measure_status_t save(struct measure_spool *spool)
{
	struct measure_retention *retention = spool->retention;

	for (; retention->changed.nr > 0; retention->changed.nr--)
		if (measure_part_fold_save(&retention->fold,
			    retention->changed.items[retention->changed.nr - 1]) != MEASURE_OK)
			return measure_spool_fail(spool);
	return MEASURE_OK;
}

/* ------------------------------------------------------------------------- --profile --- */

/* A piece of its chunk may have been flushed to the file. */
static void forget_flushed(struct measure_spool *spool, uint32_t location)
{
	const int fd = measure_spool_event_file(spool, location);
	struct stat stat;

	if (fd >= 0 && fstat(fd, &stat) == 0 && stat.st_size > 0 && ftruncate(fd, 0) != 0)
		measure_segment_note_damage(spool->segment);
}

static measure_status_t free_folded(struct measure_spool *spool)
{
	struct measure_retention *retention = spool->retention;
	const struct measure_segment *segment = spool->segment;

	if (save(spool) != MEASURE_OK)
		return MEASURE_ERROR_IO;
	for (size_t i = 0; i < retention->folded.nr; i++) {
		const uint32_t index = retention->folded.items[i];

		forget_flushed(spool, atomic_load(&segment->chunks[index].location));
		measure_spool_free_chunk(spool, index);
	}
	retention->folded.nr = 0;
	return MEASURE_OK;
}

/* A full chunk of the segment. */
struct full_chunk {
	uint32_t index, location;
	uint64_t sequence;
};

static int compare_chunks(const void *left, const void *right)
{
	const struct full_chunk *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static size_t list_full(const struct measure_spool *spool, struct full_chunk *list)
{
	const struct measure_segment *segment = spool->segment;
	const uint32_t nr_chunks = measure_segment_usable_chunks(segment);
	size_t nr = 0;

	for (uint32_t i = 0; i < nr_chunks; i++)
		if (atomic_load_explicit(&segment->chunks[i].state, memory_order_acquire) ==
			MEASURE_CHUNK_FULL)
			list[nr++] =
				(struct full_chunk){i, atomic_load(&segment->chunks[i].location),
					atomic_load(&segment->chunks[i].sequence)};
	if (nr > 0)
		qsort(list, nr, sizeof(*list), compare_chunks);
	return nr;
}

/* Does it follow what was folded? The one before may have become full behind our back: then it is
 * for the next time. A chunk that was saved before a keeper died, or that is damaged, is only
 * freed. */
static bool is_next(struct measure_spool *spool, const struct full_chunk *chunk, bool *is_wanted)
{
	const struct measure_folded *folded;
	struct measure_chunk_header header;

	*is_wanted = false;
	if (chunk->location >= spool->segment->layout.max_locations ||
		measure_chunk_header_read(
			measure_segment_chunk_memory(spool->segment, chunk->index),
			MEASURE_CHUNK_HEADER, &header) != MEASURE_OK ||
		header.last_event + 1 < header.first_event) {
		measure_segment_note_damage(spool->segment);
		return true;
	}
	folded = measure_part_fold_location(&spool->retention->fold, chunk->location);
	*is_wanted = chunk->sequence == folded->state.sequence ||
		     (spool->is_last && chunk->sequence > folded->state.sequence);
	return *is_wanted || chunk->sequence < folded->state.sequence;
}

static void take_chunk(struct measure_spool *spool, const struct full_chunk *chunk)
{
	struct measure_retention *retention = spool->retention;
	bool is_wanted;

	if (!is_next(spool, chunk, &is_wanted))
		return;
	measure_spool_rest(spool);
	if (is_wanted)
		fold(spool, chunk->location,
			measure_segment_chunk_memory(spool->segment, chunk->index));
	spool->chunks_written += is_wanted;
	atomic_store_explicit(&spool->segment->chunks[chunk->index].state, MEASURE_CHUNK_SPOOLING,
		memory_order_relaxed);
	if (measure_array_push(&retention->folded, chunk->index) != MEASURE_OK)
		measure_out_of_memory();
}

/* With what is flushed: else that would not follow what was saved. */
static bool is_flush_due(const struct measure_spool *spool)
{
	return spool->is_last || spool->flush.period == 0 || spool->flush.is_urgent ||
	       measure_spool_now() >= spool->flush.next;
}

static bool is_time_to_save(const struct measure_spool *spool)
{
	const struct measure_segment *segment = spool->segment;
	const size_t nr = spool->retention->folded.nr;

	return nr > measure_segment_usable_chunks(segment) / SHORT ||
	       (nr > 0 && atomic_load(&segment->header->nr_waiting) > 0);
}

measure_status_t measure_retention_fold(struct measure_spool *spool)
{
	const uint32_t nr_chunks = spool->segment->layout.nr_chunks;
	struct full_chunk *list = measure_zeroed(nr_chunks, sizeof(*list));
	measure_status_t status = measure_spool_journal(spool);
	const size_t nr = status == MEASURE_OK ? list_full(spool, list) : 0;

	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		take_chunk(spool, &list[i]);
		if (is_time_to_save(spool))
			status = free_folded(spool);
	}
	measure_free(list);
	return status == MEASURE_OK && (is_flush_due(spool) || is_time_to_save(spool))
		       ? free_folded(spool)
		       : status;
}

/* ---------------------------------------------------------------------------- --keep --- */

void measure_retention_note(struct measure_spool *spool, uint32_t location)
{
	const struct measure_retained_chunk chunk = {location, measure_spool_now()};

	if (measure_array_push(&spool->retention->retained, chunk) != MEASURE_OK)
		measure_out_of_memory();
}

static bool is_to_drop(const struct measure_spool *spool, uint64_t now)
{
	const struct measure_retention *retention = spool->retention;
	const uint64_t nr = measure_retention_nr(retention);

	return nr > 0 &&
	       (now - retention->retained.items[retention->first].written > retention->most_ns ||
		       nr * spool->segment->layout.chunk_size > retention->most_bytes);
}

/* Those that were dropped are at the front. */
static void compact(struct measure_retention *retention)
{
	if (retention->first < 1024 || retention->first < retention->retained.nr / 2)
		return;
	retention->retained.nr -= retention->first;
	memmove(retention->retained.items, retention->retained.items + retention->first,
		retention->retained.nr * sizeof(*retention->retained.items));
	retention->first = 0;
}

/* A chunk that became full behind our back: others of its location were written before it. */
static bool is_unwritten(const struct measure_spool *spool, uint32_t location, uint64_t sequence)
{
	const struct measure_segment *segment = spool->segment;
	const uint32_t nr_chunks = measure_segment_usable_chunks(segment);

	for (uint32_t i = 0; i < nr_chunks; i++) {
		const struct measure_segment_chunk *chunk = &segment->chunks[i];

		if (atomic_load_explicit(&chunk->state, memory_order_acquire) ==
				MEASURE_CHUNK_FULL &&
			atomic_load(&chunk->location) == location &&
			atomic_load(&chunk->sequence) == sequence)
			return true;
	}
	return false;
}

static void drop_oldest(struct measure_spool *spool)
{
	struct measure_retention *retention = spool->retention;
	const uint32_t location = retention->retained.items[retention->first++].location;
	const uint64_t sequence =
		measure_part_fold_location(&retention->fold, location)->state.sequence;
	const uint64_t size = spool->segment->layout.chunk_size;
	const int fd = measure_spool_event_file(spool, location);
	size_t got;

	if (is_unwritten(spool, location, sequence)) { /* another time, as one of the latest */
		measure_retention_note(spool, location);
		return;
	}
	measure_spool_rest(spool);
	if (fd < 0 ||
		measure_file_read_at(fd, retention->chunk, size, sequence * size, &got) !=
			MEASURE_OK ||
		got < size) {
		measure_segment_note_damage(spool->segment);
		return;
	}
	fold(spool, location, retention->chunk);
}

/* The file keeps its length: chunks stay where their numbers say. */
static void punch(struct measure_spool *spool, uint32_t location)
{
	const struct measure_folded *folded =
		measure_part_fold_location(&spool->retention->fold, location);
	const int fd = measure_spool_event_file(spool, location);

	if (fd < 0 || spool->retention->cannot_punch ||
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			(off_t)(folded->state.sequence * spool->segment->layout.chunk_size)) == 0)
		return;
	spool->retention->cannot_punch = true;
	measure_cli_say("the file system of the run directory cannot free parts of files (%s): with "
			"--keep they grow until the end: choose another --output, or --profile",
		strerror(errno));
}

/* Did somebody say that it is about to copy the files (live/live_snapshot.c)? */
static bool is_wanted(const struct measure_spool *spool)
{
	if (flock(spool->journal_fd, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK;
	flock(spool->journal_fd, LOCK_UN);
	return false;
}

/* False: somebody copies them, unless it does not come to an end. Where they cannot be locked, that
 * one finds out what is missing. */
static bool lock_files(struct measure_spool *spool, uint64_t now)
{
	struct measure_retention *retention = spool->retention;

	if (!is_wanted(spool) &&
		(flock(spool->part_fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)) {
		retention->held_since = 0;
		return true;
	}
	if (retention->held_since == 0)
		retention->held_since = now;
	return now - retention->held_since > HOLD_NS;
}

static measure_status_t trim(struct measure_spool *spool, uint64_t now)
{
	struct measure_retention *retention = spool->retention;
	size_t nr_changed;

	for (int i = 0; i < DROPPED_AT_ONCE && is_to_drop(spool, now); i++)
		drop_oldest(spool);
	compact(retention);
	nr_changed = retention->changed.nr;
	if (save(spool) != MEASURE_OK)
		return MEASURE_ERROR_IO;
	for (size_t i = 0; i < nr_changed; i++)
		punch(spool, retention->changed.items[i]);
	return MEASURE_OK;
}

measure_status_t measure_retention_trim(struct measure_spool *spool)
{
	const uint64_t now = measure_spool_now();
	measure_status_t status;

	if (!is_to_drop(spool, now) || !lock_files(spool, now))
		return MEASURE_OK;
	status = trim(spool, now);
	flock(spool->part_fd, LOCK_UN);
	return status;
}

/* ------------------------------------------------------------------------ begin, end --- */

/* Chunks of another keeper count from now on. */
static void recall_file(struct measure_spool *spool, uint32_t location)
{
	const uint64_t size = spool->segment->layout.chunk_size;
	const int fd = measure_spool_event_file(spool, location);
	uint64_t sequence =
		measure_part_fold_location(&spool->retention->fold, location)->state.sequence;
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat) != 0)
		return;
	for (; (sequence + 1) * size <= (uint64_t)stat.st_size; sequence++)
		measure_retention_note(spool, location);
}

measure_status_t measure_retention_open(
	struct measure_spool *spool, const struct measure_settings *settings)
{
	struct measure_retention *retention = measure_zeroed(1, sizeof(*retention));
	const uint32_t chunk_size = spool->segment->layout.chunk_size;
	bool is_changed;

	retention->kept = measure_settings_kept(settings);
	measure_keep_parse(settings->keep, &retention->most_ns, &retention->most_bytes);
	retention->chunk = measure_zeroed(chunk_size, 1);
	measure_part_fold_open(&retention->fold, spool->part_fd, chunk_size, retention->kept);
	spool->retention = retention;
	if (retention->kept != MEASURE_KEPT_LAST)
		return MEASURE_OK;
	for (uint32_t i = 0; i < measure_segment_nr_locations(spool->segment, &is_changed); i++)
		recall_file(spool, i);
	return MEASURE_OK;
}

void measure_retention_close(struct measure_spool *spool)
{
	struct measure_retention *retention = spool->retention;

	if (!retention)
		return;
	measure_part_fold_close(&retention->fold);
	free(retention->folded.items);
	free(retention->changed.items);
	free(retention->retained.items);
	measure_free(retention->chunk);
	measure_free(retention);
	spool->retention = NULL;
}

bool measure_retention_continues(
	struct measure_spool *spool, uint32_t location, uint64_t sequence, uint64_t first_event)
{
	const struct measure_folded *folded;

	if (!spool->retention)
		return false;
	folded = measure_part_fold_location(&spool->retention->fold, location);
	return folded->state.sequence == sequence && folded->state.nr_events + 1 == first_event;
}
