/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the times in which threads of a process were idle, and puts them between their waits. */
#include "config.h"

#include "idle_waits.h"

/* Of each process, the location that began first; MEASURE_NONE: there are no events. */
static uint32_t *find_masters(const struct measure_waits *waits)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const struct measure_call_table *tables = waits->dependencies.tables;
	uint32_t *masters = measure_zeroed(definitions->nr_location_groups, sizeof(*masters));

	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		masters[i] = MEASURE_NONE;
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t group = definitions->locations[i].group;

		if (group >= definitions->nr_location_groups || tables[i].segments.nr_spans == 0)
			continue;
		if (masters[group] == MEASURE_NONE ||
			tables[i].segments.begin < tables[masters[group]].segments.begin)
			masters[group] = i;
	}
	return masters;
}

static struct measure_wait_state *add_idle(struct measure_wait_state *to, uint32_t location,
	uint32_t master, uint64_t from, uint64_t until)
{
	if (until > from)
		*to++ = (struct measure_wait_state){.from = from,
			.until = until,
			.ticks = until - from,
			.location = location,
			.call = MEASURE_NONE,
			.cause = master,
			.cause_call = MEASURE_NONE,
			.instance = MEASURE_NONE,
			.pattern = MEASURE_NR_WAIT_PATTERNS};
	return to;
}

static bool is_idle_path(const struct measure_waits *waits, uint32_t path)
{
	return waits->profile.paths[path].region == MEASURE_PSEUDO_IDLE;
}

/* In order of time; returns their end. */
static struct measure_wait_state *list_idle(const struct measure_waits *waits, uint32_t location,
	uint32_t master, struct measure_wait_state *to)
{
	const struct measure_call_table *tables = waits->dependencies.tables;
	const struct measure_segments *segments = &tables[location].segments;
	uint64_t from = segments->begin;

	if (master == MEASURE_NONE || master == location || segments->nr_spans == 0)
		return to;
	to = add_idle(to, location, master, tables[master].segments.begin, from);
	for (size_t i = 0; i < segments->nr_spans; i++) {
		if (is_idle_path(waits, segments->spans[i].path))
			to = add_idle(to, location, master, from, segments->spans[i].until);
		from = segments->spans[i].until;
	}
	return to;
}

static size_t count_idle(const struct measure_waits *waits)
{
	const struct measure_dependencies *dependencies = &waits->dependencies;
	size_t nr = dependencies->nr_locations;

	for (size_t i = 0; i < dependencies->nr_locations; i++)
		for (size_t k = 0; k < dependencies->tables[i].segments.nr_spans; k++)
			nr += is_idle_path(waits, dependencies->tables[i].segments.spans[k].path);
	return nr;
}

/* Both are by time already. */
static size_t merge(const struct measure_wait_state *a, size_t nr_a,
	const struct measure_wait_state *b, size_t nr_b, struct measure_wait_state *to)
{
	size_t i = 0, k = 0;

	while (i < nr_a || k < nr_b) {
		if (k == nr_b || (i < nr_a && a[i].from <= b[k].from))
			*to++ = a[i++];
		else
			*to++ = b[k++];
	}
	return nr_a + nr_b;
}

static void put_between(
	struct measure_all_waits *all, const struct measure_waits *waits, const uint32_t *masters)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const struct measure_dependencies *dependencies = &waits->dependencies;
	const size_t nr = dependencies->nr_locations, nr_idle = count_idle(waits);
	struct measure_wait_state *idle = measure_uncleared(nr_idle, sizeof(*idle));
	size_t nr_all = 0;

	all->own_waits =
		measure_uncleared(dependencies->first_waits[nr] + nr_idle, sizeof(*all->own_waits));
	all->own_first = measure_zeroed(nr + 1, sizeof(*all->own_first));
	for (uint32_t i = 0; i < nr; i++) {
		const size_t first = dependencies->first_waits[i];
		const uint32_t group = definitions->locations[i].group;
		const uint32_t master =
			group < definitions->nr_location_groups ? masters[group] : MEASURE_NONE;
		const struct measure_wait_state *end = list_idle(waits, i, master, idle);

		all->own_first[i] = nr_all;
		nr_all +=
			merge(dependencies->waits + first, dependencies->first_waits[i + 1] - first,
				idle, (size_t)(end - idle), all->own_waits + nr_all);
	}
	all->own_first[nr] = nr_all;
	all->waits = all->own_waits;
	all->first = all->own_first;
	measure_free(idle);
}

void measure_all_waits_find(struct measure_all_waits *all, const struct measure_waits *waits)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	uint32_t *masters = find_masters(waits);
	bool has_threads = false;

	*all = (struct measure_all_waits){.waits = waits->dependencies.waits,
		.first = waits->dependencies.first_waits,
		.nr_locations = waits->dependencies.nr_locations,
		.tables = waits->dependencies.tables};
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t group = definitions->locations[i].group;

		has_threads |= group < definitions->nr_location_groups &&
			       masters[group] != MEASURE_NONE && masters[group] != i;
	}
	if (has_threads)
		put_between(all, waits, masters);
	measure_free(masters);
}

void measure_all_waits_free(struct measure_all_waits *all)
{
	measure_free(all->own_waits);
	measure_free(all->own_first);
	*all = (struct measure_all_waits){.nr_locations = 0};
}
