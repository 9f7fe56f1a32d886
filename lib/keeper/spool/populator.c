/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocating event memory ahead; see populator.h. The process rings by counting header->wanted up
 * (lib/runtime/memory/chunk_pool.c). */
#define _GNU_SOURCE
#include "config.h"

#include "populator.h"

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/posix.h"
#include "format/numa_placement.h"

#define STACK	   (64 * 1024)
#define PIECE	   (64 * 1024) /* allocated at once */
#define PAGE	   4096
#define AHEAD	   4	  /* chunks allocated in one go, ... */
#define REST_NS	   200000 /* ... before it rests, or looks for work again */
#define IDLE_RESTS 250	  /* it sleeps until it is woken after so many without work: 50 ms */
#define SLEEP_MS   1000   /* at most, whatever the process has made of the words it is woken by */

/* Below Linux 5.14: touch one word a page. The bytes are zero, and nobody else's. */
static void allocate(uint8_t *memory, size_t bytes)
{
	if (madvise(memory, bytes, MADV_POPULATE_WRITE) == 0)
		return;
	for (size_t i = 0; i < bytes; i += PAGE)
		*(volatile uint8_t *)(memory + i) = 0;
}

/* The lowest untouched chunk, now POPULATING. False: there is none. */
static bool populator_take(struct measure_populator *populator, uint32_t *chunk)
{
	const struct measure_segment *segment = populator->segment;
	uint32_t nr_chunks = measure_segment_usable_chunks(segment);

	for (; populator->next < nr_chunks; populator->next++) {
		uint32_t state = MEASURE_CHUNK_UNTOUCHED;
		if (atomic_compare_exchange_strong(&segment->chunks[populator->next].state, &state,
			    MEASURE_CHUNK_POPULATING)) {
			*chunk = populator->next++;
			return true;
		}
	}
	return false;
}

/* Release pairs with the acquire of the process that takes the chunk. */
static void give(const struct measure_segment *segment, uint32_t chunk, uint32_t home)
{
	atomic_store_explicit(&segment->chunks[chunk].home, home, memory_order_relaxed);
	atomic_store_explicit(
		&segment->chunks[chunk].state, MEASURE_CHUNK_FREE, memory_order_release);
	atomic_fetch_add(&segment->header->freed_events, 1);
	if (atomic_load(&segment->header->nr_waiting) > 0)
		measure_futex_wake(&segment->header->freed_events, INT_MAX);
}

static void populate_ahead(struct measure_populator *populator, uint32_t home)
{
	const struct measure_segment *segment = populator->segment;
	uint32_t chunk;

	for (int done = 0; done < AHEAD && populator_take(populator, &chunk); done++) {
		uint8_t *memory = measure_segment_chunk_memory(segment, chunk);
		for (uint32_t i = 0; i < segment->layout.chunk_size; i += PIECE)
			allocate(memory + i, PIECE);
		give(segment, chunk, home);
	}
}

/* For each home that wants some. */
static void populate_homes(struct measure_populator *populator)
{
	uint64_t wanted = atomic_exchange(&populator->segment->header->wanted_homes, 0);

	if (wanted == 0)
		populate_ahead(populator, MEASURE_HOME_UNKNOWN);
	for (uint32_t home = 1; home <= MEASURE_HOMES; home++) {
		if (!(wanted >> (home - 1) & 1))
			continue;
		measure_numa_prefer(home);
		populate_ahead(populator, home);
	}
}

/* Not to be given the processor of a thread of the program the moment it is woken, which is when
 * that thread records, but with the next tick, or when it rests. */
static void step_back(void)
{
	const struct sched_param none = {0};

	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, SCHED_BATCH, &none);
}

/* Sequentially consistent: the process counts `wanted` up and then looks at populator_sleeps, we
 * the other way round; one of us sees the other. */
static void sleep_until_wanted(struct measure_segment_header *header, uint32_t seen)
{
	atomic_store(&header->populator_sleeps, 1);
	if (atomic_load(&header->wanted) == seen)
		measure_futex_wait(&header->wanted, seen, SLEEP_MS);
	atomic_store(&header->populator_sleeps, 0);
}

/* Looks for work by itself while there is some now and then: to wake it would cost a thread of the
 * program more than this costs. */
static void *populator_run(void *argument)
{
	const struct timespec rest = {0, REST_NS};
	struct measure_populator *populator = argument;
	struct measure_segment_header *header = populator->segment->header;
	uint32_t seen = 0;
	int idle = IDLE_RESTS;

	step_back();
	while (!atomic_load(&populator->is_over)) {
		uint32_t wanted = atomic_load(&header->wanted);
		if (wanted != seen) {
			seen = wanted;
			idle = 0;
			populate_homes(populator);
		}
		if (idle++ < IDLE_RESTS)
			nanosleep(&rest, NULL);
		else
			sleep_until_wanted(header, seen);
	}
	return NULL;
}

void measure_populator_start(
	struct measure_populator *populator, const struct measure_segment *segment)
{
	memset(populator, 0, sizeof(*populator));
	populator->segment = segment;
	atomic_store(&segment->header->has_homes, measure_numa_are_several());
	populator->is_running =
		measure_thread_start(&populator->thread, STACK, populator_run, populator) == 0;
}

void measure_populator_stop(struct measure_populator *populator)
{
	struct measure_segment_header *header = populator->segment->header;

	if (!populator->is_running)
		return;
	atomic_store(&populator->is_over, true);
	atomic_fetch_add(&header->wanted, 1);
	measure_futex_wake(&header->wanted, 1);
	pthread_join(populator->thread, NULL);
}
