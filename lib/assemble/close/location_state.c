/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the locations of a part stand when their process is gone; see part_close_internal.h. The
 * process may have overwritten what it shares with its keeper, and those who have come from it may
 * still do so: nothing in the segment is believed that the event files do not bear out. */
#include "config.h"

#include "part_close_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "truncation.h"
#include "base/array.h"
#include "base/file.h"
#include "format/event_chunk.h"

#define NO_CHUNK UINT32_MAX

/* The chunk that ends with the last committed event. One that a location has begun, but whose
 * header is not whole or that has no committed event, does not count. */
static bool holds_last_event(
	const struct measure_part_close_state *finish, uint32_t chunk, uint32_t location)
{
	struct measure_chunk_header header;
	const uint8_t *memory = measure_segment_chunk_memory(finish->segment, chunk);

	return measure_chunk_header_read(memory, finish->chunk_size, &header) == MEASURE_OK &&
	       header.first_event <=
		       measure_committed_events(measure_part_close_committed(finish, location));
}

static measure_status_t find_current_chunks(struct measure_part_close_state *finish)
{
	const struct measure_segment_chunk *chunks = finish->segment->chunks;

	finish->current = malloc((finish->nr_locations + 1) * sizeof(*finish->current));
	if (!finish->current)
		return MEASURE_ERROR_MEMORY;
	for (uint32_t i = 0; i < finish->nr_locations; i++)
		finish->current[i] = NO_CHUNK;

	for (uint32_t i = 0; i < finish->segment->layout.nr_chunks; i++) {
		uint32_t location = atomic_load(&chunks[i].location);
		if (atomic_load(&chunks[i].state) != MEASURE_CHUNK_CURRENT ||
			location >= finish->nr_locations || !holds_last_event(finish, i, location))
			continue;
		uint32_t *best = &finish->current[location];
		if (*best == NO_CHUNK ||
			atomic_load(&chunks[*best].sequence) < atomic_load(&chunks[i].sequence))
			*best = i;
	}
	return MEASURE_OK;
}

/* The lowest `depth` entries of a location's region stack. Blocks point back to those below them:
 * where they do not, there may be no end. */
static measure_status_t copy_stack(const struct measure_segment *segment, uint32_t location,
	uint32_t depth, struct measure_location_state *state)
{
	uint32_t block = atomic_load(&segment->locations[location].stack_block);
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < depth && status == MEASURE_OK; i++) {
		const struct measure_segment_frame *frame =
			measure_segment_stack_frame(segment, i, &block);

		if (!frame)
			return MEASURE_ERROR_FORMAT;
		status = measure_array_push(&state->open, frame->region);
	}
	return status;
}

/* The chunk in memory, as far as it has committed events: into finish->chunk. Only what lies there
 * counts, as somebody may still write to the other. No more than that is looked at: memory never
 * touched would come into being. */
static measure_status_t copy_current(struct measure_part_close_state *finish, uint32_t chunk,
	uint64_t nr_events, struct measure_chunk_walk *walk)
{
	const uint8_t *memory = measure_segment_chunk_memory(finish->segment, chunk);

	measure_chunk_walk(memory, finish->chunk_size, nr_events, NULL, NULL, walk);
	size_t size = walk->end;
	memcpy(finish->chunk, memory, size);
	return measure_chunk_walk(finish->chunk, size, nr_events, NULL, NULL, walk);
}

/* What is known of the location, where the file has no more than that. */
static const struct measure_location_state *state_before(
	const struct measure_part_close_state *finish, int fd, uint32_t location)
{
	const struct measure_location_state *before;
	struct stat stat;

	if (!finish->fold)
		return NULL;
	before = &measure_part_fold_location(finish->fold, location)->state;
	return fstat(fd, &stat) == 0 &&
			       (uint64_t)stat.st_size <= before->sequence * finish->chunk_size
		       ? before
		       : NULL;
}

