/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of a communicator's children by kinship. */
#include "config.h"

#include <stdlib.h>

#include "children.h"

#define NR_MIN 8u

/* Kinships are hashes already. */
static struct measure_child_count *find(const struct measure_children *children, uint64_t kinship)
{
	const uint32_t mask = children->nr_slots - 1;
	uint32_t slot = (uint32_t)kinship & mask;

	while (children->slots[slot].count != 0 && children->slots[slot].kinship != kinship)
		slot = (slot + 1) & mask;
	return &children->slots[slot];
}

static bool grow(struct measure_children *children)
{
	struct measure_children grown = {.nr_used = children->nr_used};

	if (2 * (children->nr_used + 1) <= children->nr_slots)
		return true;
	grown.nr_slots = children->nr_slots ? 2 * children->nr_slots : NR_MIN;
	grown.slots = calloc(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (uint32_t i = 0; i < children->nr_slots; i++)
		if (children->slots[i].count != 0)
			*find(&grown, children->slots[i].kinship) = children->slots[i];
	free(children->slots);
	*children = grown;
	return true;
}

bool measure_children_count(
	struct measure_children *children, uint64_t kinship, uint64_t *nr_before)
{
	struct measure_child_count *child;

	if (!grow(children))
		return false;
	child = find(children, kinship);
	*nr_before = child->count;
	if (child->count == 0)
		children->nr_used++;
	child->kinship = kinship;
	child->count++;
	return true;
}

void measure_children_free(struct measure_children *children)
{
	free(children->slots);
	*children = (struct measure_children){0};
}
