/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A set of byte strings, each with an id: 0, 1, ... in order of arrival. Equal bytes, equal id.
 * All zero is an empty set. Not for the recording process. */
#ifndef MEASURE_BASE_INTERN_H
#define MEASURE_BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "status.h"

struct measure_intern_entry {
	uint64_t hash;
	size_t size;
	void *key;
};

struct measure_intern {
	MEASURE_ARRAY(struct measure_intern_entry) entries; /* by id */
	uint32_t *slots; /* id + 1, 0: empty */
	size_t nr_slots; /* power of two */
};

/* Id of a key, which is copied when it is new; `is_new` may be NULL. */
measure_status_t measure_intern_put(struct measure_intern *set, const void *key, size_t size,
	uint32_t *id, bool *is_new);

/* Id of a key; UINT32_MAX: there is no equal one. */
uint32_t measure_intern_find(const struct measure_intern *set, const void *key, size_t size);

/* Is there an equal one? */
bool measure_intern_has(const struct measure_intern *set, const void *key, size_t size);
void measure_intern_free(struct measure_intern *set);

/* The key of an id, as long as the set lives. */
static inline const void *measure_intern_key(const struct measure_intern *set, uint32_t id)
{
	return set->entries.items[id].key;
}

#endif
