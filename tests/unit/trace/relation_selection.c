/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: relations are switched on and off by name, and the matcher hands out those that are
 * on. */
#include "config.h"

#include <string.h>

#include "t_match.h"
#include "../t_suite.h"

static size_t nr_on(const struct measure_selection *selection)
{
	size_t nr = 0;

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		nr += selection->is_on[i];
	return nr;
}

static void test_names(void)
{
	struct measure_selection selection;
	const char *wrong;

	measure_selection_default(&selection);
	CU_ASSERT_TRUE(selection.is_on[MEASURE_RELATION_MESSAGE]);
	CU_ASSERT_FALSE(selection.is_on[MEASURE_RELATION_COMM_FREE]);
	CU_ASSERT_TRUE(measure_selection_parse(
		&selection, "-mpi-barrier,+communicator-release,-lock,+lock", &wrong));
	CU_ASSERT_FALSE(selection.is_on[MEASURE_RELATION_BARRIER]);
	CU_ASSERT_TRUE(selection.is_on[MEASURE_RELATION_COMM_FREE]);
	CU_ASSERT_TRUE(selection.is_on[MEASURE_RELATION_LOCK]);
	CU_ASSERT_TRUE(measure_selection_parse(&selection, "+all", &wrong));
	CU_ASSERT_EQUAL(nr_on(&selection), MEASURE_NR_RELATIONS);
	CU_ASSERT_TRUE(measure_selection_parse(&selection, "-all,+scan", &wrong));
	CU_ASSERT_EQUAL(nr_on(&selection), 1);
}

static void test_wrong_names(void)
{
	static const char *const lists[] = {
		"", "lock", "+", "+lock,", "+loc", "+locks", "-LOCK", "+mpi barrier", "+lock,-lock+scan"};
	struct measure_selection selection;
	const char *wrong;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		measure_selection_default(&selection);
		CU_ASSERT_FALSE(measure_selection_parse(&selection, lists[i], &wrong));
	}
	CU_ASSERT_STRING_EQUAL(wrong, "-lock+scan");
}

/* Each name means one row, so that a table of results can be read back. */
static void test_words(void)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		for (int k = 0; k < i; k++)
			CU_ASSERT_NOT_EQUAL(
				strcmp(measure_relations[i].word, measure_relations[k].word), 0);
}

static void free_communicator(struct t_archive *archive, uint32_t location, uint64_t time)
{
	struct measure_event *end;

	t_add(archive, location, time, MEASURE_EVENT_MPI_COLLECTIVE_BEGIN, 0);
	end = t_add(archive, location, time + 5, MEASURE_EVENT_MPI_COLLECTIVE_END, T_WORLD);
	end->op = OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
	end->peer = OTF2_COLLECTIVE_ROOT_NONE;
}

static void test_matching(void)
{
	struct measure_selection selection;
	struct t_archive archive;
	struct t_result result;
	const char *wrong;

	t_archive_make(&archive);
	free_communicator(&archive, T_RANK0, 280);
	free_communicator(&archive, T_RANK1, 281);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_COMM_FREE), 0);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_MESSAGE), 1);
	measure_findings_free(&result.findings);
	measure_selection_default(&selection);
	CU_ASSERT_TRUE(measure_selection_parse(
		&selection, "+communicator-release,-message", &wrong));
	run_selected(&archive, &selection, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_COMM_FREE, 280, 285));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_MESSAGE), 0);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"names", test_names},
		{"what is no name", test_wrong_names},
		{"words of relations", test_words},
		{"what is handed out", test_matching},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("selection", NULL, NULL, tests);

	t_clean();
	return failed;
}
