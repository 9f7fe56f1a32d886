/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: chunks and journal reach the part's files, chunks are recycled, and a full disk
 * is reported once. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/journal.h"
#include "keeper/spool/spool.h"
#include "format/event_chunk.h"
#include "../../t_suite.h"

#define CHUNK	  (256 * 1024)
#define NR_CHUNKS 8

static char directory[64];
static int part_fd, memory_fd;
static struct measure_segment segment;
static struct measure_spool spool;

static void t_open(enum measure_spool_mode mode)
{
	struct measure_segment_size size = {NR_CHUNKS * CHUNK, CHUNK, 256, 65536};

	strcpy(directory, "/tmp/measure-spool-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	part_fd = open(directory, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL_FATAL(measure_segment_create(&size, &memory_fd, &segment), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(measure_spool_open(&spool, &segment, part_fd, mode), MEASURE_OK);
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

/* Each chunk has ten events. */
static void t_fill(uint32_t chunk, uint32_t location, uint64_t sequence)
{
	uint8_t *memory = measure_segment_chunk_memory(&segment, chunk);

	memset(memory, (int)(location * 16 + sequence), CHUNK);
	measure_chunk_begin(memory, 10 * sequence + 1);
	measure_chunk_renumber(memory, 10 * sequence + 1, 10 * sequence + 10);
	atomic_store(&segment.chunks[chunk].location, location);
	atomic_store(&segment.chunks[chunk].sequence, sequence);
	atomic_store(&segment.chunks[chunk].state, MEASURE_CHUNK_FULL);
	atomic_fetch_add(&segment.header->full_events, 1);
}

static uint32_t t_state(uint32_t chunk)
{
	return atomic_load(&segment.chunks[chunk].state);
}

static off_t t_size(const char *name)
{
	struct stat stat;

	return fstatat(part_fd, name, &stat, 0) == 0 ? stat.st_size : -1;
}

#define T_RECORD (MEASURE_JOURNAL_FRAME + 8)

/* So many records, each with the letter that tells its place. */
static void t_commit(int nr)
{
	for (int i = 0; i < nr; i++) {
		memset(segment.journal + i * T_RECORD + MEASURE_JOURNAL_FRAME, 'a' + i, 8);
		measure_journal_seal(segment.journal + i * T_RECORD, MEASURE_RECORD_PROPERTY, 8);
	}
	atomic_store(&segment.header->journal_committed, (uint64_t)nr * T_RECORD);
}

/* First and last byte of a chunk's payload in its file. */
static int t_byte(const char *name, uint64_t sequence)
{
	uint8_t first = 0, last = 0;
	int fd = openat(part_fd, name, O_RDONLY);
	off_t place = (off_t)(sequence * CHUNK);

	CU_ASSERT_EQUAL(pread(fd, &first, 1, place + MEASURE_CHUNK_HEADER), 1);
	CU_ASSERT_EQUAL(pread(fd, &last, 1, place + CHUNK - 1), 1);
	close(fd);
	return first == last ? first : -1;
}

static void chunks_land_at_their_place(void)
{
	t_open(MEASURE_SPOOL_ALWAYS);
	t_fill(5, 0, 0);
	t_fill(1, 3, 0);
	t_fill(0, 0, 1);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	CU_ASSERT_EQUAL(t_state(5), MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(t_state(2), MEASURE_CHUNK_UNTOUCHED);
	CU_ASSERT_EQUAL(t_size("0.evt"), 2 * CHUNK);
	CU_ASSERT_EQUAL(t_size("3.evt"), CHUNK);
	CU_ASSERT_EQUAL(t_byte("0.evt", 0), 0);
	CU_ASSERT_EQUAL(t_byte("0.evt", 1), 1);
	CU_ASSERT_EQUAL(t_byte("3.evt", 0), 48);
	CU_ASSERT_EQUAL(spool.chunks_written, 3);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->freed_events), 3);
	t_close();
}

static void the_journal_is_appended(void)
{
	uint8_t bytes[3 * T_RECORD];

	t_open(MEASURE_SPOOL_END);
	t_commit(1);
	measure_spool_pass(&spool, false);
	CU_ASSERT_EQUAL(t_size("journal"), T_RECORD);
	t_commit(2);
	measure_spool_pass(&spool, false);
	int fd = openat(part_fd, "journal", O_RDONLY);
	CU_ASSERT_EQUAL(read(fd, bytes, sizeof(bytes)), 2 * T_RECORD);
	CU_ASSERT_EQUAL(memcmp(bytes, segment.journal, 2 * T_RECORD), 0);
	close(fd);
	t_close();
}

/* Its spooler has died in the middle of a chunk, with a part of the journal written. */
static void another_spooler_goes_on(void)
{
	t_open(MEASURE_SPOOL_ALWAYS);
	t_commit(2);
	t_fill(0, 0, 0);
	t_fill(1, 0, 1);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	t_fill(0, 0, 2);
	atomic_store(&segment.chunks[0].state, MEASURE_CHUNK_SPOOLING);
	CU_ASSERT_EQUAL(ftruncate(spool.files[0].fd, 2 * CHUNK + 5000), 0);
	CU_ASSERT_EQUAL(ftruncate(spool.journal_fd, 2 * T_RECORD - 5), 0);
	measure_spool_close(&spool);

	uint32_t news = atomic_load(&segment.header->freed_events);
	CU_ASSERT_EQUAL(
		measure_spool_resume(&spool, &segment, part_fd, MEASURE_SPOOL_ALWAYS), MEASURE_OK);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->freed_events), news + 1);
	CU_ASSERT_EQUAL(spool.journal_written, T_RECORD);
	t_commit(3);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	CU_ASSERT_EQUAL(spool.chunks_written, 1);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FREE);
	CU_ASSERT_EQUAL(t_size("journal"), 3 * T_RECORD);
	CU_ASSERT_EQUAL(t_size("0.evt"), 3 * CHUNK);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(t_byte("0.evt", (uint64_t)i), i);
	t_close();
}

