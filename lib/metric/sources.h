/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sources of metrics that Measure has itself: what any Linux can tell. */
#ifndef MEASURE_METRIC_SOURCES_H
#define MEASURE_METRIC_SOURCES_H

#include "metric.h"

extern const struct measure_metric_source measure_metric_rusage;
extern const struct measure_metric_source measure_metric_perf;
extern const struct measure_metric_source measure_metric_sched;
extern const struct measure_metric_source measure_metric_proc;
extern const struct measure_metric_source measure_metric_node;

/* Where the zones of the kernel's powercap are; for tests. */
extern const char *measure_metric_powercap;

/* Those that the run-time core has, of threads, and NULL. */
extern const struct measure_metric_source *const measure_metric_sources[];

/* Those that are read beside the program, and NULL. Not in the core. */
extern const struct measure_metric_source *const measure_metric_sampled[];

#endif
