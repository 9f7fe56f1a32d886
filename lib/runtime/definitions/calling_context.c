/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interrupt generators, and the tree of call stacks: an array of nodes, which are found through an
 * open-addressing table. Both are made when a generator is defined and never grow, so that signal
 * handlers can use them. */
#include "config.h"

#include "define.h"

#include <errno.h>
#include <stdatomic.h>

#include "adapter.h"
#include "base/likely.h"
#include "define.h"
#include "code_region.h"
#include "runtime/gate/gate.h"
#include "pages.h"

#define MOST_CONTEXTS (UINT32_C(1) << 18)
#define NR_SLOTS      (2 * MOST_CONTEXTS)

/* Contexts leave so much of the journal to definitions without which nothing can be recorded. */
#define JOURNAL_TO_LEAVE ((size_t)1 << 20)

struct calling_context_node {
	uint64_t address;
	uint32_t parent;
	uint32_t epoch; /* modules have been unloaded so often before */
};

/* A slot is the number of a node, from 1; 0: empty. The node stands before its slot is written
 * (release); whoever sees the slot (acquire) sees it. */
static struct tree {
	struct calling_context_node nodes[MOST_CONTEXTS];
	_Atomic uint32_t slots[NR_SLOTS];
} * tree;

/* Under the definition lock. */
static uint32_t nr_nodes, nr_generators;
static _Atomic uint32_t epoch;

static void make_tree(void)
{
	if (!tree)
		tree = measure_pages_get(sizeof(*tree));
}

measure_generator_t measure_interrupt_generator_define(const struct measure_generator_info *info)
{
	struct measure_def_interrupt_generator def = {MEASURE_UNDEFINED, info->name, info->mode,
		info->base, info->exponent, info->period};
	struct measure_signals saved;

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	measure_define_lock(&saved);
	make_tree();
	if (tree) {
		def.id = nr_generators++;
		MEASURE_JOURNAL(interrupt_generator, &def);
	}
	measure_define_unlock(&saved);
	return def.id;
}

void measure_generators_again(void)
{
	nr_generators = 0;
}

static uint32_t hash(const struct calling_context_node *node)
{
	uint64_t mixed = (node->address ^ (uint64_t)node->epoch << 48) +
			 (node->parent + UINT64_C(1)) * UINT64_C(0xbf58476d1ce4e5b9);

	return (uint32_t)((mixed ^ mixed >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

static bool calling_context_is_same(
	const struct calling_context_node *a, const struct calling_context_node *b)
{
	return a->address == b->address && a->parent == b->parent && a->epoch == b->epoch;
}

/* The slot of a node, or the empty one where it would be: of twice as many slots as nodes one is.
 */
static _Atomic uint32_t *calling_context_find(
	const struct calling_context_node *sought, uint32_t *id)
{
	for (uint32_t place = hash(sought);; place++) {
		_Atomic uint32_t *slot = &tree->slots[place % NR_SLOTS];
		uint32_t number = atomic_load_explicit(slot, memory_order_acquire);

		*id = number ? number - 1 : MEASURE_UNDEFINED;
		if (number == 0 || calling_context_is_same(&tree->nodes[number - 1], sought))
			return slot;
	}
}

static uint32_t calling_context_add(
	const struct calling_context_node *node, uint64_t function, _Atomic uint32_t *slot)
{
	struct measure_def_calling_context def = {
		nr_nodes, node->parent, function, node->address, MEASURE_UNDEFINED};

	if (nr_nodes == MOST_CONTEXTS || measure_journal_room() < JOURNAL_TO_LEAVE)
		return MEASURE_UNDEFINED;
	def.module = measure_module_of((const void *)(uintptr_t)node->address);
	MEASURE_JOURNAL(calling_context, &def);
	tree->nodes[nr_nodes++] = *node;
	atomic_store_explicit(slot, nr_nodes, memory_order_release);
	return def.id;
}

/* Somebody else may have been first: the look-up is repeated under the lock. */
static uint32_t calling_context_define(const struct calling_context_node *node, uint64_t function)
{
	_Atomic uint32_t *slot;
	int saved = errno;
	uint32_t id;

	if (!measure_define_try_blocked())
		return MEASURE_UNDEFINED;
	slot = calling_context_find(node, &id);
	if (id == MEASURE_UNDEFINED)
		id = calling_context_add(node, function, slot);
	measure_define_unlock_blocked();
	errno = saved;
	return id;
}

measure_context_t measure_calling_context_at(
	measure_context_t parent, uint64_t function, uint64_t address)
{
	struct calling_context_node node = {
		address, parent, atomic_load_explicit(&epoch, memory_order_relaxed)};
	uint32_t id;

	if (!measure_gate_is_open() || !tree)
		return MEASURE_UNDEFINED;
	calling_context_find(&node, &id);
	return likely(id != MEASURE_UNDEFINED) ? id : calling_context_define(&node, function);
}

void measure_contexts_forget(void)
{
	atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
}