static void the_mode_says_when(void)
{
	t_open(MEASURE_SPOOL_END);
	t_fill(0, 0, 0);
	measure_spool_pass(&spool, false);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FULL);
	measure_spool_pass(&spool, true);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FREE);
	t_close();

	t_open(MEASURE_SPOOL_FULL);
	for (uint32_t chunk = 0; chunk < NR_CHUNKS - 3; chunk++)
		t_fill(chunk, 0, chunk);
	measure_spool_pass(&spool, false);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FULL);
	t_fill(NR_CHUNKS - 3, 0, NR_CHUNKS - 3);
	measure_spool_pass(&spool, false);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FREE);
	t_close();
}

static void a_phase_ends(void)
{
	static const enum measure_spool_mode modes[] = {
		MEASURE_SPOOL_PHASE, MEASURE_SPOOL_FULL, MEASURE_SPOOL_END};

	for (int i = 0; i < 3; i++) {
		t_open(modes[i]);
		t_fill(0, 0, 0);
		measure_spool_pass(&spool, false);
		CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FULL);
		atomic_fetch_add(&segment.header->phases_ended, 1);
		measure_spool_pass(&spool, false);
		CU_ASSERT_EQUAL(t_state(0), i == 0 ? MEASURE_CHUNK_FREE : MEASURE_CHUNK_FULL);
		CU_ASSERT_EQUAL(atomic_load(&segment.header->phases_written), 1);
		t_fill(1, 0, 1);
		measure_spool_pass(&spool, false);
		CU_ASSERT_EQUAL(t_state(1), MEASURE_CHUNK_FULL);
		t_close();
	}
}

