/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a thread gives memory to its own chunk piece by piece, ahead of its events; of free
 * chunks it takes one of its own memory node. The tests share one process and run in order. */
#include "config.h"

#include <sched.h>
#include <sys/mman.h>

#include "adapter.h"
#include "format/numa_placement.h"
#include "runtime/memory/chunk_pool.h"
#include "../event/t_recording.h"
#include "../../t_suite.h"

#define CHUNK	  (256 * 1024)
#define PIECE	  (64 * 1024)
#define PAGE	  4096
#define NR_CHUNKS 16
#define OTHER	  1 /* location; 0 is recorded */
#define MANIETH	  200

static int t_start(void)
{
	struct measure_segment_size size = {NR_CHUNKS * CHUNK, CHUNK, 256, 1 << 20};

	return t_make_segment(&size) && t_record() ? 0 : 1;
}

/* Bytes of a chunk that there is memory behind: where it is made in order, the first ones. */
static size_t t_made(uint32_t chunk)
{
	unsigned char pages[CHUNK / PAGE];
	size_t nr = 0;

	CU_ASSERT_EQUAL(
		mincore(measure_segment_chunk_memory(&segment, chunk), CHUNK, pages), 0);
	while (nr < CHUNK / PAGE && pages[nr] & 1)
		nr++;
	for (size_t i = nr; i < CHUNK / PAGE; i++)
		CU_ASSERT_EQUAL(pages[i] & 1, 0);
	return nr * PAGE;
}

static void memory_is_ahead_of_events(void)
{
	struct measure_region_info info = {.name = "call"};
	measure_region_t call = measure_region_define(&info);
	const struct measure_location *location;
	uint32_t changes = 0;
	size_t made = 0, used = 0;

	measure_location_index();
	location = measure_location_self;
	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	while (used < CHUNK - 1024) {
		struct measure_location *bracket = measure_record_begin();

		measure_write_enter(bracket, call);
		measure_write_leave(bracket, call);
		measure_record_end(bracket);
		used = (size_t)(location->writer.position -
				measure_segment_chunk_memory(&segment, location->chunk));
		if (location->populated != made) {
			changes++;
			made = location->populated;
			CU_ASSERT_EQUAL(t_made(location->chunk), made);
			CU_ASSERT(made <= used + PIECE + PAGE + MEASURE_RECORD_ROOM);
		}
		if (used > made) {
			CU_FAIL("events before there was memory");
			break;
		}
	}
	CU_ASSERT_EQUAL(made, CHUNK);
	CU_ASSERT(changes >= CHUNK / PIECE);
	/* it is told: an exchange, and each piece but the first */
	CU_ASSERT_EQUAL(segment.locations[0].nr_held, changes);
}

/* All chunks are somebody's but these. */
static void t_leave(uint32_t first, uint32_t nr, uint32_t state)
{
	for (uint32_t i = 0; i < NR_CHUNKS; i++)
		atomic_store(&segment.chunks[i].state,
			i >= first && i < first + nr ? state : MEASURE_CHUNK_CURRENT);
}

static void chunks_come_in_pieces(void)
{
	struct measure_stall stall;
	size_t populated = 0;

	t_leave(NR_CHUNKS - 2, 1, MEASURE_CHUNK_UNTOUCHED);
	CU_ASSERT_EQUAL(measure_pool_next(MANIETH, MEASURE_CHUNK_NONE, &populated, &stall),
		NR_CHUNKS - 2);
	CU_ASSERT_EQUAL(populated, PAGE);
	CU_ASSERT_EQUAL(t_made(NR_CHUNKS - 2), PAGE);

	t_leave(NR_CHUNKS - 1, 1, MEASURE_CHUNK_UNTOUCHED);
	atomic_store(&segment.locations[OTHER].nr_chunks, 1);
	CU_ASSERT_EQUAL(measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall),
		NR_CHUNKS - 1);
	CU_ASSERT_EQUAL(populated, PIECE);
	CU_ASSERT_EQUAL(t_made(NR_CHUNKS - 1), PIECE);
	measure_pool_populate(NR_CHUNKS - 1, PIECE, 3 * PIECE + PAGE);
	CU_ASSERT_EQUAL(t_made(NR_CHUNKS - 1), 3 * PIECE + PAGE);

	/* the keeper has allocated it, or it was used before */
	t_leave(5, 1, MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall), 5);
	CU_ASSERT_EQUAL(populated, PIECE);
	t_leave(6, 1, MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(measure_pool_next(OTHER, 5, &populated, &stall), 6);
	CU_ASSERT_EQUAL(atomic_load(&segment.chunks[5].state), MEASURE_CHUNK_FULL);
	t_leave(5, 1, MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall), 5);
	CU_ASSERT_EQUAL(populated, CHUNK);
}

