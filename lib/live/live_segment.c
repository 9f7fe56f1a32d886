/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the segment of a process that goes on; see live_segment.h. */
#include "config.h"

#include "live_segment.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/part/location_file.h"
#include "base/file.h"
#include "format/event_chunk.h"

#define NR_TRIES  200 /* at a stack that changes under our hands */
#define NR_STILL  10  /* ... at one that does not: it was overwritten */
#define NR_CHUNKS 64  /* to look back through for when regions were entered */

/* ---------------------------------------------------------------------- the segment --- */

static bool is_segment(int directory_fd, const char *name)
{
	char link[64];
	ssize_t length = readlinkat(directory_fd, name, link, sizeof(link) - 1);

	if (length <= 0)
		return false;
	link[length] = '\0';
	return strncmp(link, MEASURE_SEGMENT_LINK, strlen(MEASURE_SEGMENT_LINK)) == 0;
}

static measure_status_t find_segment(int64_t keeper, int *segment_fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%lld/fd", (long long)keeper);
	DIR *directory = opendir(path);
	if (!directory)
		return faccessat(AT_FDCWD, path, F_OK, 0) == 0 ? MEASURE_ERROR_IO
							       : MEASURE_ERROR_NOT_FOUND;
	*segment_fd = -1;
	for (struct dirent *entry = readdir(directory); entry && *segment_fd < 0;
		entry = readdir(directory))
		if (is_segment(dirfd(directory), entry->d_name))
			*segment_fd = openat(dirfd(directory), entry->d_name, O_RDONLY | O_CLOEXEC);
	closedir(directory);
	return *segment_fd < 0 ? MEASURE_ERROR_NOT_FOUND : MEASURE_OK;
}

measure_status_t measure_live_open(
	int parts_fd, const struct measure_part_entry *entry, struct measure_live *live)
{
	*live = (struct measure_live){.part_fd = -1, .segment_fd = -1, .hold_fd = -1};
	measure_status_t status = find_segment(entry->owner_pid, &live->segment_fd);
	if (status == MEASURE_OK)
		status = measure_segment_view(live->segment_fd, &live->segment);
	if (status == MEASURE_OK)
		live->part_fd = measure_file_open_directory(parts_fd, entry->name);
	if (status == MEASURE_OK && live->part_fd < 0)
		status = MEASURE_ERROR_NOT_FOUND;
	if (status == MEASURE_OK) {
		live->chunk = malloc(live->segment.layout.chunk_size);
		status = live->chunk ? MEASURE_OK : MEASURE_ERROR_MEMORY;
	}
	if (status != MEASURE_OK)
		measure_live_close(live);
	return status;
}

void measure_live_close(struct measure_live *live)
{
	free(live->chunk);
	if (live->segment.header)
		measure_segment_detach(&live->segment);
	if (live->segment_fd >= 0)
		close(live->segment_fd);
	if (live->part_fd >= 0)
		close(live->part_fd);
	if (live->hold_fd >= 0)
		close(live->hold_fd);
	*live = (struct measure_live){.part_fd = -1, .segment_fd = -1, .hold_fd = -1};
}

uint32_t measure_live_nr_locations(const struct measure_live *live)
{
	bool is_changed;

	return measure_segment_nr_locations(&live->segment, &is_changed);
}

measure_status_t measure_live_journal(
	const struct measure_live *live, uint8_t **journal, size_t *size)
{
	size_t committed = measure_segment_journal_size(&live->segment);

	*journal = malloc(committed + 1);
	if (!*journal)
		return MEASURE_ERROR_MEMORY;
	measure_status_t status = measure_file_read_at(
		live->segment_fd, *journal, committed, live->segment.layout.journal_offset, size);
	if (status != MEASURE_OK) {
		free(*journal);
		return status;
	}
	(*journal)[*size] = 0;
	return MEASURE_OK;
}

/* --------------------------------------------------------------------------- chunks --- */

static bool holds(const struct measure_segment_chunk *chunk, uint32_t location, uint64_t sequence)
{
	uint32_t state = atomic_load_explicit(&chunk->state, memory_order_acquire);

	return (state == MEASURE_CHUNK_CURRENT || state == MEASURE_CHUNK_FULL ||
		       state == MEASURE_CHUNK_SPOOLING) &&
	       atomic_load(&chunk->location) == location &&
	       atomic_load(&chunk->sequence) == sequence;
}

/* Read by the descriptor, as reading mapped memory that was never touched would make it. A chunk
 * that was given away in the meantime is in the file by now. */