/* Does a chunk follow what is in the file, or what was folded before it? */
static bool continues(const struct measure_part_close_state *finish, int fd, uint32_t location,
	uint64_t sequence, uint64_t first_event)
{
	const struct measure_location_state *before =
		finish->fold ? &measure_part_fold_location(finish->fold, location)->state : NULL;

	if (before && before->sequence == sequence && before->nr_events + 1 == first_event)
		return true;
	return measure_chunk_continues_file(fd, finish->chunk_size, sequence, first_event);
}

static measure_status_t resume(const struct measure_part_close_state *finish, int fd,
	uint32_t location, struct measure_location_state *state)
{
	const struct measure_location_state *before = state_before(finish, fd, location);

	if (!before)
		return measure_location_file_resume(fd, finish->chunk_size, finish->chunk, state);
	state->nr_events = before->nr_events;
	state->last_time = before->last_time;
	state->sequence = before->sequence;
	return MEASURE_OK;
}

static measure_status_t walk_current(struct measure_part_close_state *finish, int fd,
	uint32_t location, struct measure_location_state *state)
{
	uint32_t chunk = finish->current[location];
	uint64_t nr_events =
		measure_committed_events(measure_part_close_committed(finish, location));
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	measure_status_t status = copy_current(finish, chunk, nr_events, &walk);

	if (status == MEASURE_OK)
		status = measure_chunk_header_read(finish->chunk, walk.end, &header);
	if (status != MEASURE_OK)
		return status;
	state->nr_events = walk.last_event;
	state->last_time = walk.last_time;
	state->sequence = atomic_load(&finish->segment->chunks[chunk].sequence);
	state->end = walk.end;
	return continues(finish, fd, location, state->sequence, header.first_event)
		       ? MEASURE_OK
		       : MEASURE_ERROR_FORMAT;
}

static void copy_thread(const struct measure_segment_location *from, uint64_t nr_events,
	struct measure_location_state *state)
{
	state->has_thread = measure_thread_is_open(from, nr_events);
	state->contingent = from->thread_contingent;
	state->sequence_of_thread = from->thread_sequence;
}

/* In a drop interval that the program requested, the region stack went on without the events. */
static bool stands_by_events(const struct measure_part_close_state *finish, uint32_t location)
{
	return finish->is_distrusted || measure_part_close_drop_is_wanted(finish, location);
}

/* Of a location whose events are not in the segment: in any other drop interval all chunks were
 * full, and the region stack went on as well; and where the disk failed some are missing in
 * between, as the keeper knows. */
static bool stands_by_files(const struct measure_part_close_state *finish, uint32_t location)
{
	return !finish->segment || location >= finish->nr_locations ||
	       (measure_part_close_drop_since(finish, location) != 0 &&
		       !measure_part_close_drop_is_wanted(finish, location)) ||
	       (finish->end && finish->end->cut == MEASURE_TRUNCATION_DISK);
}

/* False: the segment and the files do not fit together. */
static bool stands_by_segment(struct measure_part_close_state *finish, int fd, uint32_t location,
	struct measure_location_state *state)
{
	const struct measure_segment *segment = finish->segment;
	uint64_t word = measure_part_close_committed(finish, location);
	measure_status_t status = MEASURE_OK;

	if (finish->current[location] != NO_CHUNK)
		status = walk_current(finish, fd, location, state);
	else if (measure_committed_events(word) > 0) /* else what is in the file was taken back */
		status = resume(finish, fd, location, state);
	copy_thread(&segment->locations[location], measure_committed_events(word), state);
	return status == MEASURE_OK && state->nr_events == measure_committed_events(word) &&
	       copy_stack(segment, location, measure_committed_depth(word), state) == MEASURE_OK;
}

/* Behind what is in the file, where the last chunk in memory goes on from there; in place of its
 * begin where that was flushed. finish->chunk is overwritten: the file has to be walked anew. */
