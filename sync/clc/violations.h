/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How well times agree with what must have happened before what. */
#ifndef MEASURE_SYNC_CLC_VIOLATIONS_H
#define MEASURE_SYNC_CLC_VIOLATIONS_H

#include "correction.h"
#include "sync/graph/graph.h"

/* Of one relation. Counted are receives: one that has several sends counts once. */
struct measure_sync_relation_counts {
	uint64_t nr;	      /* receives with a send on another location */
	uint64_t nr_reversed; /* earlier than a send */
	uint64_t nr_violated; /* earlier than a send and the least time from there */
	int64_t worst;	      /* ticks that are missing at most */
};

struct measure_sync_counts {
	struct measure_sync_relation_counts relations[MEASURE_NR_RELATIONS];
};

/* By graph->values: of the receives of this rank. */
void measure_sync_count(
	const struct measure_sync_graph *graph, unsigned nr_threads, struct measure_sync_counts *counts);

void measure_sync_counts_add(
	struct measure_sync_counts *to, const struct measure_sync_counts *from);

/* How far events that matter to others were moved from their presynchronised times. */
struct measure_sync_displacement {
	uint64_t nr, nr_moved;
	int64_t largest;
	measure_wide_t sum;
};

void measure_sync_displacement_add(
	struct measure_sync_displacement *to, const struct measure_sync_displacement *from);

/* Collective; these set graph->values, but for those of other ranks' receives. */
void measure_sync_values_of_input(struct measure_sync_graph *graph, unsigned nr_threads);
void measure_sync_values_of_presync(struct measure_sync_graph *graph, unsigned nr_threads);
void measure_sync_values_of_result(struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, unsigned nr_threads,
	struct measure_sync_displacement *displacement);

#endif
