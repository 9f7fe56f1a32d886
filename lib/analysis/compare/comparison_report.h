/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints comparisons of runs: as text, JSON, JUnit XML and differential folded stacks. */
#ifndef MEASURE_ANALYSIS_COMPARE_COMPARISON_REPORT_H
#define MEASURE_ANALYSIS_COMPARE_COMPARISON_REPORT_H

#include <stdio.h>

#include "comparison.h"
#include "scaling.h"

#define MEASURE_COMPARISON_SCHEMA 1 /* version of the JSON */

/* The verdict in one line. */
void measure_comparison_print_verdict(const struct measure_comparison *comparison, FILE *out);

/* Verdict, runs, the largest changes, scaling: at most 80 columns. nr_most: 0: all. */
void measure_comparison_print_text(
	const struct measure_comparison *comparison, size_t nr_most, FILE *out);

/* One object with all there is. */
void measure_comparison_print_json(const struct measure_comparison *comparison, FILE *out);

/* A test case for the run time and for each call path; regressions are failures. */
void measure_comparison_print_junit(const struct measure_comparison *comparison, FILE *out);

/* "main;solve 1234 1300": mean nanoseconds of base and new runs, for differential flame graphs. */
void measure_comparison_print_folded(const struct measure_comparison *comparison, FILE *out);

#endif
