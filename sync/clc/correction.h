/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The result: for each domain a function from raw to corrected time. It is made of offsets that
 * every OTF2 reader applies as it is. Where a domain needs two offsets at one tick there are
 * several pieces, each with the event from which on it holds; no reader can do that, so such
 * event files have to be rewritten. */
#ifndef MEASURE_SYNC_CLC_CORRECTION_H
#define MEASURE_SYNC_CLC_CORRECTION_H

#include "amortisation.h"
#include "clock/clock_function.h"

/* From behind `raw` on, and of some locations from an event at that tick. The first piece: from
 * the start. */
struct measure_sync_piece {
	uint64_t raw;
	struct measure_sync_start {
		uint32_t location;
		uint64_t position;
	} * starts;
	size_t nr_starts, room_starts;
	struct measure_clock_function offsets;
};

struct measure_sync_correction {
	struct measure_sync_piece *pieces;
	size_t nr, room;
	size_t nr_knots; /* of the sweep, */
	size_t nr_binding; /* among them sends that can be moved no further */
	size_t nr_added;   /* and those that rounding made necessary */
};

/* Where reading has got to; all zero at first. Records come in the order of their domain, events in
 * that of their location; MEASURE_NONE is a location whose events come last at each tick. */
struct measure_sync_reading {
	size_t piece;
	struct measure_clock_reading clock;
};

void measure_sync_correction_make(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, enum measure_sync_backward_rule rule,
	struct measure_sync_correction *correction);
void measure_sync_correction_free(struct measure_sync_correction *correction);

uint64_t measure_sync_correct(const struct measure_sync_correction *correction,
	struct measure_sync_reading *reading, uint64_t raw, uint32_t location, uint64_t position);

/* The same for one event alone, in no order with others. */
uint64_t measure_sync_correct_at(const struct measure_sync_correction *correction, uint64_t raw,
	uint32_t location, uint64_t position);

#endif
