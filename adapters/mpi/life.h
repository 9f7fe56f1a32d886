/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The beginning of MPI, by MPI_Init or by a session. */
#ifndef MEASURE_MPI_LIFE_H
#define MEASURE_MPI_LIFE_H

#include "calls.h"

/* Before the PMPI call that begins: switches recording of MPI on where it can be. True: the call is
 * recorded. */
bool measure_life_before(enum measure_call call);

/* Before MPI_Abort, which does not come back: why the job ends is kept. */
bool measure_abort_before(enum measure_call call, int code);

#endif
