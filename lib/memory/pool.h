/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's side of the segment's chunks: hands them out, declares them full, populates
 * ahead of use. Called at chunk switches only, never per event. */
#ifndef MEASURE_MEMORY_POOL_H
#define MEASURE_MEMORY_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/segment.h"

#define MEASURE_CHUNK_NONE UINT32_MAX

/* What taking a chunk did to the caller, in ticks of the recording clock; begin = end = 0
 * where it did not wait. */
struct measure_stall {
	uint64_t begin;
	uint64_t end;
};

void measure_pool_start(const struct measure_segment *segment);

/* Declares `current` (or MEASURE_CHUNK_NONE) full and gives the location its next chunk, its
 * memory populated: all of it, or the beginning for a location's first chunk. It begins with a
 * zero, whatever it held before. Waits for the
 * spooler where none is free. MEASURE_CHUNK_NONE: there will be none, because the spooler is
 * gone or cannot write, or because every chunk is some thread's current one. */
uint32_t measure_pool_next(uint32_t location, uint32_t current, struct measure_stall *stall);

#endif
