/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the ranks of a job have found, put together on the first one. */
#ifndef MEASURE_SYNC_RUN_SYNC_GATHER_H
#define MEASURE_SYNC_RUN_SYNC_GATHER_H

#include "sync_run.h"

/* What became of the clocks that this rank has corrected. */
void sync_clocks_add_up(struct sync_run *run);

/* Collective: on the first rank, what has been counted is that of all ranks afterwards. */
void sync_gather_counts(struct sync_run *run);

/* Collective: the first rank gets the corrections of all clocks, or all ranks do. */
void sync_gather_corrections(struct sync_run *run);
void sync_share_corrections(struct sync_run *run);

#endif
