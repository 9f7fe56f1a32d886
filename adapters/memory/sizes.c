/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes by address; see sizes.h. For each 8 bytes of memory, as closely as allocators put things,
 * there is a place of 2 bytes, in tables for stretches of 64 MiB that are made when something is
 * allocated there. The kernel gives a table its memory page by page: one for each 16 KiB in which
 * something begins. A size that does not fit follows in the four places behind it, which lie in
 * the same piece of memory and are nobody else's. */
#define _GNU_SOURCE
#include "config.h"

#include "sizes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "next.h"

#define PLACE_BITS   3
#define STRETCH_BITS 26
#define NR_PLACES    ((size_t)1 << (STRETCH_BITS - PLACE_BITS))
#define NR_STRETCHES 16384 /* 1 TiB of memory */
#define FARTHEST     64    /* from its own row that a stretch may be */

#define LARGE    UINT16_MAX /* what stands in a place is the size + 1; this: it follows */
#define NR_LARGE 4

typedef _Atomic uint16_t place_t;

static struct stretch {
	_Atomic uintptr_t number; /* of the stretch + 1; 0: free */
	_Atomic(place_t *) places;
} stretches[NR_STRETCHES];

/* There is no memory for it. */
static place_t none;

static place_t *make(_Atomic(place_t *) *places)
{
	int saved_errno = errno;
	place_t *known = NULL;
	void *made = NEXT(mmap)(NULL, NR_PLACES * sizeof(place_t), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (made == MAP_FAILED)
		made = &none;
	if (!atomic_compare_exchange_strong_explicit(
		    places, &known, made, memory_order_acq_rel, memory_order_acquire)) {
		if (made != &none)
			NEXT(munmap)(made, NR_PLACES * sizeof(place_t));
		made = known;
	}
	errno = saved_errno;
	return made;
}

/* The row of a stretch; NULL: it has none, and none is to be made or there are too many. */
static inline struct stretch *find_stretch(uintptr_t number, bool is_to_be_made)
{
	for (uintptr_t i = number; i < number + FARTHEST; i++) {
		struct stretch *stretch = &stretches[i % NR_STRETCHES];
		uintptr_t found = atomic_load_explicit(&stretch->number, memory_order_relaxed);

		if (!found && is_to_be_made &&
			atomic_compare_exchange_strong_explicit(&stretch->number, &found, number,
				memory_order_relaxed, memory_order_relaxed))
			found = number;
		if (found == number)
			return stretch;
		if (!found)
			return NULL;
	}
	return NULL;
}

static inline place_t *find(uintptr_t address, bool is_to_be_made)
{
	struct stretch *stretch = find_stretch((address >> STRETCH_BITS) + 1, is_to_be_made);
	place_t *places;

	if (!stretch || address % (1 << PLACE_BITS) != 0)
		return NULL;
	/* pairs with make() */
	places = atomic_load_explicit(&stretch->places, memory_order_acquire);
	if (!places && is_to_be_made)
		places = make(&stretch->places);
	if (!places || places == &none)
		return NULL;
	return &places[address >> PLACE_BITS & (NR_PLACES - 1)];
}

/* They may lie in the next stretch. */
static __attribute__((noinline)) bool put_large(uintptr_t address, size_t size)
{
	for (int i = 1; i <= NR_LARGE; i++, size >>= 16) {
		place_t *place = find(address + ((uintptr_t)i << PLACE_BITS), true);
		if (!place)
			return false;
		atomic_store_explicit(place, (uint16_t)size, memory_order_relaxed);
	}
	return true;
}

static __attribute__((noinline)) size_t take_large(uintptr_t address)
{
	size_t size = 0;

	for (int i = NR_LARGE; i > 0; i--) {
		place_t *place = find(address + ((uintptr_t)i << PLACE_BITS), false);
		if (!place)
			return MEASURE_SIZE_UNKNOWN;
		size = size << 16 | atomic_load_explicit(place, memory_order_relaxed);
		atomic_store_explicit(place, 0, memory_order_relaxed);
	}
	return size;
}

/* What is in a place. */
static inline size_t take(uintptr_t address, place_t *place)
{
	uint16_t found = atomic_load_explicit(place, memory_order_relaxed);

	if (found == 0)
		return MEASURE_SIZE_UNKNOWN;
	atomic_store_explicit(place, 0, memory_order_relaxed);
	return found == LARGE ? take_large(address) : (size_t)found - 1;
}

size_t measure_size_take(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	place_t *place = find(address, false);

	return place ? take(address, place) : MEASURE_SIZE_UNKNOWN;
}

size_t measure_size_put(const void *pointer, size_t size, bool *is_kept)
{
	uintptr_t address = (uintptr_t)pointer;
	place_t *place = find(address, true);
	size_t before;

	*is_kept = false;
	if (!place)
		return MEASURE_SIZE_UNKNOWN;
	before = take(address, place);
	if (size + 1 >= LARGE && !put_large(address, size))
		return before;
	atomic_store_explicit(
		place, (uint16_t)(size + 1 < LARGE ? size + 1 : LARGE), memory_order_relaxed);
	*is_kept = true;
	return before;
}