/* Space may come back: the disk is tried again, and nothing is lost. */
static void a_full_disk_is_tried_again(void)
{
	struct measure_segment_header *header;

	t_open(MEASURE_SPOOL_ALWAYS);
	header = segment.header;
	close(spool.journal_fd);
	spool.journal_fd = open("/dev/full", O_WRONLY);
	t_commit(1);
	t_fill(0, 0, 0);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	CU_ASSERT_TRUE(spool.is_blocked);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FULL);
	CU_ASSERT_EQUAL(atomic_load(&header->keeper_stopped), MEASURE_OK);
	close(spool.journal_fd);
	spool.journal_fd = openat(part_fd, "journal", O_WRONLY);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	CU_ASSERT_FALSE(spool.is_blocked);
	CU_ASSERT_EQUAL(t_state(0), MEASURE_CHUNK_FREE);
	t_close();
}

/* ... unless that is what the user wants, or the end. */
static void a_full_disk_is_the_end(void)
{
	for (int i = 0; i < 2; i++) {
		t_open(MEASURE_SPOOL_ALWAYS);
		segment.layout.full_policy = i == 0 ? MEASURE_FULL_STOP : MEASURE_FULL_WAIT;
		close(spool.journal_fd);
		spool.journal_fd = open("/dev/full", O_WRONLY);
		t_commit(1);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, i == 1), MEASURE_ERROR_IO);
		CU_ASSERT_EQUAL(
			atomic_load(&segment.header->keeper_stopped), MEASURE_ERROR_IO);
		t_close();
	}
}

/* More locations than descriptors: files are closed and opened again. */
static uint64_t t_damaged(void)
{
	return atomic_load(&segment.header->counts[MEASURE_COUNT_OVERWRITTEN]);
}

/* Chunks 0 and 1 are written; then somebody writes all over the state of a third one. */
static void what_is_overwritten_is_left_out(void)
{
	static const struct {
		uint32_t location;
		uint64_t sequence, first_event, last_event;
	} cases[] = {
		{256, 0, 1, 10},                                   /* no such location */
		{UINT32_MAX, 0, 1, 10}, {0, 2 + NR_CHUNKS, 1, 10}, /* no such place */
		{0, UINT64_MAX, 21, 30}, {0, 1, 21, 30},           /* the place of another one */
		{0, 2, 0, 10},                                     /* not the begin of a chunk */
		{0, 2, 21, 0},                                     /* it never ended */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		t_open(MEASURE_SPOOL_ALWAYS);
		t_fill(0, 0, 0);
		t_fill(1, 0, 1);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
		t_fill(2, cases[i].location, cases[i].sequence);
		measure_chunk_renumber(measure_segment_chunk_memory(&segment, 2),
			cases[i].first_event, cases[i].last_event);
		t_fill(3, 0, 2);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
		CU_ASSERT_EQUAL(t_damaged(), 1);
		CU_ASSERT_EQUAL(t_state(2), MEASURE_CHUNK_FREE);
		CU_ASSERT_EQUAL(spool.chunks_written, 3);
		CU_ASSERT_EQUAL(t_size("0.evt"), 3 * CHUNK);
		for (int k = 0; k < 3; k++)
			CU_ASSERT_EQUAL(t_byte("0.evt", (uint64_t)k), k);
		t_close();
	}
}

/* Of the journal, what is no record is not read; it ends where its memory ends. */
static void an_overwritten_journal_ends(void)
{
	static const uint64_t committed[] = {3 * T_RECORD, 1 << 20, UINT64_MAX};

	for (size_t i = 0; i < sizeof(committed) / sizeof(committed[0]); i++) {
		t_open(MEASURE_SPOOL_ALWAYS);
		t_commit(2);
		atomic_store(&segment.header->journal_committed, committed[i]);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
		CU_ASSERT_EQUAL(t_size("journal"), 2 * T_RECORD);
		CU_ASSERT_EQUAL(t_damaged(), 1);
		atomic_store(&segment.header->journal_committed, 0);
		CU_ASSERT_EQUAL(measure_spool_pass(&spool, true), MEASURE_OK);
		CU_ASSERT_EQUAL(t_size("journal"), 2 * T_RECORD);
		t_close();
	}
}

