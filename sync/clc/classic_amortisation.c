/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nodes are records, and the points in between where the shift changes its slope: all that is done
 * is affine between them, so that they stand for all events. */
#include "config.h"

#include "classic_amortisation.h"

#include <math.h>

#include "sync/graph/bounds.h"
#include "trace/common/containers.h"

/* Ticks in which a line falls by one, where no send is in its way. */
#define RAMP 100

/* Ticks after which nobody looks any more. */
#define FOREVER (INT64_C(1) << 60)

/* Of shifts, which are sums of fractions. */
#define ROUNDING 1e-6L

struct classic_amortisation_node {
	long double time; /* from the first event */
	long double shift;
	int64_t limit;           /* largest shift, or MEASURE_SYNC_NO_LIMIT */
	uint32_t record;         /* or MEASURE_NONE */
	uint32_t before, behind; /* nodes */
	bool is_jump;
	bool is_corner;
};

struct sum {
	const struct measure_sync_graph *graph;
	const struct measure_sync_domain_records *of;
	const struct measure_sync_rate *rate;
	int64_t first; /* presynchronised time of the first event */
	struct classic_amortisation_node *nodes;
	size_t nr, room;
	uint32_t last;        /* node */
	long double earliest; /* where the first event is */
};

static long double now(const struct classic_amortisation_node *node)
{
	return node->time + node->shift;
}

/* ------------------------------------------------------------------ after the forward pass --- */

static struct classic_amortisation_node *add_behind(
	struct sum *sum, uint32_t before, long double time, long double shift)
{
	const uint32_t index = (uint32_t)sum->nr;
	struct classic_amortisation_node *node;

	sum->nodes = measure_grow(sum->nodes, sum->nr, &sum->room, sizeof(*sum->nodes));
	node = &sum->nodes[sum->nr++];
	*node = (struct classic_amortisation_node){.time = time,
		.shift = shift,
		.limit = MEASURE_SYNC_NO_LIMIT,
		.record = MEASURE_NONE,
		.before = before,
		.behind = before == MEASURE_NONE ? MEASURE_NONE : sum->nodes[before].behind};
	if (before != MEASURE_NONE)
		sum->nodes[before].behind = index;
	if (node->behind != MEASURE_NONE)
		sum->nodes[node->behind].before = index;
	else
		sum->last = index;
	return node;
}

/* What is left of the last jump, at a time. */
struct decay {
	int64_t time, shift;
};

/* Where nothing is left of it, should that be before a time. */
static void add_end_of_decay(struct sum *sum, const struct decay *decay, int64_t time)
{
	const int64_t life = measure_sync_life(decay->shift, sum->rate);

	if (decay->shift > 0 && life < time - decay->time && life < FOREVER)
		add_behind(sum, sum->last, (long double)(decay->time + life), 0)->is_corner = true;
}

static void add_record(struct sum *sum, uint32_t index, struct decay *decay)
{
	const struct measure_sync_record *record = &sum->of->records[index];
	const int64_t value = measure_sync_value(sum->graph, record);
	const int64_t time = record->time - sum->first;
	int64_t shift = measure_sync_decayed(decay->shift, time - decay->time, sum->rate);
	struct classic_amortisation_node *node;

	add_end_of_decay(sum, decay, time);
	if (record->is_jump) {
		/* the clock just before it */
		add_behind(sum, sum->last, (long double)time, (long double)shift)->is_corner = true;
		shift = value - record->time;
		*decay = (struct decay){time, shift};
	}
	node = add_behind(sum, sum->last, (long double)time, (long double)shift);
	node->record = index;
	node->is_jump = node->is_corner = record->is_jump;
	if (record->is_send && value != MEASURE_SYNC_NO_LIMIT)
		node->limit = value - record->time;
}

