/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Step functions of time, integrated exactly over slices: what a curve or a row of a heat map
 * shows. Times are ticks. */
#ifndef MEASURE_ANALYSIS_TASK_STATISTICS_SLICES_H
#define MEASURE_ANALYSIS_TASK_STATISTICS_SLICES_H

#include <stddef.h>
#include <stdint.h>

/* Of [from, until), each `step` long; the last one may be shorter. */
struct measure_slices {
	uint64_t from, until, step;
	size_t nr;
};

/* A step of 0 is taken for 1, an interval without length has no slice. */
struct measure_slices measure_slices_of(uint64_t from, uint64_t until, uint64_t step);

/* The real length of a slice. */
uint64_t measure_slice_length(const struct measure_slices *slices, size_t index);

/* What has been added up to now. */
struct measure_step_function {
	const struct measure_slices *slices;
	double *parts;  /* by slice: integral of what covers a part of it */
	double *levels; /* by slice: change of the height of what covers all of it */
};

void measure_step_function_start(
	struct measure_step_function *function, const struct measure_slices *slices);
void measure_step_function_free(struct measure_step_function *function);

/* The function is `height` higher during [start, end). What is outside of the slices is cut off. */
void measure_step_function_add(
	struct measure_step_function *function, uint64_t start, uint64_t end, double height);

/* Mean of each slice: the integral divided by the real length of the slice. */
void measure_step_function_means(const struct measure_step_function *function, double *means);

#endif
