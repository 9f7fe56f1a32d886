/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0's decisions; see schedule.h. */
#include "config.h"

#include "schedule.h"

#define NR_POINTS_MAX 1024
#define COST_LIMIT    100
#define SPEAK_SECONDS 0.1
#define SPEAK_PART    4 /* of an interval, where that is shorter */

void measure_schedule_start(struct measure_schedule *schedule, double seconds)
{
	const double frequency = measure_clock_frequency();
	const double spacing =
		seconds < SPEAK_SECONDS * SPEAK_PART ? seconds / SPEAK_PART : SPEAK_SECONDS;

	schedule->interval = (uint64_t)(seconds * frequency);
	schedule->spacing = (uint64_t)(spacing * frequency);
	atomic_store(&schedule->last, measure_clock_now());
	atomic_store(&schedule->wait, schedule->interval);
	atomic_store(&schedule->least, UINT64_MAX);
}

/* Between two times of a clock that may be set back. */
static uint64_t elapsed(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

bool measure_schedule_is_due(struct measure_schedule *schedule, uint64_t now)
{
	uint64_t last = atomic_load(&schedule->last);

	return elapsed(last, now) >= atomic_load(&schedule->wait) &&
	       atomic_compare_exchange_strong(&schedule->last, &last, now);
}

/* A single one may have met with anything: what is waited for becomes longer step by step. Of two
 * threads that come at once one may be lost: the next one will do. */
void measure_schedule_note(struct measure_schedule *schedule, uint64_t ticks)
{
	const uint64_t longest = 2 * atomic_load(&schedule->wait);
	uint64_t least = atomic_load(&schedule->least);
	uint64_t wait = schedule->interval;

	if (ticks < least)
		least = ticks;
	if (least > wait / COST_LIMIT)
		wait = least * COST_LIMIT < longest ? least * COST_LIMIT : longest;
	atomic_store(&schedule->least, least);
	atomic_store(&schedule->wait, wait);
}

/* As many points as came in `spacing` lately, but no more than twice as many as last time. */
uint32_t measure_schedule_next(
	const struct measure_schedule *schedule, struct measure_points *points, uint64_t now)
{
	const uint64_t most = points->step < NR_POINTS_MAX / 2 ? 2 * points->step : NR_POINTS_MAX;
	const uint64_t passed = elapsed(points->ticks, now);
	uint64_t step = most;

	if (passed > 0 && schedule->spacing < passed * NR_POINTS_MAX)
		step = (uint64_t)((double)schedule->spacing / (double)passed * points->step);
	if (step > most)
		step = most;
	if (step < 1)
		step = 1;
	points->ticks = now;
	return (uint32_t)step;
}
