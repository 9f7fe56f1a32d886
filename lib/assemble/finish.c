/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finishing a part; see finish.h. Location 0 comes last: its ProgramEnd lies behind all other
 * events of the process. */
#include "config.h"

#include "finish.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/costs.h"
#include "assemble/counters.h"
#include "assemble/cut.h"
#include "assemble/journal_file.h"
#include "assemble/left_out.h"
#include "assemble/location_file.h"
#include "assemble/tally.h"
#include "base/array.h"
#include "base/file.h"
#include "base/layout.h"
#include "otf2/chunk.h"
#include "otf2/tail.h"

#define NO_CHUNK UINT32_MAX

/* A process that died of signal N counts as ended with 128 + N, as shells have it. */
#define SIGNAL_STATUS 128

struct finish {
	const struct measure_segment *segment; /* NULL: from files only */
	int part_fd;
	const struct measure_def_end *end; /* NULL: unknown */
	uint32_t chunk_size;
	uint32_t nr_locations;
	uint32_t *current; /* of each location: the chunk that holds its last committed event */
	uint8_t *chunk;	   /* chunk_size bytes */
	struct measure_tail_writer *tails;
	uint64_t end_time; /* no event of the process so far is later */
	uint64_t lost;	   /* events committed that are in no file */
	uint64_t gap_ticks; /* of gaps that have not ended */
	bool is_finished;  /* there is an END already */
};

/* ------------------------------------------------------------ what the segment says --- */

static uint64_t committed(const struct finish *finish, uint32_t location)
{
	return atomic_load_explicit(&finish->segment->locations[location].committed,
		memory_order_acquire);
}

/* The chunk that ends with the last committed event. One that a location has begun, but whose
 * header is not whole or that has no committed event, does not count. */
static bool holds_last_event(const struct finish *finish, uint32_t chunk, uint32_t location)
{
	struct measure_chunk_header header;
	const uint8_t *memory = measure_segment_chunk_memory(finish->segment, chunk);

	return measure_chunk_header_read(memory, finish->chunk_size, &header) == MEASURE_OK &&
	       header.first_event <= measure_committed_events(committed(finish, location));
}

