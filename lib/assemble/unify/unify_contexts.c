/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks of all processes, and what interrupted them: one where they are equal in all they
 * say. Stacks that differ within a source line are the same then. */
#include "config.h"

#include "unify.h"

#include <string.h>

static uint32_t put_context(struct measure_unified *unified, struct measure_code *code,
	size_t process, const struct measure_def_calling_context *def)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].contexts;
	const struct measure_otf2_context context = {measure_code_of_frame(code, part, def),
		measure_code_source(code, part, def),
		def->parent < map->nr ? map->items[def->parent] : MEASURE_NO_ID};

	return measure_unify_put(
		unified, &unified->contexts, context, &unified->definitions.contexts, context);
}

static uint32_t put_generator(
	struct measure_unified *unified, const struct measure_def_interrupt_generator *def)
{
	struct measure_otf2_generator generator;

	memset(&generator, 0, sizeof(generator)); /* it is a key, padding and all */
	generator.name = measure_unify_string(unified, def->name ? def->name : "");
	generator.mode = def->mode;
	generator.base = def->base;
	generator.exponent = def->exponent;
	generator.period = def->period;
	return measure_unify_put(unified, &unified->generators, generator,
		&unified->definitions.generators, generator);
}

static void unify_part(struct measure_unified *unified, struct measure_code *code, size_t process)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	struct measure_local_definitions *local = &unified->locals.items[process];

	for (size_t i = 0; i < part->generators.nr; i++)
		measure_unify_push(unified, &local->generators,
			put_generator(unified, &part->generators.items[i]));
	for (size_t i = 0; i < part->contexts.nr && unified->status == MEASURE_OK; i++) {
		uint32_t id = put_context(unified, code, process, &part->contexts.items[i]);
		measure_unify_push(unified, &local->contexts, id);
	}
}

void measure_unify_contexts(struct measure_unified *unified, struct measure_code *code)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		if (unified->job->processes.items[i].part && unified->status == MEASURE_OK)
			unify_part(unified, code, i);
}
