/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the replay works on: for each clock domain the events that others depend on, in the
 * order of its clock, and the instances that tie them together. Filled by the matcher. Values
 * (one time per side of an instance) are what the passes hand to each other. */
#ifndef MEASURE_SYNC_GRAPH_H
#define MEASURE_SYNC_GRAPH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/match.h"
#include "trace/trace.h"

/* Who is taken to share a clock, and so gets one correction. */
enum measure_sync_domain {
	MEASURE_SYNC_DOMAIN_LOCATION,
	MEASURE_SYNC_DOMAIN_PROCESS,
	MEASURE_SYNC_DOMAIN_NODE
};

/* Least time from a send to a receive, in ticks. Nothing in a domain: an increasing function
 * of one clock cannot make distance. */
struct measure_sync_latencies {
	int64_t process, node, network;
};

/* An event's part in one instance. */
struct measure_sync_record {
	int64_t time; /* presynchronised */
	uint64_t raw;
	uint64_t position : 62;
	uint64_t is_send : 1;
	uint64_t is_jump : 1; /* a receive that the forward pass moved beyond its clock */
	uint32_t location;
	uint32_t end;
};
_Static_assert(sizeof(struct measure_sync_record) == 32, "two of these per message");

/* Its ends: the sends from `first`, then the receives. */
struct measure_sync_instance {
	uint32_t first, nr_sends, nr_receives;
	_Atomic uint32_t nr_missing; /* sends that have not come yet */
	uint8_t relation;
	bool is_inner; /* all in one domain: nobody waits */
};

enum measure_sync_state {
	MEASURE_SYNC_OPEN,   /* its bound is not known yet */
	MEASURE_SYNC_PARKED, /* and its domain waits for it */
	MEASURE_SYNC_DONE,   /* its value is its bound, or what came of that */
	MEASURE_SYNC_RELAXED /* nothing is asked of it any more */
};

/* Raw times of all events; first > last: there are none. */
struct measure_sync_span {
	uint64_t first, last;
};

struct measure_sync_domain_records {
	struct measure_sync_record *records; /* in order: see sync/ties.h */
	size_t nr, room;
	struct measure_sync_span span; /* of all its locations */
	uint32_t a_location;	       /* whose presynchronisation is that of all */
	bool is_disordered;           /* which turns time back */
};

struct measure_sync_graph {
	struct measure_trace *trace;
	const struct measure_offsets *presync; /* by location: what is applied to raw times first */
	struct measure_sync_latencies latencies;
	/* by location */
	uint32_t *domains, *processes, *hosts;
	struct measure_sync_span *spans;

	struct measure_sync_domain_records *of; /* by domain */
	uint32_t nr_domains;
	/* sync/split.h */
	struct measure_sync_split *marks; /* by domain: why it has to come apart */
	struct measure_sync_split *splits; /* those that have */
	size_t nr_splits, room_splits;
	unsigned nr_rounds; /* in which circles have been found */

	struct measure_sync_instance *instances;
	size_t nr_instances, room_instances;
	/* by end */
	uint32_t *locations, *instance_of;
	size_t nr_ends, room_locations, room_instance_of;
	int64_t *values;
	_Atomic uint8_t *states; /* enum measure_sync_state of receives */
};

/* An instance adds its records by measure_sync_graph_instance, an instance function of the
 * matcher whose data is the graph. The trace and `presync` must outlive it. */
void measure_sync_graph_start(struct measure_sync_graph *graph, struct measure_trace *trace,
	const struct measure_offsets *presync, enum measure_sync_domain domain,
	const struct measure_sync_latencies *latencies);
void measure_sync_graph_instance(void *graph, const struct measure_instance *instance);

/* An event of a location, whatever it is. */
void measure_sync_graph_event(struct measure_sync_graph *graph, uint32_t location, uint64_t raw);

/* Sorts the domains; to be called once, after the matcher's finish. Returns a location whose clock
 * offsets turn time back, or MEASURE_NONE. */
uint32_t measure_sync_graph_finish(struct measure_sync_graph *graph, unsigned nr_threads);
void measure_sync_graph_free(struct measure_sync_graph *graph);

#endif
