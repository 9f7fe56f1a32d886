/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads for work that comes in independent pieces. Which thread does which piece must not
 * matter to the result. */
#ifndef MEASURE_SYNC_PARALLEL_WORKERS_H
#define MEASURE_SYNC_PARALLEL_WORKERS_H

#include <stddef.h>

/* Calls work(data, index) for each index below nr, on up to nr_threads threads (fewer where the
 * system refuses more), and returns when all is done. */
void measure_workers_share(
	unsigned nr_threads, size_t nr, void (*work)(void *data, size_t index), void *data);

#endif
