/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many threads work on parts; see part_workers.h. */
#include "config.h"

#include "part_workers.h"

#include <sched.h>

#include "sync/parallel/workers.h"

#define MOST_THREADS 16

/* Threads are not worth it for fewer parts. */
#define FEW_PARTS 16

static unsigned most_threads;

void measure_part_workers_limit(unsigned nr_threads)
{
	most_threads = nr_threads;
}

static unsigned part_workers_nr(void)
{
	cpu_set_t set;

	if (most_threads > 0)
		return most_threads;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return CPU_COUNT(&set) < MOST_THREADS ? (unsigned)CPU_COUNT(&set) : MOST_THREADS;
}

void measure_part_workers_share(size_t nr, void (*work)(void *data, size_t index), void *data)
{
	measure_workers_share(nr < FEW_PARTS ? 1 : part_workers_nr(), nr, work, data);
}
