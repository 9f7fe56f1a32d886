/* SPDX-License-Identifier: BSD-3-Clause
 *
 * StarPU's own functions, behind the ones that this adapter interposes, and how much of them it
 * may rely on. */
#ifndef MEASURE_STARPU_REAL_H
#define MEASURE_STARPU_REAL_H

#include <stdbool.h>

#include "starpu_internals.h"

#define PUBLIC_INTERPOSED(name)   __typeof__(name) *name;
#define PUBLIC_CALLED(name)       __typeof__(name) *name;
#define INTERNAL_INTERPOSED(name) __typeof__(name) *name;
#define MPI_INTERPOSED(name)      __typeof__(name) *name;
struct measure_starpu_real {
#include "starpu_calls.def"
};

#pragma GCC visibility push(hidden)
extern struct measure_starpu_real measure_starpu_real;

/* Finds all of them, if this has not been done: a constructor of another library may call StarPU
 * before ours has run. Keeps errno. */
void measure_starpu_resolve(void);

/* Whether functions that StarPU does not document are there, in a release that is known. If not,
 * `why` is a text that says so. */
bool measure_starpu_has_internals(const char **why);
#pragma GCC visibility pop

#define REAL(name)                                                                                 \
	(*(measure_starpu_real.name ? (void)0 : measure_starpu_resolve(), measure_starpu_real.name))

#endif
