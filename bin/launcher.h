/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the launcher of a parallel job left in the environment. */
#ifndef MEASURE_BIN_LAUNCHER_H
#define MEASURE_BIN_LAUNCHER_H

#include <stdbool.h>

#include "config/settings.h"

/* Fills launcher, job, rank, size, local_rank and local_size. Without a launcher: "none", one
 * process, and a job key of this process alone. */
void measure_launcher_detect(struct measure_settings *settings);

/* How many processes the launcher has started, on all nodes; 1 where there is none. */
uint64_t measure_launcher_size(void);

/* --output of those who spawned this process. */
#define MEASURE_SPAWNED_OUTPUT "MEASURE_SPAWNED_OUTPUT"

/* Takes what is meant for us only out of the environment. */
void measure_launcher_hide(void);

/* The job id that people know, for %j: the batch system's, else the launcher's. */
void measure_launcher_job_id(const struct measure_settings *settings, char *id, size_t size);

/* True for programs that start others as processes of a job ("mpirun"): measure goes behind
 * them. */
bool measure_launcher_is_command(const char *name);

static inline int measure_launcher_is_there(const struct measure_settings *settings)
{
	return settings->rank != MEASURE_RANK_NONE;
}

#endif