static void add_current(struct measure_part_close_state *finish, int fd, uint32_t location,
	const struct measure_location_state *state)
{
	uint64_t sequence = state->end ? state->sequence + 1 : state->sequence;
	struct measure_chunk_header header, last = {0};
	struct measure_chunk_walk walk;

	if (state->end)
		measure_chunk_header_read(finish->chunk, finish->chunk_size, &last);
	copy_current(finish, finish->current[location],
		measure_committed_events(measure_part_close_committed(finish, location)), &walk);
	if (measure_chunk_header_read(finish->chunk, walk.end, &header) != MEASURE_OK)
		return;
	bool is_flushed = header.first_event == last.first_event;
	if ((!is_flushed && header.first_event != state->nr_events + 1) ||
		walk.last_event <= state->nr_events)
		return;
	sequence -= is_flushed;
	measure_chunk_begin(finish->chunk, header.first_event);
	if (measure_file_write_at(fd, finish->chunk, walk.end, sequence * finish->chunk_size) !=
			MEASURE_OK ||
		ftruncate(fd, (off_t)(sequence * finish->chunk_size + walk.end)) != 0)
		return; /* the walk says how far it came */
}

/* Events that were committed and are not in the file. A number that cannot be was overwritten. */
static void count_lost(struct measure_part_close_state *finish, uint32_t location,
	const struct measure_location_state *state)
{
	uint64_t most = (uint64_t)finish->segment->layout.nr_chunks * finish->chunk_size;
	uint64_t nr_events =
		measure_committed_events(measure_part_close_committed(finish, location));

	if (nr_events > state->nr_events && nr_events - state->nr_events <= most)
		finish->lost += nr_events - state->nr_events;
}

/* As the chunks before those of the file have left it. */
static measure_status_t stand_before(struct measure_part_close_state *finish, uint32_t location,
	struct measure_location_state *state)
{
	const struct measure_location_state *before;
	measure_status_t status = MEASURE_OK;

	free(state->open.items);
	memset(state, 0, sizeof(*state));
	if (!finish->fold)
		return MEASURE_OK;
	before = &measure_part_fold_location(finish->fold, location)->state;
	*state = *before;
	memset(&state->open, 0, sizeof(state->open));
	for (size_t i = 0; i < before->open.nr && status == MEASURE_OK; i++)
		status = measure_array_push(&state->open, before->open.items[i]);
	return status;
}

static measure_status_t walk_file(struct measure_part_close_state *finish, int fd,
	uint32_t location, uint64_t until, struct measure_location_state *state)
{
	measure_status_t status = stand_before(finish, location, state);

	if (status != MEASURE_OK)
		return status;
	return measure_location_file_walk(fd, finish->chunk_size, until, finish->chunk, state);
}

measure_status_t measure_part_close_stand(struct measure_part_close_state *finish, int fd,
	uint32_t location, uint64_t until, struct measure_location_state *state)
{
	bool is_in_files = stands_by_files(finish, location);
	bool is_by_events = stands_by_events(finish, location);

	if (!is_in_files && !is_by_events && stands_by_segment(finish, fd, location, state))
		return MEASURE_OK;
	if (!is_in_files && !is_by_events)
		measure_segment_note_damage(finish->segment);
	measure_status_t status = walk_file(finish, fd, location, until, state);
	if (status == MEASURE_OK && !is_in_files && until == UINT64_MAX &&
		finish->current[location] != NO_CHUNK) {
		add_current(finish, fd, location, state);
		status = walk_file(finish, fd, location, until, state);
	}
	if (status == MEASURE_OK && finish->segment && location < finish->nr_locations)
		count_lost(finish, location, state);
	return status;
}

measure_status_t measure_part_close_look(struct measure_part_close_state *finish)
{
	const struct measure_segment *segment = finish->segment;
	bool is_changed;

	finish->nr_locations = measure_segment_nr_locations(segment, &is_changed);
	if (is_changed || measure_segment_is_changed(segment))
		measure_segment_note_damage(segment);
	finish->is_distrusted =
		atomic_load(&segment->header->counts[MEASURE_COUNT_OVERWRITTEN]) > 0;
	finish->nr_own = calloc(finish->nr_locations + 1, sizeof(*finish->nr_own));
	return finish->nr_own ? find_current_chunks(finish) : MEASURE_ERROR_MEMORY;
}
