/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sources of metrics that the run-time core has itself: what any Linux can tell. */
#ifndef MEASURE_METRIC_SOURCES_H
#define MEASURE_METRIC_SOURCES_H

#include "metric.h"

extern const struct measure_metric_source measure_metric_rusage;
extern const struct measure_metric_source measure_metric_perf;

/* All of them, and NULL. */
extern const struct measure_metric_source *const measure_metric_sources[];

#endif
