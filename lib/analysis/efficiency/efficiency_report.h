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

#endif
