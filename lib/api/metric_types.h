/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a metric is, and its values; for adapters and for sources of metrics. Installed. */
#ifndef MEASURE_API_METRIC_TYPES_H
#define MEASURE_API_METRIC_TYPES_H

#include <stdint.h>

#define MEASURE_MOST_METRICS 8 /* whose values stand in one record, or are read together */

union measure_metric_value {
	uint64_t unsigned_int;
	int64_t signed_int;
	double floating_point;
};

/* Numbers are OTF2's (OTF2_GeneralDefinitions.h, OTF2_Definitions.h). Where the mode of all that is
 * read together of a thread is ABSOLUTE_NEXT (a value holds until the next one), there need not be
 * values at each event: read() may say that there are none. */
struct measure_metric_info {
	const char *name;
	const char *description; /* NULL: none */
	const char *unit;        /* "bytes", "#", without a prefix */
	uint8_t type;            /* OTF2_MetricType */
	uint8_t mode;            /* OTF2_MetricMode */
	uint8_t value_type;      /* OTF2_TYPE_UINT64, OTF2_TYPE_INT64 or OTF2_TYPE_DOUBLE */
	uint8_t base;            /* OTF2_Base: a value times base ^ exponent has the unit */
	int64_t exponent;
};

#endif
