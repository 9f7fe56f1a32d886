/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: events of chunks that are not full reach the event files, whatever is taken back,
 * and each file ends with a whole record */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "keeper/spool/spool.h"
#include "format/event_chunk.h"
#include "format/event_encode.h"
#include "../../t_suite.h"

#define CHUNK     (256 * 1024)
#define NR_CHUNKS 8
#define LOCATION  1
#define TINY      1e-9 /* seconds: each pass looks */
#define DEPTH     2000

static char directory[64];
static int part_fd, memory_fd;
static struct measure_segment segment;
static struct measure_spool spool;

/* The thread of the location, as lib/runtime/event has it. */
static struct {
	uint32_t chunk;
	uint8_t *position;
	uint64_t time;
	uint32_t depth;
} writer;

static void t_open(enum measure_spool_mode mode, double seconds)
{
	struct measure_segment_size size = {NR_CHUNKS * CHUNK, CHUNK, 16, 65536};

	strcpy(directory, "/tmp/measure-flush-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	part_fd = open(directory, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL_FATAL(measure_segment_create(&size, &memory_fd, &segment), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(measure_spool_open(&spool, &segment, part_fd, mode), MEASURE_OK);
	measure_flush_set(&spool, seconds);
	atomic_store(&segment.header->nr_locations, LOCATION + 1);
	memset(&writer, 0, sizeof(writer));
}

static void t_close(void)
{
	char command[128];

	measure_spool_close(&spool);
	measure_segment_detach(&segment);
	close(memory_fd);
	close(part_fd);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	CU_ASSERT_EQUAL(system(command), 0);
}

static struct measure_segment_location *t_shared(void)
{
	return &segment.locations[LOCATION];
}

static uint64_t t_committed(void)
{
	return measure_committed_events(atomic_load(&t_shared()->committed));
}

/* The location's next chunk is this one. */
static void t_begin(uint32_t chunk)
{
	uint32_t sequence = atomic_load(&t_shared()->nr_chunks);

	writer.chunk = chunk;
	atomic_store(&segment.chunks[chunk].state, MEASURE_CHUNK_CURRENT);
	atomic_store(&segment.chunks[chunk].location, LOCATION);
	atomic_store(&segment.chunks[chunk].sequence, sequence);
	atomic_store(&t_shared()->nr_chunks, sequence + 1);
	writer.position = measure_segment_chunk_memory(&segment, chunk);
	writer.position += measure_chunk_begin(writer.position, t_committed() + 1);
}

static void t_end(void)
{
	uint8_t *memory = measure_segment_chunk_memory(&segment, writer.chunk);

	measure_chunk_seal(memory, CHUNK, (size_t)(writer.position - memory), t_committed(), false);
	atomic_store(&segment.chunks[writer.chunk].state, MEASURE_CHUNK_FULL);
}

static void t_put(bool is_enter, uint32_t region)
{
	uint8_t *place = measure_put_full(
		measure_put_u8(writer.position, MEASURE_OTF2_TIMESTAMP), ++writer.time);

	writer.depth += is_enter ? 1 : (uint32_t)-1;
	writer.position =
		is_enter ? measure_put_enter(place, region) : measure_put_leave(place, region);
	atomic_store_explicit(&t_shared()->committed,
		atomic_load(&t_shared()->committed) +
			(is_enter ? MEASURE_COMMIT_ENTER : MEASURE_COMMIT_LEAVE),
		memory_order_release);
}

static void t_enter(uint32_t region)
{
	t_put(true, region);
}

static void t_leave(uint32_t region)
{
	t_put(false, region);
}

/* The Enter that was put at this place, as take_back() in lib/runtime/select/call_filter.c has it.
 */
static void t_take_back(uint8_t *place)
{
	atomic_fetch_add(&t_shared()->nr_taken_back, 1);
	atomic_fetch_sub(&t_shared()->committed, MEASURE_COMMIT_ENTER);
	writer.position = place;
	writer.depth--;
}

static void t_pass(void)
{
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
}

static off_t t_size(void)
{
	struct stat stat;

	return fstatat(part_fd, "1.evt", &stat, 0) == 0 ? stat.st_size : -1;
}

/* Events of the file's chunk with this number; -1: it does not end with a whole record. */
static int64_t t_events(uint64_t sequence)
{
	static uint8_t bytes[CHUNK];
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	int fd = openat(part_fd, "1.evt", O_RDONLY);
	ssize_t got = pread(fd, bytes, CHUNK, (off_t)(sequence * CHUNK));

	close(fd);
	if (got <= 0)
		return 0;
	if (measure_chunk_header_read(bytes, (size_t)got, &header) != MEASURE_OK)
		return -1;
	uint64_t until = header.last_event ? header.last_event : UINT64_MAX;
	measure_status_t status = measure_chunk_walk(bytes, (size_t)got, until, NULL, NULL, &walk);
	if (header.last_event)
		return status == MEASURE_OK ? (int64_t)(walk.last_event + 1 - header.first_event)
					    : -1;
	return walk.end == (size_t)got ? (int64_t)(walk.last_event + 1 - header.first_event) : -1;
}

static void what_is_committed_is_appended(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(3);
	t_enter(7);
	t_pass();
	CU_ASSERT_EQUAL(t_size(), -1); /* it may be full before the next look */
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 1);
	t_leave(7);
	t_enter(8);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 3);
	CU_ASSERT_EQUAL(atomic_load(&segment.chunks[3].state), MEASURE_CHUNK_CURRENT);
	t_end();
	t_begin(2);
	t_leave(8);
	t_pass();
	CU_ASSERT_EQUAL(t_size(), CHUNK);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 3);
	CU_ASSERT_EQUAL(t_events(1), 1);
	t_close();
}

