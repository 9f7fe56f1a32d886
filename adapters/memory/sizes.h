/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much the program has asked for at which address: exact, without locks, whatever the
 * allocator. So an address that is not (or no longer) allocated is told from one that is, without
 * touching what is there; and what is counted once is taken off once. */
#ifndef MEASURE_MEMORY_SIZES_H
#define MEASURE_MEMORY_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_SIZE_UNKNOWN SIZE_MAX

/* Keeps the size of what has just been allocated there. Returns what was known of the address
 * before (it was given back without our seeing it), or MEASURE_SIZE_UNKNOWN. Only the thread that
 * has allocated it. *is_kept: false where there was no memory. Keeps errno. */
size_t measure_size_put(const void *address, size_t size, bool *is_kept);

/* Forgets it: its size, or MEASURE_SIZE_UNKNOWN. Only the thread that is about to give it back. */
size_t measure_size_take(const void *address);

#endif
