/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting what is in event files; see summary_internal.h. The bytes of the records are walked
 * through as they are, since the sizes of records count as well. Threads share the locations, each
 * adds up for itself. */
#include "config.h"

#include "summary_internal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/event_chunk.h"
#include "format/otf2_records.h"
#include "trace/archive/id_mapping.h"
#include "trace/common/containers.h"

/* Of a Leave so many open visits are looked at for its Enter, from the last one on. */
#define LEAVE_LOOKS 4096

/* So many operations of a thread may be on their way at once; of more, the first ones have no end.
 */
#define MOST_BEGUN 4096

/* No process has more things of a kind: an id above is damage. */
#define MOST_IDS (UINT32_C(1) << 24)

struct visit {
	uint32_t region;
	uint64_t time;
	uint64_t nr_visited;
};

/* An operation that was begun. */
struct begun {
	uint32_t handle;
	uint8_t mode;
	uint64_t operation;
	uint64_t requested;
	uint64_t time;
};

/* Of a location, by the ids in its file. Pairs that are changed together: that takes half as
 * long. */
struct local_region {
	struct summary_kind enters;
	struct summary_kind leaves;
	uint64_t measured, ticks, octaves, nested;
};

/* An event file, and the chunks of those before it. */
struct event_file {
	uint32_t location;
	uint64_t first_chunk;
	uint64_t nr_chunks;
};

struct counting {
	const struct measure_trace *trace;
	uint64_t chunk_size;
	uint64_t step; /* every step-th chunk is looked at */
	MEASURE_ARRAY(struct event_file) files;
	_Atomic size_t next; /* of the files */
};

struct counter {
	struct counting *counting;
	pthread_t thread;
	struct summary_events events; /* of all locations of this thread */
	uint8_t *chunk;
	MEASURE_ARRAY(struct local_region) regions;
	MEASURE_ARRAY(uint64_t) contexts;
	MEASURE_ARRAY(struct summary_io) handles;
	uint64_t nr_visited;              /* Enters and Leaves so far */
	MEASURE_ARRAY(struct visit) open; /* as far as they were seen */
	MEASURE_ARRAY(struct begun) begun;
	measure_status_t status;
};

/* ------------------------------------------------------------------------- events --- */

/* An item of an array by id; the ones before it are zero. NULL: it cannot be. */
#define ITEM_OF(counter, array, id)                                                                \
	__extension__({                                                                            \
		const size_t id_ = (id), nr_ = (counter)->array.nr;                                \
		if (id_ >= nr_ && id_ < MOST_IDS) {                                                \
			(counter)->status = measure_array_reserve(&(counter)->array, id_ + 1);     \
			if ((counter)->status == MEASURE_OK) {                                     \
				(counter)->array.nr = id_ + 1;                                     \
				memset((counter)->array.items + nr_, 0,                            \
					(id_ + 1 - nr_) * sizeof(*(counter)->array.items));        \
			}                                                                          \
		}                                                                                  \
		id_ < (counter)->array.nr ? &(counter)->array.items[id_] : NULL;                   \
	})

static void add_event(struct summary_kind *kind, const struct measure_chunk_event *event)
{
	kind->events++;
	kind->bytes += event->size;
}

static void enter(struct counter *counter, const struct measure_chunk_event *event)
{
	struct visit visit = {event->region, event->time, ++counter->nr_visited};
	struct local_region *region = ITEM_OF(counter, regions, event->region);

	if (!region)
		return;
	add_event(&region->enters, event);
	counter->status = measure_array_push(&counter->open, visit);
}

static uint32_t octave(uint64_t ticks)
{
	return 64 - (uint32_t)__builtin_clzll(ticks | 1);
}

