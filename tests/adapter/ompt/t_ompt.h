/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For the OpenMP test programs of LLVM's run-time library: they check their own results and say on
 * stdout what a trace of them has to hold; run.sh compares. */
#ifndef T_OMPT_H
#define T_OMPT_H

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

/* One line for each thing to count: see ../gomp/check_log.awk. */
static inline void t_expect(const char *what, long count)
{
	printf("%s %ld\n", what, count);
}

#endif
