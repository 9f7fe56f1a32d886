/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workers, and the tasks that they execute. */
#ifndef MEASURE_STARPU_RUN_H
#define MEASURE_STARPU_RUN_H

#include "starpu_start.h"

#pragma GCC visibility push(hidden)

/* Asks StarPU which of its workers the calling thread is, and says so in the trace. */
void measure_starpu_know_worker(struct measure_starpu_thread *thread);

/* The calling worker begins or ends a task; `rank`: of the worker among those of a parallel task,
 * of which only the first one counts as its worker. Without a task in execution, its end is
 * ignored. */
void measure_starpu_task_begin(const struct starpu_task *task, int rank);
void measure_starpu_task_end(void);

#pragma GCC visibility pop

#endif
