/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Region stacks: chains of blocks in the segment; see segment.h. */
#include "config.h"

#include "runtime/event/location.h"

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
	uint32_t taken =
		stacks.layout.max_locations + atomic_fetch_add(&header->nr_stack_blocks_used, 1);

	if (taken >= stacks.layout.nr_stack_blocks) {
		atomic_fetch_sub(&header->nr_stack_blocks_used, 1);
		return NULL;
	}
	return begin_block(taken, previous);
}

static uint32_t region_stack_number(const struct measure_segment_stack *block)
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
	atomic_store_explicit(
		&location->shared->stack_block, region_stack_number(block), memory_order_relaxed);
}

bool measure_stack_grow(struct measure_location *location)
{
	struct measure_segment_stack *below = measure_location_block(location);

	if (measure_location_depth(location) >= MEASURE_DEPTH_MAX)
		return false;
	if (below->next == MEASURE_STACK_NONE) {
		struct measure_segment_stack *block = take_block(region_stack_number(below));
		if (!block)
			return false;
		below->next = region_stack_number(block);
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

/* An entry stays as it is while its call is open, so those that change meanwhile are others. */
static bool may_hold(const struct measure_segment_location *location, const void *function)
{
	uint32_t low = measure_function_low(function), asked = measure_function_filtered(function);
	uint32_t depth = measure_committed_depth(
		atomic_load_explicit(&location->committed, memory_order_acquire));
	uint32_t block = atomic_load_explicit(&location->stack_block, memory_order_relaxed);

	while (depth > 0 && block != MEASURE_STACK_NONE) {
		const struct measure_segment_stack *stack = &stacks.stacks[block];
		uint32_t nr = depth < MEASURE_STACK_ENTRIES ? depth : MEASURE_STACK_ENTRIES;

		for (uint32_t i = 0; i < nr; i++) {
			uint32_t found =
				__atomic_load_n(&stack->entries[i].function, __ATOMIC_RELAXED);
			if (found == low || found == asked)
				return true;
		}
		depth -= nr;
		block = stack->next;
	}
	return false;
}

bool measure_stacks_may_hold(const void *function)
{
	uint32_t nr = atomic_load(&stacks.header->nr_locations);

	for (uint32_t i = 0; i < nr; i++)
		if (may_hold(&stacks.locations[i], function))
			return true;
	return false;
}
