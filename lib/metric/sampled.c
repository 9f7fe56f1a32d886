/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sources that keepers read; see sources.h. */
#include "config.h"

#include "metric/sources.h"

const struct measure_metric_source *const measure_metric_sampled[] = {
	&measure_metric_proc,
	&measure_metric_node,
	NULL,
};
