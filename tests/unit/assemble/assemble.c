/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: parts become an archive that OTF2 reads: sound ends, kills, missing ranks,
 * processes whose keeper is gone, interrupted assembly, clocks and files of two nodes. */
#include "config.h"

#include <fcntl.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter.h"
#include "assemble/assemble.h"
#include "assemble/part.h"
#include "otf2/error.h"
#include "t_archive.h"
#include "t_part.h"
#include "../t_suite.h"

#define MPI	4 /* OTF2_PARADIGM_MPI */
#define OPENMP	3
#define COMPILER 2

static char directory[64];

static void t_begin(void)
{
	strcpy(directory, "/tmp/measure-assemble-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
}

static int t_run(const char *format)
{
	char command[512];

	snprintf(command, sizeof(command), format, directory);
	int status = system(command);
	return WEXITSTATUS(status);
}

static void t_finish(void)
{
	CU_ASSERT_EQUAL(t_run("rm -r %s"), 0);
}

static bool t_has(const char *name)
{
	char path[256];
	struct stat stat_;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return stat(path, &stat_) == 0;
}

/* Assembles, and says why not. */
static measure_status_t t_assemble(struct measure_assemble_report *report)
{
	measure_status_t status = measure_assemble(directory, report);

	if (status != MEASURE_OK)
		fprintf(stderr, "%s\n", report->trouble);
	return status;
}

/* Stock tools read it without a word. */
static void t_check_archive(void)
{
	char command[256];

	CU_ASSERT_EQUAL(t_run("otf2-print --silent -Werror %s/traces.otf2 2>&1 >/dev/null |"
			      "tee /dev/stderr | wc -c | grep -qx 0"), 0);
	snprintf(command, sizeof(command), "otf2-print --silent -Werror %s/traces.otf2 >/dev/null",
		directory);
	CU_ASSERT_EQUAL(system(command), 0);
}

static struct measure_def_process t_process(uint32_t rank, uint64_t domain, uint64_t begin)
{
	static char host[32];

	snprintf(host, sizeof(host), "node%llu", (unsigned long long)domain);
	return (struct measure_def_process){host, host, 100 + rank, 1000 + rank, "/bin/demo",
		"-n 3", domain, "tsc", 1e9, 1, begin};
}

static void t_regions(struct t_part *part)
{
	T_JOURNAL(part, region, 0, "main", "main", "demo.c", 10, 20, 1, COMPILER, 0);
	T_JOURNAL(part, region, 1, "work", "work", "demo.c", 1, 9, 1, COMPILER, 0);
}

static void t_world(struct t_part *part, uint32_t rank, uint32_t size)
{
	T_JOURNAL(part, launch, "job", rank, size, rank, size);
	T_JOURNAL(part, world, rank, size, 5, 6);
	T_JOURNAL(part, comm, 0, MEASURE_COMM_WORLD, "", 5, 6, UINT32_MAX, MPI, {0, NULL});
	T_JOURNAL(part, comm, 1, MEASURE_COMM_SELF, "", 5, 7, UINT32_MAX, MPI, {0, NULL});
}

static const struct measure_def_end exited = {2000, MEASURE_END_EXITED, 0, ""};
static const struct measure_def_end killed = {5000000, MEASURE_END_SIGNALLED, 9, ""};

/* ------------------------------------------------------------------------ one process --- */

static void test_one_process(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, 1000);
	t_enter(&part, 0, 1100, 0);
	t_enter(&part, 0, 1200, 1);
	t_leave(&part, 0, 1300, 1);
	t_leave(&part, 0, 1400, 0);
	t_part_end(&part, &exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_events, 6);
	CU_ASSERT_EQUAL(report.nr_locations, 1);
	CU_ASSERT_FALSE(t_has(".parts"));
	CU_ASSERT(t_has("summary.txt"));
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr, 6);
	CU_ASSERT_EQUAL(events.has_program_end, 1);
	CU_ASSERT_EQUAL(events.exit_status, 0);
	CU_ASSERT_EQUAL(events.last_time, 2000);
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q 'demo -n 3'"), 0);
	CU_ASSERT_EQUAL(t_run("otf2-print %s/traces.otf2 | grep PROGRAM_BEGIN | grep -q /bin/demo"), 0);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT(report.was_complete);
	t_finish();
}

