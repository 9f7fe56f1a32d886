/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The area bound as a linear program. */
#ifndef MEASURE_ANALYSIS_TASK_STATISTICS_AREA_PROGRAM_H
#define MEASURE_ANALYSIS_TASK_STATISTICS_AREA_PROGRAM_H

#include "area_bound.h"

/* As measure_area_bound(), where classes compete for types. */
bool measure_area_program(const struct measure_area *area, double *bound, double *shares);

#endif
