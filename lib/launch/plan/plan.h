/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plan of `measure`: complete settings, and what is preloaded into the program. */
#ifndef MEASURE_LAUNCH_PLAN_PLAN_H
#define MEASURE_LAUNCH_PLAN_PLAN_H

#include "launch/options/options.h"
#include "preload.h"
#include "program.h"
#include "launch/options/filter_rules.h"

struct measure_plan {
	struct measure_settings settings;
	uint64_t buffer; /* as asked for; 0: auto */
	struct measure_program program;
	struct measure_preload preload;
	struct measure_rules rules;
};

/* To be called with plan->program found. MEASURE_OK: it can be recorded as planned. Else says
 * why not, on one process of the job. */
measure_status_t measure_plan_make(
	struct measure_plan *plan, const struct measure_options *options);

/* For --dry-run. `status` is what measure_plan_make() returned. */
void measure_plan_print(const struct measure_plan *plan, measure_status_t status);

#endif
