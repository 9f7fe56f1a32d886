/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks in the page: their object in the header, and their blocks. */
#ifndef MEASURE_REPORT_TASKS_PAGE_TASKS_H
#define MEASURE_REPORT_TASKS_PAGE_TASKS_H

#include "report/page_run.h"
#include "report_tasks.h"

/* The page shows the panel: it has content, and its numbers have room. */
bool measure_page_has_panel(const struct measure_page_run *run, enum measure_task_panel_id id);

/* Its boxes are tasks, which the page has anyway. */
static inline bool measure_page_panel_is_of_tasks(enum measure_task_panel_id id)
{
	return id == MEASURE_TASK_PANEL_SPACE_TIME || id == MEASURE_TASK_PANEL_ITERATION;
}

/* Ticks of the page from those of tasks. */
static inline uint64_t measure_page_task_time(const struct measure_page_run *run, uint64_t ticks)
{
	return measure_page_time(run, run->tasks->tasks.start + ticks);
}

#endif
