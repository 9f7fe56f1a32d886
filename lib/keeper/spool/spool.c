/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spooling a segment to files; see spool.h. */
#include "config.h"

#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/posix.h"
#include "format/run_layout.h"
#include "clock/clock.h"
#include "format/journal.h"
#include "format/event_chunk.h"

/* ms between two looks: the least while there is something to write, twice as long after each look
 * that found nothing. */
#define NAP_LEAST 4
#define NAP_MOST  128

#define PIECE   (256 * 1024) /* bytes written at once */
#define WORK_NS 250000	     /* of processor time, between two rests */
#define REST_NS 200000
#define LATE_NS 1000000 /* a rest that took so long was a mistake: ... */
#define WARY_NS UINT64_C(2000000000) /* ... none for so long */

/* It rests while not more than 1 / EASY of all chunks are in use. */
#define EASY 8

/* --spool=full: free memory below 1 / SHORT of all is short. */
#define SHORT 4

/* After measure_spool_hurry(), where events would stay in memory for longer. */
#define HURRY_S 1.0

measure_status_t measure_spool_fail(struct measure_spool *spool)
{
	bool is_full = errno == ENOSPC || errno == EDQUOT;

	spool->error = errno;
	if (is_full && spool->may_block) {
		spool->is_blocked = true;
		return MEASURE_ERROR_IO;
	}
	spool->status = MEASURE_ERROR_IO;
	atomic_store_explicit(&spool->segment->header->keeper_stopped, MEASURE_ERROR_IO,
		memory_order_release);
	return spool->status;
}

static uint64_t spool_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What is committed and not yet written, as far as it is frames: where the process has overwritten
 * how much it is, what was never written to must not be read. */
static uint64_t framed(const struct measure_spool *spool, uint64_t committed)
{
	const uint8_t *journal = spool->segment->journal;
	uint64_t end = spool->journal_written;
	uint32_t length;

	while (committed - end >= MEASURE_JOURNAL_FRAME) {
		memcpy(&length, journal + end, sizeof(length));
		if (length < MEASURE_JOURNAL_FRAME || length % 8 != 0 || length > committed - end)
			break;
		end += length;
	}
	return end;
}

measure_status_t measure_spool_journal(struct measure_spool *spool)
{
	const struct measure_segment *segment = spool->segment;
	uint64_t committed = measure_segment_journal_size(segment);

	if (committed <= spool->journal_written)
		return MEASURE_OK;
	uint64_t end = framed(spool, committed);
	if (measure_file_write_at(spool->journal_fd, segment->journal + spool->journal_written,
		    end - spool->journal_written, spool->journal_written) != MEASURE_OK)
		return measure_spool_fail(spool);
	spool->journal_written = end;
	if (end < committed && !spool->is_journal_bad) {
		spool->is_journal_bad = true;
		measure_segment_note_damage(segment);
	}
	return MEASURE_OK;
}

int measure_spool_event_file(struct measure_spool *spool, uint32_t location)
{
	struct measure_spool_file *oldest = &spool->files[0];
	char name[32];

	spool->clock++;
	for (size_t i = 0; i < MEASURE_SPOOL_FILES; i++) {
		struct measure_spool_file *file = &spool->files[i];
		if (file->fd >= 0 && file->location == location) {
			file->used = spool->clock;
			return file->fd;
		}
		if (file->used < oldest->used)
			oldest = file;
	}
	if (oldest->fd >= 0)
		close(oldest->fd);
	snprintf(name, sizeof(name), MEASURE_EVENTS_FORMAT, location);
	oldest->fd = measure_file_open(spool->part_fd, name, O_RDWR | O_CREAT);
	oldest->location = location;
	oldest->used = spool->clock;
	return oldest->fd;
}

static void wake_writers(struct measure_segment_header *header)
{
	atomic_fetch_add(&header->freed_events, 1);
	if (atomic_load(&header->nr_waiting) > 0)
		measure_futex_wake(&header->freed_events, INT_MAX);
}

static void count_free(struct measure_segment_header *header)
{
	atomic_fetch_sub(&header->nr_used, 1);
	if (atomic_load(&header->nr_waiting) > 0)
		atomic_fetch_add(&header->freed_in_need, 1);
}

/* Not at the price of a thread that finds no memory, and not while somebody waits for us. */
static bool may_rest(const struct measure_spool *spool)
{
	const struct measure_segment_header *header = spool->segment->header;

	return !spool->is_last &&
	       atomic_load(&header->nr_used) <=
		       measure_segment_usable_chunks(spool->segment) / EASY &&
	       atomic_load(&header->phases_ended) == atomic_load(&header->phases_written);
}

