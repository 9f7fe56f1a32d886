/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the panels come to in a few numbers: bounds of the run time, and whether the run is what is
 * expected of a good one. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_TASK_SUMMARY_H
#define MEASURE_ANALYSIS_TASK_PANELS_TASK_SUMMARY_H

#include "task_view.h"

/* No run can be shorter, ticks. */
struct measure_task_bounds {
	uint32_t process;       /* location group; MEASURE_NONE: all */
	uint64_t makespan;      /* of application tasks, as observed */
	double area;            /* NAN: not known, for want of lp_solve */
	uint64_t critical_path; /* as observed */
	uint64_t fastest_path;  /* each task on the class that is fastest with its type */
	/* the same, with the time that messages took as observed */
	uint64_t critical_path_messages, fastest_path_messages;
};

void measure_task_bounds_find(
	const struct measure_task_view *view, uint32_t process, struct measure_task_bounds *bounds);

enum measure_expectation_id {
#define EXPECTATION(NAME, name, function) MEASURE_EXPECT_##NAME,
#include "expectations.def"
#undef EXPECTATION
	MEASURE_NR_EXPECTATIONS
};

struct measure_expectation {
	const char *name;
	bool is_known; /* else the trace does not say, and the text why */
	bool is_met;
	double value;   /* what has been compared */
	char text[512]; /* a sentence with the numbers */
};

/* Of all processes. */
void measure_expectations_check(const struct measure_task_view *view,
	struct measure_expectation expectations[MEASURE_NR_EXPECTATIONS]);

#endif
