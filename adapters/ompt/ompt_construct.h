/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of constructs have in common, and the callbacks of the OpenMP tools interface. */
#ifndef MEASURE_OMPT_CONSTRUCT_H
#define MEASURE_OMPT_CONSTRUCT_H

#include <omp-tools.h>

#include "ompt_thread.h"

/* A row of constructs.def. */
struct measure_ompt_construct {
	const char *name;
	int role;
	const char *block_name; /* MUTEX only */
	int block_role;
};

/* Leaves loops and sections that are over without a word: the library says nothing of those
 * that a cancellation ended. In a transaction. */
void measure_ompt_leave_stale(
	struct measure_ompt_thread *thread, struct measure_location *location);

/* The task of these data is what the thread runs: one above it is over, though nobody said so.
 * Outside of transactions. */
void measure_ompt_task_goes_on(struct measure_ompt_thread *thread, const ompt_data_t *data);

/* The functions that the OpenMP run-time library calls. Each lies in the file that owns its
 * subject. */
#define CALLBACK(event, type, parameters) void measure_ompt_##event parameters;
#include "ompt_callbacks.def"
#undef CALLBACK

/* Defines the regions of the lock functions. */
void measure_ompt_mutex_start(void);

/* Asks for the callbacks of devices. */
void measure_ompt_target_start(ompt_set_callback_t set);

#endif
