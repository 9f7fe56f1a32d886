/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How measure-sync was started: alone, or as one of the processes of a job. The first of them
 * speaks for all. */
#ifndef MEASURE_BIN_MEASURE_SYNC_SYNC_JOB_H
#define MEASURE_BIN_MEASURE_SYNC_SYNC_JOB_H

#include <stdbool.h>

#include "sync/parallel/sync_ranks.h"

struct sync_launch {
	uint64_t rank, size; /* by the launcher's account */
	unsigned nr_threads; /* a fair share of the processors here */
	uint64_t memory;     /* half of such a share of what is free here */
	char **arguments;
};

/* To be called first: whatever is not the first process falls silent. */
void sync_launch_detect(struct sync_launch *launch, char **arguments);

/* Lets this process say again what goes wrong with it alone. */
void sync_launch_speak(void);

static inline bool sync_launch_is_first(const struct sync_launch *launch)
{
	return launch->rank == 0;
}

/* Joins the job, all of whose processes must have the same arguments. False: it cannot, which the
 * first one has said. */
bool sync_launch_join(const struct sync_launch *launch, struct measure_sync_job *job);

#endif
