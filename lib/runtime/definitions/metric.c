/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics and the classes of those that are recorded together: ids and journal records. */
#include "config.h"

#include "adapter.h"
#include "define.h"
#include "runtime/gate/gate.h"

/* under the definition lock */
static uint32_t nr_metrics, nr_classes;

static uint32_t define_metric(const struct measure_metric_info *info)
{
	const struct measure_def_metric def = {.id = nr_metrics++,
		.name = info->name,
		.description = info->description ? info->description : "",
		.unit = info->unit,
		.type = info->type,
		.mode = info->mode,
		.value_type = info->value_type,
		.base = info->base,
		.exponent = info->exponent};

	MEASURE_JOURNAL(metric, &def);
	return def.id;
}

bool measure_metric_class_define(const struct measure_metric_info *metrics, uint32_t nr,
	uint8_t occurrence, struct measure_metric_class *metric_class)
{
	uint32_t members[MEASURE_MOST_METRICS];
	struct measure_def_metric_class def = {MEASURE_UNDEFINED, occurrence, {nr, members}};
	struct measure_signals saved;

	metric_class->id = MEASURE_UNDEFINED;
	if (!measure_gate_is_open() || nr > MEASURE_MOST_METRICS)
		return false;
	metric_class->nr = (uint8_t)nr;
	measure_define_lock(&saved);
	for (uint32_t i = 0; i < nr; i++) {
		members[i] = define_metric(&metrics[i]);
		metric_class->value_types[i] = metrics[i].value_type;
	}
	def.id = nr_classes++;
	MEASURE_JOURNAL(metric_class, &def);
	measure_define_unlock(&saved);
	metric_class->id = def.id;
	return true;
}
