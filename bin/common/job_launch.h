/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a tool was started: alone, or as one of the processes of a job. The first of them speaks for
 * all. */
#ifndef MEASURE_BIN_COMMON_JOB_LAUNCH_H
#define MEASURE_BIN_COMMON_JOB_LAUNCH_H

#include <stdbool.h>

#include "sync/parallel/sync_ranks.h"

struct job_launch {
	uint64_t rank, size; /* by the launcher's account */
	unsigned nr_threads; /* a fair share of the processors here */
	uint64_t memory;     /* half of such a share of what is free here */
	char **arguments;
};

/* To be called first: whatever is not the first process falls silent. */
void job_launch_detect(struct job_launch *launch, char **arguments);

/* Lets this process say again what goes wrong with it alone. */
void job_launch_speak(void);

static inline bool job_launch_is_first(const struct job_launch *launch)
{
	return launch->rank == 0;
}

/* Joins the job, all of whose processes must have the same arguments. False: it cannot, which the
 * first one has said. */
bool job_launch_join(const struct job_launch *launch, struct measure_sync_job *job);

#endif