static measure_status_t find_current_chunks(struct finish *finish)
{
	const struct measure_segment_chunk *chunks = finish->segment->chunks;

	finish->current = malloc((finish->nr_locations + 1) * sizeof(*finish->current));
	if (!finish->current)
		return MEASURE_ERROR_MEMORY;
	for (uint32_t i = 0; i < finish->nr_locations; i++)
		finish->current[i] = NO_CHUNK;

	for (uint32_t i = 0; i < finish->segment->header->nr_chunks; i++) {
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

/* The lowest `depth` entries of a location's region stack. */
static measure_status_t copy_stack(const struct measure_segment *segment, uint32_t location,
	uint32_t depth, struct measure_location_state *state)
{
	uint32_t block = atomic_load(&segment->locations[location].stack_block);
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < depth && status == MEASURE_OK; i++) {
		if (i > 0 && i % MEASURE_STACK_ENTRIES == 0)
			block = segment->stacks[block].next;
		if (block >= segment->header->nr_stack_blocks)
			return MEASURE_OK;
		status = measure_array_push(&state->open,
			segment->stacks[block].entries[i % MEASURE_STACK_ENTRIES].region);
	}
	return status;
}

static measure_status_t walk_current(struct finish *finish, uint32_t location,
	struct measure_location_state *state)
{
	uint32_t chunk = finish->current[location];
	uint64_t nr_events = measure_committed_events(committed(finish, location));
	const uint8_t *memory = measure_segment_chunk_memory(finish->segment, chunk);
	struct measure_chunk_walk walk;
	measure_status_t status = measure_chunk_walk(memory, finish->chunk_size, nr_events, NULL,
		NULL, &walk);

	/* No more than that: memory never touched would come into being. */
	memcpy(finish->chunk, memory, walk.end);
	state->nr_events = walk.last_event;
	state->last_time = walk.last_time;
	state->sequence = atomic_load(&finish->segment->chunks[chunk].sequence);
	state->end = walk.end;
	return status;
}

static void copy_thread(const struct measure_segment_location *from, uint64_t nr_events,
	struct measure_location_state *state)
{
	state->has_thread = measure_thread_is_open(from, nr_events);
	state->contingent = from->thread_contingent;
	state->sequence_of_thread = from->thread_sequence;
}

/* When a location's events began to be dropped; 0: they were not. */
static uint64_t gap_of(const struct finish *finish, uint32_t location)
{
	if (!finish->segment || location >= finish->nr_locations)
		return 0;
	return atomic_load(&finish->segment->locations[location].gap);
}

/* False: the segment and the files do not fit together, so only the files count. In a gap all
 * chunks were full, and the region stack went on without them. */
static bool stands_by_segment(struct finish *finish, int fd, uint32_t location,
	struct measure_location_state *state)
{
	const struct measure_segment *segment = finish->segment;

	if (!segment || location >= finish->nr_locations || gap_of(finish, location) != 0 ||
		atomic_load(&segment->header->keeper_stopped) != MEASURE_OK)
		return false;
	measure_status_t status;
	if (finish->current[location] != NO_CHUNK)
		status = walk_current(finish, location, state);
	else
		status = measure_location_file_resume(fd, finish->chunk_size, finish->chunk, state);
	uint64_t word = committed(finish, location);
	copy_thread(&segment->locations[location], measure_committed_events(word), state);
	return status == MEASURE_OK && state->nr_events == measure_committed_events(word) &&
	       copy_stack(segment, location, measure_committed_depth(word), state) == MEASURE_OK;
}

static measure_status_t stand(struct finish *finish, int fd, uint32_t location,
	struct measure_location_state *state)
{
	if (stands_by_segment(finish, fd, location, state))
		return MEASURE_OK;

	free(state->open.items);
	memset(state, 0, sizeof(*state));
	measure_status_t status =
		measure_location_file_walk(fd, finish->chunk_size, finish->chunk, state);
	if (finish->segment && location < finish->nr_locations) {
		uint64_t nr_events = measure_committed_events(committed(finish, location));
		if (nr_events > state->nr_events)
			finish->lost += nr_events - state->nr_events;
	}
	return status;
}

/* ---------------------------------------------------------------- one event file --- */

static bool has_ended(const struct finish *finish, uint32_t location)
{
	return finish->segment && location < finish->nr_locations &&
	       atomic_load(&finish->segment->locations[location].ended) != 0;
}

/* Nothing but Leaves, which it may have been cut short in, since its thread began to rest. */
static bool is_resting(uint64_t resting, const struct measure_location_state *state)
{
	return resting != 0 && state->nr_events >= measure_committed_events(resting) &&
	       state->nr_events - measure_committed_events(resting) + state->open.nr ==
		       measure_committed_depth(resting);
}

/* Its thread waited to be needed again, and its team was over: when. 0: not so. */
static uint64_t released(
	const struct finish *finish, uint32_t location, const struct measure_location_state *state)
{
	const struct measure_segment_location *shared;
	uint64_t time;

	if (!finish->segment || location >= finish->nr_locations)
		return 0;
	shared = &finish->segment->locations[location];
	if (!is_resting(atomic_load(&shared->resting), state) ||
		shared->rest_release >= finish->segment->header->nr_releases)
		return 0;
	time = atomic_load(&finish->segment->releases[shared->rest_release]);
	return time >= state->last_time ? time : 0;
}

static int64_t exit_status(const struct measure_def_end *end)
{
	if (!end || (end->how != MEASURE_END_EXITED && end->how != MEASURE_END_SIGNALLED))
		return INT64_MIN;
	return end->how == MEASURE_END_SIGNALLED ? SIGNAL_STATUS + end->status : end->status;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void describe_gap(struct finish *finish, uint32_t location,
	const struct measure_location_state *state, struct measure_tail *tail)
{
	uint64_t gap = gap_of(finish, location);

	tail->has_off = gap != 0;
	if (!tail->has_off)
		return;
	tail->off_time = later(gap, state->last_time);
	tail->leave_time = later(tail->leave_time, tail->off_time);
	finish->gap_ticks += tail->leave_time - tail->off_time;
}

static void describe_tail(struct finish *finish, uint32_t location,
	const struct measure_location_state *state, struct measure_tail *tail)
{
	tail->regions = state->open.items;
	tail->nr_regions = (uint32_t)state->open.nr;
	tail->leave_time = has_ended(finish, location)
				   ? state->last_time
				   : later(state->last_time, finish->end_time);
	describe_gap(finish, location, state, tail);
	tail->has_team_end = !tail->has_off && released(finish, location, state) > 0;
	if (tail->has_team_end) {
		tail->leave_time = released(finish, location, state);
		tail->team = finish->segment->locations[location].rest_team;
	}
	tail->has_thread_end = state->has_thread;
	tail->contingent = state->contingent;
	tail->sequence = state->sequence_of_thread;
	tail->has_program_end = location == 0 && !state->has_program_end && state->nr_events > 0;
	tail->end_time = later(tail->leave_time, finish->end_time);
	tail->exit_status = exit_status(finish->end);
}

/* A tail that fits goes directly behind the last event. */
static measure_status_t write_in_place(struct finish *finish, int fd,
	struct measure_location_state *state, const struct measure_tail_chunks *tail,
	size_t payload, uint64_t *size)
{
	memcpy(finish->chunk + state->end, tail->chunks[0] + MEASURE_CHUNK_HEADER, payload);
	size_t used = measure_chunk_seal(finish->chunk, finish->chunk_size, state->end + payload,
		state->nr_events + tail->nr_events, true);
	uint64_t offset = state->sequence * finish->chunk_size;

	*size = offset + used;
	return measure_file_write_at(fd, finish->chunk, used, offset);
}

/* One that does not fit gets chunks of its own, behind a full-size last one. */
static measure_status_t write_behind(struct finish *finish, int fd,
	struct measure_location_state *state, const struct measure_tail_chunks *tail,
	size_t last_payload, uint64_t *size)
{
	uint64_t offset = state->sequence * finish->chunk_size;
	measure_status_t status = MEASURE_OK;

	if (state->end) {
		measure_chunk_seal(finish->chunk, finish->chunk_size, state->end,
			state->nr_events, false);
		status = measure_file_write_at(fd, finish->chunk, finish->chunk_size, offset);
		offset += finish->chunk_size;
	}
	for (uint32_t i = 0; i < tail->nr_chunks && status == MEASURE_OK; i++) {
		struct measure_chunk_header header;
		bool is_last = i + 1 == tail->nr_chunks;
		size_t used = is_last ? MEASURE_CHUNK_HEADER + last_payload + MEASURE_CHUNK_CLOSE
				      : finish->chunk_size;

		measure_chunk_header_read(tail->chunks[i], finish->chunk_size, &header);
		measure_chunk_renumber(tail->chunks[i], header.first_event + state->nr_events,
			header.last_event + state->nr_events);
		status = measure_file_write_at(fd, tail->chunks[i], used, offset);
		*size = offset + used;
		offset += finish->chunk_size;
	}
	return status;
}

static measure_status_t write_tail(struct finish *finish, int fd,
	struct measure_location_state *state, const struct measure_tail *tail)
{
	struct measure_tail_chunks chunks;
	struct measure_chunk_walk walk;
	uint64_t size = 0;
	measure_status_t status = measure_tail_write(finish->tails, tail, &chunks);

	if (status != MEASURE_OK)
		return status;
	status = measure_chunk_walk(chunks.chunks[chunks.nr_chunks - 1], finish->chunk_size,
		UINT64_MAX, NULL, NULL, &walk);
	if (status != MEASURE_OK)
		return status;

	size_t payload = walk.end - MEASURE_CHUNK_HEADER;
	bool fits = chunks.nr_chunks == 1 && state->end &&
		    state->end + payload + MEASURE_CHUNK_CLOSE <= finish->chunk_size;
	status = fits ? write_in_place(finish, fd, state, &chunks, payload, &size)
		      : write_behind(finish, fd, state, &chunks, payload, &size);
	if (status == MEASURE_OK && ftruncate(fd, (off_t)size) != 0)
		status = MEASURE_ERROR_IO;
	return status;
}

static measure_status_t finish_location(struct finish *finish, uint32_t location)
{
	struct measure_location_state state = {0};
	struct measure_tail tail;
	char name[32];

	measure_location_file_name(location, name);
	int fd = measure_file_open(finish->part_fd, name, O_RDWR | O_CREAT);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	measure_status_t status = stand(finish, fd, location, &state);
	if (status == MEASURE_OK) {
		describe_tail(finish, location, &state, &tail);
		status = write_tail(finish, fd, &state, &tail);
	}
	finish->end_time = later(finish->end_time, state.last_time);
	free(state.open.items);
	if (close(fd) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

/* --------------------------------------------------------------------- the part --- */

/* What the keeper wrote so far: chunk size, when the process was last seen alive, END. */
static measure_status_t note_record(void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct finish *finish = context;

	if (kind == MEASURE_RECORD_KEEPER) {
		struct measure_def_keeper keeper;
		measure_status_t status = measure_def_keeper_decode(payload, &keeper);
		if (status == MEASURE_OK && finish->chunk_size == 0 &&
			measure_chunk_size_is_valid(keeper.chunk_size))
			finish->chunk_size = (uint32_t)keeper.chunk_size;
		return status;
	}
	if (kind == MEASURE_RECORD_CLOCK_TRIPLE) {
		struct measure_def_clock_triple triple;
		measure_status_t status = measure_def_clock_triple_decode(payload, &triple);
		if (status == MEASURE_OK)
			finish->end_time = later(finish->end_time, triple.ticks);
		return status;
	}
	if (kind == MEASURE_RECORD_END)
		finish->is_finished = true;
	return MEASURE_OK;
}

static measure_status_t read_keeper_journal(struct finish *finish)
{
	uint8_t *data;
	size_t size, end;
	measure_status_t status =
		measure_file_load(finish->part_fd, MEASURE_JOURNAL_OF_KEEPER, &data, &size);

	if (status == MEASURE_ERROR_NOT_FOUND)
		return MEASURE_OK;
	if (status != MEASURE_OK)
		return status;
	status = measure_journal_visit(data, size, note_record, finish, &end);
	free(data);
	return status;
}

/* Without the segment: as many locations as there are event files. */
static measure_status_t count_event_files(struct finish *finish)
{
	int fd = openat(finish->part_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory)
		return MEASURE_ERROR_IO;
	for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		char *end;
		unsigned long index = strtoul(entry->d_name, &end, 10);
		if (end != entry->d_name && strcmp(end, MEASURE_EVENTS_SUFFIX) == 0 &&
			index < UINT32_MAX && index >= finish->nr_locations)
			finish->nr_locations = (uint32_t)index + 1;
	}
	closedir(directory);
	return MEASURE_OK;
}

static void append_costs(const struct finish *finish)
{
	measure_costs_store(finish->segment, finish->nr_locations, finish->part_fd);
	measure_left_out_store(finish->segment, finish->nr_locations, finish->part_fd);
}

/* A part without it is whole: what cannot be counted stays unknown. */
static void append_tally(const struct finish *finish)
{
	struct measure_tally tally;

	if (finish->nr_locations == 0)
		return;
	if (measure_tally_count(finish->part_fd, finish->nr_locations, finish->chunk_size,
		    MEASURE_TALLY_BYTES / finish->chunk_size, &tally) == MEASURE_OK)
		measure_tally_store(&tally, finish->part_fd);
	measure_tally_free(&tally);
	if (finish->segment)
		append_costs(finish);
}

/* Where nobody says how the process ended. */
static enum measure_cut cut_of(const struct finish *finish)
{
	if (finish->segment)
		return MEASURE_CUT_NONE;
	return faccessat(finish->part_fd, MEASURE_BROKEN_NAME, F_OK, 0) == 0 ? MEASURE_CUT_DISK
									     : MEASURE_CUT_KEEPER;
}

static measure_status_t append_end(struct finish *finish)
{
	struct measure_def_end end = {
		.how = MEASURE_END_UNKNOWN, .reason = "", .cut = cut_of(finish)};
	uint8_t frame[4096];

	if (finish->end)
		end = *finish->end;
	end.ticks = later(end.ticks, finish->end_time);
	size_t size = measure_def_end_frame(&end, frame, sizeof(frame));
	if (size > sizeof(frame)) {
		end.reason = "";
		size = measure_def_end_frame(&end, frame, sizeof(frame));
	}
	return measure_journal_append(finish->part_fd, MEASURE_JOURNAL_OF_KEEPER, frame, size);
}

/* Locations from `first` on; the first one last. */
static measure_status_t finish_locations(struct finish *finish, uint32_t first)
{
	measure_status_t status = measure_tail_open(finish->chunk_size, &finish->tails);

	finish->chunk = malloc(finish->chunk_size);
	if (status == MEASURE_OK && !finish->chunk)
		status = MEASURE_ERROR_MEMORY;
	for (uint32_t i = finish->nr_locations; i-- > first && status == MEASURE_OK;)
		status = finish_location(finish, i);
	free(finish->chunk);
	measure_tail_close(finish->tails);
	return status;
}

static measure_status_t look(struct finish *finish)
{
	measure_status_t status = read_keeper_journal(finish);

	if (status != MEASURE_OK || finish->is_finished)
		return status;
	if (!finish->segment)
		return count_event_files(finish);
	finish->nr_locations = atomic_load(&finish->segment->header->nr_locations);
	if (finish->nr_locations > finish->segment->header->max_locations)
		return MEASURE_ERROR_FORMAT;
	return find_current_chunks(finish);
}

measure_status_t measure_part_finish(const struct measure_segment *segment, int part_fd,
	const struct measure_def_end *end)
{
	struct finish finish = {.segment = segment, .part_fd = part_fd, .end = end};

	if (segment)
		finish.chunk_size = segment->header->chunk_size;
	measure_status_t status = look(&finish);
	if (end)
		finish.end_time = later(finish.end_time, end->ticks);
	if (status == MEASURE_OK && !finish.is_finished) {
		if (finish.nr_locations > 0 && finish.chunk_size == 0)
			status = MEASURE_ERROR_FORMAT;
		if (status == MEASURE_OK && finish.nr_locations > 0)
			status = finish_locations(&finish, 0);
		if (status == MEASURE_OK)
			status = measure_counters_store(
				segment, part_fd, finish.lost, finish.gap_ticks);
		if (status == MEASURE_OK) {
			append_tally(&finish);
			status = append_end(&finish);
		}
	}
	free(finish.current);
	return status;
}

measure_status_t measure_location_mend(int part_fd, uint32_t location, uint32_t chunk_size,
	const struct measure_def_end *end)
{
	struct finish finish = {.part_fd = part_fd,
		.end = end,
		.chunk_size = chunk_size,
		.nr_locations = location + 1,
		.end_time = end ? end->ticks : 0};

	return finish_locations(&finish, location);
}
