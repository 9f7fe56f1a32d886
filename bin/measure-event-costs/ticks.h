/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short times: ticks of the processor's counter, and how long one is. */
#ifndef MEASURE_EVENT_COSTS_TICKS_H
#define MEASURE_EVENT_COSTS_TICKS_H

#include <stdint.h>

#include "clock/clock_inline.h"

extern double measure_tick_ns;

/* Takes some 20 ms. */
void measure_ticks_start(void);

/* What comes before is not necessarily finished. */
static inline uint64_t measure_ticks(void)
{
	return measure_counter_read();
}

static inline double measure_ticks_ns(uint64_t ticks)
{
	return (double)ticks * measure_tick_ns;
}

#endif
