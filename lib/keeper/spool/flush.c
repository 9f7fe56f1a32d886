/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flushing chunks that are not full yet; see flush.h. The file then ends as if the process had been
 * killed: with a chunk header that has no last event, and whole records. The full chunk replaces it
 * in place. */
#include "config.h"

#include "spool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define NS_PER_S  1e9
#define NS_PER_MS UINT64_C(1000000)

/* Looks in the given time: a chunk is left alone by the first one that sees it, as it may well be
 * full before the next one. The rest is for a disk that takes a while. */
#define LOOKS 2.5

/* At a chunk of which events are taken back all the time. */
#define TRIES 8

#define PIECE 4096 /* bytes compared at once */

void measure_flush_set(struct measure_spool *spool, double seconds)
{
	struct measure_flush *flush = &spool->flush;
	const struct measure_segment_layout *layout = &spool->segment->layout;

	if (!flush->locations)
		flush->locations = calloc(layout->max_locations, sizeof(*flush->locations));
	if (!flush->bytes)
		flush->bytes = malloc(layout->chunk_size);
	if (flush->most_taken_back == 0)
		flush->most_taken_back = 1;
	flush->period = 0;
	if (seconds > 0 && flush->locations && flush->bytes)
		flush->period = (uint64_t)(seconds * NS_PER_S / LOOKS) + 1;
}

void measure_flush_free(struct measure_flush *flush)
{
	free(flush->locations);
	free(flush->bytes);
	memset(flush, 0, sizeof(*flush));
}

int measure_flush_left(const struct measure_spool *spool, int most)
{
	const struct measure_flush *flush = &spool->flush;

	if (flush->period == 0 || spool->mode != MEASURE_SPOOL_ALWAYS)
		return most;
	uint64_t now = measure_spool_now();
	uint64_t left = flush->next > now ? (flush->next - now) / NS_PER_MS + 1 : 1;
	return left < (uint64_t)most ? (int)left : most;
}

/* -------------------------------------------------------------------- what to write --- */

/* A location at one moment. */
struct moment {
	uint64_t nr_events; /* committed */
	uint64_t nr_fixed;  /* of these, so many stay even if all open regions are taken back */
	uint32_t nr_taken_back;
};

static uint32_t taken_back(const struct measure_segment_location *shared)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&shared->nr_taken_back, memory_order_acquire);
}

static struct moment moment_of(
	const struct measure_flush *flush, const struct measure_segment_location *shared)
{
	struct moment moment = {.nr_taken_back = taken_back(shared)};
	uint64_t word = atomic_load_explicit(&shared->committed, memory_order_acquire);
	uint64_t loose = (uint64_t)measure_committed_depth(word) * flush->most_taken_back;

	moment.nr_events = measure_committed_events(word);
	moment.nr_fixed = moment.nr_events > loose ? moment.nr_events - loose : 0;
	return moment;
}

/* Where a walk was when it last saw an event that stays: by its number; or by its kind as well, as
 * only an Enter can be taken back, and metrics that belong to it, while nothing else follows. */
struct flush_walker {
	struct measure_chunk_walk walk, by_number, by_kind;
	uint64_t nr_fixed;
};

static void flush_note_event(void *context, const struct measure_chunk_event *event)
{
	struct flush_walker *walker = context;

	if (event->ordinal <= walker->nr_fixed)
		walker->by_number = walker->walk;
	if (event->ordinal <= walker->nr_fixed ||
		(event->type != MEASURE_OTF2_ENTER && event->type != MEASURE_OTF2_METRIC))
		walker->by_kind = walker->walk;
}

/* Copies the events that are not in the file yet. Where some were taken back meanwhile, only those
 * that stay are good. False: that was so. *end: behind the last one. */
