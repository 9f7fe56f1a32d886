/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of a communicator's children by kinship. */
#include "config.h"

#include <stdlib.h>

#include "identity.h"

#define NR_MIN 8u

/* Kinships are hashes already. */
static struct measure_child_count *child_find(
	const struct measure_child_counts *counts, uint64_t kinship)
{
	const uint32_t mask = counts->nr_slots - 1;
	uint32_t slot = (uint32_t)kinship & mask;

	while (counts->slots[slot].count != 0 && counts->slots[slot].kinship != kinship)
		slot = (slot + 1) & mask;
	return &counts->slots[slot];
}

static bool counts_grow(struct measure_child_counts *counts)
{
	struct measure_child_counts grown = {.nr_used = counts->nr_used};

	if (2 * (counts->nr_used + 1) <= counts->nr_slots)
		return true;
	grown.nr_slots = counts->nr_slots ? 2 * counts->nr_slots : NR_MIN;
	grown.slots = calloc(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (uint32_t i = 0; i < counts->nr_slots; i++)
		if (counts->slots[i].count != 0)
			*child_find(&grown, counts->slots[i].kinship) = counts->slots[i];
	free(counts->slots);
	*counts = grown;
	return true;
}

bool measure_child_counts_add(
	struct measure_child_counts *counts, uint64_t kinship, uint64_t *nr_before)
{
	struct measure_child_count *child;

	if (!counts_grow(counts))
		return false;
	child = child_find(counts, kinship);
	*nr_before = child->count;
	if (child->count == 0)
		counts->nr_used++;
	child->kinship = kinship;
	child->count++;
	return true;
}

void measure_child_counts_free(struct measure_child_counts *counts)
{
	free(counts->slots);
	*counts = (struct measure_child_counts){0};
}