/* It counts up, and wakes the keeper's thread where that says that it sleeps. */
static void the_keeper_is_asked_for_memory(void)
{
	struct measure_segment_header *header = segment.header;
	struct measure_stall stall;
	uint32_t wanted = atomic_load(&header->wanted);
	size_t populated;

	atomic_store(&header->populator_sleeps, 1);
	t_leave(2, 8, MEASURE_CHUNK_FREE);
	measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall);
	CU_ASSERT_EQUAL(atomic_load(&header->wanted), wanted);
	CU_ASSERT_EQUAL(atomic_load(&header->populator_sleeps), 1);
	t_leave(2, 2, MEASURE_CHUNK_FREE);
	measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall);
	CU_ASSERT_EQUAL(atomic_load(&header->wanted), wanted + 1);
	CU_ASSERT_EQUAL(atomic_load(&header->populator_sleeps), 0);
}

/* Or it may come to another node. */
/* wake_from says that the spooler sleeps, and is taken back by who wakes it. */
static void the_spooler_is_woken_where_memory_fills(void)
{
	struct measure_segment_header *header = segment.header;
	struct measure_stall stall;
	size_t populated;
	uint32_t chunk, used;

	t_leave(0, NR_CHUNKS, MEASURE_CHUNK_FREE);
	chunk = measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall);
	used = atomic_load(&header->nr_used);
	atomic_store(&header->wake_from, used + 1);
	chunk = measure_pool_next(OTHER, chunk, &populated, &stall);
	CU_ASSERT_EQUAL(atomic_load(&header->wake_from), used + 1);
	chunk = measure_pool_next(OTHER, chunk, &populated, &stall);
	CU_ASSERT_EQUAL(atomic_load(&header->wake_from), 0);
	CU_ASSERT_NOT_EQUAL(chunk, MEASURE_CHUNK_NONE);
}

static void t_pin(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
}

static void near_ones_come_first(void)
{
	struct measure_stall stall;
	size_t populated;
	uint32_t expected[] = {3, 4, 2, 5};

	t_pin();
	atomic_store(&segment.header->has_homes, 1);
	uint32_t mine = measure_numa_mine(segment.header), other = mine == 1 ? 2 : 1;
	t_leave(2, 4, MEASURE_CHUNK_FREE);
	for (uint32_t i = 0; i < NR_CHUNKS; i++)
		atomic_store(&segment.chunks[i].home, i == 3 || i == 4 ? mine : other);
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		CU_ASSERT_EQUAL(
			measure_pool_next(OTHER, MEASURE_CHUNK_NONE, &populated, &stall),
			expected[i]);
	CU_ASSERT_EQUAL(atomic_load(&segment.chunks[2].home), other);
	CU_ASSERT_EQUAL(atomic_load(&segment.chunks[3].home), mine);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"memory is ahead of events", memory_is_ahead_of_events},
		{"chunks come in pieces", chunks_come_in_pieces},
		{"the keeper is asked for memory", the_keeper_is_asked_for_memory},
		{"the spooler is woken where memory fills", the_spooler_is_woken_where_memory_fills},
		{"near ones come first", near_ones_come_first},
		CU_TEST_INFO_NULL,
	};

	return t_suite("pool", t_start, NULL, tests);
}
