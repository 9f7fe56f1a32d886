/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: threads record, define and come and go at once, while a spooler takes their full
 * chunks away; nothing is lost, and each location's file is whole. Of most use when it is built
 * with ThreadSanitizer. */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "keeper/spool/spool.h"
#include "format/event_chunk.h"
#include "t_recording.h"
#include "../../t_suite.h"

#define CHUNK        (256 * 1024)
#define NR_THREADS   8 /* at a time */
#define NR_WAVES     4
#define NR_ROUNDS    2000
#define NR_FUNCTIONS 1500 /* more than the table of them has room for at first */
#define DEPTH        300  /* of calls, more than a block of the stack has */

static struct measure_spool spool;
static char directory[64];
static int part_fd;
static pthread_t spooler;
static _Atomic bool is_done;
static _Atomic uint64_t nr_written; /* records of Enter and Leave */
static _Atomic uint64_t nr_threads;

static const char functions[NR_FUNCTIONS * 16];
static measure_comm_t contingent;

static void *take_away(void *unused)
{
	while (!atomic_load(&is_done)) {
		uint32_t seen = atomic_load(&segment.header->full_events);
		measure_spool_pass(&spool, false);
		measure_spool_wait(&spool, seen);
	}
	return unused;
}

static int t_start(void)
{
	struct measure_segment_size size = {16 * CHUNK, CHUNK, 64, 4 << 20, 64};
	const struct measure_comm_info info = {
		.kind = MEASURE_COMM_THREADS, .parent = MEASURE_UNDEFINED};

	strcpy(directory, "/tmp/measure-threads-XXXXXX");
	if (!mkdtemp(directory) || !t_make_segment(&size))
		return 1;
	part_fd = open(directory, O_RDONLY | O_DIRECTORY);
	segment.layout.patience = 60;
	if (measure_spool_open(&spool, &segment, part_fd, MEASURE_SPOOL_ALWAYS) != MEASURE_OK ||
		!t_record())
		return 1;
	contingent = measure_comm_define(&info);
	return measure_location_index() != 0 ||
	       pthread_create(&spooler, NULL, take_away, NULL) != 0;
}

static int t_end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static const void *function(unsigned number)
{
	return &functions[number % NR_FUNCTIONS * 16];
}

static void call(unsigned number)
{
	measure_function_enter(function(number), NULL, NULL, NULL);
	measure_function_leave(function(number), NULL, NULL, NULL);
}

static void recurse(void)
{
	for (unsigned i = 0; i < DEPTH; i++)
		measure_function_enter(function(i), NULL, NULL, NULL);
	for (unsigned i = DEPTH; i-- > 0;)
		measure_function_leave(function(i), NULL, NULL, NULL);
}

/* A region that nobody else has, and one that all have. */
static void define(unsigned number)
{
	const struct measure_region_info info = {.name = "region of its own"};
	struct measure_location *location;
	measure_region_t own = measure_region_define(&info);
	measure_region_t common = measure_region_at(function(number), "construct", 0, 0);

	measure_location_name("a name");
	measure_location_property(measure_location_index(), "TEXT", "a text");
	measure_location_property_uint64(measure_location_index(), "NUMBER", number);
	location = measure_record_begin();
	if (!location)
		return;
	measure_write_enter(location, own);
	measure_write_enter(location, common);
	measure_write_leave(location, common);
	measure_write_leave(location, own);
	measure_record_end(location);
}

static void *work(void *number)
{
	const unsigned first = (unsigned)(uintptr_t)number * 100;

	if (!measure_thread_begin(contingent, (uintptr_t)number))
		return NULL;
	atomic_fetch_add(&nr_threads, 1);
	for (unsigned i = 0; i < NR_ROUNDS; i++) {
		call(first + i);
		if (i % 100 == 0)
			recurse();
		if (i % 50 == 0)
			define(i);
	}
	atomic_fetch_add(
		&nr_written, 2 * NR_ROUNDS + NR_ROUNDS / 100 * 2 * DEPTH + NR_ROUNDS / 50 * 4);
	return NULL;
}

static void run_wave(unsigned wave)
{
	pthread_t threads[NR_THREADS];

	for (uintptr_t i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work,
					      (void *)(wave * NR_THREADS + i + 1)),
			0);
	for (unsigned i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void nothing_is_lost(void)
{
	uint64_t nr_events = 0;
	uint32_t nr_locations;

	for (unsigned wave = 0; wave < NR_WAVES; wave++)
		run_wave(wave);
	nr_locations = atomic_load(&segment.header->nr_locations);
	for (uint32_t i = 0; i < nr_locations; i++) {
		uint64_t committed = atomic_load(&segment.locations[i].committed);
		nr_events += measure_committed_events(committed);
		CU_ASSERT_EQUAL(measure_committed_depth(committed), 0);
	}
	/* the spooler may have been waited for, which is recorded as well */
	CU_ASSERT_EQUAL(atomic_load(&nr_threads), NR_THREADS * NR_WAVES);
	CU_ASSERT_EQUAL(
		nr_events, atomic_load(&nr_written) + 2 * NR_THREADS * NR_WAVES +
				   atomic_load(&segment.header->counts[MEASURE_COUNT_STALLS]));
	for (int i = 0; i < MEASURE_COUNTS; i++)
		if (i != MEASURE_COUNT_STALLS && i != MEASURE_COUNT_STALL_TICKS)
			CU_ASSERT_EQUAL(atomic_load(&segment.header->counts[i]), 0);
}

/* As many as ever were there at a time. */
static void locations_are_reused(void)
{
	CU_ASSERT(atomic_load(&segment.header->nr_locations) <= NR_THREADS + 1);
}

/* How many events a location's file has; each chunk begins where the one before has ended, in
 * number and in time. */
static uint64_t walk(const char *name)
{
	static uint8_t data[CHUNK];
	struct measure_chunk_walk chunk = {0};
	struct measure_chunk_header header = {0};
	int fd = openat(part_fd, name, O_RDONLY);
	uint64_t last_event = 0, last_time = 0;

	while (fd >= 0 && read(fd, data, CHUNK) == CHUNK) {
		CU_ASSERT_EQUAL(measure_chunk_header_read(data, CHUNK, &header), MEASURE_OK);
		CU_ASSERT_EQUAL(measure_chunk_walk(data, CHUNK, UINT64_MAX, NULL, NULL, &chunk),
			MEASURE_OK);
		CU_ASSERT_EQUAL(header.first_event, last_event + 1);
		CU_ASSERT(chunk.first_time >= last_time);
		CU_ASSERT_EQUAL(chunk.last_event, header.last_event);
		last_event = chunk.last_event;
		last_time = chunk.last_time;
	}
	close(fd);
	return last_event;
}

static void files_are_whole(void)
{
	uint64_t nr_spooled = 0;
	char name[32];

	atomic_store(&is_done, true);
	measure_spool_wake(&segment);
	pthread_join(spooler, NULL);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, true), MEASURE_OK);
	CU_ASSERT(spool.chunks_written > 0);
	for (uint32_t i = 0; i < atomic_load(&segment.header->nr_locations); i++) {
		snprintf(name, sizeof(name), "%u.evt", i);
		nr_spooled += walk(name);
	}
	CU_ASSERT(nr_spooled > 0 && nr_spooled <= atomic_load(&nr_written) * 2);
	measure_spool_close(&spool);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"nothing is lost", nothing_is_lost},
		{"locations are reused", locations_are_reused},
		{"files are whole", files_are_whole},
		CU_TEST_INFO_NULL,
	};

	return t_suite("threads", t_start, t_end, tests);
}
