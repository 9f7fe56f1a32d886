/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: which children and programs are followed, and the environment that these get. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../t_suite.h"
#include "format/rendezvous.h"
#include "runtime/core/exec_environment.h"
#include "runtime/core/follow.h"

static struct measure_segment_header header;
static struct measure_segment_location locations[1];
static struct measure_segment segment = {.header = &header, .locations = locations};

/* ------------------------------------------------------------ in place of the keeper --- */

static const char *answer; /* what it has to be preloaded; NULL: there is no keeper */
static int nr_asked;
static char asked_part[256], asked_path[256];

measure_status_t measure_rendezvous_ask(
	const char *part, const char *path, char *const *environment, int *connection, size_t *size)
{
	(void)environment;
	nr_asked++;
	strcpy(asked_part, part);
	strcpy(asked_path, path);
	if (!answer)
		return MEASURE_ERROR_NOT_FOUND;
	*connection = open("/dev/null", O_RDONLY | O_CLOEXEC);
	*size = strlen(answer) + 1;
	return MEASURE_OK;
}

measure_status_t measure_rendezvous_take(int connection, char *list, size_t size)
{
	close(connection);
	memcpy(list, answer, size);
	return MEASURE_OK;
}

static uint64_t t_missed(void)
{
	return atomic_load(&header.counts[MEASURE_COUNT_UNFOLLOWED]);
}

static void t_start(bool follows_children, bool is_exec)
{
	struct measure_settings settings;

	memset(&header, 0, sizeof(header));
	memset(locations, 0, sizeof(locations));
	atomic_store(&header.pid, getpid());
	measure_settings_defaults(&settings);
	settings.children = follows_children ? MEASURE_CHILDREN_FOLLOW : settings.children;
	settings.exec = is_exec;
	measure_follow_end();
	measure_follow_start(&segment, "/run/.parts/host-1-2", &settings);
	nr_asked = 0;
}

/* -------------------------------------------------------------------- who is followed --- */

static void test_nobody(void)
{
	t_start(false, false);
	CU_ASSERT_FALSE(measure_follow_has_children());
	CU_ASSERT_FALSE(measure_follow_has_images(false));
	CU_ASSERT_FALSE(measure_follow_has_images(true));
}

static void test_all(void)
{
	t_start(true, false);
	CU_ASSERT_TRUE(measure_follow_has_children());
	CU_ASSERT_TRUE(measure_follow_has_images(false));
	CU_ASSERT_TRUE(measure_follow_has_images(true));
	measure_follow_end();
	CU_ASSERT_FALSE(measure_follow_has_children());
}

/* With --exec children are followed as long as this process has recorded nothing. */
static void test_exec(void)
{
	t_start(false, true);
	CU_ASSERT_TRUE(measure_follow_has_images(false));
	CU_ASSERT_TRUE(measure_follow_has_children());
	atomic_store(&locations[0].committed, 2 * MEASURE_COMMIT_EVENT);
	CU_ASSERT_TRUE(measure_follow_has_images(false));
	CU_ASSERT_FALSE(measure_follow_has_images(true));
	CU_ASSERT_FALSE(measure_follow_has_children());
	atomic_store(&locations[0].committed, MEASURE_COMMIT_EVENT);
	CU_ASSERT_TRUE(measure_follow_has_children());
	atomic_store(&header.nr_locations, 2);
	CU_ASSERT_FALSE(measure_follow_has_children());
}

static void test_guest(void)
{
	t_start(false, true);
	CU_ASSERT_FALSE(measure_follow_is_guest());
	atomic_store(&header.pid, getpid() + 1);
	CU_ASSERT_TRUE(measure_follow_is_guest());
	atomic_store(&header.nr_locations, 2);
	CU_ASSERT_FALSE(measure_follow_has_images(false));
}

static void test_counts(void)
{
	t_start(true, false);
	measure_follow_expect(1);
	measure_follow_expect_image(1);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_expected), 2);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 1);
	measure_follow_expect_image(-1);
	measure_follow_expect(-1);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_expected), 0);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 0);
	measure_follow_miss(2);
	measure_follow_miss(-1);
	CU_ASSERT_EQUAL(t_missed(), 1);
}

/* A child's part lies beside its parent's. */
static void test_move(void)
{
	char long_name[5000];

	t_start(true, false);
	CU_ASSERT_STRING_EQUAL(measure_follow_part(), "/run/.parts/host-1-2");
	CU_ASSERT_STRING_EQUAL(measure_follow_variable(), "MEASURE_PART=/run/.parts/host-1-2");
	measure_follow_move(&segment, "");
	CU_ASSERT_STRING_EQUAL(measure_follow_part(), "/run/.parts/host-1-2");
	measure_follow_move(&segment, "host-333-4");
	CU_ASSERT_STRING_EQUAL(measure_follow_part(), "/run/.parts/host-333-4");
	CU_ASSERT_TRUE(measure_follow_has_children());
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	measure_follow_move(&segment, long_name);
	CU_ASSERT_FALSE(measure_follow_has_children());
}

