/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finishing a part; see part_close.h. Location 0 comes last: its ProgramEnd lies behind all other
 * events of the process. */
#include "config.h"

#include "part_close.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/part/chunk_size.h"
#include "assemble/close/self_timing_costs.h"
#include "recording_counts.h"
#include "truncation.h"
#include "assemble/close/event_check.h"
#include "assemble/part/event_files.h"
#include "part_close_internal.h"
#include "assemble/part/journal_file.h"
#include "assemble/write/filtered_calls.h"
#include "assemble/part/location_file.h"
#include "assemble/part/sample_file.h"
#include "base/array.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "base/procfs.h"
#include "format/event_chunk.h"
#include "tail.h"

/* A process that died of signal N counts as ended with 128 + N, as shells have it. */
#define SIGNAL_STATUS 128
#define MOST_SIGNAL   127 /* more is no signal, but damage */

/* ---------------------------------------------------------------- one event file --- */

static bool has_ended(const struct measure_part_close_state *finish, uint32_t location)
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
static uint64_t released(const struct measure_part_close_state *finish, uint32_t location,
	const struct measure_location_state *state)
{
	const struct measure_segment_location *shared;
	uint32_t release;
	uint64_t time;

	if (!finish->segment || location >= finish->nr_locations)
		return 0;
	shared = &finish->segment->locations[location];
	release = *(const volatile uint32_t *)&shared->rest_release;
	if (!is_resting(atomic_load(&shared->resting), state) ||
		release >= finish->segment->layout.nr_releases)
		return 0;
	time = atomic_load(&finish->segment->releases[release]);
	return time >= state->last_time && time <= finish->end_time ? time : 0;
}

