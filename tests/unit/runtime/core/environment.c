/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: our variables are taken out of the environment, and what the user preloads stays. */
#include "config.h"

#include <string.h>

#include "../../t_suite.h"
#include "runtime/core/exec_environment.h"

static char part[64];

static bool t_take(char **environment)
{
	memset(part, 0, sizeof(part));
	return measure_environment_take(environment, part, sizeof(part));
}

/* What is left of this value of LD_PRELOAD; NULL: no variable. */
static const char *t_left_of(const char *list)
{
	static char preload[256], variable[64];
	static char *environment[3];

	strcpy(stpcpy(preload, MEASURE_PRELOAD_VARIABLE), list);
	strcpy(stpcpy(variable, MEASURE_PART_VARIABLE), "/run/part");
	environment[0] = preload;
	environment[1] = variable;
	environment[2] = NULL;
	CU_ASSERT_TRUE(t_take(environment));
	CU_ASSERT_STRING_EQUAL(part, "/run/part");
	if (!environment[0])
		return NULL;
	CU_ASSERT_PTR_EQUAL(environment[0], preload);
	CU_ASSERT_PTR_NULL(environment[1]);
	return preload + strlen(MEASURE_PRELOAD_VARIABLE);
}

static void test_not_measured(void)
{
	char preload[] = "LD_PRELOAD=libmeasure.so:user.so", path[] = "PATH=/bin";
	char *environment[] = {preload, path, NULL}, *empty[] = {NULL};

	CU_ASSERT_FALSE(t_take(environment));
	CU_ASSERT_PTR_EQUAL(environment[0], preload);
	CU_ASSERT_STRING_EQUAL(preload, "LD_PRELOAD=libmeasure.so:user.so");
	CU_ASSERT_FALSE(t_take(empty));
	CU_ASSERT_FALSE(t_take(NULL));
}

static void test_order_of_others(void)
{
	char first[] = "A=1", ours[] = "MEASURE_PART=/run/part", last[] = "MEASURE_PART2=b";
	char *environment[] = {first, ours, last, NULL};

	CU_ASSERT_TRUE(t_take(environment));
	CU_ASSERT_PTR_EQUAL(environment[0], first);
	CU_ASSERT_PTR_EQUAL(environment[1], last);
	CU_ASSERT_PTR_NULL(environment[2]);
}

static void test_ours_alone(void)
{
	CU_ASSERT_PTR_NULL(t_left_of("/lib/libmeasure.so"));
	CU_ASSERT_PTR_NULL(t_left_of("/lib/libmeasure.so:/lib/libmeasure-compiler.so"));
}

static void test_users(void)
{
	CU_ASSERT_STRING_EQUAL(
		t_left_of("/lib/libmeasure.so:/usr/lib/user.so"), "/usr/lib/user.so");
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so:libmeasure-mpi.so:a.so:b.so"), "a.so:b.so");
	CU_ASSERT_STRING_EQUAL(t_left_of("user.so"), "user.so");
	/* up to the last of ours all is ours */
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so:libgomp.so:libmeasure-a.so:a.so"), "a.so");
	/* the folder of a library is not its name */
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so:/libmeasure/a.so"), "/libmeasure/a.so");
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so:libmeas.so"), "libmeas.so");
}

/* The user's variable was there, and empty, or ended in a colon. */
static void test_empty(void)
{
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so:"), "");
	CU_ASSERT_STRING_EQUAL(t_left_of("libmeasure.so::a.so:"), ":a.so:");
	CU_ASSERT_STRING_EQUAL(t_left_of(""), "");
}

static void test_long_path(void)
{
	char variable[] = "MEASURE_PART=/run/part", small[5];
	char *environment[] = {variable, NULL};

	CU_ASSERT_TRUE(measure_environment_take(environment, small, sizeof(small)));
	CU_ASSERT_STRING_EQUAL(small, "/run");
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"a process that is not measured keeps its environment", test_not_measured},
		{"other variables stay in their order", test_order_of_others},
		{"LD_PRELOAD goes where it is ours alone", test_ours_alone},
		{"what the user preloads stays", test_users},
		{"an empty list of the user's stays", test_empty},
		{"a path that is too long is cut", test_long_path},
		CU_TEST_INFO_NULL,
	};

	return t_suite("environment", NULL, NULL, tests);
}
