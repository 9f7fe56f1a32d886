/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the events of a location cost, one after the other: by kind, and by how often they happened
 * just before. What the caches still have of the measurement system is decided by the past, so that
 * nothing has to be known of later events. */
#ifndef MEASURE_SYNC_COMPENSATION_EVENT_PRICING_H
#define MEASURE_SYNC_COMPENSATION_EVENT_PRICING_H

#include "costs/event_costs.h"
#include "trace/archive/definitions.h"
#include "trace/stream/stream.h"

/* Parts of a tick in prices: 2^16. */
#define MEASURE_PRICE_BITS 16
#define MEASURE_PRICE_TICK (INT64_C(1) << MEASURE_PRICE_BITS)

/* Transactions that a rate is taken over. */
#define MEASURE_RATE_WINDOW 8

/* Rates are told apart to 1 in 2^5, by the ticks that a window takes: what an event costs is looked
 * up in a table of them. */
#define MEASURE_RATE_BITS     5
#define MEASURE_NR_RATE_STEPS ((64 - MEASURE_RATE_BITS + 1) << MEASURE_RATE_BITS)

enum measure_compensation_method {
	MEASURE_COMPENSATION_NONE,
	MEASURE_COMPENSATION_FREQUENCY,
	MEASURE_COMPENSATION_CLASSIC /* one price for each kind: that of events back to back */
};

/* "frequency" */
const char *measure_compensation_word(enum measure_compensation_method method);

/* Of an archive: the word of the method that it has been compensated by. */
#define MEASURE_PROPERTY_COMPENSATED "MEASURE::COMPENSATED"

/* Of an event, in parts of ticks: until its timestamp, and from there. */
struct measure_event_price {
	int64_t before, after;
};

/* The same, not rounded. */
struct measure_event_parts {
	double before, after;
};

/* Of all locations. */
struct measure_price_list {
	const struct measure_event_costs *costs;
	const struct measure_definitions *definitions;
	enum measure_compensation_method method;
	/* by kind and rate */
	struct measure_event_parts (*parts)[MEASURE_NR_RATE_STEPS];
	/* by location: what events took beside what they took when calibrated, and parts of ticks
	 * of each event for new event memory */
	double *scales;
	int64_t *memory;
};

/* `costs` and `definitions` must outlive it. */
void measure_price_list_make(struct measure_price_list *list,
	const struct measure_event_costs *costs, const struct measure_definitions *definitions,
	enum measure_compensation_method method);
void measure_price_list_free(struct measure_price_list *list);

/* Of one location; all zero, but for list and location, at first. */
struct measure_event_pricing {
	const struct measure_price_list *list;
	uint32_t location;
	unsigned step;                       /* the rate of the last transaction */
	uint64_t times[MEASURE_RATE_WINDOW]; /* of the last transactions, a ring */
	uint64_t nr;                         /* transactions */
	uint64_t last;                       /* time of the event before */
	bool has_last;
};

/* Of the next event, at `time`. */
struct measure_event_price measure_event_pricing_next(
	struct measure_event_pricing *pricing, const struct measure_event *event, uint64_t time);

#endif
