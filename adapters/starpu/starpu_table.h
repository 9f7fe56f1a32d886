/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of StarPU's tasks, tags and data handles, by their addresses or numbers: a table
 * that is read and changed by any thread without locks. It grows by parts; nothing moves. */
#ifndef MEASURE_STARPU_TABLE_H
#define MEASURE_STARPU_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_STARPU_PARTS 8

/* All zero: empty. Calls for the same key must not overlap if one of them removes or adds it;
 * StarPU itself orders what happens to a task. */
struct measure_starpu_table {
	size_t item_size;
	struct measure_starpu_part {
		_Atomic(uint8_t *) items;
		_Alignas(64) _Atomic uint64_t keys[];
	} * _Atomic parts[MEASURE_STARPU_PARTS]; /* each larger than the one before */
	_Atomic uint32_t nr_parts;
};

struct measure_starpu_place {
	uint64_t key;
	_Atomic uint64_t *found;
	void *item;
};

/* Keys are even and not 0. NULL: it is not there. */
void *measure_starpu_find(struct measure_starpu_table *table, uint64_t key);

/* The same, but it is added if it is not there: `is_new`, with what another key may have left in
 * the item. NULL: no memory. Keeps errno. */
void *measure_starpu_have(struct measure_starpu_table *table, uint64_t key, bool *is_new);

/* The same, which remembers the place of the latest key. */
void *measure_starpu_have_again(struct measure_starpu_table *table, uint64_t key,
	struct measure_starpu_place *recent, bool *is_new);

/* The item may serve another key. */
void measure_starpu_drop(struct measure_starpu_table *table, uint64_t key);

#endif