/* Two threads over several chunks, killed in the middle of an event. */
static void test_killed(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;
	uint64_t time = 1000;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, time);
	t_location(&part, time);
	t_enter(&part, 0, ++time, 0);
	for (int i = 0; i < 40000; i++) {
		t_enter(&part, 0, ++time, 1);
		t_enter(&part, 1, time, 1);
		t_leave(&part, 0, ++time, 1);
		t_leave(&part, 1, time, 1);
	}
	t_enter(&part, 0, ++time, 1);
	t_uncommitted(&part, 0, ++time, 1);
	t_part_end(&part, &killed);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr_enter, 40002);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT_EQUAL(events.nr, 2 * 40002 + 2);
	CU_ASSERT_EQUAL(events.exit_status, 137);
	CU_ASSERT_EQUAL(events.last_time, killed.ticks);
	CU_ASSERT_EQUAL(t_archive_read(directory, UINT64_C(1) << 32, &events), 0);
	CU_ASSERT_EQUAL(events.nr, 80000);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT_EQUAL(events.has_program_end, 0);
	t_finish();
}

/* A tail that does not fit behind the last event gets a chunk of its own: every fill level of
 * the last bytes of a chunk. */
static void test_chunk_edges(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);

	for (int missing = 0; missing < 12; missing++) {
		struct t_part part;
		struct t_events events;
		uint64_t time = 1000;
		int nr = 0;

		t_begin();
		t_part_begin(&part, directory, "a.done", &process);
		t_regions(&part);
		t_location(&part, time);
		while (part.segment.locations[0].nr_chunks == 1) {
			t_enter(&part, 0, ++time, nr % 2);
			t_leave(&part, 0, ++time, nr % 2);
			nr++;
		}
		t_part_end(&part, &killed);
		t_finish();

		/* Once more, now ending shortly before the second chunk. */
		t_begin();
		t_part_begin(&part, directory, "a.done", &process);
		t_regions(&part);
		t_location(&part, time = 1000);
		for (int i = 0; i < nr - 1 - missing / 2; i++) {
			t_enter(&part, 0, ++time, i % 2);
			t_leave(&part, 0, ++time, i % 2);
		}
		if (missing % 2)
			t_enter(&part, 0, ++time, 0);
		uint64_t nr_events = part.locations[0].nr_events + 1 + (missing % 2);
		t_part_end(&part, &killed);
		CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
		CU_ASSERT_EQUAL(report.nr_events, nr_events);
		CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
		CU_ASSERT_EQUAL(events.nr, nr_events);
		CU_ASSERT_EQUAL(events.nr_open, 0);
		t_finish();
	}
}

/* The keeper died too: only whole chunks are in the files. */
static void test_repair(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;
	uint64_t time = 1000;

	t_begin();
	t_part_begin(&part, directory, "a", &process);
	T_KEEPER_JOURNAL(&part, clock_triple, 900, 1, 1, 1);
	t_regions(&part);
	t_location(&part, time);
	t_enter(&part, 0, ++time, 0);
	for (int i = 0; i < 40000; i++) {
		t_enter(&part, 0, ++time, 1);
		t_leave(&part, 0, ++time, 1);
	}
	t_part_end(&part, NULL);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_unfinished, 0);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
	CU_ASSERT(events.nr > 40000);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT_EQUAL(events.has_program_end, 1);
	CU_ASSERT_EQUAL(events.exit_status, INT64_MIN);
	t_finish();
}

