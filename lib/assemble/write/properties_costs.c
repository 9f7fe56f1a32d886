/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of what one event costs on this node, where that was calibrated: a copy of the table,
 * so that the archive has it when the node has not any more. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "costs/event_costs.h"
#include "properties.h"

#define PREFIX "MEASURE::EVENT_COST::"

static void write_curve(struct measure_archive *archive, const struct measure_event_costs *costs,
	enum measure_event_cost_kind kind, enum measure_working_set set)
{
	char name[sizeof(PREFIX) + MEASURE_EVENT_COST_NAME] = PREFIX;
	char value[MEASURE_EVENT_COST_VALUE];

	if (costs->curves[kind][set].nr == 0)
		return;
	measure_event_cost_name(name + strlen(PREFIX), kind, set);
	measure_event_cost_value(value, &costs->curves[kind][set]);
	measure_archive_property(archive, name, value);
}

static void write_reference(struct measure_archive *archive, double ns)
{
	char value[32];

	snprintf(value, sizeof(value), "%g", ns);
	if (ns > 0)
		measure_archive_property(archive, PREFIX MEASURE_EVENT_COST_REFERENCE, value);
}

/* A table that is damaged is none. */
void measure_properties_write_event_costs(struct measure_archive *archive)
{
	static struct measure_event_costs costs;
	char path[PATH_MAX], error[MEASURE_EVENT_COSTS_ERROR];

	if (!measure_event_costs_usual_path(path, false) ||
		measure_event_costs_read_file(path, &costs, error) != MEASURE_OK)
		return;
	measure_archive_property(archive, "MEASURE::EVENT_COSTS", costs.processor);
	write_reference(archive, costs.reference);
	for (unsigned kind = 0; kind < MEASURE_NR_EVENT_COSTS; kind++)
		for (unsigned set = 0; set < MEASURE_NR_WORKING_SETS; set++)
			write_curve(archive, &costs, kind, set);
}
