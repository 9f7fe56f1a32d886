/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of the calls; see calls.h. What must not be seen in the wrong order is stamped in
 * the right one: an acquisition after the call that brought it, a release before the call. */
#include "config.h"

#include "calls.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

#include "call_groups.h"
#include "../callers/callers.h"
#include "ordered.h"
#include "thread.h"

enum {
#define GROUP(name, when) GROUP_##name,
#include "groups_pthread.def"
#undef GROUP
	NR_GROUPS
};

static const struct measure_call_group items[NR_GROUPS] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_pthread.def"
#undef GROUP
};
static const struct measure_call_groups groups = {items, NR_GROUPS};

static const struct {
	const char *name;
	uint8_t role;
	uint8_t group;
} calls[NR_CALLS] = {
#define ROW(name, group, role)				 {#name, OTF2_REGION_ROLE_##role, GROUP_##group},
#define PLAIN(name, group, role, parameters, arguments)	 ROW(name, group, role)
#define POINT(name, group, role, parameters, arguments)	 ROW(name, group, role)
#define LOCK(name, group, parameters, arguments, lock)	 ROW(name, group, WRAPPER)
#define UNLOCK(name, group, parameters, arguments, lock) ROW(name, group, WRAPPER)
#define WAIT(name, group, parameters, arguments, lock)	 ROW(name, group, WRAPPER)
#define DESTROY(type, name, parameters, arguments, lock)
#define JOIN(name, parameters, arguments, thread)	 ROW(name, thread, THREAD_WAIT)
#define OTHER(type, name, role, parameters)		 ROW(name, thread, role)
#include "pthread_calls.def"
};

static _Atomic(measure_region_t) regions[NR_CALLS]; /* id + 1; 0: not yet defined */
static _Atomic uint32_t chosen;			    /* groups, as bits */

void measure_calls_choose(const char *text)
{
	atomic_store_explicit(&chosen, measure_groups_choose(&groups, text), memory_order_release);
}

bool measure_calls_are_on(void)
{
	return atomic_load_explicit(&chosen, memory_order_acquire) != 0;
}

/* Two threads may come at once: the first one's is everybody's, as a Leave has to name what was
 * entered. */
static __attribute__((noinline)) measure_region_t define(enum measure_call call)
{
	const struct measure_region_info info = {
		.name = calls[call].name,
		.role = calls[call].role,
		.paradigm = OTF2_PARADIGM_PTHREAD,
	};
	measure_region_t region = measure_region_define(&info), known = 0;

	if (region == MEASURE_UNDEFINED ||
		atomic_compare_exchange_strong_explicit(&regions[call], &known, region + 1,
			memory_order_relaxed, memory_order_relaxed))
		return region;
	return known - 1;
}

measure_region_t measure_call_region(enum measure_call call)
{
	measure_region_t region = atomic_load_explicit(&regions[call], memory_order_relaxed);

	return region ? region - 1 : define(call);
}

/* Acquire: what was made before the groups were chosen (the contingent) is there. */
bool measure_call_is_on(enum measure_call call, const void *caller)
{
	return atomic_load_explicit(&chosen, memory_order_acquire) & 1u << calls[call].group &&
	       measure_is_recording() && !measure_caller_is_silent(caller);
}

const char *const measure_callers_silent[] = {
#define SILENT(beginning)        beginning,
#define SILENT_OPENMP(beginning) beginning,
#include "silent.def"
#undef SILENT
#undef SILENT_OPENMP
	NULL,
};

bool measure_call_enter(enum measure_call call, const void *caller)
{
	struct measure_location *location;
	measure_region_t region;

	if (!measure_call_is_on(call, caller))
		return false;
	region = measure_call_region(call);
	location = measure_record_begin();
	if (!location)
		return false;
	measure_write_enter(location, region);
	measure_record_end(location);
	return true;
}

void measure_call_leave(enum measure_call call)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_leave(location, measure_call_region(call));
	measure_record_end(location);
}

void measure_call_cancelled(void *call)
{
	measure_call_leave(*(enum measure_call *)call);
}

/* ----------------------------------------------------------------------- locks --- */

static void write_acquire(struct measure_location *location, const struct measure_hold *hold)
{
	measure_write_thread_acquire_lock(location, OTF2_PARADIGM_PTHREAD,
		measure_lock_id(hold->lock), hold->order);
}

static void write_release(struct measure_location *location, const struct measure_hold *hold)
{
	measure_write_thread_release_lock(location, OTF2_PARADIGM_PTHREAD,
		measure_lock_id(hold->lock), hold->order);
}

void measure_lock_leave(enum measure_call call, const void *lock, int result)
{
	struct measure_thread *self = measure_thread_self();
	struct measure_location *location;
	struct measure_hold hold;
	bool is_acquired = (result == 0 || result == EOWNERDEAD) && self &&
		measure_lock_acquired(&self->held, lock, &hold);

	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (is_acquired)
		write_acquire(location, &hold);
	measure_write_leave(location, measure_call_region(call));
	measure_record_end(location);
}

bool measure_unlock_enter(enum measure_call call, const void *lock, const void *caller)
{
	struct measure_location *location;
	struct measure_thread *self;
	struct measure_hold hold;
	measure_region_t region;
	bool is_released;

	if (!measure_call_is_on(call, caller))
		return false;
	region = measure_call_region(call);
	self = measure_thread_self();
	is_released = self && measure_lock_released(&self->held, lock, &hold);
	location = measure_record_begin();
	if (!location)
		return false;
	measure_write_enter(location, region);
	if (is_released)
		write_release(location, &hold);
	measure_record_end(location);
	return true;
}

bool measure_wait_enter(struct measure_wait *wait, const void *lock, const void *caller)
{
	struct measure_location *location;
	struct measure_thread *self;
	measure_region_t region;

	if (!measure_call_is_on(wait->call, caller))
		return false;
	region = measure_call_region(wait->call);
	self = measure_thread_self();
	wait->has_lock = self && measure_lock_given_up(&self->held, lock, &wait->hold);
	location = measure_record_begin();
	if (location) {
		measure_write_enter(location, region);
		if (wait->has_lock)
			write_release(location, &wait->hold);
		measure_record_end(location);
	}
	return true;
}

void measure_wait_leave(void *argument)
{
	struct measure_wait *wait = argument;
	struct measure_location *location;

	if (wait->has_lock)
		measure_lock_taken_back(&measure_thread_self()->held, &wait->hold);
	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (wait->has_lock)
		write_acquire(location, &wait->hold);
	measure_write_leave(location, measure_call_region(wait->call));
	measure_record_end(location);
}

/* --------------------------------------------------------------------- threads --- */

void measure_join_leave(enum measure_call call, pthread_t thread, int result)
{
	uint64_t sequence = result == 0 ? measure_thread_joined(thread) : 0;
	struct measure_location *location;

	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (result == 0)
		measure_write_thread_wait(location, measure_contingent, sequence);
	measure_write_leave(location, measure_call_region(call));
	measure_record_end(location);
}