static bool read_from_memory(struct measure_live *live, uint32_t location, uint64_t sequence)
{
	const struct measure_segment_layout *layout = &live->segment.layout;

	for (uint32_t i = 0; i < layout->nr_chunks; i++) {
		const struct measure_segment_chunk *chunk = &live->segment.chunks[i];
		size_t got;
		if (!holds(chunk, location, sequence))
			continue;
		return measure_file_read_at(live->segment_fd, live->chunk, layout->chunk_size,
			       layout->chunks_offset + (uint64_t)i * layout->chunk_size,
			       &got) == MEASURE_OK &&
		       got == layout->chunk_size && holds(chunk, location, sequence);
	}
	return false;
}

measure_status_t measure_live_chunk(
	struct measure_live *live, uint32_t location, uint64_t sequence, size_t *got)
{
	uint32_t size = live->segment.layout.chunk_size;
	char name[32];

	*got = size;
	if (read_from_memory(live, location, sequence))
		return MEASURE_OK;
	measure_location_file_name(location, name);
	int fd = measure_file_open(live->part_fd, name, O_RDONLY);
	if (fd < 0)
		return MEASURE_ERROR_NOT_FOUND;
	measure_status_t status = measure_file_read_at(fd, live->chunk, size, sequence * size, got);
	close(fd);
	return status == MEASURE_OK && *got == 0 ? MEASURE_ERROR_NOT_FOUND : status;
}

/* --------------------------------------------------------------------------- stacks --- */

/* What the events of a chunk leave open, up to number `at`; and how deep they go down between
 * there and `until`. */
struct scan {
	uint64_t at, until;
	uint64_t nr_closed;   /* of what was open before the chunk */
	int64_t depth, least; /* behind `at`: relative to the begin of the chunk's own */
	MEASURE_ARRAY(struct measure_live_frame) open;
	uint64_t first_time, last_time;
	measure_status_t status;
};

static void note_open(struct scan *scan, const struct measure_chunk_event *event)
{
	if (scan->first_time == 0)
		scan->first_time = event->time;
	scan->last_time = event->time;
	if (event->type == MEASURE_OTF2_ENTER && scan->status == MEASURE_OK)
		scan->status = measure_array_push(&scan->open,
			(struct measure_live_frame){event->region, false, event->time});
	if (event->type == MEASURE_OTF2_LEAVE && scan->open.nr > 0)
		scan->open.nr--;
	else if (event->type == MEASURE_OTF2_LEAVE)
		scan->nr_closed++;
	scan->depth = scan->least = (int64_t)scan->open.nr;
}

static void live_segment_note_event(void *context, const struct measure_chunk_event *event)
{
	struct scan *scan = context;

	if (event->ordinal <= scan->at) {
		note_open(scan, event);
		return;
	}
	scan->depth += event->type == MEASURE_OTF2_ENTER;
	scan->depth -= event->type == MEASURE_OTF2_LEAVE;
	if (scan->depth < scan->least)
		scan->least = scan->depth;
}

/* Of the chunk that was read: its events up to `until`. False: it has none up to `at`. */
static bool scan_chunk(
	struct measure_live *live, size_t size, struct scan *scan, uint64_t *last_event)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;

	scan->open.nr = 0;
	scan->nr_closed = scan->first_time = scan->last_time = 0;
	scan->depth = scan->least = 0;
	if (measure_chunk_header_read(live->chunk, size, &header) != MEASURE_OK ||
		header.first_event > scan->at)
		return false;
	measure_chunk_walk(live->chunk, size, scan->until, live_segment_note_event, scan, &walk);
	*last_event = walk.last_event;
	return scan->status == MEASURE_OK;
}

/* The lowest `depth` entries as they are at this moment, their times not known. */
static measure_status_t copy_entries(const struct measure_live *live, uint32_t location,
	uint32_t depth, struct measure_live_stack *stack)
{
	const struct measure_segment *segment = &live->segment;
	uint32_t block = atomic_load(&segment->locations[location].stack_block);
	measure_status_t status = MEASURE_OK;

	stack->frames.nr = 0;
	for (uint32_t i = 0; i < depth && status == MEASURE_OK; i++) {
		const struct measure_segment_frame *frame =
			measure_segment_stack_frame(segment, i, &block);

		if (!frame)
			return MEASURE_ERROR_FORMAT;
		status = measure_array_push(
			&stack->frames, (struct measure_live_frame){frame->region, true, 0});
	}
	return status;
}

uint32_t measure_live_taken_back(const struct measure_live *live, uint32_t location)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(
		&live->segment.locations[location].nr_taken_back, memory_order_acquire);
}

