/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For the OpenMP test programs: they check their own results and say on stdout what a trace
 * of them has to hold; run.sh compares. */
#ifndef T_OMP_H
#define T_OMP_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static inline void t_check(int is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	exit(1);
}

/* Forks of parallel regions; begins of a thread's share in one; enters of explicit barriers. */
static inline int t_expect(long nr_forks, long nr_begins, long nr_barriers)
{
	printf("forks %ld begins %ld barriers %ld\n", nr_forks, nr_begins, nr_barriers);
	return 0;
}

#endif
