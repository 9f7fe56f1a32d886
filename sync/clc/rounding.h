/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offsets that give the presynchronised time to the tick where nothing is shifted. Readers round
 * on the line between two whole offsets: between any two points of the presynchronisation's line
 * that would be another line, and a tick too early here and there. */
#ifndef MEASURE_SYNC_CLC_ROUNDING_H
#define MEASURE_SYNC_CLC_ROUNDING_H

#include "clock/clock_function.h"

/* At one tick the later one counts; earlier ticks are passed over. */
void measure_rounding_add(struct measure_clock_function *offsets, uint64_t raw, int64_t offset);

/* The offset at a raw time: to the next tick, as readers do it, or so that it is not less. */
int64_t measure_rounding_offset(const struct measure_clock_function *presync, uint64_t raw);
int64_t measure_rounding_ceil(const struct measure_clock_function *presync, uint64_t raw);

/* Adds what lies between two raw times, at which there are offsets or will be; all is shifted. */
void measure_rounding_between(const struct measure_clock_function *presync, uint64_t from,
	uint64_t to, int64_t shift, struct measure_clock_function *offsets);

#endif
