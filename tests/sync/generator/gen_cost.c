/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What recording costs (--cost). The program is simulated in true time; `late` is by how much the
 * measured run is behind that, for each location. A record costs time until its timestamp and after
 * it. Records at one true tick share a reading of the clock: what further ones cost comes after it.
 * What one costs depends on how often its location records: its rate over the last 8 transactions,
 * in measured time, of which the first 6 bits count.
 *
 * The file has lines "KIND::none RATE:BEFORE:AFTER:LOW:HIGH RATE:...": events per second,
 * nanoseconds. Costs are interpolated in the logarithm of the rate, and rounded to 2^-16 ns each.
 */
#include "config.h"

#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 16, FRACTION = 16, FIRST_BITS = 6 };

struct point {
	double rate, before, after;
};

struct gen_curve {
	struct point points[MAX_POINTS];
	unsigned nr;
};

static const char *const names[] = {
#define COST(ID) #ID "::none",
#include "gen_cost.def"
#undef COST
};

static void read_curve(struct gen_curve *curve, char *text)
{
	char *word;

	curve->nr = 0;
	while ((word = strsep(&text, " \t\n")) != NULL) {
		struct point *point = &curve->points[curve->nr];
		double low, high;

		if (!*word)
			continue;
		if (curve->nr == MAX_POINTS ||
			sscanf(word, "%lf:%lf:%lf:%lf:%lf", &point->rate, &point->before,
				&point->after, &low, &high) != 5)
			gen_fail("--cost: not a point: ", word);
		curve->nr++;
	}
}

static void read_line(struct gen *gen, char *line)
{
	char *name = strsep(&line, " \t\n");

	for (unsigned i = 0; line && i < GEN_NR_COSTS; i++)
		if (!strcmp(name, names[i]))
			read_curve(&gen->costs[i], line);
}

void gen_costs_start(struct gen *gen)
{
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	if (!*gen->options.cost)
		return;
	file = fopen(gen->options.cost, "r");
	if (!file)
		gen_fail("cannot read ", gen->options.cost);
	gen->costs = gen_zeroed(GEN_NR_COSTS, sizeof(*gen->costs));
	while (getline(&line, &size, file) >= 0)
		read_line(gen, line);
	free(line);
	fclose(file);
}

/* Where the rate lies: between a point and the next one, by that share. */
static double at(const struct gen_curve *curve, double rate, bool is_after)
{
	const struct point *low = curve->points, *high = &curve->points[curve->nr - 1];
	double share, from, to;

	if (curve->nr == 0)
		return 0;
	if (rate <= low->rate)
		return is_after ? low->after : low->before;
	if (rate >= high->rate)
		return is_after ? high->after : high->before;
	for (high = low + 1; high->rate < rate; high++)
		low = high;
	share = log(rate / low->rate) / log(high->rate / low->rate);
	from = is_after ? low->after : low->before;
	to = is_after ? high->after : high->before;
	return from + share * (to - from);
}

static uint64_t ticks_at(const struct gen_curve *curve, double rate, bool is_after)
{
	return (uint64_t)llround(ldexp(at(curve, rate, is_after), FRACTION));
}

/* Per second, were there a transaction at that time. */
static double rate_at(const struct gen_meter *meter, uint64_t time)
{
	const uint64_t nr =
		meter->nr_transactions < GEN_NR_RATED ? meter->nr_transactions : GEN_NR_RATED;
	const uint64_t since = nr < GEN_NR_RATED
				       ? meter->first_transaction
				       : meter->transactions[meter->nr_transactions % GEN_NR_RATED];

	uint64_t window;
	int shift = 0;

	if (nr == 0 || time == since)
		return HUGE_VAL;
	window = (time - since) * GEN_NR_RATED / nr;
	while (window >> shift >= UINT64_C(1) << FIRST_BITS)
		shift++;
	return GEN_NR_RATED * (double)GEN_RESOLUTION / (double)(window >> shift << shift);
}

/* Its timestamp, if it is made from then on (in 2^-16 ns): the cost until then depends on the rate,
 * and that on the timestamp. Costs that fall with the rate come to an end. */
static uint64_t reading_from(const struct gen_meter *meter, const struct gen_curve *curve,
	bool is_transaction, uint64_t start)
{
	uint64_t time = start >> FRACTION;

	for (int i = 0; i < 64; i++) {
		const double rate = is_transaction ? rate_at(meter, time) : meter->rate;
		const uint64_t next = (start + ticks_at(curve, rate, false)) >> FRACTION;

		if (next == time)
			break;
		time = next;
	}
	return time;
}

static void count(struct gen_meter *meter, uint64_t time)
{
	meter->rate = rate_at(meter, time);
	if (meter->nr_transactions == 0)
		meter->first_transaction = time;
	meter->transactions[meter->nr_transactions++ % GEN_NR_RATED] = time;
}

static void note_segment(struct gen_meter *meter, enum gen_cost cost, bool is_shared)
{
	const bool is_enter = cost == GEN_COST_FUNCTION_ENTER || cost == GEN_COST_CALL_ENTER;

	meter->is_leave = cost == GEN_COST_FUNCTION_LEAVE || cost == GEN_COST_CALL_LEAVE;
	if (!is_shared || is_enter || (meter->is_leave && meter->is_over)) {
		meter->is_over = false;
		if (meter->nr_segments == meter->room_segments) {
			meter->room_segments = 2 * meter->room_segments + 1024;
			meter->recorded = realloc(meter->recorded,
				meter->room_segments * sizeof(*meter->recorded));
			if (!meter->recorded)
				gen_fail("out of memory", "");
		}
		meter->nr_segments++;
	}
	meter->recorded[meter->nr_segments - 1] = meter->measured + (meter->behind >> FRACTION);
}

uint64_t gen_recorded(const struct gen *gen, const struct gen_moment *moment)
{
	const struct gen_meter *meter = &gen->locations[moment->recorder].meter;

	return gen->costs && moment->segment ? meter->recorded[moment->segment - 1] : moment->time;
}

uint64_t gen_cost_stamp(struct gen *gen, struct gen_location *location, enum gen_cost cost)
{
	struct gen_meter *meter = &location->meter;
	const bool is_first = location->nr_events == 0;
	const bool is_shared = !is_first && meter->stamped == location->now;
	const struct gen_curve *curve;
	bool is_transaction;

	if (is_shared && cost == GEN_COST_OTHER)
		cost = GEN_COST_RECORD;
	is_transaction =
		cost != GEN_COST_RECORD && cost != GEN_COST_MESSAGE && cost != GEN_COST_METRIC;
	meter->stamped = location->now;
	if (!gen->costs)
		return meter->measured = location->now;
	curve = &gen->costs[cost];
	if (is_first)
		meter->rate = HUGE_VAL;
	if (is_first && !meter->has_waited) /* before the measurement */
		meter->measured = location->now;
	else if (!is_shared)
		meter->measured = reading_from(
			meter, curve, is_transaction, (location->now << FRACTION) + meter->late);
	if (is_transaction)
		count(meter, meter->measured);
	if (!is_first || meter->has_waited)
		meter->late += ticks_at(curve, meter->rate, false);
	meter->late += ticks_at(curve, meter->rate, true);
	meter->behind = ticks_at(curve, meter->rate, true) +
			(is_shared ? meter->behind + ticks_at(curve, meter->rate, false) : 0);
	note_segment(meter, cost, is_shared);
	return meter->measured;
}