static void add_all(struct sum *sum)
{
	struct decay decay = {0, 0};

	add_behind(sum, MEASURE_NONE, 0, 0)->is_corner = true;
	for (uint32_t i = 0; i < sum->of->nr; i++)
		add_record(sum, i, &decay);
	add_end_of_decay(sum, &decay, FOREVER);
}

/* Nothing is moved further back than where the forward pass has put it. */
static long double first_event(const struct sum *sum)
{
	const struct measure_sync_record *record = sum->of->records;

	if (record->raw != sum->of->span.first || record->is_send)
		return 0;
	return (long double)(measure_sync_value(sum->graph, record) - sum->first);
}

static bool has_jumps(const struct measure_sync_domain_records *of)
{
	for (size_t i = 0; i < of->nr; i++)
		if (of->records[i].is_jump)
			return true;
	return false;
}

/* ----------------------------------------------------------------------- one line --- */

/* Through (corner, height) where something holds it down, else from `left` up. */
struct classic_amortisation_piece {
	uint32_t end; /* node behind it */
	long double right, height, slope;
	uint32_t corner; /* node, or MEASURE_NONE */
	bool is_level;
};

static long double room_of(const struct classic_amortisation_node *node)
{
	const long double room = (long double)node->limit - node->shift;

	return room > 0 ? room : 0;
}

/* The send that holds the line down most. */
static void find_corner(
	const struct sum *sum, struct classic_amortisation_piece *piece, long double left)
{
	long double steepest = piece->slope;

	piece->corner = MEASURE_NONE;
	piece->is_level = false;
	for (uint32_t i = sum->nodes[piece->end].before; i != MEASURE_NONE;
		i = sum->nodes[i].before) {
		const struct classic_amortisation_node *node = &sum->nodes[i];
		long double room, distance = piece->right - now(node);

		if (now(node) <= left)
			break;
		room = node->limit == MEASURE_SYNC_NO_LIMIT ? piece->height : room_of(node);
		if (room >= piece->height)
			continue;
		if (distance <= 0) {
			piece->corner = i;
			piece->is_level = true;
			break;
		}
		if ((piece->height - room) / distance > steepest) {
			steepest = (piece->height - room) / distance;
			piece->corner = i;
		}
	}
	piece->slope = steepest;
}

/* A corner between two nodes, where the line begins. */
static void add_left_corner(struct sum *sum, uint32_t before, long double left)
{
	const struct classic_amortisation_node a = sum->nodes[before];
	const struct classic_amortisation_node *b =
		a.behind == MEASURE_NONE ? NULL : &sum->nodes[a.behind];
	long double time;

	if (now(&a) == left || !b || b->time <= a.time) {
		sum->nodes[before].is_corner = true;
		return;
	}
	time = a.time + (left - now(&a)) / (now(b) - now(&a)) * (b->time - a.time);
	add_behind(sum, before, time, left - time)->is_corner = true;
}

/* Nodes from the corner, or from `left`, to the end. */
static void lift(struct sum *sum, const struct classic_amortisation_piece *piece, long double left)
{
	const long double from =
		piece->corner == MEASURE_NONE ? left : now(&sum->nodes[piece->corner]);
	const long double height =
		piece->corner == MEASURE_NONE ? 0 : room_of(&sum->nodes[piece->corner]);
	uint32_t i = sum->nodes[piece->end].before;

	for (; i != MEASURE_NONE; i = sum->nodes[i].before) {
		struct classic_amortisation_node *node = &sum->nodes[i];

		if (piece->corner == MEASURE_NONE && now(node) <= left)
			break;
		node->shift += height + (piece->is_level ? 0 : piece->slope * (now(node) - from));
		if (i == piece->corner)
			break;
	}
}

/* The node at or before a time on the clock as it is now, seen from one behind it. */
static uint32_t find_left(const struct sum *sum, uint32_t from, long double left)
{
	uint32_t i = from;

	while (sum->nodes[i].before != MEASURE_NONE && now(&sum->nodes[i]) > left)
		i = sum->nodes[i].before;
	return i;
}

