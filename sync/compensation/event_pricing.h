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

/* Of all locations. */
struct measure_price_list {
	const struct measure_event_costs *costs;
	const struct measure_definitions *definitions;
	enum measure_compensation_method method;
	double ticks_per_second;
	double *scales; /* by location: what events took beside what they took when calibrated */
	/* of the classic method */
	struct measure_event_price constant[MEASURE_NR_EVENT_COSTS];
};

/* `costs` and `definitions` must outlive it. */
void measure_price_list_make(struct measure_price_list *list,
	const struct measure_event_costs *costs, const struct measure_definitions *definitions,
	enum measure_compensation_method method);
void measure_price_list_free(struct measure_price_list *list);

/* Of one location; all zero, but for list, location and set, at first. */
struct measure_event_pricing {
	const struct measure_price_list *list;
	uint32_t location;
	enum measure_working_set set;
	uint64_t times[MEASURE_RATE_WINDOW]; /* of the last transactions, a ring */
	uint64_t nr;                         /* transactions */
	uint64_t last;                       /* time of the event before */
	bool has_last;
	double rate; /* of the last transaction, per second */
};

/* Of the next event, at `time`. */
struct measure_event_price measure_event_pricing_next(
	struct measure_event_pricing *pricing, const struct measure_event *event, uint64_t time);

#endif