/* One whose Enter lies in a chunk that was not looked at has no time. */
static void leave(struct counter *counter, const struct measure_chunk_event *event)
{
	struct local_region *region = ITEM_OF(counter, regions, event->region);
	size_t left = LEAVE_LOOKS;
	uint64_t nr_visited = counter->nr_visited++;

	if (!region)
		return;
	add_event(&region->leaves, event);
	for (size_t i = counter->open.nr; i-- > 0 && left-- > 0;) {
		const struct visit *visit = &counter->open.items[i];
		if (visit->region != event->region)
			continue;
		region->measured++;
		region->ticks += event->time - visit->time;
		region->octaves += octave(event->time - visit->time);
		region->nested += nr_visited - visit->nr_visited;
		counter->open.nr = i;
		return;
	}
}

static void sample(struct counter *counter, const struct measure_chunk_event *event)
{
	uint64_t *samples = ITEM_OF(counter, contexts, event->context);

	if (samples)
		++*samples;
}

static void begin_operation(struct counter *counter, const struct measure_chunk_event *event)
{
	const struct begun begun = {event->io.handle, event->io.mode, event->io.operation,
		event->io.bytes, event->time};

	if (counter->begun.nr == MOST_BEGUN) {
		counter->begun.nr /= 2;
		memmove(counter->begun.items, counter->begun.items + counter->begun.nr,
			counter->begun.nr * sizeof(begun));
	}
	counter->status = measure_array_push(&counter->begun, begun);
}

/* How many bytes are not known of some (scanf), before and after them. */
static void add_operation(struct summary_io *handle, const struct begun *begun,
	const struct measure_chunk_event *event)
{
	const uint64_t bytes = event->io.bytes == UINT64_MAX ? 0 : event->io.bytes;

	handle->operations++;
	handle->unknown += event->io.bytes == UINT64_MAX;
	handle->ticks += event->time - begun->time;
	if (begun->mode == MEASURE_CHUNK_IO_READ)
		handle->read += bytes;
	else if (begun->mode == MEASURE_CHUNK_IO_WRITE)
		handle->written += bytes;
	else
		return;
	handle->empty +=
		event->io.bytes == 0 && begun->requested > 0 && begun->requested != UINT64_MAX;
}

/* Also one that was cancelled; its record has no bytes. */
static void end_operation(struct counter *counter, const struct measure_chunk_event *event)
{
	for (size_t i = counter->begun.nr; i-- > 0;) {
		struct begun *begun = &counter->begun.items[i];
		if (begun->handle != event->io.handle || begun->operation != event->io.operation)
			continue;
		struct summary_io *handle = ITEM_OF(counter, handles, begun->handle);
		if (handle)
			add_operation(handle, begun, event);
		*begun = counter->begun.items[--counter->begun.nr];
		return;
	}
}

static void note_event(void *context, const struct measure_chunk_event *event)
{
	struct counter *counter = context;

	if (counter->status != MEASURE_OK)
		return;
	if (event->type == MEASURE_OTF2_ENTER) {
		enter(counter, event);
		return;
	}
	if (event->type == MEASURE_OTF2_LEAVE) {
		leave(counter, event);
		return;
	}
	add_event(&counter->events.kinds[event->type], event);
	if (event->type == MEASURE_OTF2_CALLING_CONTEXT_SAMPLE)
		sample(counter, event);
	else if (event->type == MEASURE_OTF2_IO_OPERATION_BEGIN)
		begin_operation(counter, event);
	else if (event->type == MEASURE_OTF2_IO_OPERATION_COMPLETE ||
		 event->type == MEASURE_OTF2_IO_OPERATION_CANCELLED)
		end_operation(counter, event);
}

/* ---------------------------------------------------------------------- locations --- */

