/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting what is in event files; see record_statistics.h. */
#include "config.h"

#include "record_statistics.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/part/journal_file.h"
#include "assemble/part/location_file.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "format/journal.h"
#include "format/event_chunk.h"

/* Regions have ids one after the other, and a record each; what is far above is damage. */
#define SPARE_REGIONS (UINT32_C(1) << 16)

struct record_statistics_visit {
	uint32_t region;
	uint64_t time;
	uint64_t nr_visited;
};

struct count {
	struct measure_record_statistics *tally;
	uint32_t chunk_size;
	uint64_t step; /* every step-th chunk is looked at */
	uint8_t *chunk;
	uint64_t max_regions;
	uint64_t last_time; /* of the location, as far as it was seen */
	bool is_damaged;
	uint64_t nr_events; /* of all files, as their last chunks say */
	uint64_t nr_seen;
	uint64_t nr_visited; /* Enters and Leaves so far */
	MEASURE_ARRAY(struct record_statistics_visit)
	open; /* of the location, as far as it was seen */
	measure_status_t status;
};

static struct measure_record_statistics_region *new_region(struct count *count, uint32_t region)
{
	struct measure_record_statistics *tally = count->tally;
	size_t before = tally->regions.nr;

	if (region >= count->max_regions) {
		count->is_damaged = true;
		return NULL;
	}
	count->status = measure_array_reserve(&tally->regions, (size_t)region + 1);
	if (count->status != MEASURE_OK)
		return NULL;
	tally->regions.nr = (size_t)region + 1;
	memset(tally->regions.items + before, 0,
		(tally->regions.nr - before) * sizeof(*tally->regions.items));
	return &tally->regions.items[region];
}

static inline struct measure_record_statistics_region *region_of(
	struct count *count, uint32_t region)
{
	if (region < count->tally->regions.nr)
		return &count->tally->regions.items[region];
	return new_region(count, region);
}

static void record_statistics_add(
	struct measure_record_statistics_kind *kind, const struct measure_chunk_event *event)
{
	kind->events++;
	kind->bytes += event->size;
}

static void record_statistics_enter(struct count *count, const struct measure_chunk_event *event)
{
	struct record_statistics_visit visit = {event->region, event->time, ++count->nr_visited};
	struct measure_record_statistics_region *region = region_of(count, event->region);

	if (!region)
		return;
	record_statistics_add(&region->enters, event);
	count->status = measure_array_push(&count->open, visit);
}

static uint32_t octave(uint64_t ticks)
{
	return 64 - (uint32_t)__builtin_clzll(ticks | 1);
}

/* One whose Enter lies in a chunk that was not looked at has no time. */
static void record_statistics_leave(struct count *count, const struct measure_chunk_event *event)
{
	struct measure_record_statistics_region *region = region_of(count, event->region);
	size_t left = MEASURE_LEAVE_LOOKS;
	uint64_t nr_visited = count->nr_visited++;

	if (!region)
		return;
	record_statistics_add(&region->leaves, event);
	for (size_t i = count->open.nr; i-- > 0 && left-- > 0;) {
		const struct record_statistics_visit *visit = &count->open.items[i];
		if (visit->region != event->region)
			continue;
		region->measured++;
		region->ticks += event->time - visit->time;
		region->octaves += octave(event->time - visit->time);
		region->nested += nr_visited - visit->nr_visited;
		count->is_damaged |= i + 1 != count->open.nr;
		count->open.nr = i;
		return;
	}
	count->is_damaged |= count->step == 1;
}

static void sample(struct count *count, const struct measure_chunk_event *event)
{
	struct measure_record_statistics *tally = count->tally;
	size_t before = tally->contexts.nr;

	record_statistics_add(&tally->kinds[event->type], event);
	if (event->context >= count->max_regions) {
		count->is_damaged = true;
		return;
	}
	if (event->context >= before) {
		count->status = measure_array_reserve(&tally->contexts, (size_t)event->context + 1);
		if (count->status != MEASURE_OK)
			return;
		tally->contexts.nr = (size_t)event->context + 1;
		memset(tally->contexts.items + before, 0,
			(tally->contexts.nr - before) * sizeof(*tally->contexts.items));
	}
	tally->contexts.items[event->context]++;
}

static void operate(struct count *count, const struct measure_chunk_event *event)
{
	record_statistics_add(&count->tally->kinds[event->type], event);
	count->status = measure_io_statistics_note(&count->tally->io, event, count->max_regions);
}

static bool is_operation(uint8_t type)
{
	return type == MEASURE_OTF2_IO_OPERATION_BEGIN ||
	       type == MEASURE_OTF2_IO_OPERATION_COMPLETE ||
	       type == MEASURE_OTF2_IO_OPERATION_CANCELLED;
}

