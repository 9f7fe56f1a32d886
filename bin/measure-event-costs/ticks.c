/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The length of a tick; see ticks.h. */
#include "config.h"

#include "ticks.h"

#include <time.h>

#define LONG_NS 20000000

double measure_tick_ns = 1;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void measure_ticks_start(void)
{
	const uint64_t begin = now_ns(), first = measure_ticks();
	uint64_t end;

	do
		end = now_ns();
	while (end - begin < LONG_NS);
	measure_tick_ns = (double)(end - begin) / (double)(measure_ticks() - first);
}
