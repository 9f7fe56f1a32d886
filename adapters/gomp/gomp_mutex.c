/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mutual exclusion: critical, atomic and ordered constructs, and the lock functions. A release is
 * recorded before it happens and an acquisition after it, so that their times never cross; the
 * order is counted by the owner. */
#include "config.h"

#include "../openmp/openmp_locks.h"
#include "gomp_construct.h"
#include "libgomp_compat.h"
#include "ordered.h"
#include "gomp_team.h"

struct construct {
	const char *name;
	uint8_t role;
	const char *block; /* the part that one thread runs at a time, or NULL */
	uint8_t block_role;
};

static const struct construct critical = {"!$omp critical", OTF2_REGION_ROLE_CRITICAL,
	"!$omp critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK};
static const struct construct atomic = {
	"!$omp atomic", OTF2_REGION_ROLE_ATOMIC, NULL, OTF2_REGION_ROLE_UNKNOWN};
static const struct construct ordered = {"!$omp ordered", OTF2_REGION_ROLE_ORDERED,
	"!$omp ordered sblock", OTF2_REGION_ROLE_ORDERED_SBLOCK};

static uint32_t order_take(struct measure_omp_lock *lock)
{
	uint32_t order = atomic_load_explicit(&lock->order, memory_order_relaxed) + 1;

	atomic_store_explicit(&lock->order, order, memory_order_relaxed);
	return order;
}

static uint32_t order_of(const struct measure_omp_lock *lock)
{
	return atomic_load_explicit(&lock->order, memory_order_relaxed);
}

/* What is written of a lock, and what the segment says of it for whoever looks at a job that hangs.
 */
static void lock_pending(struct measure_location *location, const struct measure_omp_lock *lock)
{
	struct measure_pending_item item;

	if (!lock)
		return;
	item = measure_pending_object(MEASURE_PENDING_LOCK, OTF2_PARADIGM_OPENMP, lock->id);
	measure_pending_note(location, item);
}

static void lock_write_acquire(
	struct measure_location *location, const struct measure_omp_lock *lock, uint32_t order)
{
	measure_write_thread_acquire_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order);
	measure_lock_note(location, OTF2_PARADIGM_OPENMP, lock->id);
}

static void lock_write_release(
	struct measure_location *location, const struct measure_omp_lock *lock)
{
	measure_write_thread_release_lock(location, OTF2_PARADIGM_OPENMP, lock->id, order_of(lock));
	measure_unlock_note(location, OTF2_PARADIGM_OPENMP, lock->id);
}

/* --------------------------------------------------------------------- constructs --- */

/* Asks for the lock. False: nothing was recorded. */
static bool construct_ask(const struct construct *construct, const void *address, const void *key)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	const struct measure_omp_lock *lock;
	struct measure_location *location;
	measure_region_t region;

	if (!thread)
		return false;
	region = measure_gomp_region(thread, address, construct->name, construct->role);
	lock = measure_omp_lock_find((uintptr_t)key);
	location = measure_record_begin();
	if (!location)
		return false;
	measure_gomp_enter(thread, location, MEASURE_GOMP_MUTEX, region);
	lock_pending(location, lock);
	measure_record_end(location);
	return true;
}

static void construct_acquired(
	const struct construct *construct, const void *address, const void *key)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_omp_lock *lock = measure_omp_lock_find((uintptr_t)key);
	measure_region_t block = MEASURE_UNDEFINED;
	struct measure_location *location;

	if (construct->block)
		block = measure_gomp_region(
			thread, address, construct->block, construct->block_role);
	measure_order_clock();
	location = lock ? measure_record_begin() : NULL;
	if (!location)
		return;
	lock_write_acquire(location, lock, order_take(lock));
	if (construct->block)
		measure_gomp_enter(thread, location, MEASURE_GOMP_BLOCK, block);
	measure_record_end(location);
}

/* About to give the lock back. */
static void construct_release(const void *key)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_omp_lock *lock = thread ? measure_omp_lock_find((uintptr_t)key) : NULL;
	uint32_t index = lock ? measure_gomp_find(thread, MEASURE_GOMP_MUTEX) : UINT32_MAX;
	struct measure_location *location;

	location = index != UINT32_MAX ? measure_record_begin() : NULL;
	if (!location)
		return;
	measure_gomp_leave(thread, location, index + 1);
	lock_write_release(location, lock);
	measure_gomp_leave(thread, location, index);
	measure_record_end(location);
}

#define CONSTRUCT(start, end, construct, parameters, arguments, key)                               \
	void start parameters                                                                      \
	{                                                                                          \
		const void *address = __builtin_return_address(0);                                 \
		bool is_recorded;                                                                  \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		is_recorded = construct_ask(&construct, address, key);                             \
		measure_gomp_real.start arguments;                                                 \
		if (is_recorded)                                                                   \
			construct_acquired(&construct, address, key);                              \
	}                                                                                          \
	void end parameters                                                                        \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		construct_release(key);                                                            \
		measure_gomp_real.end arguments;                                                   \
	}

#define NR_ORDERED_LEVELS 64

/* The ordered constructs of one team take turns. The teams of one master on one level are never
 * there at the same time. */
static const void *ordered_key(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	const struct measure_gomp_level *level = thread ? measure_gomp_level(thread) : NULL;

	if (!level || !level->team)
		return thread;
	return (const char *)level->team->master + 1 + level->team->level % NR_ORDERED_LEVELS;
}

