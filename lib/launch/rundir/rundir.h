/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The run directory: one per job, chosen by its processes without communication. The process that
 * creates PARENT/.measure-<hash of the job's key> chooses the directory, renames an older run and
 * writes the path; the others wait for that file. */
#ifndef MEASURE_LAUNCH_RUNDIR_RUNDIR_H
#define MEASURE_LAUNCH_RUNDIR_RUNDIR_H

#include <limits.h>
#include <stddef.h>

#include "config/settings.h"
#include "status.h"

struct measure_rundir {
	char path[PATH_MAX];	  /* absolute */
	char agreement[PATH_MAX]; /* directory of the agreement; "" without a launcher */
	int fd;			  /* of path; close-on-exec */
	int parts_fd;		  /* of path/.parts */
};

/* What --output means here, %t replaced by "now" and nothing made; for --dry-run. */
measure_status_t measure_rundir_expand(const struct measure_settings *settings,
	const char *program, char *path, size_t size);

/* MEASURE_ERROR_USAGE: what --output names is no directory for a run, which is said. What only
 * making it can tell is not looked at. */
measure_status_t measure_rundir_check(const struct measure_settings *settings, const char *program);

/* Makes or joins the run directory. Says what is wrong; then there is none. */
measure_status_t measure_rundir_open(const struct measure_settings *settings, const char *program,
	struct measure_rundir *rundir);

/* Removes the agreement: the job has its archive, or nothing was recorded. */
void measure_rundir_forget(const struct measure_rundir *rundir);

/* Removes a run directory in which nothing was recorded. */
void measure_rundir_remove(const struct measure_rundir *rundir);

#endif
