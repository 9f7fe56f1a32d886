/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a correction did to every event and to every pair of events that depend on each other. One
 * more pass over the events of the input with the function that the output has, and one over the
 * output, to see that it is so: nothing here relies on what the replay found. Whole numbers in
 * 128 bits, so that no sum depends on an order. */
#ifndef MEASURE_SYNC_STATISTICS_STATS_H
#define MEASURE_SYNC_STATISTICS_STATS_H

#include "status.h"
#include "sync/clc/correction.h"
#include "sync/graph/graph.h"
#include "sync/graph/scan.h"

/* Lengths of intervals between an event and the one before it on its location, in the result
 * against presynchronised: by how much they differ, as a share of the latter. */
enum measure_sync_distance {
	MEASURE_SYNC_DISTANCE_SAME,
	MEASURE_SYNC_DISTANCE_10000TH, /* 0.01 % at most */
	MEASURE_SYNC_DISTANCE_1000TH,
	MEASURE_SYNC_DISTANCE_100TH,
	MEASURE_SYNC_DISTANCE_10TH,
	MEASURE_SYNC_DISTANCE_WHOLE, /* 100 % at most */
	MEASURE_SYNC_DISTANCE_MORE,  /* or an interval that had no length */
	MEASURE_SYNC_NR_DISTANCES
};

/* Sums over the intervals of a class, in ticks. */
struct measure_sync_intervals {
	uint64_t nr;
	measure_wide_t before, after;
	measure_wide_t deviation; /* of |after - before| of each */
};

/* A deviation and the time that it is a share of. */
struct measure_sync_share {
	int64_t part, whole; /* whole 0: there is none */
};

struct measure_sync_event_stats {
	uint64_t nr, nr_moved;
	/* displacement: |result - presynchronised| of each event, in ticks */
	int64_t largest;
	measure_wide_t sum;
	unsigned __int128 squares;
	/* position: time since the first event of the location */
	uint64_t nr_positions;
	int64_t largest_position;
	measure_wide_t position_sum;
	struct measure_sync_share worst_position;
	struct measure_sync_intervals distances[MEASURE_SYNC_NR_DISTANCES];
	struct measure_sync_share worst_distance;
	uint64_t nr_stretched; /* intervals that had no length, and have */
};

/* Times at which pairs are looked at. */
enum measure_sync_when {
	MEASURE_SYNC_WHEN_INPUT,
	MEASURE_SYNC_WHEN_PRESYNC,
	MEASURE_SYNC_WHEN_RESULT,
	MEASURE_SYNC_NR_WHEN
};

/* Pairs of a send and a receive on different locations: a collective operation has one for each of
 * its senders with each of its receivers. */
struct measure_sync_edges {
	uint64_t nr;
	struct measure_sync_edge_counts {
		uint64_t nr_reversed; /* the receive is earlier than the send */
		uint64_t nr_violated; /* earlier than the send and the least time from there */
		int64_t worst;        /* by how many ticks earlier than the send, at most, */
		measure_wide_t sum;   /* and of all that are reversed */
	} at[MEASURE_SYNC_NR_WHEN];
};

/* What pairs are told apart by: clocks, or nodes where there are very many clocks. */
enum measure_sync_party {
	MEASURE_SYNC_PARTY_CLOCK,
	MEASURE_SYNC_PARTY_NODE,
	MEASURE_SYNC_PARTY_NONE /* very many nodes as well: no matrix */
};

struct measure_sync_stats {
	struct measure_sync_event_stats events;
	struct measure_sync_edges relations[MEASURE_NR_RELATIONS];
	enum measure_sync_party party;
	uint32_t nr_parties;
	uint32_t *party_of;               /* by location */
	struct measure_sync_edges *pairs; /* [from * nr_parties + to] */
	uint64_t nr_backward;             /* events of the output before the one in front of them */
	uint32_t nr_different; /* locations whose times in the output are not the function's, */
	uint32_t different;    /* and the first of them */
};

/* Presynchronised seconds since the start of the trace between which events count; all where `from`
 * is -HUGE_VAL and `to` HUGE_VAL. Pairs count wherever they are. */
struct measure_sync_window {
	double from, to;
};

/* `directory` has the output. The graph must have been made from all of the input.
 * MEASURE_ERROR_FORMAT: the output cannot be read, and measure_trace_error() says why. */
measure_status_t measure_sync_stats_make(const struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, const struct measure_sync_window *window,
	const char *directory, measure_sync_progress_fn progress, struct measure_sync_stats *stats);
void measure_sync_stats_free(struct measure_sync_stats *stats);

/* What to call a clock or a node. */
const char *measure_sync_stats_name(const struct measure_sync_graph *graph,
	const struct measure_sync_stats *stats, uint32_t party);

/* True where all is in order: nothing is earlier than what it waited for, no time decreases, and
 * the output says what it should. */
bool measure_sync_stats_are_good(const struct measure_sync_stats *stats);

#endif