static bool copy_events(struct measure_flush *flush, struct measure_flush_location *known,
	const struct measure_segment_location *shared, const uint8_t *memory, size_t size,
	size_t *end)
{
	const struct moment moment = moment_of(flush, shared);
	struct flush_walker walker = {known->fixed, known->fixed, known->fixed, moment.nr_fixed};
	const size_t from = known->fixed.end;

	measure_chunk_walk_on(
		memory, size, moment.nr_events, flush_note_event, &walker, &walker.walk);
	memcpy(flush->bytes + from, memory + from, walker.walk.end - from);
	bool is_whole = taken_back(shared) == moment.nr_taken_back;
	known->fixed = is_whole ? walker.by_kind : walker.by_number;
	known->nr_events = is_whole ? moment.nr_events : UINT64_MAX;
	known->nr_taken_back = moment.nr_taken_back;
	*end = is_whole ? walker.walk.end : walker.by_number.end;
	return is_whole;
}

/* ------------------------------------------------------------------------ the file --- */

/* *equal: so many bytes of the file from `offset` on are those. */
static bool flush_compare(
	int fd, uint64_t offset, const uint8_t *bytes, uint64_t size, uint64_t *equal)
{
	uint8_t there[PIECE];
	size_t same, got;

	for (*equal = 0; *equal < size; *equal += same) {
		uint64_t left = size - *equal, piece = left < PIECE ? left : PIECE;
		if (measure_file_read_at(fd, there, piece, offset + *equal, &got) != MEASURE_OK)
			return false;
		for (same = 0; same < got && there[same] == bytes[*equal + same]; same++)
			;
		if (same < piece) {
			*equal += same;
			break;
		}
	}
	return true;
}

/* The file, which ends at `end`, from `begin` on: cut where it says something else, or more. */
static bool cut(int fd, uint64_t begin, uint64_t end, const uint8_t *bytes, uint64_t size)
{
	uint64_t there = end > begin ? end - begin : 0, equal;

	return flush_compare(fd, begin, bytes, there < size ? there : size, &equal) &&
	       (equal == there || ftruncate(fd, (off_t)(begin + equal)) == 0);
}

bool measure_flush_cut(int fd, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
	struct stat stat;

	if (fstat(fd, &stat) != 0)
		return false;
	return (uint64_t)stat.st_size > offset + size || /* others lie behind it */
	       cut(fd, offset + MEASURE_CHUNK_HEADER, (uint64_t)stat.st_size,
		       bytes + MEASURE_CHUNK_HEADER, size - MEASURE_CHUNK_HEADER);
}

static bool ends_before(int fd, uint64_t offset)
{
	struct stat stat;

	return fstat(fd, &stat) == 0 && (uint64_t)stat.st_size < offset;
}

/* The journal goes first, as with full chunks. */
static measure_status_t write_events(
	struct measure_spool *spool, int fd, uint64_t offset, size_t from, size_t end)
{
	const uint8_t *bytes = spool->flush.bytes + from;
	struct stat stat;

	if (measure_spool_journal(spool) != MEASURE_OK)
		return MEASURE_ERROR_IO;
	measure_spool_rest(spool);
	if (fstat(fd, &stat) != 0 ||
		!cut(fd, offset + from, (uint64_t)stat.st_size, bytes, end - from) ||
		measure_file_write_at(fd, bytes, end - from, offset + from) != MEASURE_OK)
		return measure_spool_fail(spool);
	return MEASURE_OK;
}

/* ----------------------------------------------------------------------- the looks --- */

static bool is_current(
	const struct measure_segment *segment, uint32_t index, uint32_t location, uint64_t sequence)
{
	const struct measure_segment_chunk *chunk = &segment->chunks[index];

	return atomic_load(&chunk->state) == MEASURE_CHUNK_CURRENT &&
	       atomic_load(&chunk->location) == location &&
	       atomic_load(&chunk->sequence) == sequence &&
	       atomic_load(&segment->locations[location].nr_chunks) == sequence + 1;
}

