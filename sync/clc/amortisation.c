/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two scans of a domain's records. Left to right: the lower hull of the sends' room, of which each
 * send keeps its predecessor, and for each receive that was put forward where the tangent from it
 * touches that hull. Right to left: one current curve, which takes over where it is the highest. */
#include "config.h"

#include "amortisation.h"

#include "base/array.h"
#include "sync/graph/bounds.h"
#include "trace/common/containers.h"

/* Ticks after which nobody looks any more. */
#define FOREVER (INT64_C(1) << 60)

struct sweep {
	const struct measure_sync_graph *graph;
	const struct measure_sync_record *records;
	size_t nr;
	int64_t earliest; /* time of raw tick 0 */
	const struct measure_sync_rate *rate;
	/* by record: of a send the one before it on the hull, of a jump where its curve goes */
	uint32_t *links;
	uint32_t *stack; /* the hull */
	size_t nr_stack;
	uint32_t *jumps; /* those not yet passed, the last one at the end */
	size_t nr_jumps;
	struct measure_sync_knots *knots;
	/* the current curve, left of (time, shift) */
	struct curve {
		bool is_there;
		int64_t time, shift;
		uint32_t target; /* a send, or MEASURE_NONE: falling with MEASURE_SYNC_RAMP */
	} curve;
};

/* What a send may be shifted by at most, or a jump must be at least. */
static int64_t shift_of(const struct sweep *sweep, size_t record)
{
	return measure_sync_value(sweep->graph, &sweep->records[record]) -
	       sweep->records[record].time;
}

static bool is_limited(const struct sweep *sweep, size_t record)
{
	return sweep->records[record].is_send &&
	       measure_sync_value(sweep->graph, &sweep->records[record]) != MEASURE_SYNC_NO_LIMIT;
}

static int64_t time_of(const struct sweep *sweep, size_t record)
{
	return sweep->records[record].time;
}

/* ---------------------------------------------------------------- left to right --- */

/* True where send b is on or above the line from send a to (time, shift). */
static bool is_above(
	const struct sweep *sweep, uint32_t a, uint32_t b, int64_t time, int64_t shift)
{
	measure_wide_t across = (measure_wide_t)(time - time_of(sweep, a)) *
				(shift_of(sweep, b) - shift_of(sweep, a));
	measure_wide_t along = (measure_wide_t)(time_of(sweep, b) - time_of(sweep, a)) *
			       (shift - shift_of(sweep, a));

	return across >= along;
}

static void add_to_hull(struct sweep *sweep, uint32_t send)
{
	int64_t time = time_of(sweep, send), shift = shift_of(sweep, send);

	sweep->links[send] = MEASURE_NONE;
	while (sweep->nr_stack > 0) {
		uint32_t top = sweep->stack[sweep->nr_stack - 1];

		if (time_of(sweep, top) == time && shift_of(sweep, top) < shift)
			return;
		if (time_of(sweep, top) == time ||
			(sweep->nr_stack > 1 && is_above(sweep, sweep->stack[sweep->nr_stack - 2],
							top, time, shift)))
			sweep->nr_stack--;
		else
			break;
	}
	if (sweep->nr_stack > 0)
		sweep->links[send] = sweep->stack[sweep->nr_stack - 1];
	sweep->stack[sweep->nr_stack++] = send;
}

/* Is the way from (time, shift) back to a send steeper than the ramp? */
static bool is_steep(const struct sweep *sweep, uint32_t send, int64_t time, int64_t shift)
{
	return (measure_wide_t)(shift - shift_of(sweep, send)) * MEASURE_SYNC_RAMP >
	       time - time_of(sweep, send);
}

/* The send that the curve of a jump goes to, or MEASURE_NONE. On a convex chain the vertices get
 * better, then worse. */
static uint32_t find_tangent(const struct sweep *sweep, uint32_t jump)
{
	int64_t time = time_of(sweep, jump), shift = shift_of(sweep, jump);
	size_t nr = sweep->nr_stack, low;

	if (nr > 0 && time_of(sweep, sweep->stack[nr - 1]) == time) {
		if (shift_of(sweep, sweep->stack[nr - 1]) < shift)
			return sweep->stack[nr - 1];
		nr--;
	}
	if (nr == 0)
		return MEASURE_NONE;
	low = measure_count_first(
		nr - 1, i, !is_above(sweep, sweep->stack[i], sweep->stack[i + 1], time, shift));
	return is_steep(sweep, sweep->stack[low], time, shift) ? sweep->stack[low] : MEASURE_NONE;
}

