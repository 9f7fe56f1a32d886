/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest adapter: it records calls of sched_yield() as a region. Copy this folder to
 * start one of your own; doc/adding-an-adapter.md goes through it step by step. */
#include "config.h"

#include <dlfcn.h>
#include <otf2/OTF2_Definitions.h>
#include <sched.h>
#include <stdatomic.h>

#include "adapter.h"

/* Defined when recording starts. Atomic because another thread may be in the wrapper by then;
 * relaxed because the id is all there is to see. */
static _Atomic(measure_region_t) yield_region = MEASURE_UNDEFINED;

/* 1. The wrapper has the name and type of the function it stands for. */
__attribute__((visibility("default"))) int sched_yield(void)
{
	static int (*_Atomic real)(void);
	int (*next)(void) = atomic_load_explicit(&real, memory_order_relaxed);
	measure_region_t region = atomic_load_explicit(&yield_region, memory_order_relaxed);
	struct measure_location *location;
	int result;

	/* The original is the next one in the search order. */
	if (!next) {
		next = (int (*)(void))dlsym(RTLD_NEXT, "sched_yield");
		atomic_store_explicit(&real, next, memory_order_relaxed);
	}
	if (region == MEASURE_UNDEFINED)
		return next();

	/* A transaction before the call. NULL means: not recording here, pass through. */
	location = measure_record_begin();
	if (!location)
		return next();
	measure_write_enter(location, region);
	measure_record_end(location);

	/* No transaction is open around the original: it takes its time, and may call functions
	 * that other adapters record. */
	result = next();

	/* A transaction after it. The answer is asked again: recording may have ended. */
	location = measure_record_begin();
	if (location) {
		measure_write_leave(location, region);
		measure_record_end(location);
	}
	return result;
}

/* 2. Definitions are made once, outside of any transaction. */
static void none_started(void)
{
	const struct measure_region_info info = {
		.name = "sched_yield",
		.role = OTF2_REGION_ROLE_FUNCTION,
		.paradigm = OTF2_PARADIGM_USER,
	};

	atomic_store_explicit(&yield_region, measure_region_define(&info), memory_order_relaxed);
}

/* 3. The adapter: what it is called, and when it wants to be called. */
static const struct measure_adapter measure_none_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "none",
	.started = none_started,
};

/* 4. It registers itself when it is loaded. Where this process does not record, nothing calls
 * `started`, and the wrapper keeps out of the way. */
__attribute__((constructor)) static void none_init(void)
{
	measure_adapter_register(&measure_none_adapter);
}
