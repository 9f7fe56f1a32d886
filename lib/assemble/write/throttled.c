/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up what was switched off; see throttled.h. */
#include "config.h"

#include "throttled.h"

#include <math.h>

/* A forked child has it from its parent, from before its own begin. */
static bool is_inherited(const struct measure_part *part, const struct measure_def_throttle *def)
{
	return def->ticks <= part->process.begin_ticks;
}

static struct measure_throttled *throttled_find(
	const measure_throttled_list_t *list, uint32_t region)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->items[i].region == region)
			return &list->items[i];
	return NULL;
}

static void merge(struct measure_throttled *known, const struct measure_throttled *own)
{
	known->nr_processes += known->process != own->process;
	known->process = own->process;
	known->looked_at += own->looked_at;
	known->seconds += own->seconds;
	if (own->after < known->after)
		known->after = own->after;
}

static measure_status_t throttled_add(measure_throttled_list_t *list,
	const struct measure_unified *unified, size_t process,
	const struct measure_def_throttle *def, double tick)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].regions;
	struct measure_throttled own = {.nr_processes = 1, .process = process, .after = INFINITY};

	if (def->region >= map->nr)
		return MEASURE_OK;
	own.region = map->items[def->region];
	if (!is_inherited(part, def)) {
		own.looked_at = def->calls;
		own.seconds = (double)def->in_calls * tick;
		own.after = (double)(def->ticks - part->process.begin_ticks) * tick;
	}
	struct measure_throttled *known = throttled_find(list, own.region);
	if (!known)
		return measure_array_push(list, own);
	merge(known, &own);
	return MEASURE_OK;
}

static int throttled_compare(const void *left, const void *right)
{
	const struct measure_throttled *a = left, *b = right;

	if (a->looked_at != b->looked_at)
		return a->looked_at < b->looked_at ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

measure_status_t measure_throttled_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline, measure_throttled_list_t *list)
{
	const double tick = 1 / (double)timeline->resolution;
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		for (size_t k = 0; part && k < part->throttles.nr && status == MEASURE_OK; k++)
			status = throttled_add(list, unified, i, &part->throttles.items[k], tick);
	}
	measure_array_sort(list, throttled_compare);
	return status;
}