/* The disk was full: chunks between the files and memory are missing, so only the files count. */
static void test_disk_full(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;
	uint64_t time = 1000;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, time);
	t_enter(&part, 0, ++time, 0);
	for (int i = 0; i < 40000; i++) {
		t_enter(&part, 0, ++time, 1);
		t_leave(&part, 0, ++time, 1);
	}
	uint64_t nr_committed = part.locations[0].nr_events;
	atomic_store(&part.segment.header->keeper_stopped, MEASURE_ERROR_IO);
	t_part_end(&part, &killed);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT(report.nr_lost > 0);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT(events.nr <= nr_committed - report.nr_lost + 3);
	CU_ASSERT(events.nr > nr_committed - report.nr_lost);
	t_finish();
}

/* What a thread left open ended with the thread, not with the process. */
static void test_ended_thread(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, 1000);
	t_location(&part, 1000);
	t_enter(&part, 1, 1100, 0);
	t_enter(&part, 1, 1200, 1);
	atomic_store(&part.segment.locations[1].ended, 1);
	t_part_end(&part, &exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, UINT64_C(1) << 32, &events), 0);
	CU_ASSERT_EQUAL(events.nr, 4);
	CU_ASSERT_EQUAL(events.last_time, 1200);
	t_finish();
}

/* ---------------------------------------------------------------------- many processes --- */

static void t_rank(uint32_t rank, uint32_t size, uint64_t domain, int64_t shift, bool has_samples)
{
	struct measure_def_process process = t_process(rank, domain, (uint64_t)(10000 + shift));
	struct measure_def_end end = exited;
	struct t_part part;
	char name[32];
	uint64_t time = (uint64_t)(10000 + shift);

	snprintf(name, sizeof(name), "rank%u.done", rank);
	t_part_begin(&part, directory, name, &process);
	T_KEEPER_JOURNAL(&part, clock_triple, time, 10, 1000000, 5000000000000);
	T_KEEPER_JOURNAL(&part, clock_triple, time + 100000000, 10, 101000000, 5000100000000);
	if (rank == 1)
		T_JOURNAL(&part, region, 0, "other", "other", "", 0, 0, 1, COMPILER, 0);
	T_JOURNAL(&part, region, rank == 1 ? 1 : 0, "main", "main", "demo.c", 10, 20, 1, COMPILER, 0);
	t_world(&part, rank, size);
	if (has_samples) {
		T_JOURNAL(&part, clock_sample, time + 10, -shift, 3);
		T_JOURNAL(&part, clock_sample, time + 90, -shift, 4);
	}
	t_location(&part, time);
	t_location(&part, time);
	T_JOURNAL(&part, comm, 2, MEASURE_COMM_TEAM, "", 0, 0, UINT32_MAX, OPENMP,
		{2, (const uint32_t[]){0, 1}});
	t_enter(&part, 0, time + 1, rank == 1 ? 1 : 0);
	t_team(&part, 0, time + 2, 2, true);
	t_team(&part, 1, time + 2, 2, true);
	t_team(&part, 1, time + 5, 2, false);
	t_team(&part, 0, time + 5, 2, false);
	t_send(&part, 0, time + 10, (rank + 1) % size, 0);
	t_recv(&part, 0, time + 20, (rank + size - 1) % size, 0);
	t_leave(&part, 0, time + 30, rank == 1 ? 1 : 0);
	end.ticks = time + 50;
	t_part_end(&part, &end);
}

/* Rank 2 of 4 left nothing; two nodes whose clocks are 10^12 ticks apart. */
static void test_job(void)
{
	struct measure_assemble_report report;
	struct t_events events;

	t_begin();
	t_rank(3, 4, 2, 1000000000000, true);
	t_rank(0, 4, 1, 0, true);
	t_rank(1, 4, 1, 0, false);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_missing, 1);
	CU_ASSERT_EQUAL(report.nr_processes, 4);
	t_check_archive();
	for (uint64_t rank = 0; rank < 4; rank++) {
		CU_ASSERT_EQUAL(t_archive_read(directory, rank, &events), 0);
		CU_ASSERT_EQUAL(events.nr, rank == 2 ? 0 : 8);
		if (rank != 2)
			CU_ASSERT_EQUAL(events.first_time, 10000);
	}
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q 'MPI Rank 2'"), 0);
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q MPI_COMM_WORLD"), 0);
	CU_ASSERT_EQUAL(t_run("test $(otf2-print %s/traces.otf2 | grep -c 'ENTER.*\"main\"') = 3"), 0);
	t_finish();
}

