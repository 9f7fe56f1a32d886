/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints efficiencies and predictions, as parts of what waits_report.h prints. doc/efficiency.md
 * describes both. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_EFFICIENCY_REPORT_H
#define MEASURE_ANALYSIS_EFFICIENCY_EFFICIENCY_REPORT_H

#include <stdio.h>

#include "efficiency.h"

void measure_efficiency_print_text(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);

/* Members of an object, each with a comma before it. */
void measure_efficiency_print_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);

/* The same in one line, and the sentences that explain it. */
void measure_efficiency_print_short(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);

/* ------------------------------------------------------------------------- parts --- */

const char *measure_efficiency_process_name(const struct measure_waits *waits, uint32_t location);

void measure_efficiency_print_windows(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);
void measure_efficiency_print_windows_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);

/* Members of an object: the begin and the end of a window and its length, the five factors. */
void measure_efficiency_json_interval(
	const struct measure_waits *waits, const struct measure_interval *interval, FILE *out);
void measure_efficiency_json_factors(const struct measure_factors *factors, FILE *out);

#endif
