/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many threads work on parts; see part_workers.h. */
#include "config.h"

#include "part_workers.h"

#include "sync/parallel/workers.h"

#define DEFAULT_THREADS 16

/* Threads are not worth it for fewer parts. */
#define FEW_PARTS 16

static unsigned most_threads = DEFAULT_THREADS;

void measure_part_workers_limit(unsigned nr_threads)
{
	most_threads = nr_threads ? nr_threads : DEFAULT_THREADS;
}

void measure_part_workers_share(size_t nr, void (*work)(void *data, size_t index), void *data)
{
	measure_workers_share(nr < FEW_PARTS ? 1 : most_threads, nr, work, data);
}
