/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many threads work on parts; see part_workers.h. */
#include "config.h"

#include "part_workers.h"

#include <sys/resource.h>

#include "sync/parallel/workers.h"

#define DEFAULT_THREADS 16

/* Descriptors that assembly itself has open, and that a thread has: a part, its list, and a file,
 * with one to spare. */
#define OWN_DESCRIPTORS    12
#define THREAD_DESCRIPTORS 4

/* Threads are not worth it for fewer parts. */
#define FEW_PARTS 16

static unsigned most_threads = DEFAULT_THREADS;

void measure_part_workers_limit(unsigned nr_threads)
{
	most_threads = nr_threads ? nr_threads : DEFAULT_THREADS;
}

/* As many as descriptors allow: a keeper has the limits of its program. */
static unsigned part_workers_nr(void)
{
	struct rlimit limit;
	unsigned most = 1;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
		limit.rlim_cur >= OWN_DESCRIPTORS + (rlim_t)most_threads * THREAD_DESCRIPTORS)
		return most_threads;
	if (limit.rlim_cur >= OWN_DESCRIPTORS + THREAD_DESCRIPTORS)
		most = (unsigned)(limit.rlim_cur - OWN_DESCRIPTORS) / THREAD_DESCRIPTORS;
	return most;
}

void measure_part_workers_share(size_t nr, void (*work)(void *data, size_t index), void *data)
{
	measure_workers_share(nr < FEW_PARTS ? 1 : part_workers_nr(), nr, work, data);
}