static void scan(struct sweep *sweep, enum measure_sync_backward_rule rule)
{
	for (size_t i = 0; i < sweep->nr; i++) {
		if (sweep->records[i].is_jump) {
			sweep->links[i] = rule == MEASURE_SYNC_BACKWARD_HULL
						  ? find_tangent(sweep, i)
						  : MEASURE_NONE;
			sweep->jumps[sweep->nr_jumps++] = i;
		} else if (rule == MEASURE_SYNC_BACKWARD_HULL && is_limited(sweep, i)) {
			add_to_hull(sweep, i);
		}
	}
}

/* ---------------------------------------------------------------- right to left --- */

static void add_knot(struct sweep *sweep, int64_t time, int64_t shift, uint32_t record)
{
	struct measure_sync_knots *knots = sweep->knots;

	*measure_append_item(knots) = (struct measure_sync_knot){time, shift, record, false};
}

/* What the forward pass left of the last jump not passed yet. */
static int64_t forward_shift(const struct sweep *sweep, int64_t time)
{
	uint32_t jump;

	if (sweep->nr_jumps == 0)
		return 0;
	jump = sweep->jumps[sweep->nr_jumps - 1];
	return measure_sync_decayed(
		shift_of(sweep, jump), time - time_of(sweep, jump), sweep->rate);
}

static int64_t curve_shift(const struct sweep *sweep, int64_t time)
{
	const struct curve *curve = &sweep->curve;
	measure_wide_t fall;
	int64_t span;

	if (curve->target == MEASURE_NONE)
		return curve->shift - measure_wide_ceil(curve->time - time, MEASURE_SYNC_RAMP);
	span = curve->time - time_of(sweep, curve->target);
	fall = (measure_wide_t)(curve->shift - shift_of(sweep, curve->target)) *
	       (curve->time - time);
	return curve->shift - measure_wide_ceil(fall, span);
}

/* The curve goes below what the forward pass asks for somewhere from `time` on: there it ends. */
static void end_curve(struct sweep *sweep, int64_t time)
{
	int64_t low = time, high = sweep->curve.time;

	while (low + 1 < high) {
		int64_t middle = low + (high - low) / 2;

		if (curve_shift(sweep, middle) <= forward_shift(sweep, middle))
			low = middle;
		else
			high = middle;
	}
	add_knot(sweep, low, forward_shift(sweep, low), MEASURE_NONE);
	sweep->curve.is_there = false;
}

/* Where the shift after a jump has decayed, if nothing else comes before that. */
static void end_decay(struct sweep *sweep, uint32_t jump)
{
	const struct measure_sync_knots *knots = sweep->knots;
	int64_t life = measure_sync_life(shift_of(sweep, jump), sweep->rate);
	int64_t time = time_of(sweep, jump);

	if (knots->nr > 0 ? life < knots->items[knots->nr - 1].time - time : life < FOREVER)
		add_knot(sweep, time + life, 0, MEASURE_NONE);
}

static void start_curve(struct sweep *sweep, uint32_t jump)
{
	const uint32_t target = sweep->links[jump];

	add_knot(sweep, time_of(sweep, jump), shift_of(sweep, jump), jump);
	sweep->curve =
		(struct curve){true, time_of(sweep, jump), shift_of(sweep, jump), target};
	/* A send at the same tick, which must not go as far: a step. */
	if (target != MEASURE_NONE && time_of(sweep, target) == sweep->curve.time)
		sweep->knots->items[sweep->knots->nr - 1].is_step = true;
}

static void reach_target(struct sweep *sweep, uint32_t send)
{
	const uint32_t next = sweep->links[send];
	struct curve *curve = &sweep->curve;

	curve->time = time_of(sweep, send);
	curve->shift = shift_of(sweep, send);
	curve->target = MEASURE_NONE;
	if (next != MEASURE_NONE && is_steep(sweep, next, curve->time, curve->shift))
		curve->target = next;
	add_knot(sweep, curve->time, curve->shift, send);
}

