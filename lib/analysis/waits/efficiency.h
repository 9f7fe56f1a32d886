/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of the processes of a run, by the multiplicative model of the POP centre for MPI:
 * parallel efficiency = load balance x communication efficiency. The time of a process is that of
 * its master thread. */
#ifndef MEASURE_ANALYSIS_WAITS_EFFICIENCY_H
#define MEASURE_ANALYSIS_WAITS_EFFICIENCY_H

#include "waits.h"

struct measure_process_time {
	uint32_t location; /* the master thread */
	uint64_t useful;   /* ticks outside of parallel runtimes, with those of files */
	uint64_t io;       /* ticks of files */
};

struct measure_efficiency {
	MEASURE_GROWING(struct measure_process_time, processes); /* those with events */
	uint64_t run_ticks; /* from the first event of all to the last */
	uint64_t useful, most_useful;
	double parallel, balance, communication;
	/* the process that computes most, and what shows that most; of no process, MEASURE_NONE */
	uint32_t most;         /* its index */
	uint32_t region;       /* of the profile's paths */
	uint64_t region_ticks; /* of that process */
	double region_mean;    /* ticks of the region, mean over processes */
};

void measure_efficiency_find(
	struct measure_efficiency *efficiency, const struct measure_waits *waits);
void measure_efficiency_free(struct measure_efficiency *efficiency);

/* How much more than the mean the process computes that computes most: 0.5 is half as much again.
 */
double measure_efficiency_excess(const struct measure_efficiency *efficiency);

#endif
