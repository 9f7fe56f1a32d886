/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each allocation and each return of memory does before and after the call: all of it in the
 * wrapper, but for two calls of the core. */
#ifndef MEASURE_MEMORY_CALLS_INLINE_H
#define MEASURE_MEMORY_CALLS_INLINE_H

#include "../common/caller_filter.h"
#include "memory_calls.h"
#include "block_sizes.h"
#include "memory_thread.h"

/* What records are made of. All of it is there before it is on, also the regions: the core may
 * allocate memory by way of the C library, with the lock of definitions. */
extern struct measure_memory_records {
	_Atomic bool is_on;
	size_t smallest; /* that is recorded */
	struct measure_metric_class usage;
	measure_region_t regions[NR_CALLS];
	struct measure_attribute_list allocates, frees, frees_unknown, changes, changes_unknown,
		returns;
} measure_memory_records;

/* Bytes in use, of all threads; alone in its cache line. Threads that write to it again and again
 * would slow each other down: each adds up its own, and counts them here when they come to this
 * part of all, and else soon enough. */
extern struct measure_memory_use {
	_Alignas(64) _Atomic int64_t bytes;
} measure_memory_use;
#define MEASURE_MEMORY_NOTABLE_BITS 12 /* 1/4096 */

/* Whether a call is one that the program itself made. If so, a beginning is next, and an end.
 * `caller`: an address in the code that calls; `frame`: of the wrapper. Acquire: what
 * measure_memory_start() has made. */
static inline bool measure_memory_is_call(struct measure_memory_open *open,
	enum measure_memory_call call, const void *caller, char *frame)
{
	struct measure_memory_thread *self = measure_memory_self;

	if (!atomic_load_explicit(&measure_memory_records.is_on, memory_order_acquire) ||
		(self && frame < self->inside) || !measure_is_recording() ||
		measure_caller_is_silent(caller))
		return false;
	if (__builtin_expect(!self, 0) && !(self = measure_memory_thread_begin()))
		return false;
	self->inside = frame;
	open->call = call;
	open->is_open = true;
	open->is_recorded = false;
	return true;
}

/* True: what is in use has changed notably, to *now. The record comes a little later; two threads'
 * values may have changed places by then. */
static inline bool measure_memory_count(int64_t bytes, union measure_metric_value *now)
{
	struct measure_memory_thread *self = measure_memory_self;
	int64_t pending = self->pending + bytes;
	int64_t known = atomic_load_explicit(&measure_memory_use.bytes, memory_order_relaxed);

	if ((pending < 0 ? -pending : pending) <= known >> MEASURE_MEMORY_NOTABLE_BITS) {
		self->pending = pending;
		return false;
	}
	self->pending = 0;
	known = pending +
		atomic_fetch_add_explicit(&measure_memory_use.bytes, pending, memory_order_relaxed);
	now->unsigned_int = known > 0 ? (uint64_t)known : 0;
	return true;
}

/* ------------------------------------------------------------------------- before --- */

static inline void measure_memory_enter(struct measure_memory_open *open,
	const struct measure_attribute_list *attributes, const uint64_t *values,
	const struct measure_metrics_beside *metrics)
{
	open->is_recorded = measure_record_enter(
		measure_memory_records.regions[open->call], attributes, values, metrics);
}

/* `size` bytes are asked for. */
static inline void measure_memory_allocates(struct measure_memory_open *open, size_t size)
{
	const uint64_t values[] = {size};

	if (size >= measure_memory_records.smallest)
		measure_memory_enter(open, &measure_memory_records.allocates, values, NULL);
}

/* What is at `address` goes back. A size that is not known stays open: of what was given back
 * already, or never allocated, or before recording began. The allocator will say what is to be
 * said. */
static inline void measure_memory_frees(struct measure_memory_open *open, const void *address)
{
	const size_t size = measure_size_take(address), smallest = measure_memory_records.smallest;
	const uint64_t values[] = {(uintptr_t)address, size};
	union measure_metric_value now;
	const struct measure_metrics_beside metrics = {&measure_memory_records.usage, &now};

	if (size == MEASURE_SIZE_UNKNOWN) {
		if (address || smallest == 0)
			measure_memory_enter(
				open, &measure_memory_records.frees_unknown, values, NULL);
		return;
	}
	const bool is_notable = measure_memory_count(-(int64_t)size, &now);
	if (size >= smallest)
		measure_memory_enter(
			open, &measure_memory_records.frees, values, is_notable ? &metrics : NULL);
}

/* -------------------------------------------------------------------------- after --- */

static inline void measure_memory_leave(struct measure_memory_open *open,
	const struct measure_attribute_list *attributes, const uint64_t *values,
	const struct measure_metrics_beside *metrics)
{
	if (open->is_recorded)
		measure_record_leave(
			measure_memory_records.regions[open->call], attributes, values, metrics);
	open->is_open = false;
	measure_memory_self->inside = NULL;
}

/* `added`: how many bytes more are in use after it; behind the Leave, as that may be one that a
 * filter takes back with its Enter. */
static inline void measure_memory_leave_with(
	struct measure_memory_open *open, const void *result, int64_t added)
{
	const uint64_t values[] = {(uintptr_t)result};
	union measure_metric_value now;
	const struct measure_metrics_beside metrics = {&measure_memory_records.usage, &now};
	const bool is_notable = added != 0 && measure_memory_count(added, &now);

	measure_memory_leave(
		open, &measure_memory_records.returns, values, is_notable ? &metrics : NULL);
}

/* It has returned. `result` NULL: it failed. */
static inline void measure_memory_allocated(
	struct measure_memory_open *open, const void *result, size_t size)
{
	measure_memory_leave_with(open, result, result ? measure_size_put(result, size) : 0);
}

static inline void measure_memory_freed(struct measure_memory_open *open)
{
	measure_memory_leave(open, NULL, NULL, NULL);
}

#endif
