/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The area bound: the least time in which workers of several classes can execute tasks that do not
 * depend on each other and can be divided at will. */
#ifndef MEASURE_ANALYSIS_TASK_STATISTICS_AREA_BOUND_H
#define MEASURE_ANALYSIS_TASK_STATISTICS_AREA_BOUND_H

#include <stdbool.h>
#include <stddef.h>

/* A duration: workers of this class do not execute tasks of this type. */
#define MEASURE_AREA_NEVER (-1.0)

/* Rows are types, columns classes. Tables are [type * nr_classes + class]. */
struct measure_area {
	size_t nr_types, nr_classes;
	double *counts;    /* by type: tasks */
	double *durations; /* table: mean, or MEASURE_AREA_NEVER */
	double *workers;   /* by class */
};

void measure_area_start(struct measure_area *area, size_t nr_types, size_t nr_classes);
void measure_area_free(struct measure_area *area);

/* In the unit of the durations. shares, if it is not NULL, gets the table of how many tasks of each
 * type each class executes then. False: there is none, as a type has no class, or several classes
 * for want of lp_solve. */
bool measure_area_bound(const struct measure_area *area, double *bound, double *shares);

#endif