static void many_locations_share_descriptors(void)
{
	t_open(MEASURE_SPOOL_ALWAYS);
	for (uint64_t sequence = 0; sequence < 2; sequence++) {
		for (uint32_t location = 0; location < 2 * MEASURE_SPOOL_FILES; location++) {
			t_fill(location % NR_CHUNKS, location, sequence);
			measure_spool_pass(&spool, false);
		}
	}
	CU_ASSERT_EQUAL(spool.chunks_written, 4 * MEASURE_SPOOL_FILES);
	CU_ASSERT_EQUAL(t_size("0.evt"), 2 * CHUNK);
	CU_ASSERT_EQUAL(t_size("127.evt"), 2 * CHUNK);
	t_close();
}

static void a_full_disk_stops_the_recording(void)
{
	struct rlimit old, small = {2 * CHUNK, 0};

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	t_open(MEASURE_SPOOL_ALWAYS);
	small.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	t_fill(0, 0, 0);
	t_fill(1, 0, 1);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_OK);
	t_fill(2, 0, 2);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, false), MEASURE_ERROR_IO);
	CU_ASSERT_EQUAL(t_state(2), MEASURE_CHUNK_FULL);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->keeper_stopped), MEASURE_ERROR_IO);
	CU_ASSERT_NOT_EQUAL(spool.error, 0);
	setrlimit(RLIMIT_FSIZE, &old);
	CU_ASSERT_EQUAL(measure_spool_pass(&spool, true), MEASURE_ERROR_IO);
	t_close();
}

static void *wake_soon(void *unused)
{
	struct timespec soon = {0, 10 * 1000 * 1000};

	while (atomic_load(&segment.header->wake_from) == 0)
		nanosleep(&soon, NULL);
	measure_spool_wake(&segment);
	return unused;
}

/* Told by the kernel, not by how long it took: a busy machine is slow. */
static void waiting_ends_with_news(void)
{
	pthread_t thread;

	t_open(MEASURE_SPOOL_ALWAYS);
	uint32_t seen = atomic_load(&segment.header->full_events);
	pthread_create(&thread, NULL, wake_soon, NULL);
	do
		measure_spool_wait(&spool, seen);
	while (atomic_load(&segment.header->full_events) == seen);
	errno = 0;
	measure_spool_wait(&spool, seen);
	CU_ASSERT_EQUAL(errno, 0);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->wake_from), 0);
	pthread_join(thread, NULL);
	t_close();
}

static void naps_get_longer(void)
{
	int nap = 0;

	t_open(MEASURE_SPOOL_ALWAYS);
	for (int i = 0; i < 8; i++) {
		measure_spool_wait(&spool, atomic_load(&segment.header->full_events));
		CU_ASSERT_TRUE(spool.nap > nap || spool.nap == 128);
		nap = spool.nap;
	}
	CU_ASSERT_EQUAL(nap, 128);
	t_fill(0, 0, 0);
	measure_spool_pass(&spool, false);
	measure_spool_wait(&spool, atomic_load(&segment.header->full_events));
	CU_ASSERT_EQUAL(spool.nap, 4);
	t_close();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"chunks land at their place", chunks_land_at_their_place},
		{"the journal is appended", the_journal_is_appended},
		{"another spooler goes on", another_spooler_goes_on},
		{"the mode says when", the_mode_says_when},
		{"a phase ends", a_phase_ends},
		{"a full disk is tried again", a_full_disk_is_tried_again},
		{"a full disk is the end", a_full_disk_is_the_end},
		{"many locations share descriptors", many_locations_share_descriptors},
		{"what is overwritten is left out", what_is_overwritten_is_left_out},
		{"an overwritten journal ends", an_overwritten_journal_ends},
		{"a full disk stops the recording", a_full_disk_stops_the_recording},
		{"waiting ends with news", waiting_ends_with_news},
		{"naps get longer", naps_get_longer},
		CU_TEST_INFO_NULL,
	};

	return t_suite("spool", NULL, NULL, tests);
}
