/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The run as it would have been: prices of events are taken out of the corrected times of an
 * archive, and who waited for something that would have come earlier goes on earlier.
 *
 * Each location is walked twice. First the time between its records of the graph is made up: what
 * remains of it on its own (a step). Then the replay goes along steps and messages, and gives each
 * record its time; and when the archive is written, the other events get theirs in between. */
#ifndef MEASURE_SYNC_COMPENSATION_COMPENSATION_H
#define MEASURE_SYNC_COMPENSATION_COMPENSATION_H

#include "event_pricing.h"
#include "removal.h"
#include "status.h"
#include "sync/clc/correction.h"
#include "sync/clc/replay.h"
#include "sync/clc/violations.h"
#include "sync/graph/graph.h"

/* From the record before, of the same location, to this one. */
struct measure_compensation_step {
	int64_t local; /* ticks that the location needs to where it waits, or MEASURE_STEP_... */
	int64_t rest;  /* and from when nothing is waited for; -1: it does not wait */
};

/* A rest, where the location itself was there last as it was measured; and back. */
#define MEASURE_REST_OWN(rest) (-2 - (rest))

/* It waits together with the record before: they came at one tick. */
#define MEASURE_STEP_TOGETHER INT64_MIN
/* The first event of a location that others have begun. */
#define MEASURE_STEP_BEGUN (INT64_MIN + 1)

struct measure_compensation_location {
	uint32_t *records; /* in order */
	size_t nr;
	uint32_t leader; /* whose times it follows, as it has no calls; or MEASURE_NONE */
	uint64_t nr_events;
	uint64_t first, last;          /* corrected times of its events */
	int64_t tail;                  /* ticks from its last record, or 0, to its last event */
	uint64_t removed;              /* ticks: prices, */
	uint64_t hidden;               /* and what was paid while it waited */
	bool is_polling, is_scheduled; /* there are calls that poll; tasks that are handed out */
};

struct measure_compensation {
	struct measure_sync_graph *graph;
	const struct measure_sync_correction *corrections; /* by domain */
	struct measure_price_list list;
	struct measure_compensation_step *steps; /* by record */
	struct measure_compensation_location *locations;
	uint64_t *regions;   /* ticks that were removed in each */
	uint64_t nr_relaxed; /* receives that come before what was sent to them, and wait for
				nothing */
	struct measure_sync_counts counts; /* of the result */
	uint64_t span; /* ticks from the first event to the last one, as they were */
};

/* Collective. From the times that `corrections` give; graph->values are those of the result then,
 * which nobody must change. On any other status than MEASURE_OK measure_trace_error() says why. All
 * must outlive it. Afterwards totals are those of all ranks. */
measure_status_t measure_compensation_make(struct measure_compensation *compensation,
	struct measure_sync_graph *graph, const struct measure_sync_correction *corrections,
	const struct measure_event_costs *costs, enum measure_compensation_method method,
	unsigned nr_threads);
void measure_compensation_free(struct measure_compensation *compensation);

/* ----------------------------------------------------------------------- reading --- */

/* The events of a location, in order. */
struct measure_compensated_reading {
	const struct measure_compensation *compensation;
	uint32_t location;
	struct measure_removal removal;
	struct measure_sync_reading clock;
	size_t next;   /* record */
	uint64_t time; /* of the last event */
};

void measure_compensated_reading_start(struct measure_compensated_reading *reading,
	const struct measure_compensation *compensation, uint32_t location);

/* The time of the next event. */
uint64_t measure_compensated_time(
	struct measure_compensated_reading *reading, const struct measure_event *event);

/* The time of what is no event of a location, but happened at a tick of its clock: on the line
 * between the records beside it. */
uint64_t measure_compensated_time_at(
	const struct measure_compensation *compensation, uint32_t location, uint64_t raw);

/* First and last event. False: there is none. */
bool measure_compensated_span(const struct measure_compensation *compensation, uint32_t location,
	uint64_t *first, uint64_t *last);

/* ------------------------------------------------------------------------- parts --- */

/* compensation_steps.c: both read the events of this rank.
 *
 * graph->values are the times of records; afterwards, those of sends are when their thread had
 * recorded them, and went on to what others waited for. */
measure_status_t compensation_find_departures(
	struct measure_compensation *compensation, unsigned nr_threads);
/* Bounds are in the rests of the steps; afterwards these are steps. */
measure_status_t compensation_make_steps(
	struct measure_compensation *compensation, unsigned nr_threads);

/* The ticks themselves; -1: it does not wait. */
static inline int64_t compensation_rest_of(const struct measure_compensation_step *step)
{
	return step->rest < -1 ? MEASURE_REST_OWN(step->rest) : step->rest;
}

static inline uint64_t compensation_measured_time(const struct measure_compensation *compensation,
	struct measure_sync_reading *clock, uint32_t location, uint64_t raw, uint64_t position)
{
	return measure_sync_correct(
		&compensation->corrections[compensation->graph->domains[location]], clock, raw,
		location, position);
}

static inline struct measure_removal compensation_removal(
	const struct measure_compensation *compensation, uint32_t location)
{
	return (struct measure_removal){
		.pricing = {.list = &compensation->list, .location = location}};
}

#endif
