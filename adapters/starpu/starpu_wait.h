/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of the program that take time in StarPU: regions in a state of task.state. */
#ifndef MEASURE_STARPU_WAIT_H
#define MEASURE_STARPU_WAIT_H

#include "starpu_start.h"

#pragma GCC visibility push(hidden)

struct measure_starpu_wait {
	struct measure_starpu_thread *thread; /* NULL: not recorded */
	measure_region_t region;              /* MEASURE_UNDEFINED: within another one */
};

/* Enters the region of a function; not within another one that StarPU calls for it. */
void measure_starpu_wait_begin(
	struct measure_starpu_wait *wait, const char *name, enum measure_task_state state);
void measure_starpu_wait_end(const struct measure_starpu_wait *wait);

#pragma GCC visibility pop

#endif
