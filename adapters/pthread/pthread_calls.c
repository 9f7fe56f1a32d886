/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of the calls; see pthread_calls.h. What must not be seen in the wrong order is stamped in
 * the right one: an acquisition after the call that brought it, a release before the call. */
#include "config.h"

#include "pthread_calls.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/caller_filter.h"
#include "ordered.h"
#include "pthread_thread.h"

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
const struct measure_call_groups measure_call_groups = {items, NR_GROUPS};

const uint8_t measure_calls_paradigm = OTF2_PARADIGM_PTHREAD;

struct measure_call_row measure_call_rows[NR_CALLS] = {
#define ROW(type, name, group, role, parameters) {#name, OTF2_REGION_ROLE_##role, GROUP_##group, 0},
#include "pthread_calls.def"
};

const char *const measure_callers_silent[] = {
#define SILENT(beginning)        beginning,
#define SILENT_OPENMP(beginning) beginning,
#include "silent.def"
#undef SILENT
#undef SILENT_OPENMP
	NULL,
};

void measure_call_cancelled(void *call)
{
	measure_plain_leave(*(enum measure_pthread_call *)call);
}

/* ----------------------------------------------------------------------- locks --- */

static void write_acquire(struct measure_location *location, const struct measure_hold *hold)
{
	measure_write_thread_acquire_lock(
		location, OTF2_PARADIGM_PTHREAD, measure_lock_id(hold->lock), hold->order);
	measure_lock_note(location, OTF2_PARADIGM_PTHREAD, measure_lock_id(hold->lock));
}

static void write_release(struct measure_location *location, const struct measure_hold *hold)
{
	measure_write_thread_release_lock(
		location, OTF2_PARADIGM_PTHREAD, measure_lock_id(hold->lock), hold->order);
	measure_unlock_note(location, OTF2_PARADIGM_PTHREAD, measure_lock_id(hold->lock));
}

/* A call that waits for an object of the process. */
static bool object_enter(
	enum measure_pthread_call call, enum measure_pending_kind kind, uint64_t object)
{
	const struct measure_pending_item item =
		measure_pending_object(kind, OTF2_PARADIGM_PTHREAD, object);
	struct measure_location *location = measure_call_enter(call);

	if (!location)
		return false;
	measure_pending_note(location, item);
	measure_record_end(location);
	return true;
}

/* One that nobody has had yet has no number: there is nothing to wait for. */
bool measure_lock_enter(enum measure_pthread_call call, const void *lock, const void *caller)
{
	return measure_call_is_on(call, caller) &&
	       object_enter(call, MEASURE_PENDING_LOCK, measure_lock_number(lock));
}

bool measure_gather_enter(enum measure_pthread_call call, const void *barrier, const void *caller)
{
	return measure_call_is_on(call, caller) &&
	       object_enter(call, MEASURE_PENDING_GATHER, (uintptr_t)barrier);
}

/* Whether it waits for good, not up to a time. */
static bool is_endless(enum measure_pthread_call call)
{
	return call == CALL_sem_wait || call == CALL_pthread_cond_wait || call == CALL_cnd_wait ||
	       call == CALL_pthread_join || call == CALL_thrd_join;
}

bool measure_signal_enter(enum measure_pthread_call call, const void *object, const void *caller)
{
	return measure_call_is_on(call, caller) &&
	       object_enter(call, is_endless(call) ? MEASURE_PENDING_SIGNAL : MEASURE_PENDING_OTHER,
		       (uintptr_t)object);
}

bool measure_join_enter(enum measure_pthread_call call, pthread_t thread, const void *caller)
{
	return measure_call_is_on(call, caller) &&
	       object_enter(call, is_endless(call) ? MEASURE_PENDING_THREAD : MEASURE_PENDING_OTHER,
		       (uint64_t)thread);
}

void measure_lock_leave(enum measure_pthread_call call, const void *lock, int result)
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
	measure_call_leave(location, call);
}

bool measure_unlock_enter(enum measure_pthread_call call, const void *lock, const void *caller)
{
	struct measure_location *location;
	struct measure_thread *self;
	struct measure_hold hold;
	bool is_released;

	if (!measure_call_is_on(call, caller))
		return false;
	self = measure_thread_self();
	is_released = self && measure_lock_released(&self->held, lock, &hold);
	location = measure_call_enter(call);
	if (!location)
		return false;
	if (is_released)
		write_release(location, &hold);
	measure_record_end(location);
	return true;
}

bool measure_wait_enter(struct measure_condition_wait *wait, const void *lock, const void *caller)
{
	struct measure_location *location;
	struct measure_thread *self;

	if (!measure_call_is_on(wait->call, caller))
		return false;
	self = measure_thread_self();
	wait->has_lock = self && measure_lock_given_up(&self->held, lock, &wait->hold);
	location = measure_call_enter(wait->call);
	if (location) {
		const struct measure_pending_item item = measure_pending_object(
			is_endless(wait->call) ? MEASURE_PENDING_SIGNAL : MEASURE_PENDING_OTHER,
			OTF2_PARADIGM_PTHREAD, (uintptr_t)wait);

		if (wait->has_lock)
			write_release(location, &wait->hold);
		measure_pending_note(location, item);
		measure_record_end(location);
	}
	return true;
}

void measure_wait_leave(void *argument)
{
	struct measure_condition_wait *wait = argument;
	struct measure_location *location;

	if (wait->has_lock)
		measure_lock_taken_back(&measure_thread_self()->held, &wait->hold);
	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (wait->has_lock)
		write_acquire(location, &wait->hold);
	measure_call_leave(location, wait->call);
}

/* --------------------------------------------------------------------- threads --- */

void measure_join_leave(enum measure_pthread_call call, pthread_t thread, int result)
{
	uint64_t sequence = result == 0 ? measure_thread_joined(thread) : 0;
	struct measure_location *location;

	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (result == 0)
		measure_write_thread_wait(location, measure_contingent, sequence);
	measure_call_leave(location, call);
}
