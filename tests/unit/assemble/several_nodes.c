/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: processes of several nodes become one archive: missing ranks, clocks, files. */
#include "config.h"

#include "adapter.h"
#include "assemble/write/otf2_error.h"
#include "t_archive.h"
#include "t_run.h"
#include "../t_suite.h"

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
		CU_ASSERT_EQUAL(t_archive_read(t_directory, rank, &events), 0);
		CU_ASSERT_EQUAL(events.nr, rank == 2 ? 0 : 8);
		if (rank != 2)
			CU_ASSERT_EQUAL(events.first_time, 10000);
	}
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q 'MPI Rank 2'"), 0);
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q MPI_COMM_WORLD"), 0);
	CU_ASSERT_EQUAL(
		t_run("test $(otf2-print %s/traces.otf2 | grep -c 'ENTER.*\"main\"') = 3"), 0);
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
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 1, &events), 0);
	CU_ASSERT(events.first_time >= 9999 && events.first_time <= 10001);
	t_finish();
}

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
	T_JOURNAL(part, io_handle, 0, "own", rank, MEASURE_IO_MPI, OTF2_IO_HANDLE_FLAG_PRE_CREATED,
		1, UINT32_MAX, 0, 0, OTF2_IO_ACCESS_MODE_WRITE_ONLY, OTF2_IO_STATUS_FLAG_APPEND);
	T_JOURNAL(part, io_file, 2, "/var/own", "", 0);
	T_JOURNAL(part, io_paradigm, MEASURE_IO_ISOC, "");
	T_JOURNAL(part, io_handle, 2, "together", 2, MEASURE_IO_MPI, 0, 0, UINT32_MAX, 9, 9, 0, 0);
	T_JOURNAL(part, io_handle, 1, "shared", !rank, MEASURE_IO_MPI, 0, 0, 0, 7, 8, 0, 0);
}

static void test_files(void)
{
	struct measure_assemble_report report;
	struct t_part parts[2];

	t_begin();
	for (uint32_t rank = 0; rank < 2; rank++) {
		struct measure_def_process process = t_process(rank, rank + 1, 1000);
		t_part_begin(&parts[rank], t_directory, rank ? "b.done" : "a.done", &process);
		t_regions(&parts[rank]);
		t_world(&parts[rank], rank, 2);
		t_files(&parts[rank], rank);
		t_location(&parts[rank], 1000);
		t_part_end(&parts[rank], &t_exited);
	}
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 >%1$s/definitions"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c ^IO_REGULAR_FILE %s/definitions) = 5 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '/scratch/shared.*machine::' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^IO_REG.*/var/own.*machine::' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_REG.*/tmp/own.*node::' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_FILE_PROPERTY.*ext4' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_HANDLE.*Name: \"own\"' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(
		t_run("[ $(grep -c '^IO_HANDLE.*\"shared\".*\"own\"' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_PRE_CREATED.*WRITE_ONLY.*APPEND' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^ATTRIBUTE ' %s/definitions) = 2 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_PARADIGM .*libdemo 1' %s/definitions) = 1 ]"), 0);
	CU_ASSERT_EQUAL(t_run("[ $(grep -c '^IO_PARADIGM ' %s/definitions) = 3 ]"), 0);
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"job", test_job},
		{"wall clock", test_wall_clock},
		{"files", test_files},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("nodes", NULL, NULL, tests);
}
