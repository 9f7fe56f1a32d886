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
	uint32_t id = 0;
	bool is_new = false;

	measure_unify_note(
		unified, measure_intern_put(&unified->attributes, key, sizeof(key), &id, &is_new));
	if (is_new)
		measure_unify_note(
			unified, measure_array_push(&unified->definitions.attributes, attribute));
	return id;
}

static uint32_t put_parameter(
	struct measure_unified *unified, const struct measure_def_parameter *from)
{
	const struct measure_otf2_parameter parameter = {
		measure_unify_string(unified, from->name ? from->name : ""), from->type};
	const uint32_t key[] = {parameter.name, parameter.type};
	uint32_t id = 0;
	bool is_new = false;

	measure_unify_note(
		unified, measure_intern_put(&unified->parameters, key, sizeof(key), &id, &is_new));
	if (is_new)
		measure_unify_note(
			unified, measure_array_push(&unified->definitions.parameters, parameter));
	return id;
}

static void unify_parameters(struct measure_unified *unified, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	measure_id_map_t *map = &unified->locals.items[process].parameters;

	for (size_t k = 0; part && k < part->parameters.nr; k++)
		measure_unify_note(
			unified, measure_array_push(
					 map, put_parameter(unified, &part->parameters.items[k])));
}

void measure_unify_attributes(struct measure_unified *unified)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		measure_id_map_t *map = &unified->locals.items[i].attributes;

		for (size_t k = 0; part && k < part->attributes.nr; k++)
			measure_unify_note(unified,
				measure_array_push(
					map, attributes_put(unified, &part->attributes.items[k])));
		unify_parameters(unified, i);
	}
}
