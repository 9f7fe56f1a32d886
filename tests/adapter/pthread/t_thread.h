/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a test program says of itself, so that run.sh can compare: lines "event NAME COUNT" and
 * "region NAME COUNT". All are printed at the end, when the program knows. */
#ifndef TESTS_ADAPTER_PTHREAD_T_THREAD_H
#define TESTS_ADAPTER_PTHREAD_T_THREAD_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A test that does not do what it should is none. */
#define T_MUST(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* The threads of this process that the kernel has not yet ended, detached ones too. */
static inline int t_nr_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int nr = -2; /* . and .. */

	T_MUST(tasks != NULL);
	while (readdir(tasks))
		nr++;
	closedir(tasks);
	return nr;
}

/* Until no more threads are there than so many, for ten seconds at most. */
static inline void t_wait_for_threads(int nr)
{
	for (int i = 0; i < 10000 && t_nr_threads() > nr; i++)
		usleep(1000);
	T_MUST(t_nr_threads() <= nr);
}

static inline void t_events(const char *name, unsigned long count)
{
	printf("event %s %lu\n", name, count);
}

static inline void t_regions(const char *name, unsigned long count)
{
	printf("region %s %lu\n", name, count);
}

#endif
