/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Growing arrays and the hash map of the reading side. */
#include "config.h"

#include "containers.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spilling_alloc.h"

#define FIRST_ROOM 16

void measure_end(const char *format, ...)
{
	static atomic_flag is_ending = ATOMIC_FLAG_INIT;
	va_list arguments;
	char line[PATH_MAX];

	while (atomic_flag_test_and_set(&is_ending))
		pause();
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	fprintf(stderr, "measure: %s\n", line);
	_Exit(2);
}

void measure_out_of_memory(void)
{
	measure_end("out of memory while reading the archive; use a machine with more");
}

static void *memory_or_exit(void *memory)
{
	if (!memory)
		measure_out_of_memory();
	return memory;
}

static size_t size_of(size_t nr, size_t item_size)
{
	size_t size;

	if (__builtin_mul_overflow(nr ? nr : 1, item_size, &size))
		measure_out_of_memory();
	return size;
}

/* Items that are there move to or within large memory, or out of it. */
static void *resize(void *items, size_t used, size_t size)
{
	const bool was_large = measure_spill_has(items);
	void *copy;

	if (was_large && measure_spill_is(size))
		return measure_spill_resize(items, used, size);
	if (!was_large && !measure_spill_is(size))
		return memory_or_exit(realloc(items, size));
	copy = measure_uncleared(size, 1);
	if (used > 0)
		memcpy(copy, items, used);
	measure_free(items);
	return copy;
}

void *measure_grow(void *items, size_t nr, size_t *room, size_t item_size)
{
	if (nr < *room)
		return items;
	*room = *room < FIRST_ROOM ? FIRST_ROOM : *room + *room / 2;
	return resize(items, nr * item_size, size_of(*room, item_size));
}

void *measure_shrink(void *items, size_t nr, size_t *room, size_t item_size)
{
	*room = nr > FIRST_ROOM ? nr : FIRST_ROOM;
	return resize(items, nr * item_size, size_of(*room, item_size));
}

void *measure_zeroed(size_t nr, size_t item_size)
{
	const size_t size = size_of(nr, item_size);

	return measure_spill_is(size) ? measure_spill(size, false)
				      : memory_or_exit(calloc(1, size));
}

void *measure_uncleared(size_t nr, size_t item_size)
{
	const size_t size = size_of(nr, item_size);

	return measure_spill_is(size) ? measure_spill(size, false) : memory_or_exit(malloc(size));
}

void measure_free(void *memory)
{
	if (!measure_spill_free(memory))
		free(memory);
}

char *measure_copy_text(const char *text)
{
	return memory_or_exit(strdup(text));
}

static size_t slot_of(const struct measure_map *map, struct measure_key key)
{
	uint64_t hash = (key.high + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ key.low;

	hash ^= hash >> 32;
	hash *= 0x94d049bb133111ebu;
	hash ^= hash >> 29;
	return hash & (map->nr_slots - 1);
}

static bool same_key(struct measure_key a, struct measure_key b)
{
	return a.high == b.high && a.low == b.low;
}

/* The slot that holds the key, or the empty one where it belongs. */
static struct measure_map_slot *containers_find(
	const struct measure_map *map, struct measure_key key)
{
	size_t slot = slot_of(map, key);

	while (map->slots[slot].value != MEASURE_NONE && !same_key(map->slots[slot].key, key))
		slot = (slot + 1) & (map->nr_slots - 1);
	return &map->slots[slot];
}

uint32_t measure_map_get(const struct measure_map *map, struct measure_key key)
{
	return map->nr_slots ? containers_find(map, key)->value : MEASURE_NONE;
}

static void enlarge(struct measure_map *map)
{
	struct measure_map old = *map;

	map->nr_slots = old.nr_slots ? old.nr_slots * 2 : FIRST_ROOM;
	map->slots = measure_zeroed(map->nr_slots, sizeof(*map->slots));
	for (size_t i = 0; i < map->nr_slots; i++)
		map->slots[i].value = MEASURE_NONE;
	for (size_t i = 0; i < old.nr_slots; i++)
		if (old.slots[i].value != MEASURE_NONE)
			*containers_find(map, old.slots[i].key) = old.slots[i];
	measure_free(old.slots);
}

uint32_t measure_map_intern(struct measure_map *map, struct measure_key key, uint32_t next)
{
	struct measure_map_slot *slot;

	if (map->nr_used * 10 >= map->nr_slots * 7)
		enlarge(map);
	slot = containers_find(map, key);
	if (slot->value == MEASURE_NONE) {
		slot->key = key;
		slot->value = next;
		map->nr_used++;
	}
	return slot->value;
}

void measure_map_set(struct measure_map *map, struct measure_key key, uint32_t value)
{
	if (measure_map_intern(map, key, value) != value)
		containers_find(map, key)->value = value;
}

/* Closes the gap: later keys of the same run move back unless they sit before their home. */
void measure_map_remove(struct measure_map *map, struct measure_key key)
{
	size_t mask = map->nr_slots - 1;
	size_t gap, next;

	if (!map->nr_slots)
		return;
	gap = (size_t)(containers_find(map, key) - map->slots);
	if (map->slots[gap].value == MEASURE_NONE)
		return;
	for (next = (gap + 1) & mask; map->slots[next].value != MEASURE_NONE;
		next = (next + 1) & mask) {
		size_t home = slot_of(map, map->slots[next].key);

		if (((next - home) & mask) >= ((next - gap) & mask)) {
			map->slots[gap] = map->slots[next];
			gap = next;
		}
	}
	map->slots[gap].value = MEASURE_NONE;
	map->nr_used--;
}

void measure_map_clear(struct measure_map *map)
{
	for (size_t i = 0; i < map->nr_slots && map->nr_used; i++)
		map->slots[i].value = MEASURE_NONE;
	map->nr_used = 0;
}

void measure_map_free(struct measure_map *map)
{
	measure_free(map->slots);
	*map = (struct measure_map){0};
}
