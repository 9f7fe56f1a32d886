/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes by address; see block_sizes.h. For each 8 bytes of memory, as closely as allocators put
 * things, there is a place of 2 bytes, in tables for ranges of 64 MiB that are made when something
 * is allocated there. The kernel gives a table its memory page by page: one for each 16 KiB in
 * which something begins. A size that does not fit follows in the four places behind it, which lie
 * in the same piece of memory and are nobody else's. */
#define _GNU_SOURCE
#include "config.h"

#include "block_sizes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "next_allocator.h"

#define FARTHEST 64 /* from its own row that a range may be */
#define NR_LARGE 4

struct measure_address_range measure_address_ranges[MEASURE_NR_RANGES];

static measure_place_t *places_make(_Atomic(measure_place_t *) *places)
{
	int saved_errno = errno;
	measure_place_t *known = NULL;
	void *made = NEXT(mmap)(NULL, MEASURE_NR_PLACES * sizeof(measure_place_t),
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (made == MAP_FAILED)
		made = MEASURE_NO_PLACES;
	if (!atomic_compare_exchange_strong_explicit(
		    places, &known, made, memory_order_acq_rel, memory_order_acquire)) {
		if (made != MEASURE_NO_PLACES)
			NEXT(munmap)(made, MEASURE_NR_PLACES * sizeof(measure_place_t));
		made = known;
	}
	errno = saved_errno;
	return made;
}

/* The row of a range; NULL: it has none, and none is to be made or there are too many. */
static struct measure_address_range *find_stretch(uintptr_t number, bool is_to_be_made)
{
	for (uintptr_t i = number; i < number + FARTHEST; i++) {
		struct measure_address_range *range =
			&measure_address_ranges[i % MEASURE_NR_RANGES];
		uintptr_t found = atomic_load_explicit(&range->number, memory_order_relaxed);

		if (!found && is_to_be_made &&
			atomic_compare_exchange_strong_explicit(&range->number, &found, number,
				memory_order_relaxed, memory_order_relaxed))
			found = number;
		if (found == number)
			return range;
		if (!found)
			return NULL;
	}
	return NULL;
}

static measure_place_t *places_find(uintptr_t address, bool is_to_be_made)
{
	struct measure_address_range *range =
		find_stretch((address >> MEASURE_RANGE_BITS) + 1, is_to_be_made);
	measure_place_t *places;

	if (!range || address % (1 << MEASURE_PLACE_BITS) != 0)
		return NULL;
	/* pairs with places_make() */
	places = atomic_load_explicit(&range->places, memory_order_acquire);
	if (!places && is_to_be_made)
		places = places_make(&range->places);
	if (!places || places == MEASURE_NO_PLACES)
		return NULL;
	return &places[address >> MEASURE_PLACE_BITS & (MEASURE_NR_PLACES - 1)];
}

/* They may lie in the next range. */
static bool put_large(uintptr_t address, size_t size)
{
	for (int i = 1; i <= NR_LARGE; i++, size >>= 16) {
		measure_place_t *place =
			places_find(address + ((uintptr_t)i << MEASURE_PLACE_BITS), true);
		if (!place)
			return false;
		atomic_store_explicit(place, (uint16_t)size, memory_order_relaxed);
	}
	return true;
}

static size_t take_large(uintptr_t address)
{
	size_t size = 0;

	for (int i = NR_LARGE; i > 0; i--) {
		measure_place_t *place =
			places_find(address + ((uintptr_t)i << MEASURE_PLACE_BITS), false);
		if (!place)
			return MEASURE_SIZE_UNKNOWN;
		size = size << 16 | atomic_load_explicit(place, memory_order_relaxed);
		atomic_store_explicit(place, 0, memory_order_relaxed);
	}
	return size;
}

size_t measure_size_take_slow(const void *pointer)
{
	const uintptr_t address = (uintptr_t)pointer;
	measure_place_t *place = places_find(address, false);
	uint16_t found;

	if (!place)
		return MEASURE_SIZE_UNKNOWN;
	found = atomic_load_explicit(place, memory_order_relaxed);
	if (found == 0)
		return MEASURE_SIZE_UNKNOWN;
	atomic_store_explicit(place, 0, memory_order_relaxed);
	return found == MEASURE_SIZE_LARGE ? take_large(address) : (size_t)found - 1;
}

int64_t measure_size_put_slow(const void *pointer, size_t size)
{
	const uintptr_t address = (uintptr_t)pointer;
	const size_t known = measure_size_take_slow(pointer);
	const int64_t before = known != MEASURE_SIZE_UNKNOWN ? (int64_t)known : 0;
	const bool is_large = size + 1 >= MEASURE_SIZE_LARGE;
	measure_place_t *place = places_find(address, true);

	if (!place || (is_large && !put_large(address, size)))
		return -before;
	atomic_store_explicit(
		place, is_large ? MEASURE_SIZE_LARGE : (uint16_t)(size + 1), memory_order_relaxed);
	return (int64_t)size - before;
}
