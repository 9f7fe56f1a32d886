/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the reading side: growing arrays and a hash map. Only tools link this, never an
 * application, so memory that runs out ends the tool: one line on stderr, exit status 2. What
 * these functions return is given to measure_free(): large arrays are not of malloc
 * (spilling_alloc.h). */
#ifndef MEASURE_TRACE_COMMON_CONTAINERS_H
#define MEASURE_TRACE_COMMON_CONTAINERS_H

#include <stddef.h>
#include <stdint.h>

/* "No such thing" wherever an index is expected. */
#define MEASURE_NONE UINT32_MAX

/* Returns `items` with room for at least one item more than `nr`; *room is kept up to date. */
void *measure_grow(void *items, size_t nr, size_t *room, size_t item_size);

/* Members of a struct: an array that grows, things[nr_things]; items[nr]. All zero is an empty one.
 */
#define MEASURE_GROWING(type, things)                                                              \
	type *things;                                                                              \
	size_t nr_##things, room_##things
#define MEASURE_GROWING_ITEMS(type)                                                                \
	type *items;                                                                               \
	size_t nr, room

/* A new item of owner->things, behind the owner->nr_things that are there: its address. Its content
 * is up to the caller. The owner is evaluated more than once. */
#define measure_append(owner, things)                                                              \
	measure_append_to((owner)->things, (owner)->nr_##things, (owner)->room_##things)

/* The same of owner->items, of which there are owner->nr. */
#define measure_append_item(owner) measure_append_to((owner)->items, (owner)->nr, (owner)->room)

#define measure_append_to(things, nr, room)                                                        \
	((things) = measure_grow(things, nr, &(room), sizeof(*(things))), &(things)[(nr)++])

/* Returns `items` with room for `nr` items, or few more. */
void *measure_shrink(void *items, size_t nr, size_t *room, size_t item_size);

/* Zeroed memory for `nr` items; never NULL. */
void *measure_zeroed(size_t nr, size_t item_size);

/* The same, with anything in it: what is not written takes no memory yet. */
void *measure_uncleared(size_t nr, size_t item_size);

/* Anything of these functions or of malloc, or NULL. */
void measure_free(void *memory);

/* These end the tool: "measure: ", the line, exit status 2. Of several threads the first one
 * speaks. */
__attribute__((noreturn, format(printf, 1, 2))) void measure_end(const char *format, ...);
__attribute__((noreturn)) void measure_out_of_memory(void);

/* A copy of a string; never NULL. */
char *measure_copy_text(const char *text);

/* Keys are two words, so that (communicator, sender, receiver, tag) fits without loss. */
struct measure_key {
	uint64_t high;
	uint64_t low;
};

struct measure_map_slot {
	struct measure_key key;
	uint32_t value; /* MEASURE_NONE: empty */
};

/* Open addressing, linear probing, at most 70 % full. All zero is an empty map. */
struct measure_map {
	struct measure_map_slot *slots;
	size_t nr_slots; /* a power of two, or 0 */
	size_t nr_used;
};

/* The value of a key, or MEASURE_NONE. */
uint32_t measure_map_get(const struct measure_map *map, struct measure_key key);

/* Sets a key. `value` must not be MEASURE_NONE. */
void measure_map_set(struct measure_map *map, struct measure_key key, uint32_t value);

/* Gives the key the value `next` unless it has one; returns its value. */
uint32_t measure_map_intern(struct measure_map *map, struct measure_key key, uint32_t next);

/* Removes a key if it is there. */
void measure_map_remove(struct measure_map *map, struct measure_key key);

/* Forgets all keys but keeps the memory. */
void measure_map_clear(struct measure_map *map);

void measure_map_free(struct measure_map *map);

static inline struct measure_key measure_key_of(uint64_t id)
{
	return (struct measure_key){0, id};
}

static inline struct measure_key measure_key_pair(uint64_t high, uint64_t low)
{
	return (struct measure_key){high, low};
}

#endif
