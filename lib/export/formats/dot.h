/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs for Graphviz, one file for each kind of them. */
#ifndef MEASURE_EXPORT_FORMATS_DOT_H
#define MEASURE_EXPORT_FORMATS_DOT_H

#include <stdio.h>

#include "export/conversion/conversion.h"

/* In a quoted string. */
void dot_write_escaped(FILE *out, const char *text);

/* Of an edge, in points, by its share of all. */
double dot_width(double share);

static inline double dot_share(uint64_t part, uint64_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

/* Who creates tasks, and which of them wait for which. */
struct dot_tasks;

/* Reads what is selected. MEASURE_ERROR_USAGE: it has no tasks. To be freed in any case. */
measure_status_t dot_tasks_read(struct measure_conversion *conversion, struct dot_tasks **tasks);
void dot_tasks_write(const struct dot_tasks *tasks, FILE *out);
void dot_tasks_free(struct dot_tasks *tasks);

#endif
