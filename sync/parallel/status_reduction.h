/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One answer of all ranks to the question whether something has worked. */
#ifndef MEASURE_SYNC_PARALLEL_STATUS_REDUCTION_H
#define MEASURE_SYNC_PARALLEL_STATUS_REDUCTION_H

#include "status.h"
#include "sync_ranks.h"

/* Collective. Where a rank has failed, all have: the failure with the least `order`, of those the
 * one of the lowest rank, becomes that of all, with its measure_trace_error(). */
measure_status_t measure_sync_job_reduce_status(
	const struct measure_sync_job *job, measure_status_t status, uint64_t order);

#endif
