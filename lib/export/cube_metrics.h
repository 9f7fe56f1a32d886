/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a file of Cube has of an analysis: metrics by call path and location. */
#ifndef MEASURE_EXPORT_CUBE_METRICS_H
#define MEASURE_EXPORT_CUBE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/waits/waits.h"

/* Of the path itself, without the paths below it. */
struct cube_value {
	uint32_t path, location;
	uint64_t value; /* ticks, or a count */
};

struct cube_metric {
	char *name, *title; /* a unique one for programs; for people */
	const char *description;
	uint32_t parent; /* metric that contains it, or MEASURE_NONE */
	bool is_count;
	MEASURE_GROWING(struct cube_value, values); /* in any order; those of a cell add up */
};

struct cube_metrics {
	const struct measure_waits *waits;
	MEASURE_GROWING(struct cube_metric, items); /* parents first */
};

void cube_metrics_find(struct cube_metrics *metrics, const struct measure_waits *waits);
void cube_metrics_free(struct cube_metrics *metrics);

#endif
