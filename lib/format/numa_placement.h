/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NUMA placement of chunks. A chunk's home is the memory node of the thread that its memory was
 * made for; a thread that takes a chunk prefers one of its own node. Homes are kept in the segment,
 * where the machine has several nodes and the user has not chosen a memory policy (numactl). */
#ifndef MEASURE_FORMAT_NUMA_PLACEMENT_H
#define MEASURE_FORMAT_NUMA_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "segment.h"

#define MEASURE_HOMES	     64 /* nodes; memory of those with higher numbers lies anywhere */
#define MEASURE_HOME_UNKNOWN 0	/* else number of the node + 1 */

/* The first MEASURE_HOMES nodes of a list as "0-1,3", as bits. 0: it is none. */
uint64_t measure_numa_parse(const char *list);

/* Nobody has chosen a memory policy for the calling thread. */
bool measure_numa_are_free(void);

/* Keeper: the machine has several nodes with processors, and memory may be placed. Costs a file and
 * a system call. */
bool measure_numa_are_several(void);

/* Process: the calling thread's. MEASURE_HOME_UNKNOWN where no homes are kept. */
uint32_t measure_numa_mine(const struct measure_segment_header *header);

/* Keeper: memory that the calling thread makes from now on lies there as far as there is room. */
bool measure_numa_prefer(uint32_t home);

#endif
