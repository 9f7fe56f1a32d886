/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a test program says of itself, so that run.sh can compare: lines "event NAME COUNT" and
 * "region NAME COUNT". All are printed at the end, when the program knows. */
#ifndef TESTS_ADAPTER_PTHREAD_T_THREAD_H
#define TESTS_ADAPTER_PTHREAD_T_THREAD_H

#include <stdio.h>
#include <stdlib.h>

/* A test that does not do what it should is none. */
#define T_MUST(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static inline void t_events(const char *name, unsigned long count)
{
	printf("event %s %lu\n", name, count);
}

static inline void t_regions(const char *name, unsigned long count)
{
	printf("region %s %lu\n", name, count);
}

#endif