uint64_t measure_spool_now(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Where no processor is idle we have one that a thread of the program would have: it is to be
 * without it for short times only, also where much is to be written. Where many others want
 * processors, too, we would not get ours back soon, and keep what we have. */
void measure_spool_rest(struct measure_spool *spool)
{
	const struct timespec time = {0, REST_NS};
	uint64_t begin, end;

	if (measure_clock_thread_cpu() - spool->rested < WORK_NS)
		return;
	begin = measure_spool_now();
	if (begin >= spool->wary_until && may_rest(spool)) {
		nanosleep(&time, NULL);
		end = measure_spool_now();
		if (end - begin > LATE_NS)
			spool->wary_until = end + WARY_NS;
	}
	spool->rested = measure_clock_thread_cpu();
}

static measure_status_t write_chunk(
	struct measure_spool *spool, int fd, uint32_t index, uint64_t offset)
{
	const uint8_t *memory = measure_segment_chunk_memory(spool->segment, index);
	uint64_t size = spool->segment->layout.chunk_size;
	measure_status_t status =
		measure_flush_cut(fd, offset, memory, size) ? MEASURE_OK : MEASURE_ERROR_IO;

	for (uint64_t done = 0; done < size && status == MEASURE_OK; done += PIECE) {
		uint64_t piece = size - done < PIECE ? size - done : PIECE;

		measure_spool_rest(spool);
		status = measure_file_write_at(fd, memory + done, piece, offset + done);
	}
	return status;
}

/* Where a chunk goes, all in memory of our own. */
struct spool_target {
	uint32_t location;
	uint64_t sequence;
	struct measure_chunk_header header;
};

/* It is not to be replaced. A chunk with the same events was written in part: before it was full,
 * or by a keeper that has died since. */
bool measure_spool_is_taken(int fd, uint64_t offset, uint64_t first_event)
{
	uint8_t start[MEASURE_CHUNK_HEADER];
	struct measure_chunk_header there;
	size_t got;

	return measure_file_read_at(fd, start, sizeof(start), offset, &got) == MEASURE_OK &&
	       measure_chunk_header_read(start, got, &there) == MEASURE_OK &&
	       there.first_event != first_event;
}

/* Says the chunk itself that it belongs there? Of those that are not in the file yet there are no
 * more than the segment has. */
static bool fits(const struct measure_spool *spool, int fd, const struct spool_target *target)
{
	uint64_t size = spool->segment->layout.chunk_size;
	struct stat stat;

	return target->header.last_event + 1 >= target->header.first_event &&
	       fstat(fd, &stat) == 0 &&
	       target->sequence <
		       (uint64_t)stat.st_size / size + spool->segment->layout.nr_chunks &&
	       !measure_spool_is_taken(fd, target->sequence * size, target->header.first_event);
}

static struct spool_target target_of(const struct measure_spool *spool, uint32_t index)
{
	const struct measure_segment *segment = spool->segment;
	const struct measure_segment_chunk *chunk = &segment->chunks[index];
	struct spool_target target = {
		.location = atomic_load_explicit(&chunk->location, memory_order_relaxed),
		.sequence = atomic_load_explicit(&chunk->sequence, memory_order_relaxed)};

	if (measure_chunk_header_read(measure_segment_chunk_memory(segment, index),
		    MEASURE_CHUNK_HEADER, &target.header) != MEASURE_OK)
		target.location = MEASURE_CHUNK_NOBODY;
	return target;
}

/* Pairs with the acquire of the process that takes the chunk: we have done reading. */
void measure_spool_free_chunk(struct measure_spool *spool, uint32_t index)
{
	count_free(spool->segment->header);
	atomic_store_explicit(
		&spool->segment->chunks[index].state, MEASURE_CHUNK_FREE, memory_order_release);
	wake_writers(spool->segment->header);
}

static measure_status_t keep_full(struct measure_spool *spool, struct measure_segment_chunk *chunk)
{
	measure_spool_fail(spool);
	atomic_store_explicit(&chunk->state, MEASURE_CHUNK_FULL, memory_order_release);
	return MEASURE_ERROR_IO;
}

/* A FULL chunk is nobody's but ours. The journal goes first: its records are committed before
 * the events that use them, so all that this chunk refers to is there by now. */
static measure_status_t spool_chunk(struct measure_spool *spool, uint32_t index)
{
	const struct measure_segment *segment = spool->segment;
	struct measure_segment_chunk *chunk = &segment->chunks[index];
	uint64_t size = segment->layout.chunk_size;

	if (measure_spool_journal(spool) != MEASURE_OK)
		return MEASURE_ERROR_IO;

	struct spool_target target = target_of(spool, index);
	bool is_sound = target.location < segment->layout.max_locations;
	int fd = is_sound ? measure_spool_event_file(spool, target.location) : -1;
	atomic_store_explicit(&chunk->state, MEASURE_CHUNK_SPOOLING, memory_order_relaxed);
	if (is_sound && fd < 0)
		return keep_full(spool, chunk);
	is_sound = is_sound && fits(spool, fd, &target);
	if (is_sound && write_chunk(spool, fd, index, target.sequence * size) != MEASURE_OK)
		return keep_full(spool, chunk);
	if (is_sound)
		spool->chunks_written++;
	else
		measure_segment_note_damage(segment);
	if (is_sound && spool->retention)
		measure_retention_note(spool, target.location);
	measure_spool_free_chunk(spool, index);
	return MEASURE_OK;
}

static bool is_short(const struct measure_segment *segment)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(segment);
	uint32_t free = 0;

	for (uint32_t i = 0; i < nr_chunks; i++) {
		uint32_t state = atomic_load_explicit(&segment->chunks[i].state,
			memory_order_relaxed);
		free += state == MEASURE_CHUNK_UNTOUCHED || state == MEASURE_CHUNK_FREE ||
			state == MEASURE_CHUNK_POPULATING;
	}
	return free < nr_chunks / SHORT + 1;
}

