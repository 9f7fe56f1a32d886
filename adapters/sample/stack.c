/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taking a sample: which frames of a stack are the program's, what they have in common with those
 * of the sample before, and the record. */
#include "config.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "sample.h"

/* Code of one file. */
struct range {
	uint64_t begin;
	uint64_t end;
};

#define MOST_RANGES 32
#define START_SIZE  128 /* bytes: more than the program's first function has */

static struct range ours[MOST_RANGES]; /* whose frames are left out */
static struct range libc;
static uint32_t nr_ours;
static uint64_t entry; /* of the program */

static bool stack_is_in(const struct range *range, uint64_t address)
{
	return address >= range->begin && address < range->end;
}

/* From the lowest to the highest of its segments. */
static struct range stack_range(const struct dl_phdr_info *info)
{
	struct range range = {UINT64_MAX, 0};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD)
			continue;
		range.begin = begin < range.begin ? begin : range.begin;
		range.end = begin + part->p_memsz > range.end ? begin + part->p_memsz : range.end;
	}
	return range;
}

static int stack_look(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	struct range range = stack_range(info);

	(void)size, (void)data;
	if (slash && strncmp(slash + 1, "libmeasure", strlen("libmeasure")) == 0 &&
		nr_ours < MOST_RANGES)
		ours[nr_ours++] = range;
	else if (stack_is_in(&range, (uint64_t)(uintptr_t)dl_iterate_phdr) ||
		 stack_is_in(&range, (uint64_t)(uintptr_t)strrchr))
		libc = range;
	return 0;
}

void measure_callstack_start(void)
{
	nr_ours = 0;
	dl_iterate_phdr(stack_look, NULL);
	entry = getauxval(AT_ENTRY);
}

static bool stack_is_ours(uint64_t address)
{
	for (uint32_t i = 0; i < nr_ours; i++)
		if (stack_is_in(&ours[i], address))
			return true;
	return false;
}

/* What the C library calls a program or a thread from. */
static bool stack_is_start(uint64_t address)
{
	return stack_is_in(&libc, address) || (address >= entry && address - entry < START_SIZE);
}

/* Leaves the program's frames: neither ours, nor those before its first one. */
static void trim(struct measure_callstack *stack)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < stack->nr; i++)
		if (!stack_is_ours(stack->frames[i].address))
			stack->frames[nr++] = stack->frames[i];
	while (nr > 1 && stack_is_start(stack->frames[nr - 1].address))
		nr--;
	stack->nr = nr;
}

/* The outermost first. */
static const struct measure_frame *frame(const struct measure_callstack *stack, uint32_t depth)
{
	return &stack->frames[stack->nr - 1 - depth];
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The outermost frames that two stacks have in common. */
static uint32_t common(const struct measure_callstack *a, const struct measure_callstack *b)
{
	uint32_t nr = least(a->nr, b->nr), depth = 0;

	while (depth < nr && frame(a, depth)->address == frame(b, depth)->address &&
		frame(a, depth)->function == frame(b, depth)->function)
		depth++;
	return depth;
}

/* As OTF2 has it: one more than the frames that are new, counted up to the one that has gone on
 * since the last sample, if there is such a one. */
static uint32_t stack_distance(
	const struct measure_callstack *last, const struct measure_callstack *now, uint32_t depth)
{
	if (depth == now->nr)
		return 1;
	if (depth < last->nr && frame(now, depth)->function != 0 &&
		frame(now, depth)->function == frame(last, depth)->function)
		return now->nr - depth;
	return now->nr - depth + 1;
}

/* The contexts of frames from a depth on; false: they cannot be defined just now. */
static bool stack_describe(
	struct measure_sampled *sampled, const struct measure_callstack *now, uint32_t depth)
{
	measure_context_t parent = depth > 0 ? sampled->contexts[depth - 1] : MEASURE_UNDEFINED;

	for (; depth < now->nr; depth++) {
		const struct measure_frame *next = frame(now, depth);
		parent = measure_calling_context_at(parent, next->function, next->address);
		if (parent == MEASURE_UNDEFINED) {
			measure_sample_lost(MEASURE_SAMPLE_UNDEFINED, 1);
			return false;
		}
		sampled->contexts[depth] = parent;
	}
	return true;
}

/* Where this sample comes to nothing, the contexts of the last one are known no more. */
static void stack_forget(struct measure_callstack *last, uint32_t depth)
{
	if (depth >= last->nr)
		return;
	memmove(last->frames, last->frames + (last->nr - depth), depth * sizeof(*last->frames));
	last->nr = depth;
}

void measure_callstack_sample(struct measure_sampled *sampled, const ucontext_t *interrupted)
{
	struct measure_callstack *last = &sampled->stacks[sampled->last];
	struct measure_callstack *now = &sampled->stacks[!sampled->last];
	struct measure_location *location = measure_sample_begin();
	uint32_t depth;

	if (!location)
		return;
	if (location != sampled->location)
		last->nr = 0; /* what came before it there was long ago */
	sampled->location = location;
	measure_unwind(&sampled->unwinder, interrupted, now);
	trim(now);
	depth = common(last, now);
	if (now->nr > 0 && stack_describe(sampled, now, depth))
		measure_write_calling_context_sample(location, sampled->contexts[now->nr - 1],
			stack_distance(last, now, depth), measure_sample_generator);
	if (measure_sample_end(location))
		sampled->last = !sampled->last;
	else
		stack_forget(last, depth);
}
