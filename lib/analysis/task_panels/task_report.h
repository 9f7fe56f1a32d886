/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the tasks of a run: their types, bounds of the run time, and expectations; as text for
 * people, as JSON for programs. doc/task-panels.md describes both. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_TASK_REPORT_H
#define MEASURE_ANALYSIS_TASK_PANELS_TASK_REPORT_H

#include <stdio.h>

#include "task_summary.h"

/* nr_most: rows of the table; 0: all. */
void measure_task_report_print_text(
	const struct measure_task_view *view, size_t nr_most, FILE *out);

/* An object: the version of its schema, the archive, and "tasks". */
void measure_task_report_print_json(const struct measure_task_view *view, FILE *out);

#endif