static uint64_t committed(const struct measure_live *live, uint32_t location)
{
	return atomic_load_explicit(
		&live->segment.locations[location].committed, memory_order_acquire);
}

uint64_t measure_live_nr_stable(
	const struct measure_live *live, uint32_t location, uint64_t word, uint32_t taken_back)
{
	const uint64_t nr_events = measure_committed_events(word);
	const uint64_t depth = measure_committed_depth(word);

	if (measure_live_taken_back(live, location) == taken_back)
		return nr_events;
	return nr_events - (depth < nr_events ? depth : nr_events);
}

/* The chunk that holds the event `scan->at`: the last one begun, or one before it. */
static bool scan_last(
	struct measure_live *live, uint32_t location, struct scan *scan, uint64_t *sequence)
{
	uint64_t nr = atomic_load(&live->segment.locations[location].nr_chunks), last_event;
	size_t got;

	for (uint64_t i = nr; i > 0 && nr - i < 3; i--) {
		*sequence = i - 1;
		if (measure_live_chunk(live, location, *sequence, &got) == MEASURE_OK &&
			scan_chunk(live, got, scan, &last_event))
			return last_event >= scan->at;
	}
	return false;
}

/* Entries above what the last chunk leaves open may have been overwritten while we copied; they
 * are taken from its events. Those below are right if the thread did not come back to them.
 * *nr_below: how many. */
static bool try_stack(struct measure_live *live, uint32_t location, struct scan *scan,
	struct measure_live_stack *stack, uint64_t *sequence, size_t *nr_below)
{
	uint32_t taken_back = measure_live_taken_back(live, location);
	uint64_t before = committed(live, location);
	uint32_t depth = measure_committed_depth(before);

	stack->nr_events = measure_committed_events(before);
	if (copy_entries(live, location, depth, stack) != MEASURE_OK)
		return false;
	scan->at = stack->nr_events;
	scan->until = measure_committed_events(committed(live, location));
	if (stack->nr_events == 0)
		return depth == 0;
	if (!scan_last(live, location, scan, sequence) || scan->open.nr > depth ||
		scan->least < 0 || measure_live_taken_back(live, location) != taken_back)
		return false;
	*nr_below = depth - scan->open.nr;
	for (size_t i = 0; i < scan->open.nr; i++)
		stack->frames.items[*nr_below + i] = scan->open.items[i];
	stack->last_time = scan->last_time;
	return true;
}

/* Times of what is below, from the chunks before. */
static void find_times(struct measure_live *live, uint32_t location, struct scan *scan,
	struct measure_live_stack *stack, uint64_t sequence, size_t nr_unknown)
{
	uint64_t depth = nr_unknown + scan->nr_closed, oldest = scan->first_time, last_event;

	for (int i = 0; i < NR_CHUNKS && sequence-- > 0 && nr_unknown > 0; i++) {
		size_t got;
		scan->at = scan->until = UINT64_MAX;
		if (measure_live_chunk(live, location, sequence, &got) != MEASURE_OK ||
			!scan_chunk(live, got, scan, &last_event) || scan->open.nr > depth)
			break;
		size_t below = depth - scan->open.nr;
		for (size_t k = below; k < nr_unknown; k++)
			stack->frames.items[k] = scan->open.items[k - below];
		nr_unknown = nr_unknown < below ? nr_unknown : below;
		depth = below + scan->nr_closed;
		oldest = scan->first_time ? scan->first_time : oldest;
	}
	for (size_t k = 0; k < nr_unknown; k++)
		stack->frames.items[k].time = oldest;
}

measure_status_t measure_live_stack(
	struct measure_live *live, uint32_t location, struct measure_live_stack *stack)
{
	struct scan scan = {.status = MEASURE_OK};
	uint64_t sequence = 0;
	size_t nr_below = 0;
	bool is_there = false;
	int nr_still = 0;

	memset(stack, 0, sizeof(*stack));
	for (int i = 0;
		i < NR_TRIES && nr_still < NR_STILL && !is_there && scan.status == MEASURE_OK;
		i++) {
		uint64_t before = committed(live, location);
		is_there = try_stack(live, location, &scan, stack, &sequence, &nr_below);
		nr_still = committed(live, location) == before ? nr_still + 1 : 0;
	}
	stack->has_ended = atomic_load(&live->segment.locations[location].ended) != 0;
	if (is_there && stack->nr_events > 0)
		find_times(live, location, &scan, stack, sequence, nr_below);
	if (!is_there) {
		stack->frames.nr = 0;
		stack->is_moving = true;
	}
	free(scan.open.items);
	return scan.status;
}
