/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The caller is one of the workers; the others live as long as the work. */
#include "config.h"

#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/posix.h"
#include "trace/common/containers.h"

#define STACK (8 << 20)

struct workers_share {
	void (*work)(void *data, size_t index);
	void *data;
	size_t nr;
	_Atomic size_t next;
};

static void *do_share(void *data)
{
	struct workers_share *share = data;

	for (size_t i; (i = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed)) <
			share->nr;)
		share->work(share->data, i);
	return NULL;
}

void measure_workers_share(
	unsigned nr_threads, size_t nr, void (*work)(void *data, size_t index), void *data)
{
	struct workers_share share = {.work = work, .data = data, .nr = nr};
	unsigned wanted = nr < nr_threads ? (unsigned)nr : nr_threads, nr_started = 0;
	pthread_t *threads = measure_zeroed(wanted + 1, sizeof(*threads));

	while (nr_started + 1 < wanted &&
		measure_thread_start(&threads[nr_started], STACK, do_share, &share) == 0)
		nr_started++;
	do_share(&share);
	for (unsigned i = 0; i < nr_started; i++)
		pthread_join(threads[i], NULL);
	measure_free(threads);
}
