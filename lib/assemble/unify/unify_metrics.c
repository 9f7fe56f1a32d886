/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of all processes, and their classes: one where they are equal in all they say. */
#include "config.h"

#include "unify.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

static uint32_t text(struct measure_unified *unified, const char *given)
{
	return measure_unify_string(unified, given ? given : "");
}

uint32_t measure_unify_metric(
	struct measure_unified *unified, const struct measure_def_metric *from)
{
	struct measure_otf2_metric metric;

	memset(&metric, 0, sizeof(metric)); /* it is a key, padding and all */
	metric.name = text(unified, from->name);
	metric.description = text(unified, from->description);
	metric.unit = text(unified, from->unit);
	metric.type = from->type;
	metric.mode = from->mode;
	metric.value_type = from->value_type;
	metric.base = from->base;
	metric.exponent = from->exponent;
	return measure_unify_put(
		unified, &unified->metrics, metric, &unified->definitions.metrics, metric);
}

/* The key of a class is {occurrence, recorder, members}, and keeps the members for the archive. */
uint32_t measure_unify_metric_class(struct measure_unified *unified, uint32_t occurrence,
	uint32_t recorder, const uint32_t *members, uint32_t nr)
{
	uint32_t key[2 + UINT8_MAX] = {occurrence, recorder}, id;
	bool is_new;

	memcpy(key + 2, members, nr * sizeof(*members));
	id = measure_unify_intern(
		unified, &unified->metric_classes, key, (2 + nr) * sizeof(*key), &is_new);
	if (!is_new)
		return id;
	const uint32_t *kept = measure_intern_key(&unified->metric_classes, id);
	const struct measure_otf2_metric_class metric_class = {occurrence, recorder, nr, kept + 2};
	measure_unify_push(unified, &unified->definitions.metric_classes, metric_class);
	return id;
}

static uint32_t put_class(struct measure_unified *unified, const struct measure_part *part,
	const struct measure_def_metric_class *from)
{
	uint32_t members[UINT8_MAX], nr = 0;

	for (uint32_t i = 0; i < from->members.nr; i++)
		if (from->members.items[i] < part->metrics.nr)
			members[nr++] = measure_unify_metric(
				unified, &part->metrics.items[from->members.items[i]]);
	return measure_unify_metric_class(
		unified, from->occurrence, OTF2_RECORDER_KIND_CPU, members, nr);
}

void measure_unify_metrics(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		measure_id_map_t *map = &unified->locals.items[i].metric_classes;

		for (size_t k = 0; part && k < part->metric_classes.nr; k++)
			measure_unify_push(unified, map,
				put_class(unified, part, &part->metric_classes.items[k]));
	}
}