/* --------------------------------------------------------------- their environments --- */

static struct measure_exec_environment image;
static void *memory;

/* The environment of a program that is started with this one. */
static char *const *t_make(char *const *environment, bool is_child)
{
	size_t size = measure_exec_environment_ask(&image, "/bin/app", environment, is_child);

	if (size == 0)
		return environment;
	free(memory);
	memory = malloc(size);
	return measure_exec_environment_make(&image, memory);
}

static void test_not_followed(void)
{
	char *environment[] = {(char *)"A=1", NULL};

	t_start(false, false);
	answer = "/dev/null";
	CU_ASSERT_EQUAL(measure_exec_environment_ask(&image, "/bin/app", environment, true), 0);
	CU_ASSERT_EQUAL(nr_asked, 0);
	measure_exec_environment_failed(&image);
	CU_ASSERT_EQUAL(t_missed(), 0);
}

static void test_composed(void)
{
	char *environment[] = {(char *)"A=1", (char *)"LD_PRELOAD=user.so",
		(char *)"MEASURE_PART=/other", (char *)"B=2", NULL};
	char *const *made;

	t_start(true, false);
	answer = "/dev/null:/dev/zero";
	made = t_make(environment, true);
	CU_ASSERT_STRING_EQUAL(asked_part, "/run/.parts/host-1-2");
	CU_ASSERT_STRING_EQUAL(asked_path, "/bin/app");
	CU_ASSERT_STRING_EQUAL(made[0], "A=1");
	CU_ASSERT_STRING_EQUAL(made[1], "LD_PRELOAD=/dev/null:/dev/zero:user.so");
	CU_ASSERT_STRING_EQUAL(made[2], "B=2");
	CU_ASSERT_STRING_EQUAL(made[3], "MEASURE_PART=/run/.parts/host-1-2");
	CU_ASSERT_PTR_NULL(made[4]);
	CU_ASSERT_STRING_EQUAL(environment[1], "LD_PRELOAD=user.so");
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 1);
	measure_exec_environment_failed(&image);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 0);
	CU_ASSERT_EQUAL(t_missed(), 0);
}

static void test_without_preload(void)
{
	char *environment[] = {(char *)"A=1", NULL};
	char *const *made;

	t_start(true, false);
	answer = "/dev/null";
	made = t_make(environment, false);
	CU_ASSERT_STRING_EQUAL(made[0], "A=1");
	CU_ASSERT_STRING_EQUAL(made[1], "LD_PRELOAD=/dev/null");
	CU_ASSERT_STRING_EQUAL(made[2], "MEASURE_PART=/run/.parts/host-1-2");
	CU_ASSERT_PTR_NULL(made[3]);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 0);
	made = t_make(NULL, false);
	CU_ASSERT_STRING_EQUAL(made[0], "LD_PRELOAD=/dev/null");
	CU_ASSERT_PTR_NULL(made[2]);
}

/* The keeper says that this program cannot be recorded. */
static void test_refused(void)
{
	char *environment[] = {(char *)"A=1", NULL};

	t_start(true, false);
	answer = "";
	CU_ASSERT_PTR_EQUAL(t_make(environment, true), environment);
	CU_ASSERT_EQUAL(nr_asked, 1);
	CU_ASSERT_EQUAL(t_missed(), 0);
}

static void test_missed(void)
{
	char *environment[] = {(char *)"A=1", NULL};

	t_start(true, false);
	answer = NULL;
	CU_ASSERT_PTR_EQUAL(t_make(environment, true), environment);
	CU_ASSERT_EQUAL(t_missed(), 1);
	measure_exec_environment_failed(&image); /* it was not started after all */
	CU_ASSERT_EQUAL(t_missed(), 0);
	answer = "/no/such/libmeasure.so"; /* another root */
	CU_ASSERT_PTR_EQUAL(t_make(environment, true), environment);
	CU_ASSERT_EQUAL(t_missed(), 1);
	CU_ASSERT_EQUAL(atomic_load(&header.nr_images), 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"nobody is followed by default", test_nobody},
		{"all are, until that ends", test_all},
		{"--exec: while the process has recorded nothing", test_exec},
		{"a process in our memory is a guest", test_guest},
		{"who comes and who does not is counted", test_counts},
		{"a child has a part beside its parent's", test_move},
		{"no environment for who is not followed", test_not_followed},
		{"ours come before what the user preloads", test_composed},
		{"an environment without LD_PRELOAD", test_without_preload},
		{"a program that is not to be recorded", test_refused},
		{"a program that cannot be recorded is counted", test_missed},
		CU_TEST_INFO_NULL,
	};

	return t_suite("follow", NULL, NULL, tests);
}
