/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slopes from knot to knot: between them a correction is a straight line. */
#include "config.h"

#include "rate_statistics.h"

static void take_steepest(struct measure_sync_rates *slopes, int64_t gain, int64_t time)
{
	if (slopes->time == 0 ||
		(measure_wide_t)gain * slopes->time > (measure_wide_t)slopes->gain * time) {
		slopes->gain = gain;
		slopes->time = time;
	}
}

static void add_segment(struct measure_sync_rates *slopes,
	const struct measure_clock_function *presync, const struct measure_clock_knot *from,
	const struct measure_clock_knot *to)
{
	int64_t start = (int64_t)measure_clock_function_apply(presync, from->time);
	int64_t end = (int64_t)measure_clock_function_apply(presync, to->time);
	int64_t time = end - start;
	/* What the corrected clock gains on the presynchronised one, less what rounding can do. */
	int64_t gain = (int64_t)(to->time + (uint64_t)to->offset) -
		       (int64_t)(from->time + (uint64_t)from->offset) - time - 1;

	if (gain <= 0 || time <= 0)
		return;
	take_steepest(slopes, gain, time);
	if ((measure_wide_t)gain * MEASURE_SYNC_RAMP > time)
		slopes->steep += time;
}

static void add_domain(struct measure_sync_rates *slopes,
	const struct measure_sync_domain_records *of, const struct measure_clock_function *presync,
	const struct measure_sync_correction *correction)
{
	if (of->span.first > of->span.last)
		return;
	slopes->all += (int64_t)(measure_clock_function_apply(presync, of->span.last) -
				 measure_clock_function_apply(presync, of->span.first));
	for (size_t i = 0; i < correction->nr; i++) {
		const struct measure_clock_function *offsets = &correction->pieces[i].offsets;

		for (size_t k = 0; k + 1 < offsets->nr; k++)
			if (offsets->items[k].time >= of->span.first &&
				offsets->items[k + 1].time <= of->span.last)
				add_segment(slopes, presync, &offsets->items[k],
					&offsets->items[k + 1]);
	}
}

struct measure_sync_rates measure_sync_rates_of(
	const struct measure_sync_graph *graph, const struct measure_sync_correction *corrections)
{
	struct measure_sync_rates slopes = {0};

	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (measure_sync_is_my_domain(graph, i))
			add_domain(&slopes, &graph->of[i], &graph->presync[graph->of[i].a_location],
				&corrections[i]);
	return slopes;
}

/* Of two equally steep ones either says the same. */
void measure_sync_rates_add(struct measure_sync_rates *to, const struct measure_sync_rates *from)
{
	if (from->time > 0)
		take_steepest(to, from->gain, from->time);
	to->steep += from->steep;
	to->all += from->all;
}
