/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory for the loader; see early_allocations.h. Each piece stands behind its size. */
#include "config.h"

#include "early_allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#define ALIGNMENT 16

_Alignas(ALIGNMENT) char measure_early_memory[MEASURE_EARLY_SIZE];
static _Atomic size_t used;

void *measure_early_get(size_t size)
{
	size_t place, room;

	if (size > MEASURE_EARLY_SIZE)
		goto none;
	room = ALIGNMENT + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	place = atomic_load_explicit(&used, memory_order_relaxed);
	do {
		if (place + room > MEASURE_EARLY_SIZE)
			goto none;
	} while (!atomic_compare_exchange_weak_explicit(
		&used, &place, place + room, memory_order_relaxed, memory_order_relaxed));
	memcpy(measure_early_memory + place, &size, sizeof(size));
	return measure_early_memory + place + ALIGNMENT;
none:
	errno = ENOMEM;
	return NULL;
}

size_t measure_early_size(const void *address)
{
	size_t size;

	memcpy(&size, (const char *)address - ALIGNMENT, sizeof(size));
	return size;
}

void *measure_early_change(void *address, size_t size)
{
	void *changed = measure_early_get(size);
	size_t kept = address ? measure_early_size(address) : 0;

	if (changed && kept)
		memcpy(changed, address, kept < size ? kept : size);
	return changed;
}
