/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: members of communicators as all of them see them, and what is hashed of that: both
 * sides of an intercommunicator, and several worlds, on an MPI that is made up here. */
#include "config.h"

#include <string.h>

#include "comm/identity.h"
#include "core/pmpi.h"
#include "../t_suite.h"

#define MAX_NR 8

/* Ranks are letters: those of the own world 'a', 'b', ...; others of another. */
static const char world[] = "abcdef";
static const char *own, *remote;   /* of communicator 1 */
static const char *from, *from_remote; /* of communicator 2 */

struct measure_mpi measure_mpi;

static MPI_Group t_group(const char *letters)
{
	return (MPI_Group)(uintptr_t)letters;
}

static const char *letters_of(MPI_Group group)
{
	return (const char *)(uintptr_t)group;
}

static MPI_Comm t_comm(uintptr_t number)
{
	return (MPI_Comm)number;
}

static int fake_comm_group(MPI_Comm comm, MPI_Group *group)
{
	*group = t_group(comm == MPI_COMM_WORLD ? world : comm == t_comm(1) ? own : from);
	return MPI_SUCCESS;
}

static int fake_comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
	*group = t_group(comm == t_comm(1) ? remote : from_remote);
	return MPI_SUCCESS;
}

static int fake_comm_test_inter(MPI_Comm comm, int *flag)
{
	*flag = (comm == t_comm(1) ? remote : from_remote) != NULL;
	return MPI_SUCCESS;
}

static int fake_group_size(MPI_Group group, int *size)
{
	*size = (int)strlen(letters_of(group));
	return MPI_SUCCESS;
}

static int fake_group_free(MPI_Group *group)
{
	*group = MPI_GROUP_NULL;
	return MPI_SUCCESS;
}

static int fake_translate(
	MPI_Group group, int nr, const int *ranks, MPI_Group other, int *translated)
{
	for (int i = 0; i < nr; i++) {
		const char *found = strchr(letters_of(other), letters_of(group)[ranks[i]]);
		translated[i] = found ? (int)(found - letters_of(other)) : MPI_UNDEFINED;
	}
	return MPI_SUCCESS;
}

static void t_is(uint32_t nr, const uint32_t *ranks, const char *digits)
{
	CU_ASSERT_EQUAL_FATAL(nr, strlen(digits));
	for (uint32_t i = 0; i < nr; i++)
		CU_ASSERT_EQUAL(ranks[i], (uint32_t)(digits[i] - '0'));
}

/* The kinship of communicator 1 as one with these groups sees it. */
static uint64_t t_kinship(const char *own_group, const char *remote_group, int tag)
{
	struct measure_members members;
	uint64_t kinship;

	own = own_group;
	remote = remote_group;
	CU_ASSERT_EQUAL_FATAL(measure_members_get(t_comm(1), &members), MEASURE_OK);
	kinship = measure_identity_kinship(&members, tag);
	measure_members_free(&members);
	return kinship;
}

/* The same of one made of communicator 2, whose second group it is in or not. */
static uint64_t t_kinship_within(bool is_second)
{
	struct measure_members members;
	uint64_t kinship;

	CU_ASSERT_EQUAL_FATAL(
		measure_members_within(t_comm(1), t_comm(2), is_second, &members), MEASURE_OK);
	kinship = measure_identity_kinship(&members, 0);
	measure_members_free(&members);
	return kinship;
}

static void test_order(void)
{
	struct measure_members members;

	own = "fb";
	remote = "ca";
	CU_ASSERT_EQUAL_FATAL(measure_members_get(t_comm(1), &members), MEASURE_OK);
	t_is(members.nr, members.ranks, "20"); /* 2 is less than 5 */
	t_is(members.nr_others, members.others, "51");
	CU_ASSERT_TRUE(members.is_second);
	measure_members_free(&members);
}

static void test_kinship(void)
{
	const uint64_t both = t_kinship("ab", "cd", 1);

	CU_ASSERT_EQUAL(both, t_kinship("cd", "ab", 1));
	CU_ASSERT_NOT_EQUAL(both, t_kinship("ab", "cd", 2));
	CU_ASSERT_NOT_EQUAL(both, t_kinship("ab", "dc", 1));
	CU_ASSERT_NOT_EQUAL(both, t_kinship("abcd", NULL, 1));
	CU_ASSERT_NOT_EQUAL(both, t_kinship("abc", "d", 1));
	CU_ASSERT_NOT_EQUAL(t_kinship("ab", NULL, 1), t_kinship("ba", NULL, 1));
}

static void test_another_world(void)
{
	struct measure_members members;

	own = "ab";
	remote = "xy";
	CU_ASSERT_EQUAL(measure_members_get(t_comm(1), &members), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(measure_members_of_own_side(t_comm(1), &members), MEASURE_OK);
	t_is(members.nr, members.ranks, "01");
	measure_members_free(&members);
}

/* Out of an intercommunicator of parents "cd" and children "xyz": one merged, children first, and
 * one between "d" and "zx". Both sides count the parents first. */
static void test_within(void)
{
	struct measure_members members;
	uint64_t kinship;

	from = "cd";
	from_remote = "xyz";
	own = "xyzcd";
	remote = NULL;
	CU_ASSERT_EQUAL(
		measure_members_within(t_comm(1), t_comm(2), false, &members), MEASURE_OK);
	t_is(members.nr, members.ranks, "23401");
	CU_ASSERT(members.is_relative && members.nr_others == 0);
	measure_members_free(&members);
	kinship = t_kinship_within(false);
	from = "xyz";
	from_remote = "cd";
	CU_ASSERT_EQUAL(kinship, t_kinship_within(true));
	own = "zx";
	remote = "d";
	CU_ASSERT_EQUAL(measure_members_within(t_comm(1), t_comm(2), true, &members), MEASURE_OK);
	t_is(members.nr, members.ranks, "1");
	t_is(members.nr_others, members.others, "42");
	measure_members_free(&members);
	kinship = t_kinship_within(true);
	from = "cd";
	from_remote = "xyz";
	own = "d";
	remote = "zx";
	CU_ASSERT_EQUAL(kinship, t_kinship_within(false));
	own = "q"; /* of a third world */
	CU_ASSERT_EQUAL(measure_members_within(t_comm(1), t_comm(2), false, &members),
		MEASURE_ERROR_NOT_FOUND);
}

/* Two children of one kinship differ, and so do children of two parents. */
static void test_children(void)
{
	const struct measure_comm_key parent = {1, 2}, other = {2, 1};
	const struct measure_comm_key first = measure_identity_of_child(parent, 7, 0);
	const struct measure_comm_key second = measure_identity_of_child(parent, 7, 1);
	const struct measure_comm_key third = measure_identity_of_child(other, 7, 0);

	CU_ASSERT(first.high != second.high && first.low != second.low);
	CU_ASSERT(first.high != third.high || first.low != third.low);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"order of groups", test_order},
		{"kinship", test_kinship},
		{"another world", test_another_world},
		{"within a parent", test_within},
		{"children", test_children},
		CU_TEST_INFO_NULL,
	};

	measure_mpi.Comm_group = fake_comm_group;
	measure_mpi.Comm_remote_group = fake_comm_remote_group;
	measure_mpi.Comm_test_inter = fake_comm_test_inter;
	measure_mpi.Group_size = fake_group_size;
	measure_mpi.Group_free = fake_group_free;
	measure_mpi.Group_translate_ranks = fake_translate;
	if (measure_identity_open_world() != MEASURE_OK)
		return 1;
	return t_suite("identity", NULL, NULL, tests);
}
