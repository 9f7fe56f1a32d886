/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints wait states and efficiencies: as text for people, as JSON for programs. doc/waits.md
 * describes both. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_REPORT_H
#define MEASURE_ANALYSIS_WAITS_WAITS_REPORT_H

#include <stdio.h>

#include "analysis/efficiency/efficiency.h"
#include "waits.h"

#define MEASURE_WAITS_SCHEMA 1 /* version of the JSON; see doc/waits.md */

/* nr_most: rows of the table; 0: all. */
void measure_waits_print_text(const struct measure_waits *waits,
	const struct measure_efficiency *efficiency, size_t nr_most, FILE *out);

/* One object with all results. */
void measure_waits_print_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out);

/* Does this check find records without partners, whose waits are not known? */
bool measure_waits_is_gap(enum measure_check check);

#endif