/* Nobody measured: the wall clocks tell. */
static void test_wall_clock(void)
{
	struct measure_assemble_report report;
	struct t_events events;

	t_begin();
	t_rank(0, 2, 1, 0, false);
	t_rank(1, 2, 2, 777000000, false);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 1, &events), 0);
	CU_ASSERT(events.first_time >= 9999 && events.first_time <= 10001);
	t_finish();
}

/* ----------------------------------------------------------------------------- faults --- */

static void test_interrupted(void)
{
	struct measure_assemble_report report;

	t_begin();
	t_rank(0, 1, 1, 0, false);
	/* As if the one before had died between its last renames. */
	CU_ASSERT_EQUAL(t_run("cd %s && mkdir traces .parts/.archive .parts/assembling && "
			      "touch traces/0.evt traces.def .parts/.archive/x && "
			      "echo '1 1 nowhere' >.parts/.assembler"), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_FALSE(t_has(".parts"));
	t_finish();
}

static void test_nothing(void)
{
	struct measure_assemble_report report;

	t_begin();
	CU_ASSERT_EQUAL(measure_assemble(directory, &report), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT(report.trouble[0] != '\0');
	CU_ASSERT_EQUAL(t_run("mkdir -p %s/.parts/empty"), 0);
	CU_ASSERT_EQUAL(measure_assemble(directory, &report), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT(t_has(".parts/empty"));
	t_finish();
}

/* A damaged journal costs what lies behind the damage, no more. */
static void test_damage(void)
{
	struct measure_assemble_report report;

	t_begin();
	t_rank(0, 1, 1, 0, false);
	CU_ASSERT_EQUAL(t_run("cd %s/.parts/rank0.done && truncate -s -20 journal"), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

/* Of what a keeper took every few seconds, the first and the last. */
static void test_triples(void)
{
	struct measure_def_process process = t_process(0, 1, 1000);
	struct measure_part read = {.fd = -1};
	struct t_part part;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	for (uint64_t i = 1; i <= 5; i++)
		T_KEEPER_JOURNAL(&part, clock_triple, i * 1000, 1, (int64_t)i, (int64_t)i);
	t_location(&part, 1000);
	t_part_end(&part, &exited);
	int fd = open(directory, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL(measure_part_read(fd, ".parts/a.done", &read), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(read.triples.nr, 2);
	CU_ASSERT_EQUAL(read.triples.items[0].ticks, 1000);
	CU_ASSERT_EQUAL(read.triples.items[1].ticks, 5000);
	measure_part_free(&read);
	close(fd);
	t_finish();
}

/* Coordinates of other dimensions than the sizes. */
static void test_wild_cart(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_world(&part, 0, 1);
	T_JOURNAL(&part, cart, 0, 0, {2, (const uint32_t[]){1, 1}}, {2, (const uint32_t[]){0, 0}},
		{1, (const uint32_t[]){0}});
	t_location(&part, 1000);
	t_part_end(&part, &exited);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

/* An id that no process gives would cost gigabytes of memory. */
static void test_wild_id(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	T_JOURNAL(&part, region, 1 << 27, "wild", "wild", "demo.c", 1, 9, 1, COMPILER, 0);
	t_location(&part, 1000);
	t_part_end(&part, &exited);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

/* Of a process that ended in order, but whose event file was cut afterwards, the events before
 * that are kept, and the regions open there closed. */
static void test_cut_events(void)
{
	struct measure_assemble_report report;
	struct measure_def_process process = t_process(0, 1, 1000);
	struct t_part part;
	struct t_events events;

	t_begin();
	t_part_begin(&part, directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, 1000);
	t_enter(&part, 0, 1100, 0);
	for (int i = 0; i < 30000; i++) {
		t_enter(&part, 0, 1200, 1);
		t_leave(&part, 0, 1200, 1);
	}
	t_leave(&part, 0, 1300, 0);
	t_part_end(&part, &exited);
	CU_ASSERT_EQUAL(t_run("cd %s/.parts/a.done && truncate -s 131072 0.evt"), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr, report.nr_events);
	CU_ASSERT(events.nr > 30000 && events.nr < 60000);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT_EQUAL(events.nr_backwards, 0);
	CU_ASSERT_TRUE(events.has_program_end);
	t_finish();
}

/* Nor does a file that is no event file stop the others. */
static void test_no_events(void)
{
	struct measure_assemble_report report;

	t_begin();
	t_rank(0, 2, 1, 0, false);
	t_rank(1, 2, 1, 0, false);
	CU_ASSERT_EQUAL(t_run("echo nonsense >%s/.parts/rank1.done/0.evt"), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

/* ------------------------------------------------------------------------------ files --- */

/* A file of the node, one of the whole machine, and one that is both processes' although it seems
 * to be of each node; the second process knows them and the attribute by other ids. */
static void t_files(struct t_part *part, uint32_t rank)
{
	T_JOURNAL(part, io_paradigm, MEASURE_IO_MPI, "libdemo 1");
	if (rank)
		T_JOURNAL(part, attribute, 0, "other", "", OTF2_TYPE_UINT64);
	T_JOURNAL(part, attribute, rank, "Offset", "bytes", OTF2_TYPE_UINT64);
	T_JOURNAL(part, io_file, rank, "/tmp/own", "ext4", 0);
	T_JOURNAL(part, io_file, !rank, "/scratch/shared", "lustre", 1);
	T_JOURNAL(part, io_handle, 0, "own", rank, MEASURE_IO_MPI, 0, 1, UINT32_MAX, 0, 0);
	T_JOURNAL(part, io_file, 2, "/var/own", "", 0);
	T_JOURNAL(part, io_handle, 2, "together", 2, MEASURE_IO_MPI, 0, 0, UINT32_MAX, 9, 9);
	T_JOURNAL(part, io_handle, 1, "shared", !rank, MEASURE_IO_MPI, 0, 0, 0, 7, 8);
}

static void test_files(void)
{
	struct measure_assemble_report report;
	struct t_part parts[2];

	t_begin();
	for (uint32_t rank = 0; rank < 2; rank++) {
		struct measure_def_process process = t_process(rank, rank + 1, 1000);
		t_part_begin(&parts[rank], directory, rank ? "b.done" : "a.done", &process);
		t_regions(&parts[rank]);
		t_world(&parts[rank], rank, 2);
		t_files(&parts[rank], rank);
		t_location(&parts[rank], 1000);
		t_part_end(&parts[rank], &exited);
	}
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 >%1$s/definitions"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c ^IO_REGULAR_FILE %s/definitions) = 5 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '/scratch/shared.*machine::' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_REG.*/var/own.*machine::' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_REG.*/tmp/own.*node::' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_FILE_PROPERTY.*ext4' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_HANDLE.*Name: \"own\"' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^IO_HANDLE.*\"shared\".*\"own\"' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^ATTRIBUTE ' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_PARADIGM .*libdemo 1' %s/definitions) = 1 ]"), 0);
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"one process", test_one_process},
		{"killed", test_killed},
		{"chunk edges", test_chunk_edges},
		{"repair", test_repair},
		{"disk full", test_disk_full},
		{"ended thread", test_ended_thread},
		{"job", test_job},
		{"wall clock", test_wall_clock},
		{"interrupted", test_interrupted},
		{"nothing", test_nothing},
		{"damage", test_damage},
		{"triples", test_triples},
		{"wild cart", test_wild_cart},
		{"wild id", test_wild_id},
		{"cut events", test_cut_events},
		{"no events", test_no_events},
		{"files", test_files},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("assemble", NULL, NULL, tests);
}
