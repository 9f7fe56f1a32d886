/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The finalizer: the last keeper of a job assembles the archive. */
#ifndef MEASURE_KEEPER_PROCESS_FINALIZER_H
#define MEASURE_KEEPER_PROCESS_FINALIZER_H

#include "keeper.h"

/* This keeper's part is done or off. Tells `measure` that there is nothing more to wait for,
 * after the archive is assembled if that is for this keeper to do. Where parts of the job are
 * missing, stays a few seconds longer and then assembles what there is, unless another keeper
 * lives that will be later. */
void measure_finalizer_run(struct measure_keeper *keeper);

/* For a process that is off before it has a keeper: removes the run directory where no other
 * process of the job has use for it. */
void measure_finalizer_withdraw(
	const struct measure_settings *settings, const struct measure_rundir *rundir);

#endif
