/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The guard: the process between a keeper and who wants one. It has all that a keeper works with
 * and uses none of it: it sleeps until its keeper is gone. Where that has died it starts another
 * one, which goes on with the same segment and the same part. One for each process that is
 * recorded, whoever started that; nothing depends on `measure` or the creator's keeper being there.
 */
#ifndef MEASURE_KEEPER_PROCESS_GUARD_H
#define MEASURE_KEEPER_PROCESS_GUARD_H

#include "keeper.h"

#define MEASURE_GUARD_NAME "measure-guard"

/* The rest of a forked child's life. Closes all descriptors that are not the keeper's. */
void measure_guard_run(struct measure_keeper *keeper) __attribute__((noreturn));

#endif
