/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A set of byte strings; see intern.h. Open addressing, at most half full. */
#include "config.h"

#include "intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The low bits choose the slot. */
static uint64_t hash_of(const void *bytes, size_t size)
{
	uint64_t hash = measure_hash(MEASURE_HASH_START, bytes, size);

	return hash ^ hash >> 29;
}

static measure_status_t intern_grow(struct measure_intern *set)
{
	size_t nr_slots = set->nr_slots ? 2 * set->nr_slots : 64;
	uint32_t *slots = calloc(nr_slots, sizeof(*slots));

	if (!slots)
		return MEASURE_ERROR_MEMORY;
	for (size_t i = 0; i < set->entries.nr; i++) {
		size_t slot = set->entries.items[i].hash & (nr_slots - 1);
		while (slots[slot])
			slot = (slot + 1) & (nr_slots - 1);
		slots[slot] = (uint32_t)i + 1;
	}
	free(set->slots);
	set->slots = slots;
	set->nr_slots = nr_slots;
	return MEASURE_OK;
}

/* Slot of the key, or the empty one where it belongs. */
static size_t intern_slot_of(
	const struct measure_intern *set, const struct measure_intern_entry *wanted)
{
	size_t slot = wanted->hash & (set->nr_slots - 1);

	for (; set->slots[slot]; slot = (slot + 1) & (set->nr_slots - 1)) {
		const struct measure_intern_entry *entry =
			&set->entries.items[set->slots[slot] - 1];
		if (entry->hash == wanted->hash && entry->size == wanted->size &&
			memcmp(entry->key, wanted->key, wanted->size) == 0)
			break;
	}
	return slot;
}

measure_status_t measure_intern_put(struct measure_intern *set, const void *key, size_t size,
	uint32_t *id, bool *is_new)
{
	struct measure_intern_entry wanted = {hash_of(key, size), size, (void *)(uintptr_t)key};

	if (2 * (set->entries.nr + 1) > set->nr_slots && intern_grow(set) != MEASURE_OK)
		return MEASURE_ERROR_MEMORY;
	size_t slot = intern_slot_of(set, &wanted);
	bool found = set->slots[slot] != 0;
	if (is_new)
		*is_new = !found;
	if (found) {
		*id = set->slots[slot] - 1;
		return MEASURE_OK;
	}

	wanted.key = malloc(size ? size : 1);
	if (!wanted.key)
		return MEASURE_ERROR_MEMORY;
	memcpy(wanted.key, key, size);
	if (measure_array_push(&set->entries, wanted) != MEASURE_OK) {
		free(wanted.key);
		return MEASURE_ERROR_MEMORY;
	}
	*id = (uint32_t)set->entries.nr - 1;
	set->slots[slot] = (uint32_t)set->entries.nr;
	return MEASURE_OK;
}

uint32_t measure_intern_find(const struct measure_intern *set, const void *key, size_t size)
{
	struct measure_intern_entry wanted = {hash_of(key, size), size, (void *)(uintptr_t)key};

	return set->nr_slots ? set->slots[intern_slot_of(set, &wanted)] - 1 : UINT32_MAX;
}

bool measure_intern_has(const struct measure_intern *set, const void *key, size_t size)
{
	return measure_intern_find(set, key, size) != UINT32_MAX;
}

void measure_intern_free(struct measure_intern *set)
{
	for (size_t i = 0; i < set->entries.nr; i++)
		free(set->entries.items[i].key);
	free(set->entries.items);
	free(set->slots);
	memset(set, 0, sizeof(*set));
}
