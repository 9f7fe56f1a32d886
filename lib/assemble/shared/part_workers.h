/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads for work on the parts of a run, which is opening, reading and removing small files: most
 * of it is waiting. Which thread does which part does not matter to the archive. */
#ifndef MEASURE_ASSEMBLE_SHARED_PART_WORKERS_H
#define MEASURE_ASSEMBLE_SHARED_PART_WORKERS_H

#include <stddef.h>

/* So many threads at most from now on; 0, the default: 16, however many processors there are,
 * because they wait: doc/scaling.md. The last keeper of a job is often bound to the processor of
 * its rank. Fewer where few descriptors may be open. */
void measure_part_workers_limit(unsigned nr_threads);

/* Calls work(data, index) for each index below nr, and returns when all is done. */
void measure_part_workers_share(size_t nr, void (*work)(void *data, size_t index), void *data);

#endif