/* Of a damaged chunk what is before the damage counts. */
static void count_chunk(struct counter *counter, int fd, uint64_t sequence)
{
	const uint64_t chunk_size = counter->counting->chunk_size;
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	size_t got;

	if (measure_file_read_at(fd, counter->chunk, chunk_size, sequence * chunk_size, &got) !=
			MEASURE_OK ||
		measure_chunk_header_read(counter->chunk, got, &header) != MEASURE_OK) {
		counter->events.is_damaged = true;
		return;
	}
	counter->events.is_damaged |= measure_chunk_walk(counter->chunk, got, UINT64_MAX,
					      note_event, counter, &walk) != MEASURE_OK ||
				      walk.last_event != header.last_event;
	counter->events.nr_seen += walk.last_event + 1 - header.first_event;
	counter->events.nr_counted++;
}

/* The last event's number stands in the header of the last chunk. */
static uint64_t last_event(int fd, uint64_t offset)
{
	uint8_t start[MEASURE_CHUNK_HEADER];
	struct measure_chunk_header header;
	size_t got;

	if (measure_file_read_at(fd, start, sizeof(start), offset, &got) != MEASURE_OK ||
		measure_chunk_header_read(start, got, &header) != MEASURE_OK)
		return 0;
	return header.last_event;
}

static void count_file(struct counter *counter, int fd, const struct event_file *file)
{
	const struct counting *counting = counter->counting;

	counter->events.nr_events += last_event(fd, (file->nr_chunks - 1) * counting->chunk_size);
	for (uint64_t i = 0; i < file->nr_chunks && counter->status == MEASURE_OK; i++) {
		if ((file->first_chunk + i) % counting->step == 0) {
			count_chunk(counter, fd, i);
			continue;
		}
		counter->open.nr = 0; /* what is open is not seen to end */
		counter->begun.nr = 0;
	}
}

/* The definition that an id in the file of a location stands for. */
static uint32_t index_of(
	const struct counter *counter, uint32_t location, enum measure_kind kind, size_t id)
{
	const struct measure_trace *trace = counter->counting->trace;

	return measure_definition_index(&trace->definitions, kind,
		measure_id_mapping_apply(trace->mappings[location], kind, id));
}

void summary_io_add(struct summary_io *sum, const struct summary_io *io)
{
	sum->operations += io->operations;
	sum->empty += io->empty;
	sum->read += io->read;
	sum->written += io->written;
	sum->ticks += io->ticks;
	sum->unknown += io->unknown;
}

static void add_region(struct summary_region *sum, const struct local_region *region)
{
	sum->visits += region->enters.events;
	sum->events += region->enters.events + region->leaves.events;
	sum->bytes += region->enters.bytes + region->leaves.bytes;
	sum->measured += region->measured;
	sum->ticks += region->ticks;
	sum->octaves += region->octaves;
	sum->nested += region->nested;
}

static void add_kind(struct summary_kind *sum, const struct summary_kind *kind)
{
	sum->events += kind->events;
	sum->bytes += kind->bytes;
}

/* From the ids of the location's file to those of the archive. */
static void add_location(struct counter *counter, uint32_t location)
{
	struct summary_events *events = &counter->events;

	for (size_t i = 0; i < counter->regions.nr; i++) {
		const struct local_region *region = &counter->regions.items[i];
		if (region->enters.events + region->leaves.events == 0)
			continue;
		uint32_t index = index_of(counter, location, MEASURE_KIND_REGION, i);
		add_kind(&events->kinds[MEASURE_OTF2_ENTER], &region->enters);
		add_kind(&events->kinds[MEASURE_OTF2_LEAVE], &region->leaves);
		if (index != MEASURE_NONE)
			add_region(&events->regions[index], region);
	}
	for (size_t i = 0; i < counter->contexts.nr; i++) {
		uint32_t index = index_of(counter, location, MEASURE_KIND_CALLING_CONTEXT, i);
		if (index != MEASURE_NONE)
			events->contexts[index] += counter->contexts.items[i];
	}
	for (size_t i = 0; i < counter->handles.nr; i++) {
		uint32_t index = index_of(counter, location, MEASURE_KIND_IO_HANDLE, i);
		if (index != MEASURE_NONE)
			summary_io_add(&events->handles[index], &counter->handles.items[i]);
	}
}