CONSTRUCT(GOMP_critical_start, GOMP_critical_end, critical, (void), (), &critical)
CONSTRUCT(GOMP_critical_name_start, GOMP_critical_name_end, critical, (void **name), (name), name)
CONSTRUCT(GOMP_atomic_start, GOMP_atomic_end, atomic, (void), (), &atomic)
CONSTRUCT(GOMP_ordered_start, GOMP_ordered_end, ordered, (void), (), ordered_key())

/* ------------------------------------------------------------------ lock functions --- */

enum lock_function {
	SET_LOCK,
	UNSET_LOCK,
	TEST_LOCK,
	SET_NEST_LOCK,
	UNSET_NEST_LOCK,
	TEST_NEST_LOCK,
	NR_LOCK_FUNCTIONS
};

static measure_region_t functions[NR_LOCK_FUNCTIONS];

void measure_gomp_mutex_start(void)
{
	static const char *const names[] = {"omp_set_lock", "omp_unset_lock", "omp_test_lock",
		"omp_set_nest_lock", "omp_unset_nest_lock", "omp_test_nest_lock"};

	for (int i = 0; i < NR_LOCK_FUNCTIONS; i++) {
		const struct measure_region_info info = {.name = names[i],
			.role = OTF2_REGION_ROLE_WRAPPER,
			.paradigm = OTF2_PARADIGM_OPENMP};
		functions[i] = measure_region_define(&info);
	}
}

/* False: nothing is recorded. */
static bool lock_ask(enum lock_function function, const void *key)
{
	const struct measure_omp_lock *lock = measure_omp_lock_find((uintptr_t)key);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	measure_write_enter(location, functions[function]);
	lock_pending(location, lock);
	measure_record_end(location);
	return true;
}

/* A nestable lock that its owner takes once more keeps its order. */
static uint32_t lock_order(struct measure_omp_lock *lock, enum lock_function function)
{
	if (function >= SET_NEST_LOCK && lock->depth++ > 0)
		return order_of(lock);
	return order_take(lock);
}

static void lock_acquired(enum lock_function function, const void *key)
{
	struct measure_omp_lock *lock = measure_omp_lock_find((uintptr_t)key);
	struct measure_location *location;

	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (lock)
		lock_write_acquire(location, lock, lock_order(lock, function));
	measure_write_leave(location, functions[function]);
	measure_record_end(location);
}

/* One that was taken before anything was recorded has no order. */
static bool lock_let_go(struct measure_omp_lock *lock, enum lock_function function)
{
	if (!lock || order_of(lock) == 0)
		return false;
	if (function == UNSET_NEST_LOCK && lock->depth-- == 0) {
		lock->depth = 0;
		return false;
	}
	return true;
}

static void lock_release(enum lock_function function, const void *key)
{
	struct measure_omp_lock *lock = measure_omp_lock_find((uintptr_t)key);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_enter(location, functions[function]);
	if (lock_let_go(lock, function))
		lock_write_release(location, lock);
	measure_write_leave(location, functions[function]);
	measure_record_end(location);
}

/* A lock that was asked for and not given is not recorded. */
static void lock_tested(enum lock_function function, const void *key, uint64_t since)
{
	struct measure_location *location = measure_record_begin_at(since);

	if (!location)
		return;
	measure_write_enter(location, functions[function]);
	measure_record_end(location);
	lock_acquired(function, key);
}

#define LOCK_FUNCTIONS(suffix, SUFFIX, set_real, unset_real, test_real)                            \
	void omp_set_##suffix(void *lock)                                                          \
	{                                                                                          \
		bool is_recorded;                                                                  \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		is_recorded = lock_ask(SET_##SUFFIX, lock);                                        \
		set_real(lock);                                                                    \
		if (is_recorded)                                                                   \
			lock_acquired(SET_##SUFFIX, lock);                                         \
	}                                                                                          \
	void omp_unset_##suffix(void *lock)                                                        \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		lock_release(UNSET_##SUFFIX, lock);                                                \
		unset_real(lock);                                                                  \
	}                                                                                          \
	int omp_test_##suffix(void *lock)                                                          \
	{                                                                                          \
		uint64_t since = measure_clock_now();                                              \
		int result;                                                                        \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		result = test_real(lock);                                                          \
		if (result)                                                                        \
			lock_tested(TEST_##SUFFIX, lock, since);                                   \
		return result;                                                                     \
	}
#define PLAIN(name) measure_gomp_real.name
/* Nestable locks are smaller in programs of GCC up to 4.3. */
#define NESTABLE(name)                                                                             \
	(measure_gomp_has_old_locks(__builtin_return_address(0)) ? measure_gomp_real.name##_old    \
								 : measure_gomp_real.name)
LOCK_FUNCTIONS(lock, LOCK, PLAIN(omp_set_lock), PLAIN(omp_unset_lock), PLAIN(omp_test_lock))
LOCK_FUNCTIONS(lock_, LOCK, PLAIN(omp_set_lock_), PLAIN(omp_unset_lock_), PLAIN(omp_test_lock_))
LOCK_FUNCTIONS(nest_lock, NEST_LOCK, NESTABLE(omp_set_nest_lock), NESTABLE(omp_unset_nest_lock),
	NESTABLE(omp_test_nest_lock))
LOCK_FUNCTIONS(nest_lock_, NEST_LOCK, NESTABLE(omp_set_nest_lock_), NESTABLE(omp_unset_nest_lock_),
	NESTABLE(omp_test_nest_lock_))
