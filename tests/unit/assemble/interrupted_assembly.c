/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: an interrupted assembly is done again, and parts that are damaged, empty or
 * absurd cost no more than what is wrong. */
#include "config.h"

#include <sys/time.h>

#include "adapter.h"
#include "assemble/write/otf2_error.h"
#include "t_archive.h"
#include "t_run.h"
#include "../t_suite.h"

#define NR_STRANGE 400000
#define PATIENCE_S 120 /* of processor time: machines may be busy, and valgrind is slow */

static void test_interrupted(void)
{
	struct measure_assemble_report report;

	t_begin();
	t_rank(0, 1, 1, 0, false);
	/* As if the one before had died between its last renames. */
	CU_ASSERT_EQUAL(t_run("cd %s && mkdir traces .parts/.archive .parts/assembling && "
			      "touch traces/0.evt traces.def .parts/.archive/x && "
			      "echo '1 1 nowhere' >.parts/.assembler"),
		0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_check_archive();
	CU_ASSERT_FALSE(t_has(".parts"));
	t_finish();
}

static void test_nothing(void)
{
	struct measure_assemble_report report;

	t_begin();
	CU_ASSERT_EQUAL(measure_assemble(t_directory, &report), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT(report.trouble[0] != '\0');
	CU_ASSERT_EQUAL(t_run("mkdir -p %s/.parts/empty"), 0);
	CU_ASSERT_EQUAL(measure_assemble(t_directory, &report), MEASURE_ERROR_NOT_FOUND);
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

/* A definition that cannot be costs no more than itself. */
static void t_expect_damage(struct t_part *part)
{
	struct measure_assemble_report report;

	t_location(part, 1000);
	t_part_end(part, &t_exited);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

/* Coordinates of other dimensions than the sizes. */
static void test_wild_cart(void)
{
	struct t_part part;

	t_begin_one(&part);
	t_world(&part, 0, 1);
	T_JOURNAL(&part, cart, 0, 0, {2, (const uint32_t[]){1, 1}}, {2, (const uint32_t[]){0, 0}},
		{1, (const uint32_t[]){0}});
	t_expect_damage(&part);
}

/* An id that no process gives would cost gigabytes of memory. */
static void test_wild_id(void)
{
	struct t_part part;

	t_begin_one(&part);
	T_JOURNAL(&part, region, 1 << 27, "wild", "wild", "demo.c", 1, 9, 1, COMPILER, 0);
	t_expect_damage(&part);
}

/* Of a process that died, ids may have no record, so many and no more. One beyond that
 * costs itself only: its events stay, without a name, and what is defined behind it is there. */
static void leave_out_ids(uint32_t first, uint32_t nr_damaged)
{
	struct measure_assemble_report report;
	struct t_part part;

	t_begin_one(&part);
	t_location(&part, 1000);
	T_JOURNAL(&part, region, first, "far", "far", "demo.c", 1, 9, 1, COMPILER, 0);
	T_JOURNAL(&part, region, 1, "behind", "behind", "demo.c", 1, 9, 1, COMPILER, 0);
	t_enter(&part, 0, 1100, first);
	t_enter(&part, 0, 1200, 1);
	t_leave(&part, 0, 1300, 1);
	t_leave(&part, 0, 1400, first);
	t_part_end(&part, &t_exited);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, nr_damaged);
	CU_ASSERT_EQUAL(report.nr_events, 6);
	CU_ASSERT_EQUAL(t_run("otf2-print -G %s/traces.otf2 | grep -q '^REGION .*\"behind\"'"), 0);
	t_check_archive();
	t_finish();
}

static void test_spare_ids(void)
{
	leave_out_ids(65535, 0);
	leave_out_ids(65537, 0);
	leave_out_ids(70000, 1);
}

/* Of a process that ended in order, but whose event file was cut afterwards, the events before
 * that are kept, and the regions open there closed. */
static void test_cut_events(void)
{
	struct measure_assemble_report report;
	struct t_part part;
	struct t_events events;

	t_begin_one(&part);
	t_location(&part, 1000);
	t_enter(&part, 0, 1100, 0);
	for (int i = 0; i < 30000; i++) {
		t_enter(&part, 0, 1200, 1);
		t_leave(&part, 0, 1200, 1);
	}
	t_leave(&part, 0, 1300, 0);
	t_part_end(&part, &t_exited);
	CU_ASSERT_EQUAL(t_run("cd %s/.parts/a.done && truncate -s 131072 0.evt"), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	CU_ASSERT_EQUAL(t_archive_read(t_directory, 0, &events), 0);
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

/* Deep in open regions, Leaves of one that is not open: each of them is an event, and no more work
 * than others. It was minutes. */
static void test_many_strange_leaves(void)
{
	struct measure_assemble_report report;
	struct t_part part;
	uint64_t time = 1000;

	t_begin_one(&part);
	t_location(&part, time);
	for (int i = 0; i < 2 * NR_STRANGE; i++) {
		part.locations[0].depth = 1; /* the files are all that counts */
		if (i < NR_STRANGE)
			t_enter(&part, 0, ++time, 0);
		else
			t_leave(&part, 0, ++time, 1);
	}
	t_part_end(&part, NULL);
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = PATIENCE_S}, NULL);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = 0}, NULL);
	CU_ASSERT(report.nr_events > NR_STRANGE);
	t_finish();
}

/* A part without its keeper's journal: its events are in the archive, and it is told of. */
static void lose_keeper(int nr_calls, const char *spoil, uint64_t nr_events)
{
	struct measure_assemble_report report;
	struct t_part part;

	t_begin_one(&part);
	t_location(&part, 1000);
	for (int i = 0; i < nr_calls; i++) {
		t_enter(&part, 0, 1200, 0);
		t_leave(&part, 0, 1200, 0);
	}
	t_part_end(&part, &t_exited);
	CU_ASSERT_EQUAL(t_run("mkdir %s/.parts/b"), 0);
	CU_ASSERT_EQUAL(t_run("cd %s/.parts && cp a.done/journal a.done/0.evt b"), 0);
	CU_ASSERT_EQUAL(t_run(spoil), 0);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	CU_ASSERT_EQUAL(report.nr_events, nr_events);
	t_check_archive();
	t_finish();
}

/* With the other part it has to agree on a chunk size. */
static void test_no_chunk_size(void)
{
	const char *alone = "cd %s/.parts && rm -r a.done && touch b/keeper";
	const char *another_size =
		"cd %s/.parts && (head -c 262144 a.done/0.evt; head -c 4096 /dev/zero; "
		"tail -c +262145 a.done/0.evt) >b/0.evt";
	const char *nonsense = "echo nonsense >%s/.parts/b/0.evt";

	lose_keeper(5, "test -d %s", 24);
	lose_keeper(150000, "test -d %s", 600004);
	lose_keeper(5, alone, 12);
	lose_keeper(150000, alone, 300002);
	lose_keeper(150000, another_size, 300002);
	lose_keeper(5, nonsense, 12);
}

/* As a status that no process ends with is. */
static void test_wild_end(void)
{
	const struct measure_def_end end = {5000, MEASURE_END_SIGNALLED, INT64_MAX, ""};
	struct measure_assemble_report report;
	struct t_part part;

	t_begin_one(&part);
	t_location(&part, 1000);
	t_enter(&part, 0, 2000, 0);
	t_part_end(&part, &end);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, 1);
	t_check_archive();
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"interrupted", test_interrupted},
		{"nothing", test_nothing},
		{"damage", test_damage},
		{"wild cart", test_wild_cart},
		{"wild id", test_wild_id},
		{"spare ids", test_spare_ids},
		{"cut events", test_cut_events},
		{"no events", test_no_events},
		{"many strange leaves", test_many_strange_leaves},
		{"no chunk size", test_no_chunk_size},
		{"wild end", test_wild_end},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("faults", NULL, NULL, tests);
}