static bool wants_chunks(const struct measure_spool *spool, bool is_last)
{
	const struct measure_segment_header *header = spool->segment->header;
	bool is_told = atomic_load(&header->phases_ended) != atomic_load(&header->phases_written);

	if (is_last || spool->mode == MEASURE_SPOOL_ALWAYS)
		return true;
	if (spool->mode == MEASURE_SPOOL_PHASE && is_told)
		return true;
	return spool->mode != MEASURE_SPOOL_END && is_short(spool->segment);
}

/* Whoever waits for it has counted phases_ended after his chunks were FULL. */
static void end_phases(const struct measure_spool *spool, uint32_t ended)
{
	struct measure_segment_header *header = spool->segment->header;

	if (ended == atomic_load(&header->phases_written))
		return;
	atomic_store(&header->phases_written, ended);
	measure_futex_wake(&header->phases_written, INT_MAX);
}

static measure_status_t spool_begin(struct measure_spool *spool,
	const struct measure_segment *segment, int part_fd, enum measure_spool_mode mode, int flags)
{
	*spool = (struct measure_spool){.segment = segment, .part_fd = part_fd, .mode = mode};
	for (size_t i = 0; i < MEASURE_SPOOL_FILES; i++)
		spool->files[i].fd = -1;
	spool->journal_fd = measure_file_open(
		part_fd, MEASURE_JOURNAL_OF_PROCESS, O_WRONLY | O_CREAT | flags);
	return spool->journal_fd >= 0 ? MEASURE_OK : measure_spool_fail(spool);
}

measure_status_t measure_spool_open(struct measure_spool *spool,
	const struct measure_segment *segment, int part_fd, enum measure_spool_mode mode)
{
	return spool_begin(spool, segment, part_fd, mode, O_TRUNC);
}

/* The journal's file has what was written of it, the last record perhaps in part. Who has given up
 * waiting looks once more. */
measure_status_t measure_spool_resume(struct measure_spool *spool,
	const struct measure_segment *segment, int part_fd, enum measure_spool_mode mode)
{
	measure_status_t status = spool_begin(spool, segment, part_fd, mode, 0);
	struct stat stat;

	if (status != MEASURE_OK)
		return status;
	if (fstat(spool->journal_fd, &stat) != 0)
		return measure_spool_fail(spool);
	spool->journal_written = framed(
		spool, spool_least(measure_segment_journal_size(segment), (uint64_t)stat.st_size));
	for (uint32_t i = 0; i < segment->layout.nr_chunks; i++) {
		uint32_t spooling = MEASURE_CHUNK_SPOOLING;
		uint32_t populating = MEASURE_CHUNK_POPULATING;
		atomic_compare_exchange_strong(
			&segment->chunks[i].state, &spooling, MEASURE_CHUNK_FULL);
		atomic_compare_exchange_strong(
			&segment->chunks[i].state, &populating, MEASURE_CHUNK_FREE);
	}
	wake_writers(segment->header);
	return MEASURE_OK;
}

