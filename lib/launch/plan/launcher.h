/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Detects the launcher of a parallel job, and the rank, from its environment variables. */
#ifndef MEASURE_LAUNCH_PLAN_LAUNCHER_H
#define MEASURE_LAUNCH_PLAN_LAUNCHER_H

#include <stdbool.h>
#include <sys/types.h>

#include "config/settings.h"

/* Fills launcher, job, rank, size, local_rank and local_size for process `pid`, whose environment
 * is ours. Without a launcher: "none", one process, and a job key of this process alone. */
void measure_launcher_detect(struct measure_settings *settings, pid_t pid);

/* Whether programs that this launcher starts use the MPI library of this name, as far as the
 * launcher says. */
bool measure_launcher_serves(const struct measure_settings *settings, const char *library);

/* How many processes the launcher has started, on all nodes; 1 where there is none. */
uint64_t measure_launcher_size(void);

/* --output of those who spawned this process. */
#define MEASURE_SPAWNED_OUTPUT "MEASURE_SPAWNED_OUTPUT"

/* Takes what is meant for us only out of the environment. */
void measure_launcher_hide(void);

/* The job id that people know, for %j: the batch system's, else the launcher's. */
void measure_launcher_job_id(const struct measure_settings *settings, char *id, size_t size);

/* Programs that start others as processes of a job. */
enum measure_launcher_command {
	MEASURE_LAUNCHER_NONE, /* it is none */
	MEASURE_LAUNCHER_HERE, /* starts those on its node itself: mpirun */
	MEASURE_LAUNCHER_AFAR  /* has them started by others: measure goes behind it */
};

enum measure_launcher_command measure_launcher_command(const char *name);

static inline int measure_launcher_is_there(const struct measure_settings *settings)
{
	return settings->rank != MEASURE_RANK_NONE;
}

#endif
