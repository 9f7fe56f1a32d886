/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A mutex for the library and for adapters that makes no call of the C library's: who interposes
 * those does not see it, and it works to the very end of a thread, where ThreadSanitizer's no
 * longer do. Keeps errno; not recursive; not async-signal-safe. */
#ifndef MEASURE_API_MUTEX_H
#define MEASURE_API_MUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum measure_mutex_state { MEASURE_MUTEX_FREE, MEASURE_MUTEX_HELD, MEASURE_MUTEX_AWAITED };

/* Zero: free. By builtins, not <stdatomic.h>: adapters may be written in C++. */
struct measure_mutex {
	uint32_t state; /* enum measure_mutex_state */
};

/* Whoever has waited leaves it as awaited: others may sleep still. */
__attribute__((noinline, unused)) static void measure_mutex_wait(struct measure_mutex *mutex)
{
	const int saved_errno = errno;

	while (__atomic_exchange_n(&mutex->state, MEASURE_MUTEX_AWAITED, __ATOMIC_ACQUIRE) !=
		MEASURE_MUTEX_FREE)
		syscall(SYS_futex, &mutex->state, FUTEX_WAIT_PRIVATE, MEASURE_MUTEX_AWAITED, NULL);
	errno = saved_errno;
}

/* Acquire pairs with the release in measure_mutex_unlock(). */
static inline void measure_mutex_lock(struct measure_mutex *mutex)
{
	uint32_t expected = MEASURE_MUTEX_FREE;

	if (!__atomic_compare_exchange_n(&mutex->state, &expected, MEASURE_MUTEX_HELD, 0,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		measure_mutex_wait(mutex);
}

/* False: somebody has it, who may be the thread that this signal handler has interrupted. */
static inline int measure_mutex_try(struct measure_mutex *mutex)
{
	uint32_t expected = MEASURE_MUTEX_FREE;

	return __atomic_compare_exchange_n(&mutex->state, &expected, MEASURE_MUTEX_HELD, 0,
		__ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void measure_mutex_unlock(struct measure_mutex *mutex)
{
	if (__atomic_exchange_n(&mutex->state, MEASURE_MUTEX_FREE, __ATOMIC_RELEASE) ==
		MEASURE_MUTEX_AWAITED)
		syscall(SYS_futex, &mutex->state, FUTEX_WAKE_PRIVATE, 1);
}

#endif