static int64_t exit_status(const struct measure_def_end *end)
{
	if (!end || (end->how != MEASURE_END_EXITED && end->how != MEASURE_END_SIGNALLED))
		return INT64_MIN;
	if (end->how == MEASURE_END_EXITED)
		return end->status;
	return end->status >= 0 && end->status <= MOST_SIGNAL ? SIGNAL_STATUS + end->status
							      : INT64_MIN;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void describe_gap(struct measure_part_close_state *finish, uint32_t location,
	const struct measure_location_state *state, struct measure_tail *tail)
{
	uint64_t drop_since = measure_part_close_drop_since(finish, location);

	tail->has_off = drop_since != 0;
	if (!tail->has_off)
		return;
	tail->off_time = later(earlier(drop_since, finish->end_time), state->last_time);
	tail->leave_time = later(tail->leave_time, tail->off_time);
	if (!measure_part_close_drop_is_wanted(finish, location))
		finish->drop_ticks += tail->leave_time - tail->off_time;
}

/* Each once. */
static void note_open(struct measure_part_close_state *finish, uint32_t region)
{
	for (uint32_t i = 0; i < finish->open.nr; i++)
		if (finish->open.items[i] == region)
			return;
	if (finish->open.nr < MEASURE_MOST_OPEN)
		finish->open.items[finish->open.nr++] = region;
}

static void describe_tail(struct measure_part_close_state *finish, uint32_t location,
	const struct measure_location_state *state, struct measure_tail *tail)
{
	tail->regions = state->open.items;
	tail->nr_regions = (uint32_t)state->open.nr;
	tail->leave_time = has_ended(finish, location)
				   ? state->last_time
				   : later(state->last_time, finish->end_time);
	describe_gap(finish, location, state, tail);
	uint64_t release = tail->has_off ? 0 : released(finish, location, state);
	tail->has_team_end = release > 0;
	if (tail->has_team_end) {
		tail->leave_time = release;
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
static measure_status_t write_in_place(struct measure_part_close_state *finish, int fd,
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
static measure_status_t write_behind(struct measure_part_close_state *finish, int fd,
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
		struct measure_chunk_header header = {0};
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

static measure_status_t write_tail(struct measure_part_close_state *finish, int fd,
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

static measure_status_t finish_location(
	struct measure_part_close_state *finish, uint32_t location, uint64_t until)
{
	struct measure_location_state state = {0};
	struct measure_tail tail = {.nr_enters = 0};
	char name[32];

	if (measure_part_close_is_kept(finish, location))
		return MEASURE_OK;
	measure_location_file_name(location, name);
	int fd = measure_file_open(finish->part_fd, name, O_RDWR | O_CREAT);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	measure_status_t status = measure_part_close_stand(finish, fd, location, until, &state);
	if (status == MEASURE_OK) {
		if (finish->nr_own)
			finish->nr_own[location] = state.nr_events;
		describe_tail(finish, location, &state, &tail);
		for (uint32_t i = 0; i < tail.nr_regions; i++)
			note_open(finish, tail.regions[i]);
		status = write_tail(finish, fd, &state, &tail);
	}
	if (status == MEASURE_OK && finish->fold)
		status = measure_part_close_keep(finish, fd, location);
	finish->end_time = later(finish->end_time, state.last_time);
	free(state.open.items);
	if (close(fd) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

/* --------------------------------------------------------------------- the part --- */

/* What the keeper wrote so far: chunk size, when the process was last seen alive, END. */
static measure_status_t part_close_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct measure_part_close_state *finish = context;

	if (kind == MEASURE_RECORD_KEEPER) {
		struct measure_def_keeper keeper;
		measure_status_t status = measure_def_keeper_decode(payload, &keeper);
		if (status == MEASURE_OK && finish->chunk_size == 0 &&
			measure_chunk_size_is_valid(keeper.chunk_size))
			finish->chunk_size = (uint32_t)keeper.chunk_size;
		if (status == MEASURE_OK && keeper.kept <= MEASURE_KEPT_LAST)
			finish->kept = (enum measure_kept)keeper.kept;
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

static measure_status_t read_keeper_journal(struct measure_part_close_state *finish)
{
	uint8_t *data;
	size_t size, end;
	measure_status_t status = measure_file_load(
		finish->part_fd, MEASURE_JOURNAL_OF_KEEPER, MEASURE_JOURNAL_MOST, &data, &size);

	if (status == MEASURE_ERROR_NOT_FOUND)
		return MEASURE_OK;
	if (status != MEASURE_OK)
		return status;
	status = measure_journal_visit(data, size, part_close_note_record, finish, &end);
	free(data);
	/* Who reads the part will see where it is damaged. */
	return status == MEASURE_ERROR_FORMAT ? MEASURE_OK : status;
}

/* Where nobody says how the process ended. */
static enum measure_truncation cut_of(const struct measure_part_close_state *finish)
{
	if (finish->segment)
		return MEASURE_TRUNCATION_NONE;
	return faccessat(finish->part_fd, MEASURE_BROKEN_NAME, F_OK, 0) == 0
		       ? MEASURE_TRUNCATION_DISK
		       : MEASURE_TRUNCATION_KEEPER;
}

static measure_status_t append_end(struct measure_part_close_state *finish)
{
	struct measure_def_end end = {
		.how = MEASURE_END_UNKNOWN, .reason = "", .cut = cut_of(finish)};
	uint8_t frame[4096];

	if (finish->end)
		end = *finish->end;
	end.ticks = later(end.ticks, finish->end_time);
	if (finish->segment)
		end.keeper_time = measure_process_time(0);
	size_t size = measure_def_end_frame(&end, frame, sizeof(frame));
	if (size > sizeof(frame)) {
		end.reason = "";
		size = measure_def_end_frame(&end, frame, sizeof(frame));
	}
	return measure_journal_append(finish->part_fd, MEASURE_JOURNAL_OF_KEEPER, frame, size);
}

static measure_status_t begin_writing(struct measure_part_close_state *finish)
{
	finish->chunk = malloc(finish->chunk_size);
	return finish->chunk ? measure_tail_open(finish->chunk_size, &finish->tails)
			     : MEASURE_ERROR_MEMORY;
}

static void end_writing(struct measure_part_close_state *finish)
{
	free(finish->chunk);
	measure_tail_close(finish->tails);
	finish->chunk = NULL;
	finish->tails = NULL;
}

/* Locations from `first` on; the first one last. */
static measure_status_t finish_locations(struct measure_part_close_state *finish, uint32_t first)
{
	measure_status_t status = begin_writing(finish);

	for (uint32_t i = finish->nr_locations; i-- > first && status == MEASURE_OK;)
		status = finish_location(finish, i, UINT64_MAX);
	end_writing(finish);
	return status;
}

/* What was made up for these locations may be wrong: once more, by what their events say. */
static measure_status_t finish_again(
	struct measure_part_close_state *finish, const measure_damaged_t *damaged)
{
	measure_status_t status = begin_writing(finish);

	finish->is_distrusted = true;
	for (size_t i = damaged->nr; i-- > 0 && status == MEASURE_OK;) {
		uint32_t location = damaged->items[i];
		measure_segment_note_damage(finish->segment);
		status = finish_location(finish, location, finish->nr_own[location]);
	}
	end_writing(finish);
	return status;
}

/* Only where there is a segment: else the locations were finished by their events. What cannot be
 * looked at stays as it is. */
static measure_status_t mend_damaged(struct measure_part_close_state *finish)
{
	measure_damaged_t damaged = {0};
	measure_status_t status = MEASURE_OK;

	if (finish->segment && finish->kept == MEASURE_KEPT_ALL && finish->nr_locations > 0 &&
		measure_event_check(finish->part_fd, finish->nr_locations, finish->chunk_size,
			MEASURE_EVENT_CHECK_BYTES / finish->chunk_size, &damaged) == MEASURE_OK &&
		damaged.nr > 0)
		status = finish_again(finish, &damaged);
	free(damaged.items);
	return status;
}

/* A part without these is whole: what is not written stays unknown. */
static void append_segment_counts(const struct measure_part_close_state *finish)
{
	const struct measure_def_segment_counts def = {finish->nr_locations};
	struct measure_frames frames = {0};

	if (!finish->segment || finish->nr_locations == 0)
		return;
	MEASURE_FRAMES_ADD(&frames, segment_counts, &def);
	measure_frames_append(&frames, finish->part_fd, MEASURE_JOURNAL_OF_KEEPER);
	measure_costs_store(finish->segment, finish->nr_locations, finish->part_fd);
	measure_filtered_calls_store(finish->segment, finish->nr_locations, finish->part_fd);
}

static void append_open(const struct measure_part_close_state *finish)
{
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < finish->open.nr; i++) {
		const struct measure_def_unbalanced def = {
			finish->open.items[i], MEASURE_LEFT_AT_END};
		MEASURE_FRAMES_ADD(&frames, unbalanced, &def);
	}
	measure_frames_append(&frames, finish->part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

static measure_status_t part_close_look(struct measure_part_close_state *finish)
{
	measure_status_t status = read_keeper_journal(finish);

	if (status != MEASURE_OK || finish->is_finished)
		return status;
	return finish->segment ? measure_part_close_look(finish)
			       : measure_event_files_count(finish->part_fd, &finish->nr_locations);
}

/* The keeper's record was lost, or could not be read. This one says nothing but the size and what
 * is kept, of nobody. */
static measure_status_t stand_in_for_keeper(struct measure_part_close_state *finish)
{
	uint8_t frame[128];

	if (!measure_part_fold_find(
		    finish->part_fd, finish->nr_locations, &finish->chunk_size, &finish->kept))
		finish->chunk_size = measure_chunk_size_find(finish->part_fd, finish->nr_locations);
	if (finish->chunk_size == 0)
		return MEASURE_ERROR_FORMAT;
	const struct measure_def_keeper def = {"", 0, 0, finish->chunk_size, finish->kept};
	size_t size = measure_def_keeper_frame(&def, frame, sizeof(frame));
	return measure_journal_append(finish->part_fd, MEASURE_JOURNAL_OF_KEEPER, frame, size);
}

static measure_status_t finish_all(struct measure_part_close_state *finish)
{
	struct measure_part_fold fold;
	measure_status_t status;

	if (finish->kept == MEASURE_KEPT_ALL)
		return finish_locations(finish, 0);
	measure_part_fold_open(&fold, finish->part_fd, finish->chunk_size, finish->kept);
	finish->fold = &fold;
	status = finish_locations(finish, 0);
	finish->fold = NULL;
	measure_part_fold_close(&fold);
	return status;
}

static measure_status_t write_part(struct measure_part_close_state *finish)
{
	measure_status_t status = MEASURE_OK;

	if (finish->nr_locations > 0 && finish->chunk_size == 0)
		status = stand_in_for_keeper(finish);
	if (finish->chunk_size && status == MEASURE_OK)
		status = measure_sample_files_finish(
			finish->part_fd, finish->chunk_size, &finish->end_time);
	if (finish->nr_locations > 0 && status == MEASURE_OK)
		status = finish_all(finish);
	if (status == MEASURE_OK)
		status = mend_damaged(finish);
	if (status == MEASURE_OK)
		status = measure_counters_store(
			finish->segment, finish->part_fd, finish->lost, finish->drop_ticks);
	if (status != MEASURE_OK)
		return status;
	append_segment_counts(finish);
	append_open(finish);
	return append_end(finish);
}

measure_status_t measure_part_close(
	const struct measure_segment *segment, int part_fd, const struct measure_def_end *end)
{
	struct measure_part_close_state finish = {
		.segment = segment, .part_fd = part_fd, .end = end};

	if (segment)
		finish.chunk_size = segment->layout.chunk_size;
	measure_status_t status = part_close_look(&finish);
	if (end &&
		end->how == MEASURE_END_RUNNING) /* what its keeper has seen since is not in it */
		finish.end_time = end->ticks;
	else if (end)
		finish.end_time = later(finish.end_time, end->ticks);
	if (status == MEASURE_OK && !finish.is_finished)
		status = write_part(&finish);
	free(finish.current);
	free(finish.nr_own);
	return status;
}

measure_status_t measure_location_mend(int part_fd, uint32_t location, uint32_t chunk_size,
	const struct measure_def_end *end)
{
	struct measure_part_close_state finish = {.part_fd = part_fd,
		.end = end,
		.chunk_size = chunk_size,
		.nr_locations = location + 1,
		.end_time = end ? end->ticks : 0};

	return finish_locations(&finish, location);
}
