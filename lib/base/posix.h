/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short forms of what Linux and POSIX have: waiting on a word, watching a process, time for
 * deadlines, threads with a stack of a given size. */
#ifndef MEASURE_BASE_POSIX_H
#define MEASURE_BASE_POSIX_H

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word == seen, at most `milliseconds`. Wakes spuriously. */
static inline void measure_futex_wait(_Atomic uint32_t *word, uint32_t seen, int milliseconds)
{
	struct timespec timeout = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};

	syscall(SYS_futex, word, FUTEX_WAIT, seen, &timeout, NULL, 0);
}

static inline void measure_futex_wake(_Atomic uint32_t *word, int nr_waiters)
{
	syscall(SYS_futex, word, FUTEX_WAKE, nr_waiters, NULL, NULL, 0);
}

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

/* A descriptor that becomes readable when the process ends; glibc has a function for it only since
 * 2.36. -1 where the kernel has none (before Linux 5.3). Close-on-exec. */
static inline int measure_pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* Time for deadlines, and for how long things take; events are timed by lib/clock. */
static inline int64_t measure_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline double measure_now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Starts a thread with a stack of its own size, as the default is the limit of the traced program,
 * which may be low; not below what the C library demands: 128 KiB on arm64. 0 or an errno. */
static inline int measure_thread_start(
	pthread_t *thread, size_t stack, void *(*function)(void *), void *argument)
{
	const long least = sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_t attributes;

	if (least > 0 && stack < (size_t)least)
		stack = (size_t)least;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack);
	int error = pthread_create(thread, &attributes, function, argument);
	pthread_attr_destroy(&attributes);
	return error;
}

#endif
