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

static void order_lane(const struct lane_items *lane, uint32_t *indices, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (compare_postings(
			    posting_at(lane, indices[i - 1]), posting_at(lane, indices[i])) > 0) {
			qsort_r(indices, nr, sizeof(*indices), compare_indices, (void *)lane);
			return;
		}
}

uint32_t *lanes_sort(
	const void *items, size_t nr, size_t item_size, size_t nr_lanes, size_t **starts)
{
	struct lane_items lane = {items, item_size};
	uint32_t *indices = measure_zeroed(nr, sizeof(*indices));
	size_t *next = measure_zeroed(nr_lanes + 2, sizeof(*next));

	/* next[l + 2] counts lane l; summed up and used from next + 1, it ends as the starts. */
	for (size_t i = 0; i < nr; i++)
		if (posting_at(&lane, i)->lane != MEASURE_NONE)
			next[posting_at(&lane, i)->lane + 2]++;
	for (size_t l = 2; l < nr_lanes + 2; l++)
		next[l] += next[l - 1];
	for (size_t i = 0; i < nr; i++)
		if (posting_at(&lane, i)->lane != MEASURE_NONE)
			indices[next[posting_at(&lane, i)->lane + 1]++] = i;
	for (size_t l = 0; l < nr_lanes; l++)
		order_lane(&lane, indices + next[l], next[l + 1] - next[l]);
	*starts = next;
	return indices;
}
