/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agreement of the processes of a job on a run directory: a directory beside it, with one file
 * that contains the path. For rundir.c, which makes it, and measure-repair. */
#ifndef MEASURE_LAUNCH_RUNDIR_RUN_AGREEMENT_H
#define MEASURE_LAUNCH_RUNDIR_RUN_AGREEMENT_H

#include <limits.h>

#define MEASURE_NOTE_NAME "job"

/* Finds what the processes of a run directory agreed by; "" where there is none any more, or
 * it is about another directory: this one may be a copy. */
void measure_run_agreement_find(const char *directory, char agreement[PATH_MAX]);

/* Clears an agreement away; "" is none. */
void measure_run_agreement_remove(const char *agreement);

#endif
