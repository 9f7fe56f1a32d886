/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mutual exclusion: critical, ordered and atomic constructs, and the lock functions. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "ompt_construct.h"
#include "ompt_locks.h"

static const struct measure_ompt_construct mutexes[] = {
#define MUTEX(number, name, role, block, block_role)                                               \
	[number] = {name, OTF2_REGION_ROLE_##role, block, OTF2_REGION_ROLE_##block_role},
#define WORK(number, name, role)
#define SYNC(number, name, role)
#include "constructs.def"
#undef MUTEX
#undef WORK
#undef SYNC
};

static measure_region_t set_lock[ompt_mutex_test_nest_lock + 1];
static measure_region_t unset_lock[ompt_mutex_test_nest_lock + 1];

static measure_region_t lock_function(const char *name)
{
	const struct measure_region_info info = {
		.name = name, .role = OTF2_REGION_ROLE_WRAPPER, .paradigm = OTF2_PARADIGM_OPENMP};

	return measure_region_define(&info);
}

void measure_ompt_mutex_start(void)
{
	set_lock[ompt_mutex_lock] = lock_function("omp_set_lock");
	set_lock[ompt_mutex_test_lock] = lock_function("omp_test_lock");
	set_lock[ompt_mutex_nest_lock] = lock_function("omp_set_nest_lock");
	set_lock[ompt_mutex_test_nest_lock] = lock_function("omp_test_nest_lock");
	unset_lock[ompt_mutex_lock] = lock_function("omp_unset_lock");
	unset_lock[ompt_mutex_nest_lock] = lock_function("omp_unset_nest_lock");
	unset_lock[ompt_mutex_test_lock] = unset_lock[ompt_mutex_lock];
	unset_lock[ompt_mutex_test_nest_lock] = unset_lock[ompt_mutex_nest_lock];
}

static bool is_lock(ompt_mutex_t kind)
{
	return kind >= ompt_mutex_lock && kind <= ompt_mutex_test_nest_lock;
}

static bool is_construct(ompt_mutex_t kind)
{
	return (size_t)kind < sizeof(mutexes) / sizeof(mutexes[0]) && mutexes[kind].name;
}

/* A lock function may return without the lock, and nobody tells. So what it did is recorded
 * once it has it, with the time at which it was asked. */
void measure_ompt_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
	ompt_wait_id_t id, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_location *location;
	measure_region_t region;

	(void)hint;
	(void)implementation;
	if (!thread || measure_location_index() == MEASURE_UNDEFINED)
		return;
	thread->asked_id = id;
	thread->asked_codeptr = codeptr;
	if (is_lock(kind)) {
		thread->asked_time = measure_clock_now();
		return;
	}
	if (!is_construct(kind))
		return;
	region = measure_ompt_region(
		thread, codeptr, mutexes[kind].name, (uint8_t)mutexes[kind].role);
	location = measure_record_begin();
	if (!location)
		return;
	measure_ompt_enter(thread, location, MEASURE_OMPT_MUTEX, (int)kind, region);
	measure_record_end(location);
}

/* --------------------------------------------------------------------- constructs --- */

static void construct_acquired(struct measure_ompt_thread *thread, ompt_mutex_t kind,
	const struct measure_omp_lock *lock, uint32_t order, uint64_t time)
{
	measure_region_t block = MEASURE_UNDEFINED;
	struct measure_location *location;

	if (mutexes[kind].block_name)
		block = measure_ompt_region(thread, thread->asked_codeptr, mutexes[kind].block_name,
			(uint8_t)mutexes[kind].block_role);
	location = measure_record_begin_at(time);
	if (!location)
		return;
	measure_write_thread_acquire_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order);
	if (block != MEASURE_UNDEFINED)
		measure_ompt_enter(thread, location, MEASURE_OMPT_BLOCK, (int)kind, block);
	measure_record_end(location);
}

static void construct_released(struct measure_ompt_thread *thread, ompt_mutex_t kind,
	const struct measure_omp_lock *lock, uint32_t order, uint64_t time)
{
	uint32_t index = measure_ompt_find(thread, MEASURE_OMPT_MUTEX, (int)kind);
	struct measure_location *location = measure_record_begin_at(time);

	if (!location)
		return;
	if (index != UINT32_MAX)
		measure_ompt_leave(thread, location, index + 1);
	measure_write_thread_release_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order);
	if (index != UINT32_MAX)
		measure_ompt_leave(thread, location, index);
	measure_record_end(location);
}

/* ------------------------------------------------------------------ lock functions --- */

static void function_acquired(struct measure_ompt_thread *thread, ompt_mutex_t kind,
	const struct measure_omp_lock *lock, uint32_t order, uint64_t time)
{
	uint64_t asked = thread->asked_id == lock->key ? thread->asked_time : time;
	struct measure_location *location = measure_record_begin_at(asked);

	if (!location)
		return;
	measure_write_enter(location, set_lock[kind]);
	measure_record_end(location);
	location = measure_record_begin_at(time);
	if (!location)
		return;
	measure_write_thread_acquire_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order);
	measure_write_leave(location, set_lock[kind]);
	measure_record_end(location);
}

static void function_released(
	ompt_mutex_t kind, const struct measure_omp_lock *lock, uint32_t order, uint64_t time)
{
	struct measure_location *location = measure_record_begin_at(time);

	if (!location)
		return;
	measure_write_enter(location, unset_lock[kind]);
	measure_write_thread_release_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order);
	measure_write_leave(location, unset_lock[kind]);
	measure_record_end(location);
}

/* ------------------------------------------------------------------------ both --- */

void measure_ompt_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_omp_lock *lock = measure_omp_lock_find(id);
	uint64_t time;
	uint32_t order;

	(void)codeptr;
	if (!thread || !lock || !measure_is_recording())
		return;
	order = measure_ompt_lock_acquired(thread, lock, &time);
	if (is_lock(kind))
		function_acquired(thread, kind, lock, order, time);
	else if (is_construct(kind))
		construct_acquired(thread, kind, lock, order, time);
}

void measure_ompt_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_omp_lock *lock = measure_omp_lock_find(id);
	uint64_t time;
	uint32_t order;

	(void)codeptr;
	if (!thread || !lock || !measure_is_recording())
		return;
	order = measure_ompt_lock_released(thread, lock, &time);
	if (is_lock(kind))
		function_released(kind, lock, order, time);
	else if (is_construct(kind))
		construct_released(thread, kind, lock, order, time);
}

/* The owner of a nestable lock takes it once more, or gives one of several back: the order
 * stays. */
void measure_ompt_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_omp_lock *lock = measure_omp_lock_find(id);
	uint64_t now = measure_clock_now();

	(void)codeptr;
	if (!thread || !lock || !measure_is_recording())
		return;
	if (endpoint == ompt_scope_end)
		function_released(ompt_mutex_nest_lock, lock, measure_ompt_lock_order(lock), now);
	else
		function_acquired(
			thread, ompt_mutex_nest_lock, lock, measure_ompt_lock_order(lock), now);
}
