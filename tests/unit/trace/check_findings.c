/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: measure-check accepts a sound archive, and for each row of checks.def one
 * archive that breaks this rule is found by this check and no other. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "made_archive.h"
#include "check/check.h"
#include "violations.h"
#include "../t_suite.h"

#define NONE MEASURE_NR_CHECKS

/* Cannot be broken with the OTF2 writer; e2e tests break the files. */
static const enum measure_check elsewhere[] = {
	MEASURE_CHECK_ANCHOR_COUNTS,     /* tests/e2e/check/check_damaged.sh: counts in the anchor file */
	MEASURE_CHECK_LOCAL_DEFINITIONS, /* with CLOCK_OFFSETS here */
	MEASURE_CHECK_LOCATION_DAMAGED,  /* tests/e2e/check/check_damaged.sh: a truncated event file */
	MEASURE_CHECK_TIME_BACKWARD_RAW, /* tests/e2e/check/check_damaged.sh: a changed time */
};

static const struct check_wishes wishes = {.nr_kept_per_check = 5};

/* Writes the archive and checks it. */
static struct check checked(const struct t_archive *archive)
{
	const char *directory = t_directory();
	struct check check;

	CU_ASSERT_TRUE_FATAL(t_archive_write(archive, directory));
	CU_ASSERT_EQUAL_FATAL(check_archive(directory, &wishes, &check), MEASURE_OK);
	return check;
}

/* Findings of `expected` (or none at all), and of nothing else but `also`. */
static void expect(const struct check *check, enum measure_check expected, enum measure_check also)
{
	for (int id = 0; id < MEASURE_NR_CHECKS; id++) {
		bool is_expected = id == (int)expected;

		if ((check->findings.counts[id] > 0) == is_expected || id == (int)also)
			continue;
		printf("\n  breaking %s: %s has %llu findings",
			expected == NONE ? "nothing" : measure_checks[expected].id,
			measure_checks[id].id, (unsigned long long)check->findings.counts[id]);
		CU_FAIL("another check than expected");
	}
}

static void test_sound(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	check = checked(&archive);
	expect(&check, NONE, NONE);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.nr_events, archive.nr_events);
	CU_ASSERT_EQUAL(check.nr_processes, 2);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_MESSAGE].nr_edges, 1);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_MESSAGE_NONBLOCKING].nr_edges, 1);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_ALL_TO_ALL].nr_edges, 2);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_INIT].nr_edges, 2);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_FORK].nr_edges, 1);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_JOIN].nr_edges, 1);
	CU_ASSERT_EQUAL(check.relations[MEASURE_RELATION_THREAD_BARRIER].nr_edges, 2);
	check_free(&check);
	t_archive_free(&archive);
}

static void test_violations(void)
{
	for (size_t i = 0; i < t_nr_violations; i++) {
		enum measure_check id = t_violations[i].check, also;
		struct t_archive archive;
		struct check check;

		t_archive_make(&archive);
		also = t_violations[i].edit(&archive);
		check = checked(&archive);
		expect(&check, id, also);
		if (measure_checks[id].severity == MEASURE_WARNING)
			CU_ASSERT_TRUE(check_is_sound(&check))
		else
			CU_ASSERT_FALSE(check_is_sound(&check));
		check_free(&check);
		t_archive_free(&archive);
	}
}

static void test_every_check_has_a_case(void)
{
	bool is_covered[MEASURE_NR_CHECKS] = {false};

	for (size_t i = 0; i < t_nr_violations; i++)
		is_covered[t_violations[i].check] = true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		is_covered[elsewhere[i]] = true;
	for (int id = 0; id < MEASURE_NR_CHECKS; id++) {
		if (is_covered[id])
			continue;
		printf("\n  no case breaks %s", measure_checks[id].id);
		CU_FAIL("a check without a test");
	}
}

static void define_lost_spool(OTF2_GlobalDefWriter *writer)
{
	const OTF2_AttributeValue nr = {.uint64 = 3};

	OTF2_GlobalDefWriter_WriteString(writer, 100, MEASURE_PROPERTY_LOST_SPOOL);
	OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer, 1, 100, OTF2_TYPE_UINT64, nr);
}

/* The recorder knows that the second process had more events than it could write. */
static void test_lost_ends(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	t_drop(&archive, T_RANK1, MEASURE_EVENT_MPI_RECV, 0);
	archive.define_more = define_lost_spool;
	check = checked(&archive);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.findings.counts[MEASURE_CHECK_LOCATION_TRUNCATED], 1);
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_MESSAGE_UNMATCHED], 1);
	check_free(&check);
	t_archive_free(&archive);
}

