/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much the program has asked for at which address: exact, without locks, whatever the
 * allocator. So an address that is not (or no longer) allocated is told from one that is, without
 * touching what is there; and what is counted once is taken off once. */
#ifndef MEASURE_MEMORY_SIZES_H
#define MEASURE_MEMORY_SIZES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_SIZE_UNKNOWN SIZE_MAX

/* For each 8 bytes of memory, as closely as allocators put things, there is a place of 2 bytes: the
 * size + 1; 0: none; or LARGE, see block_sizes.c. The places of a range are made when something is
 * allocated there. */
#define MEASURE_PLACE_BITS 3
#define MEASURE_RANGE_BITS 26
#define MEASURE_NR_PLACES  ((size_t)1 << (MEASURE_RANGE_BITS - MEASURE_PLACE_BITS))
#define MEASURE_NR_RANGES  16384 /* 1 TiB of memory */
#define MEASURE_SIZE_LARGE UINT16_MAX

typedef _Atomic uint16_t measure_place_t;
#define MEASURE_NO_PLACES ((measure_place_t *)1) /* there is no memory for them */

struct measure_address_range {
	_Atomic uintptr_t number; /* of the range + 1; 0: free */
	_Atomic(measure_place_t *) places;
};
extern struct measure_address_range measure_address_ranges[MEASURE_NR_RANGES];

/* Where the range is in its own row, and has places: nearly always. Acquire pairs with make() in
 * block_sizes.c. */
static inline measure_place_t *measure_place_of(uintptr_t address)
{
	const uintptr_t number = (address >> MEASURE_RANGE_BITS) + 1;
	const struct measure_address_range *range =
		&measure_address_ranges[number % MEASURE_NR_RANGES];
	measure_place_t *places;

	if (atomic_load_explicit(&range->number, memory_order_relaxed) != number ||
		address % (1 << MEASURE_PLACE_BITS) != 0)
		return NULL;
	places = atomic_load_explicit(&range->places, memory_order_acquire);
	if ((uintptr_t)places <= (uintptr_t)MEASURE_NO_PLACES)
		return NULL;
	return &places[address >> MEASURE_PLACE_BITS & (MEASURE_NR_PLACES - 1)];
}

/* All other cases of the two below. */
int64_t measure_size_put_slow(const void *address, size_t size);
size_t measure_size_take_slow(const void *address);

/* Keeps the size of what has just been allocated there. Returns how many bytes more are counted
 * now: without what was known of the address before (it was given back without our seeing it), and
 * 0 where there was no memory to keep it. Only the thread that has allocated it. Keeps errno. */
static inline int64_t measure_size_put(const void *address, size_t size)
{
	measure_place_t *place = measure_place_of((uintptr_t)address);

	if (__builtin_expect(!place || size + 1 >= MEASURE_SIZE_LARGE ||
				     atomic_load_explicit(place, memory_order_relaxed) != 0,
		    0))
		return measure_size_put_slow(address, size);
	atomic_store_explicit(place, (uint16_t)(size + 1), memory_order_relaxed);
	return (int64_t)size;
}

/* Forgets it: its size, or MEASURE_SIZE_UNKNOWN. Only the thread that is about to give it back. */
static inline size_t measure_size_take(const void *address)
{
	measure_place_t *place = measure_place_of((uintptr_t)address);
	uint16_t found =
		place ? atomic_load_explicit(place, memory_order_relaxed) : MEASURE_SIZE_LARGE;

	if (__builtin_expect(found == 0 || found == MEASURE_SIZE_LARGE, 0))
		return measure_size_take_slow(address);
	atomic_store_explicit(place, 0, memory_order_relaxed);
	return (size_t)found - 1;
}

#endif