static void record_statistics_note_event(void *context, const struct measure_chunk_event *event)
{
	struct count *count = context;

	if (count->status != MEASURE_OK)
		return;
	count->is_damaged |= event->time < count->last_time;
	count->last_time = event->time;
	if (event->type == MEASURE_OTF2_ENTER)
		record_statistics_enter(count, event);
	else if (event->type == MEASURE_OTF2_LEAVE)
		record_statistics_leave(count, event);
	else if (event->type == MEASURE_OTF2_CALLING_CONTEXT_SAMPLE)
		sample(count, event);
	else if (is_operation(event->type))
		operate(count, event);
	else
		record_statistics_add(&count->tally->kinds[event->type], event);
}

static measure_status_t count_chunk(struct count *count, int fd, uint64_t sequence)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	size_t got;
	measure_status_t status = measure_file_read_at(
		fd, count->chunk, count->chunk_size, sequence * count->chunk_size, &got);

	if (status != MEASURE_OK)
		return status;
	if (measure_chunk_header_read(count->chunk, got, &header) != MEASURE_OK) {
		count->is_damaged = true;
		return status;
	}
	status = measure_chunk_walk(
		count->chunk, got, UINT64_MAX, record_statistics_note_event, count, &walk);
	count->is_damaged |= status != MEASURE_OK || walk.last_event != header.last_event;
	count->nr_seen += walk.last_event + 1 - header.first_event;
	count->tally->nr_counted++;
	return count->status;
}

static uint64_t chunks_of(const struct stat *file, uint32_t chunk_size)
{
	return ((uint64_t)file->st_size + chunk_size - 1) / chunk_size;
}

/* The last event's number stands in the header of the last chunk. */
static measure_status_t note_events(struct count *count, int fd, uint64_t nr_chunks)
{
	uint8_t start[MEASURE_CHUNK_HEADER];
	struct measure_chunk_header header;
	size_t got;
	measure_status_t status = measure_file_read_at(
		fd, start, sizeof(start), (nr_chunks - 1) * count->chunk_size, &got);

	if (status == MEASURE_OK && measure_chunk_header_read(start, got, &header) == MEASURE_OK)
		count->nr_events += header.last_event;
	return status;
}

/* What is open is not seen to end. */
static void interrupt(struct count *count)
{
	count->open.nr = 0;
	measure_io_statistics_interrupt(&count->tally->io);
}

/* `passed`: chunks of the files before. */
static measure_status_t count_file(struct count *count, int fd, uint64_t passed)
{
	struct stat file;
	measure_status_t status;
	uint64_t nr_chunks;

	if (fstat(fd, &file) != 0)
		return MEASURE_ERROR_IO;
	nr_chunks = chunks_of(&file, count->chunk_size);
	if (nr_chunks == 0)
		return MEASURE_OK;
	interrupt(count);
	count->last_time = 0;
	count->is_damaged = false;
	status = note_events(count, fd, nr_chunks);
	for (uint64_t i = 0; i < nr_chunks && status == MEASURE_OK; i++) {
		if ((passed + i) % count->step == 0)
			status = count_chunk(count, fd, i);
		else
			interrupt(count);
	}
	count->tally->nr_chunks += nr_chunks;
	return status;
}

static uint64_t count_chunks(int part_fd, uint32_t nr_locations, uint32_t chunk_size)
{
	uint64_t nr = 0;
	struct stat file;
	char name[32];

	for (uint32_t i = 0; i < nr_locations; i++) {
		measure_location_file_name(i, name);
		if (fstatat(part_fd, name, &file, 0) == 0)
			nr += chunks_of(&file, chunk_size);
	}
	return nr;
}

static uint64_t journal_size(int part_fd)
{
	struct stat file;

	return fstatat(part_fd, MEASURE_JOURNAL_OF_PROCESS, &file, 0) == 0 ? (uint64_t)file.st_size
									   : 0;
}

static void scale(struct measure_record_statistics_kind *kind, double factor)
{
	kind->events = (uint64_t)((double)kind->events * factor + 0.5);
	kind->bytes = (uint64_t)((double)kind->bytes * factor + 0.5);
}

static void scale_all(struct measure_record_statistics *tally, double factor)
{
	for (size_t i = 0; i < MEASURE_TALLY_KINDS; i++)
		scale(&tally->kinds[i], factor);
	for (size_t i = 0; i < tally->regions.nr; i++) {
		scale(&tally->regions.items[i].enters, factor);
		scale(&tally->regions.items[i].leaves, factor);
	}
	for (size_t i = 0; i < tally->contexts.nr; i++)
		tally->contexts.items[i] =
			(uint64_t)((double)tally->contexts.items[i] * factor + 0.5);
	measure_io_statistics_scale(&tally->io, factor);
}

