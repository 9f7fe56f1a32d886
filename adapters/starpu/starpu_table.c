/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table without locks: see starpu_table.h. A key lies in a window of places that its hash
 * gives, in one of the parts. A key that was dropped stays where it was, marked, until another one
 * takes its place: StarPU's allocator returns the same addresses over and over. */
#include "config.h"

#include "starpu_table.h"

#include <errno.h>

#include "pages.h"

#define FIRST_BITS 13 /* log2 of the places of the first part */
#define MORE_BITS  2  /* of each further one */
#define WINDOW     8  /* in one line of the cache */
#define DROPPED    UINT64_C(1)

static uint32_t part_places(uint32_t part)
{
	return UINT32_C(1) << (FIRST_BITS + MORE_BITS * part);
}

static uint32_t part_window(uint32_t part, uint64_t key)
{
	const uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(hash >> (64 - FIRST_BITS - MORE_BITS * part)) & ~(uint32_t)(WINDOW - 1);
}

/* The newest part first: most keys are there. */
static _Atomic uint64_t *table_find(struct measure_starpu_table *table, uint64_t key, void **item)
{
	for (uint32_t i = atomic_load_explicit(&table->nr_parts, memory_order_acquire); i-- > 0;) {
		struct measure_starpu_part *part =
			atomic_load_explicit(&table->parts[i], memory_order_acquire);
		const uint32_t first = part_window(i, key);

		for (uint32_t k = first; k < first + WINDOW; k++)
			if (atomic_load_explicit(&part->keys[k], memory_order_acquire) == key) {
				*item = atomic_load_explicit(&part->items, memory_order_relaxed) +
					k * table->item_size;
				return &part->keys[k];
			}
	}
	return NULL;
}

void *measure_starpu_find(struct measure_starpu_table *table, uint64_t key)
{
	void *item = NULL;

	table_find(table, key, &item);
	return item;
}

void measure_starpu_drop(struct measure_starpu_table *table, uint64_t key)
{
	void *item;
	_Atomic uint64_t *place = table_find(table, key, &item);

	/* pairs with the exchange in part_take() */
	if (place)
		atomic_store_explicit(place, key | DROPPED, memory_order_release);
}

/* A place of the window that was this key's, or is free. */
static void *part_take(struct measure_starpu_table *table, uint32_t number, uint64_t key)
{
	struct measure_starpu_part *part =
		atomic_load_explicit(&table->parts[number], memory_order_acquire);
	const uint32_t first = part_window(number, key);

	for (uint32_t k = first; k < first + WINDOW; k++) {
		uint64_t found = atomic_load_explicit(&part->keys[k], memory_order_relaxed);

		if ((found == 0 || found & DROPPED) &&
			atomic_compare_exchange_strong_explicit(&part->keys[k], &found, key,
				memory_order_acq_rel, memory_order_relaxed))
			return atomic_load_explicit(&part->items, memory_order_relaxed) +
			       k * table->item_size;
	}
	return NULL;
}

/* Several threads may make the same part: one of them wins. */
static bool table_grow(struct measure_starpu_table *table, uint32_t nr)
{
	const int saved_errno = errno;
	const size_t keys =
		sizeof(struct measure_starpu_part) + (size_t)part_places(nr) * sizeof(uint64_t);
	const size_t size = keys + (size_t)part_places(nr) * table->item_size;
	struct measure_starpu_part *part, *none = NULL;

	if (nr == MEASURE_STARPU_PARTS)
		return false;
	part = measure_pages_get(size);
	errno = saved_errno;
	if (!part)
		return false;
	atomic_store_explicit(&part->items, (uint8_t *)part + keys, memory_order_relaxed);
	if (!atomic_compare_exchange_strong(&table->parts[nr], &none, part))
		measure_pages_return(part, size);
	/* pairs with the load in table_find() */
	atomic_compare_exchange_strong(&table->nr_parts, &nr, nr + 1);
	errno = saved_errno;
	return true;
}

void *measure_starpu_have(struct measure_starpu_table *table, uint64_t key, bool *is_new)
{
	void *item = measure_starpu_find(table, key);

	*is_new = !item;
	while (!item) {
		const uint32_t nr = atomic_load_explicit(&table->nr_parts, memory_order_acquire);

		if (nr > 0)
			item = part_take(table, nr - 1, key);
		if (!item && !table_grow(table, nr))
			return NULL;
	}
	return item;
}

/* A place that has the key is its place, whatever has happened meanwhile. */
void *measure_starpu_have_again(struct measure_starpu_table *table, uint64_t key,
	struct measure_starpu_place *recent, bool *is_new)
{
	*is_new = false;
	if (recent->key == key && recent->found &&
		atomic_load_explicit(recent->found, memory_order_acquire) == key)
		return recent->item;
	recent->item = measure_starpu_have(table, key, is_new);
	recent->key = key;
	recent->found = recent->item ? table_find(table, key, &recent->item) : NULL;
	return recent->item;
}
