/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little memory for the loader, while it looks up the functions that have more. It is never
 * given back. */
#ifndef MEASURE_MEMORY_EARLY_H
#define MEASURE_MEMORY_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_EARLY_SIZE 16384
extern char measure_early_memory[MEASURE_EARLY_SIZE];

static inline bool measure_early_has(const void *address)
{
	return (uintptr_t)address - (uintptr_t)measure_early_memory < MEASURE_EARLY_SIZE;
}

/* All zero; NULL: there is no more. */
void *measure_early_get(size_t size);

/* As realloc(), for what is in the early memory or NULL. */
void *measure_early_change(void *address, size_t size);

/* Bytes at an address that measure_early_get() has returned. */
size_t measure_early_size(const void *address);

/* Of two sizes; SIZE_MAX if that is more than there can be. */
static inline size_t measure_product(size_t number, size_t size)
{
	size_t product;

	return __builtin_mul_overflow(number, size, &product) ? SIZE_MAX : product;
}

#endif