static int open_file(const struct measure_trace *trace, uint32_t location)
{
	char *path = measure_trace_file(trace, location, ".evt");
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	measure_free(path);
	return fd;
}

static void count_location(struct counter *counter, const struct event_file *file)
{
	int fd = open_file(counter->counting->trace, file->location);

	if (fd < 0) {
		counter->events.is_damaged = true;
		return;
	}
	counter->regions.nr = counter->contexts.nr = counter->handles.nr = 0;
	counter->open.nr = counter->begun.nr = 0;
	count_file(counter, fd, file);
	close(fd);
	add_location(counter, file->location);
}

/* ------------------------------------------------------------------------ threads --- */

static void events_make(
	struct summary_events *events, const struct measure_definitions *definitions)
{
	events->regions = measure_zeroed(definitions->nr_regions, sizeof(*events->regions));
	events->contexts =
		measure_zeroed(definitions->nr_calling_contexts, sizeof(*events->contexts));
	events->handles = measure_zeroed(definitions->nr_io_handles, sizeof(*events->handles));
}

void summary_events_free(struct summary_events *events)
{
	measure_free(events->regions);
	measure_free(events->contexts);
	measure_free(events->handles);
}

static void *count_locations(void *data)
{
	struct counter *counter = data;
	struct counting *counting = counter->counting;

	events_make(&counter->events, &counting->trace->definitions);
	counter->chunk = measure_uncleared(counting->chunk_size, 1);
	for (size_t i; counter->status == MEASURE_OK &&
		       (i = atomic_fetch_add(&counting->next, 1)) < counting->files.nr;)
		count_location(counter, &counting->files.items[i]);
	measure_free(counter->chunk);
	free(counter->regions.items);
	free(counter->contexts.items);
	free(counter->handles.items);
	free(counter->open.items);
	free(counter->begun.items);
	return NULL;
}

static void events_add(struct summary_events *sum, const struct summary_events *events,
	const struct measure_definitions *definitions)
{
	sum->nr_counted += events->nr_counted;
	sum->nr_events += events->nr_events;
	sum->nr_seen += events->nr_seen;
	sum->is_damaged |= events->is_damaged;
	for (size_t i = 0; i < SUMMARY_KINDS; i++)
		add_kind(&sum->kinds[i], &events->kinds[i]);
	for (size_t i = 0; i < definitions->nr_regions; i++) {
		const struct summary_region *region = &events->regions[i];
		sum->regions[i].visits += region->visits;
		sum->regions[i].events += region->events;
		sum->regions[i].bytes += region->bytes;
		sum->regions[i].measured += region->measured;
		sum->regions[i].ticks += region->ticks;
		sum->regions[i].octaves += region->octaves;
		sum->regions[i].nested += region->nested;
	}
	for (size_t i = 0; i < definitions->nr_calling_contexts; i++)
		sum->contexts[i] += events->contexts[i];
	for (size_t i = 0; i < definitions->nr_io_handles; i++)
		summary_io_add(&sum->handles[i], &events->handles[i]);
}

static measure_status_t share_locations(
	struct counting *counting, unsigned nr_threads, struct summary_events *events)
{
	const unsigned nr_wanted =
		nr_threads < counting->files.nr ? nr_threads : (unsigned)counting->files.nr;
	struct counter *counters = measure_zeroed(nr_wanted + 1, sizeof(*counters));
	measure_status_t status = MEASURE_OK;
	unsigned nr = 0;

	for (unsigned i = 0; i <= nr_wanted; i++)
		counters[i].counting = counting;
	while (nr + 1 < nr_wanted &&
		pthread_create(&counters[nr].thread, NULL, count_locations, &counters[nr]) == 0)
		nr++;
	count_locations(&counters[nr]);
	for (unsigned i = 0; i <= nr; i++) {
		if (i < nr)
			pthread_join(counters[i].thread, NULL);
		if (counters[i].status != MEASURE_OK)
			status = counters[i].status;
		events_add(events, &counters[i].events, &counting->trace->definitions);
		summary_events_free(&counters[i].events);
	}
	measure_free(counters);
	return status;
}

