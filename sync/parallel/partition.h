/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which rank of a job works on what: each has a run of processes, with about as many events as
 * every other. What shares a clock stays together. */
#ifndef MEASURE_SYNC_PARALLEL_PARTITION_H
#define MEASURE_SYNC_PARALLEL_PARTITION_H

#include "trace/archive/trace.h"

/* The rank of each location, of nr_ranks. `domains`: the clock of each location. The caller frees
 * it. */
uint32_t *measure_partition_make(
	const struct measure_trace *trace, const uint32_t *domains, uint32_t nr_ranks);

#endif
