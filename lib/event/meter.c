/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of the values of metrics. */
#include "config.h"

#include "adapter.h"
#include "event/record_inline.h"

static uint8_t *put_values(uint8_t *place, const struct measure_metric_class *metric_class,
	const union measure_metric_value *values)
{
	uint8_t *end = measure_put_u32(place + MEASURE_SIZED, metric_class->id);

	end = measure_put_u8(end, metric_class->nr);
	for (uint32_t i = 0; i < metric_class->nr; i++) {
		end = measure_put_u8(end, metric_class->value_types[i]);
		end = measure_put_u64(end, values[i].unsigned_int);
	}
	measure_put_head(place, MEASURE_TYPE_Metric, MEASURE_SIZED, end);
	return end;
}

void measure_write_metric(struct measure_location *location,
	const struct measure_metric_class *metric_class, const union measure_metric_value *values)
{
	uint8_t *place;

	if (metric_class->id == MEASURE_UNDEFINED)
		return;
	place = measure_record_place(location);
	if (likely(place))
		measure_commit(
			location, MEASURE_COMMIT_EVENT, put_values(place, metric_class, values));
}
