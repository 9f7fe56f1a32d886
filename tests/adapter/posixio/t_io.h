/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a test program says of itself, so that run.sh can compare: lines "event NAME COUNT" and
 * "region NAME COUNT". They go out past the C library: they are no part of what is tested. */
#ifndef TESTS_ADAPTER_POSIXIO_T_IO_H
#define TESTS_ADAPTER_POSIXIO_T_IO_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void t_say(int fd, const char *word, const char *name, unsigned long count)
{
	char line[256];
	const int length = snprintf(line, sizeof(line), "%s %s %lu\n", word, name, count);

	syscall(SYS_write, fd, line, length);
}

/* A test that does not do what it should is none. */
#define T_MUST(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			t_say(2, __FILE__ ":", #condition, __LINE__);                              \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

/* It fails as it does without us, and says so. */
#define T_FAILS(error, call)                                                                       \
	do {                                                                                       \
		errno = 0;                                                                         \
		T_MUST((long)(call) == -1);                                                        \
		T_MUST(errno == (error));                                                          \
	} while (0)

/* It does not fail, and leaves alone what the program's errno is. */
#define T_KEEPS(call)                                                                              \
	do {                                                                                       \
		errno = 4711;                                                                      \
		T_MUST((long)(call) >= 0);                                                         \
		T_MUST(errno == 4711);                                                             \
	} while (0)

static inline void t_events(const char *name, unsigned long count)
{
	t_say(1, "event", name, count);
}

static inline void t_regions(const char *name, unsigned long count)
{
	t_say(1, "region", name, count);
}

/* A file of this test in the directory that run.sh made. */
static inline char *t_path(char path[512], const char *name)
{
	snprintf(path, 512, "%s/%s", getenv("T_WORK") ? getenv("T_WORK") : ".", name);
	return path;
}

#endif
