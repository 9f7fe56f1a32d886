/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Region stacks: chains of blocks in the segment; see segment.h. */
#include "config.h"

#include "event/location.h"

static struct measure_segment stacks;

/* Block i is the bottom of location i, so that one deep recursion takes nothing from threads
 * to come; those behind are for whoever needs them. */
static struct measure_segment_stack *begin_block(uint32_t number, uint32_t previous)
{
	struct measure_segment_stack *block = &stacks.stacks[number];

	block->previous = previous;
	block->next = MEASURE_STACK_NONE;
	block->guard = (struct measure_segment_frame){UINT64_MAX, UINT32_MAX, 0};
	return block;
}

static struct measure_segment_stack *take_block(uint32_t previous)
{
	struct measure_segment_header *header = stacks.header;
	uint32_t taken = header->max_locations + atomic_fetch_add(&header->nr_stack_blocks_used, 1);

	if (taken >= header->nr_stack_blocks) {
		atomic_fetch_sub(&header->nr_stack_blocks_used, 1);
		return NULL;
	}
	return begin_block(taken, previous);
}

static uint32_t number(const struct measure_segment_stack *block)
{
	return (uint32_t)(block - stacks.stacks);
}

static void enter_block(struct measure_location *location, struct measure_segment_stack *block)
{
	location->ceiling = block->entries + MEASURE_STACK_ENTRIES;
}

void measure_stacks_start(const struct measure_segment *segment)
{
	stacks = *segment;
}

void measure_stack_begin(struct measure_location *location)
{
	struct measure_segment_stack *block = begin_block(location->index, MEASURE_STACK_NONE);

	enter_block(location, block);
	location->top = block->entries;
	atomic_store_explicit(&location->shared->stack_block, number(block), memory_order_relaxed);
}

bool measure_stack_grow(struct measure_location *location)
{
	struct measure_segment_stack *below = measure_location_block(location);

	if (measure_location_depth(location) >= MEASURE_DEPTH_MAX)
		return false;
	if (below->next == MEASURE_STACK_NONE) {
		struct measure_segment_stack *block = take_block(number(below));
		if (!block)
			return false;
		below->next = number(block);
	}
	measure_stack_rise(location);
	return true;
}

void measure_stack_rise(struct measure_location *location)
{
	enter_block(location, &stacks.stacks[measure_location_block(location)->next]);
	location->top = measure_location_floor(location);
}

void measure_stack_shrink(struct measure_location *location)
{
	enter_block(location, &stacks.stacks[measure_location_block(location)->previous]);
	location->top = location->ceiling;
}
