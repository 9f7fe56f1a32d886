/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The block of segments: of each location the call path at any time, exactly. It is left out where
 * it does not fit: then there is the pyramid. Threads read several locations at a time; they are
 * written in the order of their rows. */
#include "config.h"

#include <stdatomic.h>

#include "analysis/pyramid/location_segments.h"
#include "page_bytes.h"
#include "page_run.h"
#include "sync/parallel/workers.h"

#define BYTES_PER_CHARACTER  8 /* segments are hardly ever deflated better than that */
#define EVENTS_PER_CHARACTER 2 /* the same */
/* Of a batch, at least; it must not depend on the number of threads what fits. */
#define EVENTS_OF_BATCH    1000000
#define LOCATIONS_OF_BATCH 4

struct segments_batch {
	const struct measure_page_run *run;
	size_t first_row;
	struct measure_page_bytes *bytes; /* by row of the batch */
	uint64_t most;                    /* bytes of all locations of the batch */
	atomic_uint_least64_t nr_bytes;
};

struct segments_location {
	struct segments_batch *batch;
	struct measure_page_bytes *bytes; /* without the number of segments, which is before them */
	uint64_t nr, last;
};

static bool take_segment(void *data, const struct measure_location_segment *segment)
{
	struct segments_location *location = data;
	const uint64_t start = measure_page_time(location->batch->run, segment->start);
	const size_t before = location->bytes->nr_bytes;

	measure_page_bytes_number(location->bytes, start - location->last);
	measure_page_bytes_number(location->bytes, (uint64_t)segment->path << 1 | segment->is_call);
	location->last = start;
	location->nr++;
	return atomic_fetch_add_explicit(&location->batch->nr_bytes,
		       location->bytes->nr_bytes - before,
		       memory_order_relaxed) < location->batch->most;
}

static void read_location(void *data, size_t index)
{
	struct segments_batch *batch = data;
	const struct measure_page_run *run = batch->run;
	struct measure_page_bytes items = {.nr_bytes = 0}, *all = &batch->bytes[index];
	struct segments_location location = {.batch = batch, .bytes = &items};
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_location_segments_end end;

	/* what is wrong with events has been found before */
	measure_location_segments_read(run->trace, run->profile, &findings,
		run->locations[batch->first_row + index], 0, UINT64_MAX, take_segment, &location,
		&end);
	measure_page_bytes_number(all, location.nr);
	measure_page_bytes_append(all, &items);
	measure_page_bytes_free(&items);
	measure_findings_free(&findings);
}

/* Without what the pyramid needs. */
static uint64_t room_of_segments(const struct measure_page_run *run)
{
	const uint64_t room = measure_page_room(run->page),
		       reserved = measure_page_pyramid_room(run);

	return room > reserved ? room - reserved : 0;
}

/* Until the room is used up: that is seen early from what the first locations need. */
static bool is_hopeless(const struct measure_page_run *run, uint64_t used, uint64_t nr_events,
	uint64_t nr_all_events)
{
	const double expected =
		nr_events ? (double)used / (double)nr_events * (double)nr_all_events : 0;

	return expected > 1.25 * (double)room_of_segments(run) + 65536;
}

static uint64_t events_of_row(const struct measure_page_run *run, size_t row)
{
	return run->pyramid.locations[run->locations[row]].nr_events;
}

static size_t end_of_batch(const struct measure_page_run *run, size_t first)
{
	uint64_t nr_events = 0;
	size_t row = first;

	for (; row < run->trace->definitions.nr_locations; row++) {
		if (row >= first + LOCATIONS_OF_BATCH && nr_events >= EVENTS_OF_BATCH)
			break;
		nr_events += events_of_row(run, row);
	}
	return row;
}

static uint64_t write_batch(struct measure_page_run *run, struct segments_batch *batch, size_t nr)
{
	uint64_t nr_events = 0;

	atomic_store(&batch->nr_bytes, 0);
	measure_workers_share(run->nr_threads, nr, read_location, batch);
	for (size_t i = 0; i < nr; i++) {
		nr_events += events_of_row(run, batch->first_row + i);
		measure_page_bytes_write(&batch->bytes[i], &run->page->block);
		measure_page_bytes_free(&batch->bytes[i]);
	}
	return nr_events;
}

/* False: they do not fit. */
static bool write_locations(struct measure_page_run *run)
{
	const size_t nr = run->trace->definitions.nr_locations;
	const uint64_t room = room_of_segments(run);
	struct segments_batch batch = {
		.run = run, .bytes = measure_zeroed(nr, sizeof(*batch.bytes))};
	uint64_t nr_events = 0;
	bool is_fitting = true;

	for (size_t row = 0, end; is_fitting && row < nr; row = end) {
		const uint64_t used = measure_page_block_size(&run->page->block);

		end = end_of_batch(run, row);
		batch.first_row = row;
		batch.most = (room - used) * BYTES_PER_CHARACTER;
		nr_events += write_batch(run, &batch, end - row);
		is_fitting = atomic_load(&batch.nr_bytes) < batch.most &&
			     measure_page_block_size(&run->page->block) < room &&
			     !is_hopeless(run, measure_page_block_size(&run->page->block),
				     nr_events, run->profile->nr_events);
	}
	measure_free(batch.bytes);
	return is_fitting;
}

void measure_page_write_segments(struct measure_page_run *run)
{
	const uint64_t before = run->page->size, room = room_of_segments(run);

	if (run->profile->nr_events / EVENTS_PER_CHARACTER > room)
		return;
	measure_page_open(run->page, run->number, "segments");
	run->is_complete = write_locations(run);
	measure_page_close(run->page);
	run->is_complete &= run->page->size - before <= room;
	run->shares[MEASURE_PAGE_SEGMENTS].is_there = run->is_complete;
	if (!run->is_complete)
		measure_page_drop(run->page);
}