/* Nothing is written where nothing has happened. */
static void the_idle_cost_nothing(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	t_enter(1);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(unlinkat(part_fd, "1.evt", 0), 0);
	spool.files[0].location = LOCATION + 1; /* it would be opened anew */
	t_pass();
	CU_ASSERT_EQUAL(t_size(), -1);
	t_leave(1);
	t_pass();
	CU_ASSERT_TRUE(t_size() >= 0);
	t_close();
}

static void no_look_comes_early(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, 1000);
	t_begin(0);
	t_enter(1);
	t_pass();
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_size(), -1);
	CU_ASSERT_EQUAL(measure_flush_left(&spool, 100), 100);
	CU_ASSERT_TRUE(measure_flush_left(&spool, 1000000) > 300000);
	t_close();
}

/* Entered regions are taken back, others follow or not: with the file as it was before that. */
static void what_is_taken_back_leaves_the_file(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	t_enter(1);
	t_pass();
	t_pass();
	uint8_t *outer = writer.position;
	t_enter(1000000);
	uint8_t *inner = writer.position;
	t_enter(2000000);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 3);
	t_take_back(inner);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 2);
	t_enter(3);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 3);
	t_take_back(inner);
	t_enter(3000000); /* as many events as before, but others */
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 3);
	CU_ASSERT_EQUAL(t_size(), writer.position - measure_segment_chunk_memory(&segment, 0));
	t_take_back(inner);
	t_take_back(outer);
	t_leave(1);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 2);
	CU_ASSERT_EQUAL(t_size(), writer.position - measure_segment_chunk_memory(&segment, 0));
	t_close();
}

/* ... also the first event of all, and where the chunk is full before anybody looks again. */
static void what_is_taken_back_is_not_in_the_full_chunk(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	uint8_t *first = writer.position;
	t_enter(1000000);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 1);
	t_take_back(first);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 0);
	t_enter(1000000);
	t_pass();
	t_take_back(first);
	for (uint32_t i = 0; i < 1000; i++)
		t_enter(i);
	t_end();
	t_pass();
	CU_ASSERT_EQUAL(t_size(), CHUNK);
	CU_ASSERT_EQUAL(t_events(0), 1000);
	t_close();
}

/* Of a chunk that is being written nothing else stays before its end than what belongs to it. */
static void a_full_chunk_goes_over_its_begin(void)
{
	uint8_t bytes[CHUNK];
	uint64_t i = 0;

	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	for (; i < 100; i++)
		t_enter(1);
	t_pass();
	t_pass();
	int fd = openat(part_fd, "1.evt", O_RDWR);
	off_t size = t_size();
	memcpy(bytes, measure_segment_chunk_memory(&segment, 0), CHUNK);
	CU_ASSERT_TRUE(measure_flush_cut(fd, 0, bytes, CHUNK));
	CU_ASSERT_EQUAL(t_size(), size);
	bytes[500] ^= 1;
	CU_ASSERT_TRUE(measure_flush_cut(fd, 0, bytes, CHUNK));
	CU_ASSERT_EQUAL(t_size(), 500);
	CU_ASSERT_EQUAL(ftruncate(fd, 3 * CHUNK), 0);
	CU_ASSERT_TRUE(measure_flush_cut(fd, CHUNK, bytes, CHUNK)); /* there are others */
	CU_ASSERT_EQUAL(t_size(), 3 * CHUNK);
	close(fd);
	t_close();
}