/* Enters and Leaves were counted by region only. */
static void sum_regions(struct measure_record_statistics *tally)
{
	struct measure_record_statistics_kind *enters = &tally->kinds[MEASURE_OTF2_ENTER];
	struct measure_record_statistics_kind *leaves = &tally->kinds[MEASURE_OTF2_LEAVE];

	for (size_t i = 0; i < tally->regions.nr; i++) {
		const struct measure_record_statistics_region *region = &tally->regions.items[i];
		enters->events += region->enters.events;
		enters->bytes += region->enters.bytes;
		leaves->events += region->leaves.events;
		leaves->bytes += region->leaves.bytes;
	}
}

static measure_status_t count_files(struct count *count, int part_fd, uint32_t nr_locations)
{
	measure_status_t status = MEASURE_OK;
	char name[32];

	for (uint32_t i = 0; i < nr_locations && status == MEASURE_OK; i++) {
		measure_location_file_name(i, name);
		int fd = measure_file_open(part_fd, name, O_RDONLY);
		if (fd < 0)
			return MEASURE_ERROR_IO;
		status = count_file(count, fd, count->tally->nr_chunks);
		close(fd);
		if (status == MEASURE_OK && count->is_damaged)
			status = measure_array_push(&count->tally->damaged, i);
	}
	return status;
}

measure_status_t measure_record_statistics_count(int part_fd, uint32_t nr_locations,
	uint32_t chunk_size, uint64_t most, struct measure_record_statistics *tally)
{
	uint64_t nr_chunks = count_chunks(part_fd, nr_locations, chunk_size);
	struct count count = {.tally = tally,
		.chunk_size = chunk_size,
		.step = nr_chunks > most ? (nr_chunks + most - 1) / most : 1,
		.max_regions = journal_size(part_fd) / MEASURE_JOURNAL_FRAME + SPARE_REGIONS,
		.chunk = malloc(chunk_size)};
	measure_status_t status;

	memset(tally, 0, sizeof(*tally));
	if (!count.chunk)
		return MEASURE_ERROR_MEMORY;
	status = count_files(&count, part_fd, nr_locations);
	if (status == MEASURE_OK && tally->nr_counted < tally->nr_chunks && count.nr_seen)
		scale_all(tally, (double)count.nr_events / (double)count.nr_seen);
	sum_regions(tally);
	free(count.chunk);
	free(count.open.items);
	return status;
}

/* ----------------------------------------------------------------------- as records --- */

static void put_kinds(struct measure_frames *frames, const struct measure_record_statistics *tally)
{
	for (uint32_t i = 0; i < MEASURE_TALLY_KINDS; i++) {
		const struct measure_record_statistics_kind *kind = &tally->kinds[i];
		const struct measure_def_kind_tally def = {i, kind->events, kind->bytes};
		if (def.events)
			MEASURE_FRAMES_ADD(frames, kind_tally, &def);
	}
}

static void put_regions(
	struct measure_frames *frames, const struct measure_record_statistics *tally)
{
	for (uint32_t i = 0; i < tally->regions.nr; i++) {
		const struct measure_record_statistics_region *region = &tally->regions.items[i];
		const struct measure_def_region_tally def = {i, region->enters.events,
			region->enters.events + region->leaves.events,
			region->enters.bytes + region->leaves.bytes, region->measured,
			region->ticks, region->octaves, region->nested};
		if (def.events)
			MEASURE_FRAMES_ADD(frames, region_tally, &def);
	}
}

static void put_contexts(
	struct measure_frames *frames, const struct measure_record_statistics *tally)
{
	for (uint32_t i = 0; i < tally->contexts.nr; i++) {
		const struct measure_def_context_tally def = {i, tally->contexts.items[i]};
		if (def.samples)
			MEASURE_FRAMES_ADD(frames, context_tally, &def);
	}
}

measure_status_t measure_record_statistics_store(
	const struct measure_record_statistics *tally, int part_fd)
{
	const struct measure_def_tally def = {tally->nr_chunks, tally->nr_counted};
	struct measure_frames frames = {0};

	MEASURE_FRAMES_ADD(&frames, tally, &def);
	put_kinds(&frames, tally);
	put_regions(&frames, tally);
	put_contexts(&frames, tally);
	measure_io_statistics_put(&frames, &tally->io);
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

void measure_record_statistics_free(struct measure_record_statistics *tally)
{
	free(tally->regions.items);
	free(tally->contexts.items);
	measure_io_statistics_free(&tally->io);
	free(tally->damaged.items);
	memset(tally, 0, sizeof(*tally));
}