/* --------------------------------------------------------------------- all of them --- */

static uint64_t nr_chunks_of(const struct counting *counting, uint32_t location)
{
	char *path = measure_trace_file(counting->trace, location, ".evt");
	struct stat file;
	uint64_t nr = 0;

	if (stat(path, &file) == 0)
		nr = ((uint64_t)file.st_size + counting->chunk_size - 1) / counting->chunk_size;
	measure_free(path);
	return nr;
}

static int compare_sizes(const void *left, const void *right)
{
	const struct event_file *a = left, *b = right;

	if (a->nr_chunks != b->nr_chunks)
		return a->nr_chunks < b->nr_chunks ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

/* The longest ones first, so that threads end together. Locations of sampled metrics are left
 * out. */
static measure_status_t list_files(struct counting *counting, struct summary_events *events)
{
	const struct measure_definitions *definitions = &counting->trace->definitions;
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < definitions->nr_locations && status == MEASURE_OK; i++) {
		if (definitions->locations[i].type == OTF2_LOCATION_TYPE_METRIC)
			continue;
		struct event_file file = {i, events->nr_chunks, nr_chunks_of(counting, i)};
		events->nr_chunks += file.nr_chunks;
		events->is_damaged |=
			file.nr_chunks == 0 && definitions->locations[i].nr_events > 0;
		if (file.nr_chunks)
			status = measure_array_push(&counting->files, file);
	}
	if (counting->files.nr)
		qsort(counting->files.items, counting->files.nr, sizeof(*counting->files.items),
			compare_sizes);
	return status;
}

static void scale(uint64_t *number, double factor)
{
	*number = (uint64_t)((double)*number * factor + 0.5);
}

/* What visits took on average is as it was seen. */
static void scale_all(struct summary_events *events, const struct measure_definitions *definitions)
{
	const double factor = (double)events->nr_events / (double)events->nr_seen;

	for (size_t i = 0; i < SUMMARY_KINDS; i++) {
		scale(&events->kinds[i].events, factor);
		scale(&events->kinds[i].bytes, factor);
	}
	for (size_t i = 0; i < definitions->nr_regions; i++) {
		scale(&events->regions[i].visits, factor);
		scale(&events->regions[i].events, factor);
		scale(&events->regions[i].bytes, factor);
	}
	for (size_t i = 0; i < definitions->nr_calling_contexts; i++)
		scale(&events->contexts[i], factor);
	for (size_t i = 0; i < definitions->nr_io_handles; i++) {
		scale(&events->handles[i].operations, factor);
		scale(&events->handles[i].empty, factor);
		scale(&events->handles[i].read, factor);
		scale(&events->handles[i].written, factor);
		scale(&events->handles[i].ticks, factor);
		scale(&events->handles[i].unknown, factor);
	}
}

measure_status_t summary_events_count(const struct measure_trace *trace, unsigned nr_threads,
	uint64_t most, struct summary_events *events)
{
	struct counting counting = {.trace = trace, .chunk_size = trace->chunk_size};
	measure_status_t status;

	memset(events, 0, sizeof(*events));
	events_make(events, &trace->definitions);
	if (counting.chunk_size == 0)
		return MEASURE_ERROR_FORMAT;
	status = list_files(&counting, events);
	most = most / counting.chunk_size + 1;
	counting.step = events->nr_chunks > most ? (events->nr_chunks + most - 1) / most : 1;
	if (status == MEASURE_OK && counting.files.nr)
		status = share_locations(&counting, nr_threads, events);
	if (status == MEASURE_OK && counting.step > 1 && events->nr_seen)
		scale_all(events, &trace->definitions);
	free(counting.files.items);
	return status;
}