static void stretch(struct sum *sum, uint32_t jump)
{
	const uint32_t before = sum->nodes[jump].before;
	struct classic_amortisation_piece piece = {.end = jump,
		.right = now(&sum->nodes[before]),
		.height = sum->nodes[jump].shift - sum->nodes[before].shift,
		.slope = 1.0L / RAMP};
	long double left = piece.right - piece.height * RAMP;

	if (left < sum->earliest) {
		left = sum->earliest;
		if (piece.right <= left)
			return;
		piece.slope = piece.height / (piece.right - left);
	}
	add_left_corner(sum, find_left(sum, before, left), left);
	for (;;) {
		struct classic_amortisation_piece next;

		find_corner(sum, &piece, left);
		next = piece;
		if (piece.corner != MEASURE_NONE) {
			sum->nodes[piece.corner].is_corner = true;
			next.end = piece.corner;
			next.right = now(&sum->nodes[piece.corner]);
			next.height = room_of(&sum->nodes[piece.corner]);
			next.slope = next.height / (next.right - left);
		}
		lift(sum, &piece, left);
		if (piece.corner == MEASURE_NONE || next.height <= 0)
			break;
		piece = next;
	}
}

/* ------------------------------------------------------------------------- knots --- */

static void add_knot(const struct sum *sum, const struct classic_amortisation_node *node,
	long double at, long double value, struct measure_sync_knots *knots)
{
	const int64_t time = sum->first + (int64_t)at;
	const int64_t shift = (int64_t)floorl(value + ROUNDING);
	struct measure_sync_knot *last = knots->nr ? &knots->items[knots->nr - 1] : NULL;
	bool is_step = false;

	if (last && last->time == time) {
		if (last->shift == shift && !node->is_jump)
			return;
		is_step = last->shift != shift && node->record != MEASURE_NONE;
		if (!is_step) {
			last->shift = shift;
			if (!last->is_step)
				last->record = node->record;
			return;
		}
	}
	*measure_append_item(knots) =
		(struct measure_sync_knot){time, shift, node->record, is_step};
}

static long double shift_between(const struct classic_amortisation_node *a,
	const struct classic_amortisation_node *b, long double time)
{
	return a->shift + (b->shift - a->shift) * (time - a->time) / (b->time - a->time);
}

/* Events have whole times: a corner between two ticks counts at both. */
static void add_corner(const struct sum *sum, const struct classic_amortisation_node *node,
	struct measure_sync_knots *knots)
{
	const long double down = floorl(node->time), up = ceill(node->time);

	if (down == node->time) {
		add_knot(sum, node, down, node->shift, knots);
		return;
	}
	if (down >= sum->nodes[node->before].time)
		add_knot(sum, node, down, shift_between(&sum->nodes[node->before], node, down),
			knots);
	if (up <= sum->nodes[node->behind].time)
		add_knot(sum, node, up, shift_between(node, &sum->nodes[node->behind], up), knots);
}

void measure_sync_amortise_classic(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, struct measure_sync_knots *knots)
{
	const struct measure_sync_domain_records *of = &graph->of[domain];
	struct sum sum = {.graph = graph, .of = of, .rate = rate};

	knots->nr = 0;
	if (!has_jumps(of))
		return;
	sum.first = (int64_t)measure_clock_function_apply(
		&graph->presync[of->a_location], of->span.first);
	sum.earliest = first_event(&sum);
	add_all(&sum);
	for (uint32_t i = 0; i != MEASURE_NONE; i = sum.nodes[i].behind)
		if (sum.nodes[i].is_jump)
			stretch(&sum, i);
	for (uint32_t i = 0; i != MEASURE_NONE; i = sum.nodes[i].behind)
		if (sum.nodes[i].is_corner)
			add_corner(&sum, &sum.nodes[i], knots);
	measure_free(sum.nodes);
}
