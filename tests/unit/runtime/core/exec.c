/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: each way to start a program asks for the right file, and starts it as ever. */
#define _GNU_SOURCE
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../t_suite.h"
#include "next_function.h"
#include "runtime/core/exec_environment.h"

/* ------------------------------------------- in place of the environment that is made --- */

static char *const *made; /* NULL: the program is not recorded */
static char asked[256];   /* the file; "-": none was found */
static int nr_asked, nr_failed;
static bool was_child;

size_t measure_exec_environment_ask(struct measure_exec_environment *image, const char *path,
	char *const *environment, bool is_child)
{
	image->environment = environment;
	snprintf(asked, sizeof(asked), "%s", path ? path : "-");
	nr_asked++;
	was_child = is_child;
	return made ? 1 : 0;
}

char *const *measure_exec_environment_make(struct measure_exec_environment *image, void *memory)
{
	(void)image, (void)memory;
	return made;
}

void measure_exec_environment_leave(struct measure_exec_environment *image)
{
	(void)image;
}

void measure_exec_environment_failed(struct measure_exec_environment *image)
{
	(void)image;
	nr_failed++;
}

/* As where the library is preloaded. */
bool measure_is_attached(void)
{
	return false;
}

void *measure_function_behind(const char *name, const void *caller)
{
	(void)name, (void)caller;
	return NULL;
}

static void t_begin(char *const *environment)
{
	made = environment;
	asked[0] = '\0';
	nr_asked = nr_failed = 0;
}

static int t_status_of(pid_t child)
{
	int status = 0;

	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The status of a child that calls `statement`, which starts a program. */
#define T_EXEC(statement)                                                                          \
	__extension__({                                                                            \
		pid_t forked = fork();                                                             \
		if (forked == 0) {                                                                 \
			statement;                                                                 \
			_exit(99);                                                                 \
		}                                                                                  \
		t_status_of(forked);                                                               \
	})

/* ------------------------------------------------------------------------- the tests --- */

static char *const exit_7[] = {(char *)"sh", (char *)"-c", (char *)"exit 7", NULL};
static char *const exit_x[] = {(char *)"sh", (char *)"-c", (char *)"exit $X", NULL};
static char *const x_is_5[] = {(char *)"X=5", NULL};
static char *const x_is_6[] = {(char *)"X=6", NULL};

static void test_spawn_by_path(void)
{
	pid_t child;

	t_begin(NULL);
	CU_ASSERT_EQUAL_FATAL(posix_spawn(&child, "/bin/sh", NULL, NULL, exit_7, environ), 0);
	CU_ASSERT_EQUAL(t_status_of(child), 7);
	CU_ASSERT_STRING_EQUAL(asked, "/bin/sh");
	CU_ASSERT_TRUE(was_child);
	CU_ASSERT_EQUAL(nr_failed, 0);
}

static void test_spawn_by_search(void)
{
	char *path = strdup(getenv("PATH"));
	pid_t child;

	t_begin(NULL);
	setenv("PATH", "/no/such/folder:/etc:/bin", 1);
	CU_ASSERT_EQUAL_FATAL(posix_spawnp(&child, "sh", NULL, NULL, exit_7, environ), 0);
	CU_ASSERT_EQUAL(t_status_of(child), 7);
	CU_ASSERT_STRING_EQUAL(asked, "/bin/sh");
	CU_ASSERT_EQUAL(posix_spawnp(&child, "passwd.none", NULL, NULL, exit_7, environ), ENOENT);
	CU_ASSERT_STRING_EQUAL(asked, "-");
	CU_ASSERT_EQUAL(nr_failed, 1);
	CU_ASSERT_EQUAL_FATAL(posix_spawnp(&child, "/bin/sh", NULL, NULL, exit_7, environ), 0);
	CU_ASSERT_EQUAL(t_status_of(child), 7);
	CU_ASSERT_STRING_EQUAL(asked, "/bin/sh");
	setenv("PATH", path, 1);
	free(path);
}

/* The program gets the environment that was made for it. */
static void test_environment(void)
{
	pid_t child;

	t_begin(x_is_6);
	CU_ASSERT_EQUAL_FATAL(posix_spawn(&child, "/bin/sh", NULL, NULL, exit_x, x_is_5), 0);
	CU_ASSERT_EQUAL(t_status_of(child), 6);
	CU_ASSERT_EQUAL(T_EXEC(execve("/bin/sh", exit_x, x_is_5)), 6);
	t_begin(NULL);
	CU_ASSERT_EQUAL(T_EXEC(execve("/bin/sh", exit_x, x_is_5)), 5);
	CU_ASSERT_EQUAL(T_EXEC(execvpe("sh", exit_x, x_is_5)), 5);
}

static void test_lists(void)
{
	t_begin(NULL);
	CU_ASSERT_EQUAL(T_EXEC(execl("/bin/sh", "sh", "-c", "exit $1", "sh", "7", NULL)), 7);
	CU_ASSERT_EQUAL(T_EXEC(execlp("sh", "sh", "-c", "exit $1", "sh", "8", NULL)), 8);
	CU_ASSERT_EQUAL(T_EXEC(execle("/bin/sh", "sh", "-c", "exit $X", NULL, x_is_5)), 5);
	CU_ASSERT_EQUAL(T_EXEC(execv("/bin/sh", exit_7)), 7);
	CU_ASSERT_EQUAL(T_EXEC(execvp("sh", exit_7)), 7);
}

static void test_failure(void)
{
	t_begin(NULL);
	CU_ASSERT_EQUAL(execve("/no/such/program", exit_7, environ), -1);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_STRING_EQUAL(asked, "/no/such/program");
	CU_ASSERT_FALSE(was_child);
	CU_ASSERT_EQUAL(nr_failed, 1);
	CU_ASSERT_EQUAL(execve("/etc", exit_7, environ), -1);
	CU_ASSERT_EQUAL(errno, EACCES);
}

/* A file without a name that the keeper could read. */
static void test_descriptor(void)
{
	char name[64];
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	t_begin(NULL);
	CU_ASSERT_EQUAL(fexecve(fd, exit_7, environ), -1);
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getpid(), fd);
	CU_ASSERT_STRING_EQUAL(asked, name);
	close(fd);
}

#ifdef AT_EMPTY_PATH
static void test_directory(void)
{
	int fd = open("/bin", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	t_begin(NULL);
	CU_ASSERT_EQUAL(T_EXEC(execveat(fd, "sh", exit_7, environ, 0)), 7);
	CU_ASSERT_EQUAL(execveat(fd, "no.such.program", exit_7, environ, 0), -1);
	CU_ASSERT_EQUAL(nr_asked, 0); /* its file has no name that could be told */
	CU_ASSERT_EQUAL(execveat(fd, "/no/such/program", exit_7, environ, 0), -1);
	CU_ASSERT_STRING_EQUAL(asked, "/no/such/program");
	close(fd);
}
#endif

int main(void)
{
	CU_TestInfo tests[] = {
		{"posix_spawn()", test_spawn_by_path},
		{"posix_spawnp() and PATH", test_spawn_by_search},
		{"the environment that was made", test_environment},
		{"execl() and its kin", test_lists},
		{"what fails, fails as ever", test_failure},
		{"fexecve()", test_descriptor},
#ifdef AT_EMPTY_PATH
		{"execveat()", test_directory},
#endif
		CU_TEST_INFO_NULL,
	};

	return t_suite("exec", NULL, NULL, tests);
}
