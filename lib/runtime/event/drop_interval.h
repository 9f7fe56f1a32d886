/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A gap in a location's events: no memory is to be had, the policy says not to wait, so they are
 * dropped and counted, but the region stack goes on. When there is memory again, records say what
 * has changed meanwhile, so that Enters and Leaves are balanced:
 *
 *	MeasurementOnOff(OFF)		at the time of the first event dropped
 *	Leave ...			of what was open then and is not now
 *	ThreadBegin			where a thread began with the gap
 *	Enter ...			of what is open now and was not then
 *	MeasurementOnOff(ON)		with attribute MEASURE::LOST_EVENTS
 *
 * all but the first at the time of the event that comes next; one commit publishes them. Where
 * the process ends in a gap, the keeper writes the first record and the Leaves.
 *
 * The program may want one (measure_record_switch()). Then there is memory: the chunk goes on
 * behind it, and what was open before it is known from the events themselves. lib/event only. */
#ifndef MEASURE_RUNTIME_EVENT_DROP_INTERVAL_H
#define MEASURE_RUNTIME_EVENT_DROP_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

struct measure_location;

/* Of a location in a gap; all zero otherwise. */
struct measure_gap {
	uint32_t news;	   /* measure_pool_news() when there was no chunk last */
	uint32_t floor;	   /* how many regions have been open all the time */
	uint32_t nr_left;  /* regions above that, innermost first */
	uint32_t max_left; /* room for them */
	uint32_t *left;
	bool has_begun; /* its thread has, in the gap */
	bool is_wanted; /* by the program */
	uint8_t *limit; /* of the writer, before that */
};

bool measure_gap_is_open(const struct measure_location *location);

/* The event at hand finds no chunk; `news` from before that was known. Sets STOPPED instead where
 * there will never be one again. */
void measure_gap_begin(struct measure_location *location, uint32_t news);

/* Tries to get a chunk and to end the gap; true: the next record may be placed. */
bool measure_gap_end(struct measure_location *location);

/* An event is dropped. */
void measure_gap_count(struct measure_location *location);

/* What an Enter and a Leave do in a gap. */
void measure_gap_enter(
	struct measure_location *location, uint64_t frame, uint32_t region, uint32_t function);
void measure_gap_leave(struct measure_location *location);

#endif
