/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: some events time themselves, each kind in its histogram; records, attributes and
 * what was put off stay as they are without. The tests share one process and run in order. */
#include "config.h"

#include <stdlib.h>

#include "adapter.h"
#include "runtime/event/self_timing.h"
#include "runtime/memory/chunk_pool.h"
#include "format/self_timings.h"
#include "format/event_chunk.h"
#include "t_recording.h"
#include "../../t_suite.h"

#define CHUNK  (256 * 1024)
#define STRIDE (64 * 1024) /* of lib/runtime/event/self_timing.c */

static measure_region_t call;

static int t_start(void)
{
	struct measure_segment_size size = {64 * CHUNK, CHUNK, 16, 1 << 20};
	struct measure_region_info info = {.name = "call"};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.is_kept = 1;
	if (!t_record())
		return 1;
	call = measure_region_define(&info);
	return 0;
}

static const struct measure_timing_histogram *t_histogram(enum measure_timing_kind kind)
{
	return &segment.timings[0].kinds[kind];
}

static uint64_t t_samples(enum measure_timing_kind kind)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_TIMING_BUCKETS; i++)
		nr += t_histogram(kind)->buckets[i];
	return nr;
}

static uint64_t t_all_samples(void)
{
	uint64_t nr = 0;

	for (enum measure_timing_kind kind = 0; kind < MEASURE_TIMING_REFERENCE; kind++)
		nr += t_samples(kind);
	return nr;
}

static uint64_t t_chunks(void)
{
	return atomic_load(&segment.locations[0].nr_chunks);
}

static uint64_t t_committed(void)
{
	return measure_committed_events(atomic_load(&segment.locations[0].committed));
}

static void test_buckets(void)
{
	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS; i++) {
		uint64_t floor = measure_timing_floor(i);
		CU_ASSERT_EQUAL(measure_timing_bucket(floor), i);
		CU_ASSERT(i == 0 || measure_timing_bucket(floor - 1) == i - 1);
	}
	CU_ASSERT_EQUAL(measure_timing_bucket(UINT64_MAX), MEASURE_TIMING_BUCKETS - 1);
}

/* Functions only: both kinds, one in a stride and not many more, a record each. */
static void test_functions(void)
{
	const void *function = (const void *)(uintptr_t)test_functions;
	const uint64_t nr = 100000;

	for (uint64_t i = 0; i < nr; i++) {
		measure_function_enter(function, NULL, __builtin_frame_address(0), NULL);
		measure_function_leave(function, NULL, __builtin_frame_address(0), NULL);
	}
	CU_ASSERT_EQUAL(t_committed(), 2 * nr);
	uint64_t least = (t_chunks() - 1) * (CHUNK / STRIDE - 1);
	uint64_t most = (t_chunks() + 1) * (CHUNK / STRIDE + 1) + 8;
	CU_ASSERT(t_all_samples() >= least && t_all_samples() <= most);
	CU_ASSERT(t_samples(MEASURE_TIMING_FUNCTION_ENTER) > 0);
	CU_ASSERT(t_samples(MEASURE_TIMING_FUNCTION_LEAVE) > 0);
	CU_ASSERT_EQUAL(
		t_samples(MEASURE_TIMING_FUNCTION_ENTER) + t_samples(MEASURE_TIMING_FUNCTION_LEAVE),
		t_all_samples());
	CU_ASSERT_EQUAL(t_histogram(MEASURE_TIMING_FUNCTION_ENTER)->events,
		t_samples(MEASURE_TIMING_FUNCTION_ENTER));
	CU_ASSERT(t_histogram(MEASURE_TIMING_FUNCTION_ENTER)->ticks > 0);
}

/* Reference events beside the first ones, and beside some later ones; they are recorded nowhere. */
static void test_reference_events(void)
{
	const struct measure_timing_histogram *histogram = t_histogram(MEASURE_TIMING_REFERENCE);
	const uint64_t committed = t_committed();

	CU_ASSERT(t_samples(MEASURE_TIMING_REFERENCE) > 16);
	CU_ASSERT(t_samples(MEASURE_TIMING_REFERENCE) <= t_all_samples());
	CU_ASSERT_EQUAL(
		histogram->events, MEASURE_REFERENCE_EVENTS * t_samples(MEASURE_TIMING_REFERENCE));
	CU_ASSERT(histogram->ticks > 0);
	for (int i = 0; i < 100 && measure_reference_ticks() == 0; i++)
		;
	CU_ASSERT(measure_reference_ticks() > 0);
	CU_ASSERT_EQUAL(t_committed(), committed);
}

