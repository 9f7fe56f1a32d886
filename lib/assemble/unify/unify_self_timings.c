/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of locations: what events of each thread cost that timed themselves. */
#include "config.h"

#include <stdio.h>

#include "assemble/close/self_timing_costs.h"
#include "unify.h"

static void add_probe(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_def_probe *probe)
{
	char name[64], text[MEASURE_PROBE_TEXT];
	struct measure_cost cost = {0};

	if (probe->kind >= MEASURE_PROBE_KINDS || probe->location >= process->part->locations.nr)
		return;
	measure_cost_add(&cost, probe);
	measure_cost_print(&cost, text);
	snprintf(name, sizeof(name), "MEASURE::PROBES::%s", measure_cost_name(probe->kind));
	struct measure_otf2_property property = {.type = MEASURE_OTF2_STRING,
		.of = MEASURE_OTF2_OF_LOCATION,
		.owner = measure_location_id(process, probe->location),
		.name = measure_unify_string(unified, name),
		.number = measure_unify_string(unified, text)};
	measure_unify_note(unified, measure_array_push(&unified->definitions.properties, property));
}

void measure_unify_probes(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		size_t nr = process->part ? process->part->probes.nr : 0;
		for (size_t k = 0; k < nr; k++)
			add_probe(unified, process, &process->part->probes.items[k]);
	}
}
