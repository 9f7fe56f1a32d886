/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sources that the run-time core has; see sources.h. */
#include "config.h"

#include "metric/sources.h"

const struct measure_metric_source *const measure_metric_sources[] = {
	&measure_metric_rusage,
	&measure_metric_perf,
	&measure_metric_sched,
	NULL,
};
