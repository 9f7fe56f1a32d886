/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a location whose next chunk lies in the memory of the one before, as it is free
 * again: a call that was entered in the old one is not taken back in the new one. */
#include "config.h"

#include <limits.h>
#include <pthread.h>

#include "adapter.h"
#include "base/posix.h"
#include "config/settings.h"
#include "runtime/definitions/region_filter.h"
#include "format/filter_area.h"
#include "format/event_chunk.h"
#include "t_recording.h"
#include "../../t_suite.h"

#define CHUNK      (256 * 1024)
#define NR_CROSSED 200
#define SITE       ((void *)0x1000) /* where functions are called, and go back to */

/* `brief` is too short for the filter, which knows nothing of `plain`. */
static const char functions[32];
static const char *const brief = functions, *const plain = functions + 16;
static const char text[] = "exclude shorter=1000s\0\0";

static _Atomic bool is_over;

/* A spooler that writes nothing. */
static void *recycle(void *unused)
{
	while (!atomic_load(&is_over)) {
		for (uint32_t i = 0; i < segment.layout.nr_chunks; i++) {
			uint32_t full = MEASURE_CHUNK_FULL;

			if (!atomic_compare_exchange_strong(
				    &segment.chunks[i].state, &full, MEASURE_CHUNK_FREE))
				continue;
			atomic_fetch_add(&segment.header->freed_events, 1);
			measure_futex_wake(&segment.header->freed_events, INT_MAX);
		}
	}
	return unused;
}

static void t_meet(const char *function, uint32_t outcome)
{
	segment.filter->modules[0].otherwise = outcome;
	measure_region_at(function, NULL, 0, 0);
}

/* All chunks but the location's first one are somebody else's for good. */
static int t_start(void)
{
	struct measure_segment_size size = {.buffer_size = 2 * CHUNK,
		.chunk_size = CHUNK,
		.max_locations = 4,
		.journal_size = 1 << 20,
		.filter_text = text,
		.filter_text_size = sizeof(text)};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.patience = 60;
	segment.layout.full_policy = MEASURE_FULL_WAIT;
	atomic_store(&segment.filter->nr_decided, MEASURE_FILTER_MODULES);
	measure_region_filter_start(&segment, 0);
	if (!t_record() || measure_location_index() != 0)
		return 1;
	for (uint32_t i = 0; i < segment.layout.nr_chunks; i++)
		if (i != measure_location_self->chunk)
			atomic_store(&segment.chunks[i].state, MEASURE_CHUNK_CURRENT);
	t_meet(brief, 1);
	t_meet(plain, 0);
	return 0;
}

static uint32_t t_enter(const char *function, const char *frame)
{
	uint32_t before = measure_location_nr_chunks(measure_location_self);

	measure_function_enter(function, SITE, frame, SITE);
	return measure_location_nr_chunks(measure_location_self) - before;
}

static void t_call_plain(const char *frame)
{
	t_enter(plain, frame);
	measure_function_leave(plain, SITE, frame, SITE);
}

/* The chunk has the records that its events are, and no more. */
static void t_look(const struct measure_location *location)
{
	const uint8_t *memory = measure_segment_chunk_memory(&segment, location->chunk);
	struct measure_chunk_walk walk;

	CU_ASSERT_EQUAL(
		measure_chunk_walk(memory, CHUNK, t_events(0), NULL, NULL, &walk), MEASURE_OK);
	CU_ASSERT_EQUAL(walk.last_event, t_events(0));
	CU_ASSERT_PTR_EQUAL(memory + walk.end, location->writer.position);
}

/* Whether the chunk was full. Where it had to wait for the next one, there is a BufferFlush too. */
static bool t_cross(const char *frame)
{
	bool has_crossed = t_enter(brief, frame) > 0;
	uint64_t events = t_events(0);

	measure_function_leave(brief, SITE, frame, SITE);
	if (!has_crossed)
		CU_ASSERT_EQUAL(t_events(0), events - 1);
	if (!has_crossed)
		return false;
	CU_ASSERT(t_events(0) == events + 1 || t_events(0) == events + 2);
	t_look(measure_location_self);
	return true;
}

/* Often, as it takes some luck that the chunk is free again so soon. */
static void calls_are_not_taken_back_from_another_chunk(void)
{
	const struct measure_location *location = measure_location_self;
	uint32_t chunk = location->chunk;
	int nr_crossed = 0;
	char frame = 0;

	while (nr_crossed < NR_CROSSED) {
		nr_crossed += t_cross(&frame);
		CU_ASSERT_EQUAL_FATAL(location->chunk, chunk);
		t_call_plain(&frame);
	}
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"calls are not taken back from another chunk",
			calls_are_not_taken_back_from_another_chunk},
		CU_TEST_INFO_NULL,
	};
	pthread_t thread;

	if (pthread_create(&thread, NULL, recycle, NULL) != 0)
		return 99;
	int status = t_suite("recycled", t_start, NULL, tests);
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	return status;
}
