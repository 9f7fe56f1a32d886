/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When offsets are measured while a program runs. All ranks count the points at which they meet,
 * and at one of them rank 0 says whether it is time, and how many points later it will speak
 * again. Nobody knows how long a point is away, so rank 0 speaks more often than it measures: some
 * twenty times in an interval, and at the latest after NR_POINTS_MAX points, as the program may
 * become slower. All of this is rank 0's; several threads may ask. */
#ifndef MEASURE_SYNC_ONLINE_OFFSET_SCHEDULE_H
#define MEASURE_SYNC_ONLINE_OFFSET_SCHEDULE_H

#include <stdatomic.h>

#include "adapter.h"

struct measure_schedule {
	double cost;       /* part of the time that measurements may take */
	uint64_t interval; /* ticks between measurements at least */
	uint64_t spacing;  /* ticks between the points at which rank 0 speaks, as far as possible */
	_Atomic uint64_t last;  /* ticks of the last measurement */
	_Atomic uint64_t wait;  /* ticks from there to the next one */
	_Atomic uint64_t least; /* ticks that one has taken at least: others were disturbed */
};

/* `seconds` between measurements; the first one has just been made. */
void measure_schedule_start(struct measure_schedule *schedule, double seconds);

/* True: it is time, and the caller measures now, as nobody else does. */
bool measure_schedule_is_due(struct measure_schedule *schedule, uint64_t now);

/* What a measurement took. Where even the cheapest one takes too much of the interval (a thousandth
 * of ten seconds, a hundredth of one) they come less often. */
void measure_schedule_note(struct measure_schedule *schedule, uint64_t ticks);

/* Points until rank 0 speaks again. */
uint32_t measure_schedule_next(
	const struct measure_schedule *schedule, struct measure_points *points, uint64_t now);

#endif
