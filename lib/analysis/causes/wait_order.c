/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts the waits of each location by their ends. They come in the order of their calls, which is
 * the same unless calls are nested. */
#include "config.h"

#include "wait_order.h"

#include <stdlib.h>

/* A wait by its end. */
struct ordered_wait {
	uint64_t until;
	uint32_t wait;
};

static int compare_ends(const void *left, const void *right)
{
	const struct ordered_wait *a = left, *b = right;

	if (a->until != b->until)
		return a->until > b->until ? 1 : -1;
	return (a->wait > b->wait) - (a->wait < b->wait);
}

static bool is_in_order(const struct measure_wait_state *waits, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (waits[i].until < waits[i - 1].until)
			return false;
	return true;
}

static void sort_by_end(
	const struct measure_wait_state *waits, size_t first, size_t nr, uint32_t *order)
{
	struct ordered_wait *ends = measure_uncleared(nr, sizeof(*ends));

	for (size_t i = 0; i < nr; i++)
		ends[i] = (struct ordered_wait){waits[i].until, (uint32_t)(first + i)};
	qsort(ends, nr, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < nr; i++)
		order[i] = ends[i].wait;
	measure_free(ends);
}

uint32_t *measure_wait_order(const struct measure_all_waits *all)
{
	const size_t *first = all->first, nr = all->nr_locations;
	uint32_t *order = measure_uncleared(first[nr], sizeof(*order));

	for (size_t i = 0; i < first[nr]; i++)
		order[i] = (uint32_t)i;
	for (size_t i = 0; i < nr; i++)
		if (!is_in_order(all->waits + first[i], first[i + 1] - first[i]))
			sort_by_end(all->waits + first[i], first[i], first[i + 1] - first[i],
				order + first[i]);
	return order;
}
