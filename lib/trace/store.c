/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Growing arrays and the hash map of the reading side. */
#include "config.h"

#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_ROOM 16
#define LARGE_PAGE ((uintptr_t)1 << 21)

void measure_out_of_memory(void)
{
	fputs("measure: out of memory while reading the archive; use a machine with more\n",
		stderr);
	_Exit(2);
}

static void *memory_or_exit(void *memory)
{
	if (!memory)
		measure_out_of_memory();
	return memory;
}

/* Large arrays of these tools are filled from one end to the other: few large pages cost less than
 * many small ones. Only advice. */
static void *advise(void *memory, size_t nr, size_t item_size)
{
	const uintptr_t mask = LARGE_PAGE - 1;
	const uintptr_t first = ((uintptr_t)memory + mask) & ~mask;
	const uintptr_t end = ((uintptr_t)memory + nr * item_size) & ~mask;

	if (first < end)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
	return memory;
}

void *measure_grow(void *items, size_t nr, size_t *room, size_t item_size)
{
	if (nr < *room)
		return items;
	*room = *room < FIRST_ROOM ? FIRST_ROOM : *room + *room / 2;
	return advise(memory_or_exit(reallocarray(items, *room, item_size)), *room, item_size);
}

void *measure_shrink(void *items, size_t nr, size_t *room, size_t item_size)
{
	*room = nr > FIRST_ROOM ? nr : FIRST_ROOM;
	return memory_or_exit(reallocarray(items, *room, item_size));
}

void *measure_zeroed(size_t nr, size_t item_size)
{
	return advise(memory_or_exit(calloc(nr ? nr : 1, item_size)), nr, item_size);
}

void *measure_uncleared(size_t nr, size_t item_size)
{
	return advise(memory_or_exit(reallocarray(NULL, nr ? nr : 1, item_size)), nr, item_size);
}

/* What sticks out of whole pages at either end goes back at once. */
void *measure_large(size_t size)
{
	char *memory = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (memory == MAP_FAILED)
		measure_out_of_memory();
	before = -(uintptr_t)memory & (LARGE_PAGE - 1);
	if (before > 0)
		munmap(memory, before);
	munmap(memory + before + size, LARGE_PAGE - before);
	return advise(memory + before, 1, size);
}

void measure_large_free(void *memory, size_t size)
{
	if (memory)
		munmap(memory, size);
}

void measure_free(void *memory)
{
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
static struct measure_map_slot *find(const struct measure_map *map, struct measure_key key)
{
	size_t slot = slot_of(map, key);

	while (map->slots[slot].value != MEASURE_NONE && !same_key(map->slots[slot].key, key))
		slot = (slot + 1) & (map->nr_slots - 1);
	return &map->slots[slot];
}

uint32_t measure_map_get(const struct measure_map *map, struct measure_key key)
{
	return map->nr_slots ? find(map, key)->value : MEASURE_NONE;
}

static void resize(struct measure_map *map)
{
	struct measure_map old = *map;

	map->nr_slots = old.nr_slots ? old.nr_slots * 2 : FIRST_ROOM;
	map->slots = measure_zeroed(map->nr_slots, sizeof(*map->slots));
	for (size_t i = 0; i < map->nr_slots; i++)
		map->slots[i].value = MEASURE_NONE;
	for (size_t i = 0; i < old.nr_slots; i++)
		if (old.slots[i].value != MEASURE_NONE)
			*find(map, old.slots[i].key) = old.slots[i];
	measure_free(old.slots);
}

uint32_t measure_map_intern(struct measure_map *map, struct measure_key key, uint32_t next)
{
	struct measure_map_slot *slot;

	if (map->nr_used * 10 >= map->nr_slots * 7)
		resize(map);
	slot = find(map, key);
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
		find(map, key)->value = value;
}

/* Closes the gap: later keys of the same run move back unless they sit before their home. */
void measure_map_remove(struct measure_map *map, struct measure_key key)
{
	size_t mask = map->nr_slots - 1;
	size_t gap, next;

	if (measure_map_get(map, key) == MEASURE_NONE)
		return;
	gap = find(map, key) - map->slots;
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