/* What is missing because a process died is no fault of the archive. */
static void test_cut_short(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	t_drop(&archive, T_RANK1, MEASURE_EVENT_MPI_RECV, 0);
	t_drop(&archive, T_RANK1, MEASURE_EVENT_MPI_IRECV, 0);
	t_drop(&archive, T_RANK1, MEASURE_EVENT_MPI_COLLECTIVE_END, 0);
	t_find(&archive, T_RANK1, MEASURE_EVENT_PROGRAM_END, 0)->number = 137;
	check = checked(&archive);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_MESSAGE_UNMATCHED], 2);
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_REQUEST_OPEN], 1);
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_COLLECTIVE_INCOMPLETE], 1);
	check_free(&check);
	t_archive_free(&archive);
}

static void test_lost_rank(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	t_drop_all(&archive, T_RANK1);
	check = checked(&archive);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.findings.counts[MEASURE_CHECK_LOCATION_SILENT], 1);
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_MESSAGE_UNMATCHED], 2);
	check_free(&check);
	t_archive_free(&archive);
}

/* A call that MPI refused on one rank is not there for the others'. */
static void test_refused(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	t_drop(&archive, T_RANK0, MEASURE_EVENT_MPI_COLLECTIVE_END, 0);
	check = checked(&archive);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_COLLECTIVE_INCOMPLETE], 1);
	check_free(&check);
	t_archive_free(&archive);

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 185, MEASURE_EVENT_MPI_COLLECTIVE_BEGIN, 0);
	t_find(&archive, T_RANK0, MEASURE_EVENT_LEAVE, 3)->is_refused = true;
	t_find(&archive, T_RANK1, MEASURE_EVENT_MPI_COLLECTIVE_END, 0)->op =
		OTF2_COLLECTIVE_OP_BARRIER;
	check = checked(&archive);
	CU_ASSERT_TRUE(check_is_sound(&check));
	CU_ASSERT_EQUAL(check.findings.excused[MEASURE_CHECK_COLLECTIVE_OPERATION], 1);
	check_free(&check);
	t_archive_free(&archive);
}

static void define_rank_2(OTF2_GlobalDefWriter *writer)
{
	const OTF2_CartDimensionRef dimension = 0;

	OTF2_GlobalDefWriter_WriteCartDimension(writer, 0, T_NAME, 3, OTF2_CART_PERIODIC_TRUE);
	OTF2_GlobalDefWriter_WriteCartTopology(writer, 0, T_NAME, T_WORLD, 1, &dimension);
	for (uint32_t rank = 0; rank < 3; rank++)
		OTF2_GlobalDefWriter_WriteCartCoordinate(writer, 0, rank, 1, &rank);
}

/* There is a place for a third rank, but no third rank. */
static void test_rank_of_topology(void)
{
	struct t_archive archive;
	struct check check;

	t_archive_make(&archive);
	archive.define_more = define_rank_2;
	check = checked(&archive);
	expect(&check, MEASURE_CHECK_TOPOLOGY_COORDINATES, MEASURE_NR_CHECKS);
	CU_ASSERT_EQUAL(check.findings.counts[MEASURE_CHECK_TOPOLOGY_COORDINATES], 1);
	check_free(&check);
	t_archive_free(&archive);
}

static void test_unreadable(void)
{
	static const char *const paths[] = {"/nowhere/at/all", "/tmp", "/etc/passwd"};
	struct check check;

	for (int i = 0; i < 3; i++) {
		CU_ASSERT_NOT_EQUAL(check_archive(paths[i], &wishes, &check), MEASURE_OK);
		CU_ASSERT_PTR_NOT_NULL(strstr(measure_trace_error(), paths[i]));
		CU_ASSERT_PTR_NULL(strchr(measure_trace_error(), '\n'));
		check_free(&check);
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"a sound archive", test_sound},
		{"each violation is found", test_violations},
		{"every check has a case", test_every_check_has_a_case},
		{"a process cut short", test_cut_short},
		{"lost ends", test_lost_ends},
		{"a rank that recorded nothing", test_lost_rank},
		{"a rank whose collective was refused", test_refused},
		{"a rank of a topology", test_rank_of_topology},
		{"unreadable input", test_unreadable},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("checks", NULL, NULL, tests);

	t_clean();
	return failed;
}
