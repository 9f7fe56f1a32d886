/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the data of tasks are valid, and when, as follows from what tasks do with them and from
 * transfers between memory nodes. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_DATA_STATES_H
#define MEASURE_ANALYSIS_TASK_PANELS_DATA_STATES_H

#include "task_panels.h"

/* A memory node has valid data from start to end. */
struct measure_data_interval {
	uint64_t start, end; /* ticks since the start of the trace */
	uint32_t data;
	uint32_t node;
	enum measure_data_state state;
};

struct measure_data_intervals {
	MEASURE_GROWING(struct measure_data_interval, items); /* by data, node and start */
};

/* Data are valid at home from their registration; where a task reads them, or a transfer to there
 * ends; and nowhere but where a task writes them. Who has them alone owns them. Changes that last
 * less than a microsecond are left out. */
void measure_data_intervals_make(
	const struct measure_task_view *view, struct measure_data_intervals *intervals);
void measure_data_intervals_free(struct measure_data_intervals *intervals);

#endif
