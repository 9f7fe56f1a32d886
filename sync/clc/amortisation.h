/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The backward rule: before a receive that was put forward the clock runs faster, so that it
 * arrives where the receive now is. Not by more than a hundredth, unless a send on the way must
 * stay before its receive: then by as little more as that takes (the taut string below the latest
 * times of the sends, which follows their lower convex hull). */
#ifndef MEASURE_SYNC_CLC_AMORTISATION_H
#define MEASURE_SYNC_CLC_AMORTISATION_H

#include "sync/graph/decay.h"
#include "sync/graph/graph.h"

/* Ticks in which a curve without obstacles falls by one. */
#define MEASURE_SYNC_RAMP 100

enum measure_sync_backward_rule {
	MEASURE_SYNC_BACKWARD_HULL,
	MEASURE_SYNC_BACKWARD_SUM, /* sync/clc/classic_amortisation.h */
	MEASURE_SYNC_BACKWARD_NONE /* receives jump */
};

/* The shift of a domain's clock is linear between knots and constant outside. */
struct measure_sync_knot {
	int64_t time, shift;
	/* The record that it is at (an index), or MEASURE_NONE: between records. */
	uint32_t record;
	/* From its record on; events before it have the knot before, though at the same tick. */
	bool is_step;
};

struct measure_sync_knots {
	MEASURE_GROWING_ITEMS(struct measure_sync_knot);
};

/* Needs the values of both passes. Knots come in order. */
void measure_sync_sweep(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, enum measure_sync_backward_rule rule,
	struct measure_sync_knots *knots);

#endif
