/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What replaces the program must not be met by a signal that was meant for this one. In forked
 * children that are not recorded, which have no timers, these pass through. */
#include "config.h"

#include <errno.h>

#include "sample_real.h"
#include "sample.h"

#define EXPORT __attribute__((visibility("default")))

/* exec has failed. */
static int exec_go_on(bool has_rested, int result)
{
	int saved = errno;

	if (has_rested)
		measure_thread_resume();
	errno = saved;
	return result;
}

EXPORT int execve(const char *path, char *const *arguments, char *const *environment)
{
	bool has_rested = measure_thread_rest();

	return exec_go_on(has_rested, REAL(execve)(path, arguments, environment));
}

EXPORT int execvpe(const char *file, char *const *arguments, char *const *environment)
{
	bool has_rested = measure_thread_rest();

	return exec_go_on(has_rested, REAL(execvpe)(file, arguments, environment));
}

EXPORT int execveat(int directory, const char *path, char *const *arguments,
	char *const *environment, int flags)
{
	bool has_rested = measure_thread_rest();

	return exec_go_on(
		has_rested, REAL(execveat)(directory, path, arguments, environment, flags));
}

EXPORT int fexecve(int fd, char *const *arguments, char *const *environment)
{
	bool has_rested = measure_thread_rest();

	return exec_go_on(has_rested, REAL(fexecve)(fd, arguments, environment));
}