/* It knows nothing of what the first one has flushed. */
static void another_spooler_goes_on(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	t_enter(1);
	uint8_t *place = writer.position;
	t_enter(1000000);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 2);
	measure_spool_close(&spool);
	t_take_back(place);
	t_leave(1);
	CU_ASSERT_EQUAL(
		measure_spool_resume(&spool, &segment, part_fd, MEASURE_SPOOL_ALWAYS), MEASURE_OK);
	measure_flush_set(&spool, TINY);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), 2);
	CU_ASSERT_EQUAL(t_size(), writer.position - measure_segment_chunk_memory(&segment, 0));
	t_close();
}

/* A chunk has a new owner, and still says that it is the old one's; or there is nothing before it.
 */
static void what_is_not_the_next_one_stays_out(void)
{
	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	t_enter(1);
	t_pass();
	t_pass();
	t_end();
	t_pass();
	atomic_store(&segment.chunks[0].state, MEASURE_CHUNK_CURRENT);
	t_leave(1);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_size(), CHUNK);
	CU_ASSERT_EQUAL(t_events(0), 1);
	t_begin(1);
	t_begin(2);
	t_enter(1);
	t_pass();
	t_pass();
	CU_ASSERT_EQUAL(t_size(), CHUNK);
	t_close();
}

static void other_modes_wait_for_a_signal(void)
{
	static const enum measure_spool_mode modes[] = {
		MEASURE_SPOOL_FULL, MEASURE_SPOOL_END, MEASURE_SPOOL_PHASE};

	for (int i = 0; i < 3; i++) {
		t_open(modes[i], i == 0 ? 0 : TINY);
		t_begin(0);
		t_enter(1);
		t_end();
		t_begin(1);
		t_leave(1);
		t_pass();
		t_pass();
		CU_ASSERT_EQUAL(t_size(), -1);
		CU_ASSERT_EQUAL(measure_flush_left(&spool, 100), 100);
		measure_spool_hurry(&spool);
		CU_ASSERT_EQUAL(measure_flush_left(&spool, 100), 1);
		t_pass();
		CU_ASSERT_EQUAL(t_events(0), 1);
		CU_ASSERT_EQUAL(t_events(1), 1);
		CU_ASSERT_TRUE(measure_flush_left(&spool, 1000) <= 400);
		t_close();
	}
}

static _Atomic bool is_over;

/* Calls deep in others that are taken back, of long records and of short ones in turn. */
static void *write_on(void *nothing)
{
	for (uint32_t i = 0; !atomic_load(&is_over); i++) {
		uint8_t *place = writer.position;
		t_enter(i % 2 ? 5 : 5000000);
		t_take_back(place);
	}
	return nothing;
}

static void nothing_torn_is_written(void)
{
	const struct timespec pause = {0, 20000};
	int64_t before = 0;
	pthread_t thread;

	t_open(MEASURE_SPOOL_ALWAYS, TINY);
	t_begin(0);
	for (int i = 0; i < DEPTH; i++)
		t_enter(1);
	atomic_store(&is_over, false);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, write_on, NULL), 0);
	for (int i = 0; i < 2000; i++) {
		t_pass();
		int64_t nr = t_events(0);
		CU_ASSERT_TRUE(nr >= before - 1); /* one may have been taken back */
		before = nr;
		nanosleep(&pause, NULL);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	t_pass();
	CU_ASSERT_EQUAL(t_events(0), DEPTH);
	t_close();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"what is committed is appended", what_is_committed_is_appended},
		{"the idle cost nothing", the_idle_cost_nothing},
		{"no look comes early", no_look_comes_early},
		{"what is taken back leaves the file", what_is_taken_back_leaves_the_file},
		{"what is taken back is not in the full chunk",
			what_is_taken_back_is_not_in_the_full_chunk},
		{"a full chunk goes over its begin", a_full_chunk_goes_over_its_begin},
		{"another spooler goes on", another_spooler_goes_on},
		{"what is not the next one stays out", what_is_not_the_next_one_stays_out},
		{"other modes wait for a signal", other_modes_wait_for_a_signal},
		{"nothing torn is written", nothing_torn_is_written},
		CU_TEST_INFO_NULL,
	};

	return t_suite("flush", NULL, NULL, tests);
}
