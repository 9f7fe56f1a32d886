/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A run in short, for terminals: one screen of 80 columns. Parts that the run does not have are
 * left out. */
#ifndef MEASURE_REPORT_TEXT_REPORT_TEXT_H
#define MEASURE_REPORT_TEXT_REPORT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/efficiency/efficiency.h"
#include "analysis/waits/waits.h"

struct measure_report_text_style {
	bool is_utf8;     /* else ASCII */
	bool is_coloured; /* by escape sequences */
};

struct measure_report_text_facts {
	struct measure_trace *trace;
	const struct measure_profile *profile;
	const struct measure_waits *waits; /* with root causes; NULL: the archive holds a profile */
	const struct measure_efficiency *efficiency; /* NULL: the same */
	unsigned nr_threads;
};

/* Reads the events once more, for the time line. */
void measure_report_text_print(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out);

/* report_strips.c: a line for each process, or for some of them: what it did most, over time. */
void measure_report_strips_print(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out);

#endif