/* It may have a new owner just now, with what it says of the old one. */
static bool flush_begin(struct measure_spool *spool, int fd, uint32_t index, uint32_t location)
{
	const struct measure_segment *segment = spool->segment;
	struct measure_flush_location *known = &spool->flush.locations[location];
	uint64_t sequence = known->sequence - 1, size = segment->layout.chunk_size;
	struct moment moment = moment_of(&spool->flush, &segment->locations[location]);

	if (measure_chunk_walk(measure_segment_chunk_memory(segment, index), size, 0, NULL, NULL,
		    &known->fixed) == MEASURE_OK &&
		known->fixed.first_event <= moment.nr_events &&
		(measure_retention_continues(spool, location, sequence, known->fixed.first_event) ||
			measure_chunk_continues_file(
				fd, size, sequence, known->fixed.first_event)) &&
		!measure_spool_is_taken(fd, sequence * size, known->fixed.first_event) &&
		is_current(segment, index, location, sequence))
		return true;
	known->fixed.end = 0;
	return false;
}

/* Once more where events were taken back meanwhile: each time there are fewer left to write. */
static measure_status_t write_news(
	struct measure_spool *spool, int fd, uint32_t index, uint32_t location)
{
	const struct measure_segment *segment = spool->segment;
	const uint8_t *memory = measure_segment_chunk_memory(segment, index);
	struct measure_flush_location *known = &spool->flush.locations[location];
	uint64_t size = segment->layout.chunk_size, offset = (known->sequence - 1) * size;
	measure_status_t status = MEASURE_OK;
	bool is_whole = false;

	for (int i = 0; i < TRIES && !is_whole && status == MEASURE_OK; i++) {
		size_t from = known->fixed.end, end;
		is_whole = copy_events(
			&spool->flush, known, &segment->locations[location], memory, size, &end);
		if (!is_whole && end == from)
			continue;
		if (from == MEASURE_CHUNK_HEADER) {
			measure_chunk_begin(spool->flush.bytes, known->fixed.first_event);
			from = 0;
		}
		status = write_events(spool, fd, offset, from, end);
	}
	if (status != MEASURE_OK)
		known->nr_events = UINT64_MAX;
	return status;
}

static bool has_news(const struct measure_flush_location *known, const struct moment *moment)
{
	return moment->nr_events != known->nr_events ||
	       moment->nr_taken_back != known->nr_taken_back;
}

static measure_status_t look_at(struct measure_spool *spool, uint32_t index)
{
	const struct measure_segment *segment = spool->segment;
	uint32_t location = atomic_load(&segment->chunks[index].location);
	uint64_t sequence = atomic_load(&segment->chunks[index].sequence);

	if (location >= segment->layout.max_locations ||
		!is_current(segment, index, location, sequence))
		return MEASURE_OK;
	struct measure_flush_location *known = &spool->flush.locations[location];
	struct moment moment = moment_of(&spool->flush, &segment->locations[location]);
	bool is_new = known->sequence != sequence + 1;
	if (is_new)
		*known = (struct measure_flush_location){
			.sequence = sequence + 1, .nr_events = UINT64_MAX};
	if ((is_new && !spool->flush.is_urgent) || !has_news(known, &moment))
		return MEASURE_OK;

	int fd = measure_spool_event_file(spool, location);
	if (fd < 0)
		return measure_spool_fail(spool);
	if (!ends_before(fd, (sequence + 1) * segment->layout.chunk_size) ||
		(known->fixed.end == 0 && !flush_begin(spool, fd, index, location)))
		return MEASURE_OK;
	return write_news(spool, fd, index, location);
}

void measure_flush_look(struct measure_spool *spool)
{
	struct measure_flush *flush = &spool->flush;
	uint32_t nr_chunks = measure_segment_usable_chunks(spool->segment);
	uint64_t now = measure_spool_now();

	if (flush->period == 0 || (now < flush->next && !flush->is_urgent))
		return;
	for (uint32_t i = 0; i < nr_chunks; i++)
		if (atomic_load_explicit(&spool->segment->chunks[i].state, memory_order_acquire) ==
				MEASURE_CHUNK_CURRENT &&
			look_at(spool, i) != MEASURE_OK)
			break;
	flush->next = now + flush->period;
	flush->is_urgent = false;
}
