/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading a part's event files; see location_file.h. */
#include "config.h"

#include "location_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "format/event_chunk.h"

void measure_location_file_name(uint32_t index, char name[32])
{
	snprintf(name, 32, MEASURE_EVENTS_FORMAT, index);
}

struct location_file_walker {
	struct measure_location_state *state;
	measure_status_t status;
};

static void location_file_note_event(void *context, const struct measure_chunk_event *event)
{
	struct location_file_walker *walker = context;
	struct measure_location_state *state = walker->state;

	if (event->type == MEASURE_OTF2_ENTER && walker->status == MEASURE_OK)
		walker->status = measure_array_push(&state->open, event->region);
	if (event->type == MEASURE_OTF2_LEAVE)
		measure_location_state_leave(state, event->region);
	if (event->type == MEASURE_OTF2_PROGRAM_END)
		state->has_program_end = true;
	if (event->type == MEASURE_OTF2_THREAD_BEGIN) {
		state->has_thread = true;
		state->contingent = event->contingent;
		state->sequence_of_thread = event->sequence;
	}
	if (event->type == MEASURE_OTF2_THREAD_END)
		state->has_thread = false;
}

/* How far to walk: the header knows where it was sealed, else to the end of the bytes. */
static uint64_t last_of(const struct measure_chunk_header *header)
{
	return header->last_event ? header->last_event : UINT64_MAX;
}

static void stand_at(struct measure_location_state *state, uint64_t sequence,
	const struct measure_chunk_walk *walk)
{
	state->nr_events = walk->last_event;
	if (walk->last_event > 0 && walk->last_time > state->last_time)
		state->last_time = walk->last_time;
	state->sequence = sequence;
	state->end = walk->end;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

measure_status_t measure_location_file_walk(int fd, uint32_t chunk_size, uint64_t until,
	uint8_t *chunk, struct measure_location_state *state)
{
	struct location_file_walker walker = {state, MEASURE_OK};
	uint8_t *next = malloc(chunk_size);
	measure_status_t status = next ? MEASURE_OK : MEASURE_ERROR_MEMORY;
	bool is_whole = true;

	for (uint64_t sequence = state->sequence; status == MEASURE_OK && is_whole; sequence++) {
		struct measure_chunk_header header;
		struct measure_chunk_walk walk;
		size_t got;

		status = measure_file_read_at(fd, next, chunk_size, sequence * chunk_size, &got);
		if (status != MEASURE_OK ||
			measure_chunk_header_read(next, got, &header) != MEASURE_OK ||
			header.first_event != state->nr_events + 1 || header.first_event > until)
			break;
		is_whole = measure_chunk_walk(next, got, lesser(last_of(&header), until),
				   location_file_note_event, &walker, &walk) == MEASURE_OK &&
			   walk.last_event == header.last_event && got == chunk_size;
		stand_at(state, sequence, &walk);
		memcpy(chunk, next, chunk_size);
		status = walker.status;
	}
	free(next);
	return status;
}

measure_status_t measure_location_file_resume(int fd, uint32_t chunk_size, uint8_t *chunk,
	struct measure_location_state *state)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	struct stat stat;
	size_t got;

	if (fstat(fd, &stat) != 0)
		return MEASURE_ERROR_IO;
	if (stat.st_size == 0)
		return MEASURE_OK;

	uint64_t sequence = ((uint64_t)stat.st_size - 1) / chunk_size;
	measure_status_t status =
		measure_file_read_at(fd, chunk, chunk_size, sequence * chunk_size, &got);
	if (status == MEASURE_OK)
		status = measure_chunk_header_read(chunk, got, &header);
	if (status == MEASURE_OK)
		status = measure_chunk_walk(chunk, got, last_of(&header), NULL, NULL, &walk);
	if (status != MEASURE_OK)
		return status;
	stand_at(state, sequence, &walk);
	return MEASURE_OK;
}

measure_status_t measure_location_file_summarise(int fd, uint32_t chunk_size, uint8_t *chunk,
	struct measure_location_summary *summary)
{
	struct measure_location_state state = {0};
	struct measure_chunk_walk walk = {0};
	struct stat stat;
	measure_status_t status = fstat(fd, &stat) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;

	if (status == MEASURE_OK && stat.st_size == 0)
		status = MEASURE_ERROR_FORMAT;
	if (status == MEASURE_OK)
		status = measure_location_file_resume(fd, chunk_size, chunk, &state);
	size_t got = (size_t)stat.st_size;
	if (status == MEASURE_OK && state.sequence > 0)
		status = measure_file_read_at(fd, chunk, chunk_size, 0, &got);
	if (status == MEASURE_OK)
		status = measure_chunk_walk(chunk, got, 1, NULL, NULL, &walk);
	if (status != MEASURE_OK)
		return status;
	*summary = (struct measure_location_summary){state.nr_events, state.nr_events,
		(uint64_t)stat.st_size, walk.first_time, state.last_time};
	return MEASURE_OK;
}
