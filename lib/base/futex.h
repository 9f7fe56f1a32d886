/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting on a word that another thread or process counts up. */
#ifndef MEASURE_BASE_FUTEX_H
#define MEASURE_BASE_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
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

#endif
