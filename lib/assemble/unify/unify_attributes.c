/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of records and parameters of all processes: one where name and type are equal. */
#include "config.h"

#include "unify.h"

static uint32_t attributes_put(
	struct measure_unified *unified, const struct measure_def_attribute *from)
{
	const char *name = from->name ? from->name : "";
	const char *description = from->description ? from->description : "";
	const struct measure_otf2_attribute attribute = {measure_unify_string(unified, name),
		measure_unify_string(unified, description), from->type};
	const uint32_t key[] = {attribute.name, attribute.type};

	return measure_unify_put(
		unified, &unified->attributes, key, &unified->definitions.attributes, attribute);
}

static uint32_t put_parameter(
	struct measure_unified *unified, const struct measure_def_parameter *from)
{
	const struct measure_otf2_parameter parameter = {
		measure_unify_string(unified, from->name ? from->name : ""), from->type};
	const uint32_t key[] = {parameter.name, parameter.type};

	return measure_unify_put(
		unified, &unified->parameters, key, &unified->definitions.parameters, parameter);
}

static void unify_parameters(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	measure_id_map_t *map = &unified->locals.items[process].parameters;

	for (size_t k = 0; part && k < part->parameters.nr; k++)
		measure_unify_push(
			unified, map, put_parameter(unified, &part->parameters.items[k]));
}

void measure_unify_attributes(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		measure_id_map_t *map = &unified->locals.items[i].attributes;

		for (size_t k = 0; part && k < part->attributes.nr; k++)
			measure_unify_push(
				unified, map, attributes_put(unified, &part->attributes.items[k]));
		unify_parameters(unified, i);
	}
}
