/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On which memory node each chunk lies, where the machine has several. A chunk's home is the node
 * of the thread for which its memory was made; who takes a chunk prefers one of its own node.
 * Belongs to the process; the keeper reads from wherever it is. */
#ifndef MEASURE_MEMORY_HOMES_H
#define MEASURE_MEMORY_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#define MEASURE_HOMES	     64 /* nodes; memory of those with higher numbers lies anywhere */
#define MEASURE_HOME_UNKNOWN 0	/* else number of the node + 1 */

/* The first MEASURE_HOMES nodes of a list as "0-1,3", as bits. 0: it is none. */
uint64_t measure_homes_parse(const char *list);

/* Forgets all. No homes are kept from here on. */
void measure_homes_stop(void);

/* Keeps homes of so many chunks if these nodes are several. */
void measure_homes_keep(uint64_t nodes, uint32_t nr_chunks);

/* The same for the nodes of this machine that have processors, unless the user has said where the
 * calling thread's memory is to lie (numactl). Costs a file and a system call, once. */
void measure_homes_start(uint32_t nr_chunks);

/* The calling thread's. MEASURE_HOME_UNKNOWN where no homes are kept. */
uint32_t measure_homes_mine(void);

uint32_t measure_homes_get(uint32_t chunk);
void measure_homes_set(uint32_t chunk, uint32_t home);

/* What memory the calling thread makes from now on lies there as far as there is room. */
bool measure_homes_prefer(uint32_t home);

#endif
