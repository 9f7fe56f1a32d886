/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large pieces of memory, which go back to the system when they are freed. They are anonymous up to
 * a bound; what does not fit lies in a file without a name, whose pages the system can write out
 * when memory is short. For containers.c and sync_points.c, through which all arrays of the reading
 * side go; tools set the bound. */
#ifndef MEASURE_TRACE_COMMON_SPILLING_ALLOC_H
#define MEASURE_TRACE_COMMON_SPILLING_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on at most `bound` bytes are anonymous, and the others lie in a file system: that of the
 * directory. Without a call nothing is bounded. To be called by one thread, and with nothing in a
 * file that was there before. */
void measure_spill_bound(uint64_t bound, const char *directory);

/* Is a piece of so many bytes worth being one of these? */
bool measure_spill_is(size_t size);

/* All zero; never NULL. Aligned to pages, large ones to 2 MiB. is_for_long: it stays, and leaves a
 * quarter of the bound to what comes and goes. */
void *measure_spill(size_t size, bool is_for_long);

/* Is it one of these? */
bool measure_spill_has(void *memory);

/* Another size for one of these, where the first `used` bytes are those that were there. */
void *measure_spill_resize(void *memory, size_t used, size_t size);

/* False: it is none of these, and left alone. */
bool measure_spill_free(void *memory);

/* Bytes that lay in the file at a time, at most. */
uint64_t measure_spill_spilled(void);

#endif
