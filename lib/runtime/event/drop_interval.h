/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Drop intervals: while there is no memory and the policy says not to wait, events are dropped and
 * counted, but the region stack goes on. When there is memory again, records say what has changed
 * meanwhile, so that Enters and Leaves are balanced:
 *
 *	MeasurementOnOff(OFF)		at the time of the first event dropped
 *	Leave ...			of what was open then and is not now
 *	ThreadBegin			if the thread has begun in the interval
 *	Enter ...			of what is open now and was not then
 *	MeasurementOnOff(ON)		with attribute MEASURE::LOST_EVENTS
 *
 * all but the first at the time of the event that comes next; one commit publishes them. If the
 * process ends in the interval, the keeper writes the first record and the Leaves.
 *
 * The program may ask for one (measure_record_switch()). Then there is memory: the chunk goes on
 * after it, and what was open before it is known from the events themselves. */
#ifndef MEASURE_EVENT_DROP_INTERVAL_H
#define MEASURE_EVENT_DROP_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

struct measure_location;

/* Of a location in such an interval; all zero otherwise. */
struct measure_drop_interval {
	uint32_t news;     /* measure_pool_news() when there was no chunk last */
	uint32_t floor;    /* how many regions have been open all the time */
	uint32_t nr_left;  /* regions above that, innermost first */
	uint32_t max_left; /* room for them */
	uint32_t *left;
	bool has_begun; /* its thread has, in the interval */
	bool is_wanted; /* by the program */
	uint8_t *limit; /* of the writer, before that */
};

/* The event at hand finds no chunk; `news` from before that was known. Sets STOPPED if there will
 * never be one again. */
void measure_drop_begin(struct measure_location *location, uint32_t news);

/* Tries to get a chunk and to end the interval; true: the next record may be placed. */
bool measure_drop_end(struct measure_location *location);

/* An event is dropped. */
void measure_drop_count(struct measure_location *location);

/* What an Enter and a Leave do meanwhile. */
void measure_drop_enter(
	struct measure_location *location, uint64_t frame, uint32_t region, uint32_t function);
void measure_drop_leave(struct measure_location *location);

/* Begins and ends one that the program has asked for, in a transaction. */
void measure_drop_begin_wanted(struct measure_location *location);
void measure_drop_end_wanted(struct measure_location *location);

#endif
