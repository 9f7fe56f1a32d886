/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes the prices of events out of the times between them, event by event of a location. A price
 * that is longer than the time that it would come out of is a debt, which the next interval pays;
 * whole ticks are removed, and what is left of a tick is a debt, too. */
#ifndef MEASURE_SYNC_COMPENSATION_REMOVAL_H
#define MEASURE_SYNC_COMPENSATION_REMOVAL_H

#include "event_pricing.h"

/* All zero, but for list and location of its pricing, at first. */
struct measure_removal {
	struct measure_event_pricing pricing;
	uint64_t raw, time; /* of the event before */
	bool has_event;
	int64_t owed; /* parts of ticks: of the events at that tick, and debts */
	/* of the event that has begun */
	uint64_t now;
	int64_t interval;
	struct measure_event_price price;
	bool is_new_tick;

	uint64_t removed; /* ticks */
	int64_t hidden; /* parts of ticks: paid while waiting, or longer than all that there was */
};

/* The next event, at `time`. Exactly one of the two others has to follow. */
void measure_removal_begin(
	struct measure_removal *removal, const struct measure_event *event, uint64_t time);

/* It came when the location was there: returns the ticks since the event before that remain; of the
 * first event, its time. */
int64_t measure_removal_local(struct measure_removal *removal);

/* It came when what was sent to it was there as well, and `rest` ticks, at most, after that:
 * returns how many ticks. Debts end here. is_own: the location itself was there last. */
int64_t measure_removal_receive(struct measure_removal *removal, int64_t rest, bool is_own);

/* Was it, by a part of a tick at least? */
bool measure_removal_is_own(const struct measure_removal *removal, int64_t rest);

#endif
