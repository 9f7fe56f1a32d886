/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorts halves into lanes: a counting sort by lane, which keeps the order of reading, and a
 * real sort only of lanes that were not read in order of posting. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

struct lane_items {
	const char *items;
	size_t item_size;
};

static const struct posting *posting_at(const struct lane_items *lane, size_t index)
{
	return (const struct posting *)(lane->items + index * lane->item_size);
}

/* Within a location the record number decides, between threads of a process the time. */
static int compare_postings(const struct posting *a, const struct posting *b)
{
	if (a->location == b->location)
		return (a->position > b->position) - (a->position < b->position);
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->location < b->location ? -1 : 1;
}

static int compare_indices(const void *a, const void *b, void *lane)
{
	return compare_postings(
		posting_at(lane, *(const uint32_t *)a), posting_at(lane, *(const uint32_t *)b));
}

/* While items are put into lanes. */
struct lane_state {
	uint32_t last; /* item; 1 + its index */
	bool is_mixed; /* not all are in order of posting */
};

static void put_item(
	const struct lane_items *lane, struct lane_state *state, uint32_t *place, uint32_t item)
{
	if (state->last && compare_postings(posting_at(lane, state->last - 1),
				   posting_at(lane, item)) > 0)
		state->is_mixed = true;
	state->last = item + 1;
	*place = item;
}

uint32_t *lanes_sort(
	const void *items, size_t nr, size_t item_size, size_t nr_lanes, size_t **starts)
{
	struct lane_items lane = {items, item_size};
	struct lane_state *states = measure_zeroed(nr_lanes, sizeof(*states));
	uint32_t *indices = measure_uncleared(nr, sizeof(*indices));
	size_t *next = measure_zeroed(nr_lanes + 2, sizeof(*next));

	/* next[l + 2] counts lane l; summed up and used from next + 1, it ends as the starts. */
	for (size_t i = 0; i < nr; i++)
		if (posting_at(&lane, i)->lane != MEASURE_NONE)
			next[posting_at(&lane, i)->lane + 2]++;
	for (size_t l = 2; l < nr_lanes + 2; l++)
		next[l] += next[l - 1];
	for (size_t i = 0; i < nr; i++) {
		const uint32_t l = posting_at(&lane, i)->lane;

		if (l != MEASURE_NONE)
			put_item(&lane, &states[l], &indices[next[l + 1]++], (uint32_t)i);
	}
	for (size_t l = 0; l < nr_lanes; l++)
		if (states[l].is_mixed)
			qsort_r(indices + next[l], next[l + 1] - next[l], sizeof(*indices),
				compare_indices, &lane);
	measure_free(states);
	*starts = next;
	return indices;
}
