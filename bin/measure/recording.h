/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure` makes before a process is recorded: the run directory, the process' part in it,
 * and the keeper's guard. */
#ifndef MEASURE_BIN_RECORDING_H
#define MEASURE_BIN_RECORDING_H

#include <limits.h>

#include "assemble/part/part_directory.h"
#include "launch/plan/plan.h"
#include "launch/rundir/rundir.h"

#define RECORDING_PART_PATH (PATH_MAX + MEASURE_PART_NAME + 16)

/* Everything that is made before the first fork. */
struct recording {
	struct measure_plan *plan;
	struct measure_rundir rundir;
	char part[MEASURE_PART_NAME];
	int part_fd;
	int listen_fd;
	int channel; /* to the keeper */
	int lines;   /* from this one and others */
	char **environment; /* of a program that is to be started */
	pid_t attached;     /* the process, where that runs already; 0: it is to be started */
};

/* Says what is wrong; then there is nothing. */
measure_status_t recording_prepare(struct recording *recording);

/* It is not needed after all. */
void recording_withdraw(const struct recording *recording);

/* The guard's ends of the channels and all that it works with are its own from here on. */
measure_status_t recording_start_guard(struct recording *recording);

void recording_part_path(const struct recording *recording, char path[RECORDING_PART_PATH]);

#endif
