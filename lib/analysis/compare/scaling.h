/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the time changes with the number of ranks: run time and the regions with the most time, for
 * each number that runs were made with. */
#ifndef MEASURE_ANALYSIS_COMPARE_SCALING_H
#define MEASURE_ANALYSIS_COMPARE_SCALING_H

#include "comparison.h"

#define MEASURE_SCALING_REGIONS 5

/* Runs with the same number of processes and of locations. */
struct measure_scaling_step {
	uint32_t nr_processes, nr_locations;
	size_t nr_runs;
};

/* Of a region its mean time by location. */
struct measure_scaling_row {
	uint32_t frame;  /* MEASURE_NONE: the run time */
	double *seconds; /* by step, means over runs */
};

struct measure_scaling {
	struct measure_scaling_step *steps; /* fewest locations first */
	size_t nr_steps, room_steps;
	struct measure_scaling_row rows[1 + MEASURE_SCALING_REGIONS];
	size_t nr_rows; /* 0: all runs have the same number of locations */
};

void measure_scaling_make(
	struct measure_scaling *scaling, const struct measure_comparison *comparison);
void measure_scaling_free(struct measure_scaling *scaling);

/* Against the first step; 0: it has no time. For a problem of constant size; for one that grows
 * with the number of locations, the speedup is the efficiency. */
double measure_scaling_speedup(const struct measure_scaling_row *row, size_t step);
double measure_scaling_efficiency(
	const struct measure_scaling *scaling, const struct measure_scaling_row *row, size_t step);

#endif