/* Writes full chunks as they are. With --keep as many others are dropped meanwhile. */
static measure_status_t write_full(struct measure_spool *spool)
{
	const struct measure_segment *segment = spool->segment;
	uint32_t nr_chunks = measure_segment_usable_chunks(segment), nr_written = 0;

	for (uint32_t i = 0; i < nr_chunks; i++) {
		uint32_t state =
			atomic_load_explicit(&segment->chunks[i].state, memory_order_acquire);
		if (state != MEASURE_CHUNK_FULL)
			continue;
		if (spool_chunk(spool, i) != MEASURE_OK)
			return spool->status;
		if (spool->retention && ++nr_written % MEASURE_RETENTION_WRITTEN == 0 &&
			measure_retention_trim(spool) != MEASURE_OK)
			return spool->status;
	}
	return spool->retention ? measure_retention_trim(spool) : MEASURE_OK;
}

static measure_status_t take_full(struct measure_spool *spool)
{
	if (!wants_chunks(spool, spool->is_last))
		return MEASURE_OK;
	if (!spool->retention || spool->retention->kept != MEASURE_KEPT_NONE)
		return write_full(spool);
	return measure_retention_fold(spool);
}

measure_status_t measure_spool_pass(struct measure_spool *spool, bool is_last)
{
	const struct measure_segment *segment = spool->segment;

	if (spool->status != MEASURE_OK)
		return spool->status;
	spool->may_block = !is_last && segment->layout.full_policy != MEASURE_FULL_STOP;
	spool->is_last = is_last;
	spool->is_blocked = false;
	uint32_t ended = atomic_load(&segment->header->phases_ended);
	if (measure_spool_journal(spool) != MEASURE_OK)
		return spool->status;
	if (take_full(spool) != MEASURE_OK)
		return spool->status;
	end_phases(spool, ended);
	if (!is_last && spool->mode == MEASURE_SPOOL_ALWAYS)
		measure_flush_look(spool);
	return spool->status;
}

void measure_spool_close(struct measure_spool *spool)
{
	measure_retention_close(spool);
	for (size_t i = 0; i < MEASURE_SPOOL_FILES; i++)
		if (spool->files[i].fd >= 0)
			close(spool->files[i].fd);
	if (spool->journal_fd >= 0)
		close(spool->journal_fd);
	measure_flush_free(&spool->flush);
}

void measure_spool_hurry(struct measure_spool *spool)
{
	spool->mode = MEASURE_SPOOL_ALWAYS;
	if (spool->flush.period == 0)
		measure_flush_set(spool, HURRY_S);
	spool->flush.is_urgent = true;
}

/* So many chunks in use are more than may wait for us to wake up by ourselves. */
static uint32_t wake_from(const struct measure_spool *spool)
{
	uint32_t nr_chunks = measure_segment_usable_chunks(spool->segment);

	switch (spool->mode) {
	case MEASURE_SPOOL_ALWAYS: return nr_chunks / EASY + 1;
	case MEASURE_SPOOL_END: return UINT32_MAX;
	default: return nr_chunks - nr_chunks / SHORT;
	}
}

static int next_nap(const struct measure_spool *spool)
{
	if (spool->nap == 0 || spool->chunks_written != spool->chunks_before)
		return NAP_LEAST;
	return spool->nap < NAP_MOST ? spool->nap * 2 : NAP_MOST;
}

/* Sequentially consistent on purpose: the process counts full_events and then looks at
 * wake_from, we the other way round; one of us must see the other. */
void measure_spool_wait(struct measure_spool *spool, uint32_t seen)
{
	struct measure_segment_header *header = spool->segment->header;

	spool->nap = next_nap(spool);
	spool->chunks_before = spool->chunks_written;
	atomic_store(&header->wake_from, wake_from(spool));
	if (atomic_load(&header->full_events) == seen)
		measure_futex_wait(&header->full_events, seen,
			measure_flush_left(spool, spool->nap));
	atomic_store(&header->wake_from, 0);
}

void measure_spool_wake(const struct measure_segment *segment)
{
	struct measure_segment_header *header = segment->header;

	atomic_fetch_add(&header->full_events, 1);
	measure_futex_wake(&header->full_events, 1);
}
