/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Annotations of the program's own, by measure.h: the adapter itself. */
#include "config.h"

#include "user_start.h"

#include <stdatomic.h>

#include "../common/texts.h"
#include "adapter.h"
#include "slow_calls.h"
#include "user_tasks.h"

static _Atomic uint64_t own_rank; /* + 1; 0: none */

bool measure_user_has_rank(uint32_t *rank)
{
	uint64_t known = atomic_load_explicit(&own_rank, memory_order_relaxed);

	*rank = (uint32_t)(known - 1);
	return known != 0;
}

static void parallel_begin(const struct measure_transport *transport)
{
	atomic_store_explicit(&own_rank, (uint64_t)transport->world_rank + 1, memory_order_relaxed);
}

static void parallel_end(const struct measure_transport *transport)
{
	(void)transport;
	atomic_store_explicit(&own_rank, 0, memory_order_relaxed);
}

/* Tasks and grids are of the parent: those need what is not inherited. */
static void child_started(void)
{
	measure_texts_restart();
	measure_slow_calls_restart();
}

static const struct measure_adapter user_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "user",
	.parallel_begin = parallel_begin,
	.parallel_end = parallel_end,
	.thread_ends = measure_user_tasks_end,
	.child_started = child_started,
};

/* Once, by whoever comes first. */
__attribute__((constructor)) static void user_register_adapter(void)
{
	static atomic_flag is_registered = ATOMIC_FLAG_INIT;

	if (atomic_flag_test_and_set(&is_registered))
		return;
	measure_adapter_register(&user_adapter);
	measure_slow_calls_start();
}

bool measure_user_is_on(void)
{
	if (measure_is_recording_followed())
		return true;
	user_register_adapter();
	return measure_is_recording_followed();
}

void measure_user_recording(int is_on)
{
	measure_record_switch(is_on != 0);
}

int measure_user_is_recording(void)
{
	return measure_user_is_on();
}

void measure_user_flush(void)
{
	measure_phase_end(true);
}

void measure_user_snapshot(void)
{
	if (measure_user_is_on())
		measure_snapshot_want();
}
