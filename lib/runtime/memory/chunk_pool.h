/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's side of the segment's chunks: hands them out, declares them full, has the
 * keeper allocate memory ahead of use. Called at chunk switches only, never per event. */
#ifndef MEASURE_RUNTIME_MEMORY_CHUNK_POOL_H
#define MEASURE_RUNTIME_MEMORY_CHUNK_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/segment.h"

#define MEASURE_CHUNK_NONE UINT32_MAX

/* What taking a chunk did to the caller, in ticks of the recording clock; begin = end = 0
 * where it did not wait. */
struct measure_stall {
	uint64_t begin;
	uint64_t end;
};

void measure_pool_start(const struct measure_segment *segment);

/* Declares `current` (or MEASURE_CHUNK_NONE) full and gives the location its next chunk. Its first
 * *populated bytes have memory; the rest is to be populated by the caller, piece by piece, so that
 * no piece takes long. It begins with a zero, whatever it held before. Where none is free it waits
 * for the spooler, by --full and --patience. MEASURE_CHUNK_NONE: there is none, and it is of no
 * use to wait. */
uint32_t measure_pool_next(
	uint32_t location, uint32_t current, size_t *populated, struct measure_stall *stall);

/* Maps these bytes of the caller's chunk, which get memory where they have none yet. */
void measure_pool_populate(uint32_t chunk, size_t from, size_t to);

/* Counts up whenever a chunk has become free: before, there is no point in asking again. */
uint32_t measure_pool_news(void);

/* Has the spooler write what is full; waits for it where told to, as long as that is of use. */
void measure_pool_flush(bool is_waited_for, struct measure_stall *stall);

/* Asks the keeper for an archive of now. */
void measure_pool_want_snapshot(void);

/* To be called by who got no chunk. True: nobody will get one again, as the policy is to stop, or
 * the spooler has failed. */
bool measure_pool_give_up(void);

/* Recording has stopped by --full=stop. */
bool measure_pool_is_over(void);

#endif
