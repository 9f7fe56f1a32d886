/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what a process left becomes an archive that OTF2 reads: sound ends, kills, a
 * full disk, a keeper that is gone. */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "adapter.h"
#include "assemble/close/truncation.h"
#include "assemble/part/part.h"
#include "assemble/write/otf2_error.h"
#include "t_archive.h"
#include "t_run.h"
#include "../t_suite.h"

static void test_one_process(void)
{
	struct measure_assemble_report report;
	struct t_part part;
	struct t_events events;

	t_begin_one(&part);
	t_location(&part, 1000);
	t_enter(&part, 0, 1100, 0);
	t_enter(&part, 0, 1200, 1);
	t_leave(&part, 0, 1300, 1);
	t_leave(&part, 0, 1400, 0);
	t_part_end(&part, &t_exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_events, 6);
	CU_ASSERT_EQUAL(report.nr_locations, 1);
	CU_ASSERT_FALSE(t_has(".parts"));
	CU_ASSERT_FALSE(t_has("summary.txt"));
	CU_ASSERT_EQUAL(
		t_run("./measure-profile --write %s | grep -q '^next: measure-profile '"), 0);
	CU_ASSERT(t_has("summary.txt"));
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
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

/* Numbers and texts, of which the last ones hold; one of a location that there is not. */
static void test_location_properties(void)
{
	struct measure_assemble_report report;
	struct t_part part;

	t_begin_one(&part);
	t_location(&part, 1000);
	t_location(&part, 1000);
	T_JOURNAL(&part, location_property, 1, "X::NUMBER", "", true, 17);
	T_JOURNAL(&part, location_property, 1, "X::TEXT", "old", false, 0);
	T_JOURNAL(&part, location_property, 0, "X::TEXT", "first", false, 0);
	T_JOURNAL(&part, location_property, 1, "X::TEXT", "new", false, 0);
	T_JOURNAL(&part, location_property, 2, "X::NUMBER", "", true, 18);
	t_part_end(&part, &t_exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep ^LOCATION_PROPERTY | "
			      "sed 's/ <[^>]*>//g' >%1$s/properties"),
		0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c X:: %s/properties) = 3 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("grep -q 'Name: \"X::NUMBER\", .*UINT64, Value: 17' %s/properties"), 0);
	CU_ASSERT_EQUAL(t_run("grep -q 'X::TEXT\".*STRING.*new' %s/properties"), 0);
	CU_ASSERT_EQUAL(t_run("grep -q 'X::TEXT\".*STRING.*first' %s/properties"), 0);
	CU_ASSERT_EQUAL(t_run("rm %s/properties"), 0);
	t_finish();
}

/* Two threads over several chunks, t_killed in the middle of an event. */
static void test_killed(void)
{
	struct measure_assemble_report report;
	struct t_part part;
	struct t_events events;
	uint64_t time = 1000;

	t_begin_one(&part);
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
	t_part_end(&part, &t_killed);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr_enter, 40002);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT_EQUAL(events.nr, 2 * 40002 + 2);
	CU_ASSERT_EQUAL(events.exit_status, 137);
	CU_ASSERT_EQUAL(events.last_time, t_killed.ticks);
	CU_ASSERT_EQUAL(t_archive_read(t_directory, UINT64_C(1) << 32, &events), 0);
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
		t_part_begin(&part, t_directory, "a.done", &process);
		t_regions(&part);
		t_location(&part, time);
		while (part.segment.locations[0].nr_chunks == 1) {
			t_enter(&part, 0, ++time, nr % 2);
			t_leave(&part, 0, ++time, nr % 2);
			nr++;
		}
		t_part_end(&part, &t_killed);
		t_finish();

		/* Once more, now ending shortly before the second chunk. */
		t_begin();
		t_part_begin(&part, t_directory, "a.done", &process);
		t_regions(&part);
		t_location(&part, time = 1000);
		for (int i = 0; i < nr - 1 - missing / 2; i++) {
			t_enter(&part, 0, ++time, i % 2);
			t_leave(&part, 0, ++time, i % 2);
		}
		if (missing % 2)
			t_enter(&part, 0, ++time, 0);
		uint64_t nr_events = part.locations[0].nr_events + 1 + (missing % 2);
		t_part_end(&part, &t_killed);
		CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
		CU_ASSERT_EQUAL(report.nr_events, nr_events);
		CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
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
	t_part_begin(&part, t_directory, "a", &process);
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
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
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
	struct measure_def_end end = t_killed;
	struct t_part part;
	struct t_events events;
	uint64_t time = 1000;

	t_begin();
	t_part_begin(&part, t_directory, "a.done", &process);
	t_regions(&part);
	t_location(&part, time);
	t_enter(&part, 0, ++time, 0);
	for (int i = 0; i < 40000; i++) {
		t_enter(&part, 0, ++time, 1);
		t_leave(&part, 0, ++time, 1);
	}
	uint64_t nr_committed = part.locations[0].nr_events;
	end.cut = MEASURE_TRUNCATION_DISK;
	t_part_end(&part, &end);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT(report.nr_lost > 0);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
	CU_ASSERT_EQUAL(events.nr_open, 0);
	CU_ASSERT(events.nr <= nr_committed - report.nr_lost + 3);
	CU_ASSERT(events.nr > nr_committed - report.nr_lost);
	t_finish();
}

/* What a thread left open ended with the thread, not with the process. */
static void test_ended_thread(void)
{
	struct measure_assemble_report report;
	struct t_part part;
	struct t_events events;

	t_begin_one(&part);
	t_location(&part, 1000);
	t_location(&part, 1000);
	t_enter(&part, 1, 1100, 0);
	t_enter(&part, 1, 1200, 1);
	atomic_store(&part.segment.locations[1].ended, 1);
	t_part_end(&part, &t_exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(t_directory, UINT64_C(1) << 32, &events), 0);
	CU_ASSERT_EQUAL(events.nr, 4);
	CU_ASSERT_EQUAL(events.last_time, 1200);
	t_finish();
}

/* Of what a keeper took every few seconds, the first and the last. */
static void test_triples(void)
{
	struct measure_def_process process = t_process(0, 1, 1000);
	struct measure_part read = {.fd = -1};
	struct t_part part;

	t_begin();
	t_part_begin(&part, t_directory, "a.done", &process);
	for (uint64_t i = 1; i <= 5; i++)
		T_KEEPER_JOURNAL(&part, clock_triple, i * 1000, 1, (int64_t)i, (int64_t)i);
	t_location(&part, 1000);
	t_part_end(&part, &t_exited);
	int fd = open(t_directory, O_RDONLY | O_DIRECTORY);
	CU_ASSERT_EQUAL(measure_part_read(fd, ".parts/a.done", &read), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(read.triples.nr, 2);
	CU_ASSERT_EQUAL(read.triples.items[0].ticks, 1000);
	CU_ASSERT_EQUAL(read.triples.items[1].ticks, 5000);
	measure_part_free(&read);
	close(fd);
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"one process", test_one_process},
		{"location properties", test_location_properties},
		{"killed", test_killed},
		{"chunk edges", test_chunk_edges},
		{"repair", test_repair},
		{"disk full", test_disk_full},
		{"ended thread", test_ended_thread},
		{"triples", test_triples},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("assemble", NULL, NULL, tests);
}
