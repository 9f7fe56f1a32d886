/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks the metrics of --metrics before the program starts. */
#ifndef MEASURE_LAUNCH_OPTIONS_METRIC_NAMES_H
#define MEASURE_LAUNCH_OPTIONS_METRIC_NAMES_H

#include "config/settings.h"
#include "metric.h"
#include "metric/list.h"

/* Says which metrics there are not, with those of nearest names: a name that is unknown is a
 * mistake, a counter that this machine does not have is trouble (policy.h). Those of plug-ins of
 * Score-P are taken off the list. */
measure_status_t measure_metrics_check(struct measure_settings *settings);

/* Plug-ins by their whole paths: the keeper is in another directory. */
void measure_metrics_resolve(struct measure_settings *settings);

/* Whether the metric is one of a plug-in of Score-P that is read in the program. */
bool measure_metrics_is_scorep_inside(const struct measure_metric_choice *choice);

/* The source of a metric, built in or in a module or a plug-in; NULL: there is none. */
const struct measure_metric_source *measure_metrics_source(
	const struct measure_metric_choice *choice);

#endif
