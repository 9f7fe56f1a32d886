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

#define EXEC(name, parameters, arguments)                                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		bool has_rested = measure_thread_rest();                                           \
                                                                                                   \
		return exec_go_on(has_rested, REAL(name) arguments);                               \
	}
EXEC(execve, (const char *path, char *const *arguments, char *const *environment),
	(path, arguments, environment))
EXEC(execvpe, (const char *file, char *const *arguments, char *const *environment),
	(file, arguments, environment))
EXEC(execveat,
	(int directory, const char *path, char *const *arguments, char *const *environment,
		int flags),
	(directory, path, arguments, environment, flags))
EXEC(fexecve, (int fd, char *const *arguments, char *const *environment),
	(fd, arguments, environment))
