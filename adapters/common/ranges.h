/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranges that interfaces of annotations have beside regions: a thread's pushed ones, which a pop
 * ends without their names, and those that overlap others or end on another thread. Each adapter is
 * built with a copy of its own. */
#ifndef MEASURE_COMMON_RANGES_H
#define MEASURE_COMMON_RANGES_H

#include <stdint.h>

#include "adapter.h"

/* A region that the calling thread pushes, or pops: the innermost one of its group. Both only keep
 * account. A push returns how many of the group were open; -1: there is no room, and the region is
 * not to be entered. A pop returns the region, and how many remain; MEASURE_UNDEFINED: that one had
 * no room, or, with -1, none was open. A push allocates where the thread has never had so many;
 * both keep errno. */
int32_t measure_range_push(measure_region_t region, uint32_t group);
measure_region_t measure_range_pop(uint32_t group, int32_t *nr_open);

/* The calling thread is about to be gone. */
void measure_ranges_end(void);

/* A range that any thread may end: as its number and its name, in parameters; and its number again
 * where it ends. `number` 0: the next one of this adapter. Returns the number; 0: nothing is
 * recorded. `values`: attributes of the beginning. */
uint64_t measure_range_start(uint64_t number, const char *name,
	const struct measure_typed_value *values, uint32_t nr_values);
void measure_range_stop(uint64_t number);

#endif
