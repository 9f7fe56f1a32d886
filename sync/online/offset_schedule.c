/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0's decisions; see offset_schedule.h. */
#include "config.h"

#include "offset_schedule.h"

#define NR_POINTS_MAX 8192
#define COST_SECONDS  0.01 /* of a measurement, or a part of the interval: */
#define COST_LEAST    0.001
#define COST_MOST     0.01
#define SPEAK_PART    20  /* of an interval, */
#define SPEAK_SECONDS 0.1 /* but not more often, */
#define SPEAK_RARELY  4   /* unless the interval is so short */

/* Part of the time that measuring may take. Who wants offsets often pays more for them. */
static double cost_of(double seconds)
{
	const double part = COST_SECONDS / seconds;

	if (part < COST_LEAST)
		return COST_LEAST;
	return part > COST_MOST ? COST_MOST : part;
}

void measure_schedule_start(struct measure_schedule *schedule, double seconds)
{
	const double frequency = measure_clock_frequency();
	double spacing = seconds / SPEAK_PART;

	if (spacing < SPEAK_SECONDS)
		spacing = SPEAK_SECONDS;
	if (spacing > seconds / SPEAK_RARELY)
		spacing = seconds / SPEAK_RARELY;
	schedule->cost = cost_of(seconds);
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
	uint64_t wait;

	if (ticks < least)
		least = ticks;
	wait = (uint64_t)((double)least / schedule->cost);
	if (wait > longest)
		wait = longest;
	if (wait < schedule->interval)
		wait = schedule->interval;
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
