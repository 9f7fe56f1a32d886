/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the recording clock on the event path: one load and one rdtsc. */
#ifndef MEASURE_CLOCK_CLOCK_INLINE_H
#define MEASURE_CLOCK_CLOCK_INLINE_H

#include <stdint.h>

#include "clock/counter.h"

/* False until measure_clock_start() has chosen the plain hardware counter. */
extern int measure_clock_is_counter;

uint64_t measure_clock_read_slow(void);

static inline uint64_t measure_clock_read(void)
{
	if (__builtin_expect(measure_clock_is_counter, 1))
		return measure_counter_read();
	return measure_clock_read_slow();
}

#endif
