/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inside one instance: what the sends ask of a receive (not before), and what the receives ask
 * of a send (not after). Exact for any latencies, without looking at every pair. */
#ifndef MEASURE_SYNC_GRAPH_BOUNDS_H
#define MEASURE_SYNC_GRAPH_BOUNDS_H

#include "graph.h"

#define MEASURE_SYNC_NO_BOUND INT64_MIN
#define MEASURE_SYNC_NO_LIMIT INT64_MAX

/* Sides that may matter, the strongest one first; reused from instance to instance. */
struct measure_sync_bounds {
	const struct measure_sync_graph *graph;
	int64_t by_nearness[MEASURE_SYNC_NR_NEARNESSES];
	int64_t most; /* largest of them */
	bool are_neighbours_asked; /* other locations of the own domain, too */
	struct measure_sync_bounds_side {
		int64_t strength; /* the value of a send, minus that of a receive */
		uint32_t location;
	} *sides;
	size_t nr, room;
};

void measure_sync_bounds_start(struct measure_sync_bounds *bounds,
	const struct measure_sync_graph *graph, const struct measure_sync_latencies *latencies,
	bool are_neighbours_asked);
/* Locations of one clock go their own ways: between them there is the least time of threads. */
void measure_sync_bounds_part(
	struct measure_sync_bounds *bounds, const struct measure_sync_latencies *latencies);
void measure_sync_bounds_end(struct measure_sync_bounds *bounds);

/* Forgets all sides. */
void measure_sync_bounds_clear(struct measure_sync_bounds *bounds);

/* Adds records: sends, or receives that are not relaxed. Values are those of the graph. */
void measure_sync_bounds_add_send(struct measure_sync_bounds *bounds, uint32_t record);
void measure_sync_bounds_add_receive(struct measure_sync_bounds *bounds, uint32_t record);

/* Takes all of an instance. */
void measure_sync_bounds_take_sends(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance);
void measure_sync_bounds_take_receives(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance);

/* The latest of (send + latency), or MEASURE_SYNC_NO_BOUND. */
int64_t measure_sync_bound(const struct measure_sync_bounds *bounds, uint32_t location);

/* The earliest of (receive - latency), or MEASURE_SYNC_NO_LIMIT. */
int64_t measure_sync_limit(const struct measure_sync_bounds *bounds, uint32_t location);

/* The same for records of pairs. */
int64_t measure_sync_bound_of_pair(
	const struct measure_sync_bounds *bounds, const struct measure_sync_record *receive);
int64_t measure_sync_limit_of_pair(
	const struct measure_sync_bounds *bounds, const struct measure_sync_record *send);

/* Of a receive of either, once the sends of its instance have been taken. */
int64_t measure_sync_bound_of(const struct measure_sync_bounds *bounds, uint32_t receive);

/* Calls `see` for all receives of this rank among records and instances [from, to), with what has
 * been sent to them in `bounds`. There are no fewer records than instances. */
typedef void (*measure_sync_receive_fn)(void *data, uint32_t receive);
void measure_sync_bounds_each(struct measure_sync_bounds *bounds, size_t from, size_t to,
	measure_sync_receive_fn see, void *data);

#endif