static void t_call(void)
{
	struct measure_location *location = measure_record_begin();

	measure_write_enter(location, call);
	measure_write_mpi_send(location, 1, 0, 42, 16);
	measure_record_end(location);
	location = measure_record_begin();
	measure_write_leave(location, call);
	measure_record_end(location);
	location = measure_record_begin();
	measure_write_mpi_recv(location, 1, 0, 42, 16);
	measure_record_end(location);
}

/* Calls: by their first record, however many follow. */
static void test_calls(void)
{
	uint64_t functions =
		t_samples(MEASURE_TIMING_FUNCTION_ENTER) + t_samples(MEASURE_TIMING_FUNCTION_LEAVE);

	for (int i = 0; i < 50000; i++)
		t_call();
	CU_ASSERT(t_samples(MEASURE_TIMING_CALL_ENTER) > 0);
	CU_ASSERT(t_samples(MEASURE_TIMING_CALL_LEAVE) > 0);
	CU_ASSERT(t_samples(MEASURE_TIMING_OTHER) > 0);
	CU_ASSERT_EQUAL(t_histogram(MEASURE_TIMING_CALL_ENTER)->events,
		2 * t_samples(MEASURE_TIMING_CALL_ENTER));
	CU_ASSERT(t_samples(MEASURE_TIMING_FUNCTION_ENTER) +
			  t_samples(MEASURE_TIMING_FUNCTION_LEAVE) <=
		  functions + 1);
}

static uint64_t nr_later;

static void t_later(void *data)
{
	struct measure_location *location = measure_record_begin();

	(void)data;
	nr_later++;
	measure_write_leave(location, call);
	measure_record_end(location);
}

/* What was put off comes before the next event, also where that is to time itself. */
static void test_later(void)
{
	uint64_t before = t_committed();

	for (uint64_t i = 0; i < 30000; i++) {
		struct measure_location *location = measure_record_begin();
		measure_write_enter(location, call);
		measure_record_end(location);
		measure_record_later(t_later, NULL);
		location = i % 2 ? measure_record_begin()
				 : measure_record_begin_at(measure_clock_now());
		if (nr_later != i + 1)
			break;
		measure_write_mpi_send(location, 1, 0, 42, 16);
		measure_record_end(location);
	}
	CU_ASSERT_EQUAL(nr_later, 30000);
	CU_ASSERT_EQUAL(t_committed(), before + 3 * 30000);
}

/* A record with an attribute, of every length at every place in a chunk, stays in one chunk. */
static void test_attributes(void)
{
	measure_attribute_t attribute = measure_attribute_define("a", "", 4);
	uint64_t before = t_committed();

	for (uint64_t i = 0; i < 40000; i++) {
		struct measure_location *location = measure_record_begin();
		measure_write_attribute_uint64(location, attribute, i << i % 40);
		measure_write_mpi_send(location, 1, 0, (uint32_t)i, i);
		measure_record_end(location);
	}
	CU_ASSERT_EQUAL(t_committed(), before + 40000);
}

/* All events of all chunks are where readers look for them. */
static void test_chunks(void)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < segment.layout.nr_chunks; i++) {
		const uint8_t *memory = measure_segment_chunk_memory(&segment, i);
		struct measure_chunk_header header;
		struct measure_chunk_walk walk;
		uint32_t state = atomic_load(&segment.chunks[i].state);
		if (state != MEASURE_CHUNK_FULL && state != MEASURE_CHUNK_CURRENT)
			continue;
		measure_chunk_header_read(memory, CHUNK, &header);
		uint64_t last = state == MEASURE_CHUNK_FULL ? header.last_event : t_committed();
		CU_ASSERT_EQUAL(
			measure_chunk_walk(memory, CHUNK, last, NULL, NULL, &walk), MEASURE_OK);
		CU_ASSERT_EQUAL(walk.last_event, last);
		nr += walk.last_event + 1 - header.first_event;
	}
	CU_ASSERT_EQUAL(nr, t_committed());
	CU_ASSERT(t_chunks() > 8);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"buckets", test_buckets},
		{"functions", test_functions},
		{"reference events", test_reference_events},
		{"calls", test_calls},
		{"later", test_later},
		{"attributes", test_attributes},
		{"chunks", test_chunks},
		CU_TEST_INFO_NULL,
	};

	return t_suite("self_timing", t_start, NULL, tests);
}