/* At the tick where the curve is: on a step down to a send, which has a stair for this jump. */
static void pass_jump_on_step(struct sweep *sweep, uint32_t jump)
{
	const struct curve *curve = &sweep->curve;

	if (curve->target == MEASURE_NONE || time_of(sweep, curve->target) < curve->time ||
		shift_of(sweep, jump) <= shift_of(sweep, curve->target))
		return;
	add_knot(sweep, curve->time, shift_of(sweep, jump), jump);
	sweep->knots->items[sweep->knots->nr - 1].is_step = true;
}

static void pass_jump(struct sweep *sweep, uint32_t jump)
{
	const int64_t time = time_of(sweep, jump);

	if (sweep->curve.is_there && sweep->curve.time == time) {
		pass_jump_on_step(sweep, jump);
	} else {
		if (sweep->curve.is_there && shift_of(sweep, jump) > curve_shift(sweep, time))
			end_curve(sweep, time);
		if (!sweep->curve.is_there) {
			end_decay(sweep, jump);
			start_curve(sweep, jump);
		}
	}
	sweep->nr_jumps--;
}

/* Nothing is in its way; but there is no time before tick 0. */
static void end_last_curve(struct sweep *sweep)
{
	const measure_wide_t end =
		sweep->curve.time - (measure_wide_t)sweep->curve.shift * MEASURE_SYNC_RAMP;

	if (end >= sweep->earliest)
		add_knot(sweep, (int64_t)end, 0, MEASURE_NONE);
	else if (sweep->earliest < sweep->curve.time)
		add_knot(sweep, sweep->earliest, curve_shift(sweep, sweep->earliest), MEASURE_NONE);
}

static void sweep_hull(struct sweep *sweep)
{
	for (size_t i = sweep->nr; i-- > 0;) {
		const struct curve *curve = &sweep->curve;

		if (sweep->records[i].is_jump)
			pass_jump(sweep, i);
		else if (curve->is_there && i == curve->target)
			reach_target(sweep, i);
		else if (curve->is_there && time_of(sweep, i) < curve->time &&
			 curve_shift(sweep, time_of(sweep, i)) <=
				 forward_shift(sweep, time_of(sweep, i)))
			end_curve(sweep, time_of(sweep, i));
	}
	if (sweep->curve.is_there)
		end_last_curve(sweep);
}

/* --------------------------------------------------------------- without a curve --- */

/* Just before each jump the clock is where the one before it has left it. What is there at the same
 * tick must not jump: each is a step. */
static void sweep_jumps(struct sweep *sweep)
{
	while (sweep->nr_jumps > 0) {
		uint32_t jump = sweep->jumps[sweep->nr_jumps - 1];
		int64_t time = time_of(sweep, jump);

		end_decay(sweep, jump);
		add_knot(sweep, time, shift_of(sweep, jump), jump);
		sweep->knots->items[sweep->knots->nr - 1].is_step = true;
		sweep->nr_jumps--;
		if (sweep->nr_jumps == 0 ||
			time_of(sweep, sweep->jumps[sweep->nr_jumps - 1]) < time)
			add_knot(sweep, time, forward_shift(sweep, time), MEASURE_NONE);
	}
}

static void reverse(struct measure_sync_knots *knots)
{
	for (size_t i = 0, k = knots->nr; i + 1 < k; i++) {
		struct measure_sync_knot knot = knots->items[i];

		knots->items[i] = knots->items[--k];
		knots->items[k] = knot;
	}
}

void measure_sync_sweep(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, enum measure_sync_backward_rule rule,
	struct measure_sync_knots *knots)
{
	const struct measure_sync_domain_records *of = &graph->of[domain];
	struct sweep sweep = {.graph = graph,
		.records = of->records,
		.nr = of->nr,
		.earliest =
			(int64_t)measure_clock_function_apply(&graph->presync[of->a_location], 0),
		.rate = rate,
		.links = measure_zeroed(of->nr + 1, sizeof(uint32_t)),
		.stack = measure_zeroed(of->nr + 1, sizeof(uint32_t)),
		.jumps = measure_zeroed(of->nr + 1, sizeof(uint32_t)),
		.knots = knots};

	knots->nr = 0;
	scan(&sweep, rule);
	if (rule == MEASURE_SYNC_BACKWARD_HULL)
		sweep_hull(&sweep);
	else
		sweep_jumps(&sweep);
	reverse(knots);
	measure_free(sweep.links);
	measure_free(sweep.stack);
	measure_free(sweep.jumps);
}
