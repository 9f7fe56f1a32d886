/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From instances of the matcher to candidates: times until which calls could not go on. */
#ifndef MEASURE_ANALYSIS_WAITS_CANDIDATES_H
#define MEASURE_ANALYSIS_WAITS_CANDIDATES_H

#include "waits.h"

/* Of a collective: how long a call stayed when all were there and somebody had gone on. */
struct measure_completion {
	uint64_t ticks;
	uint32_t location, call;
	uint32_t pattern;
};

struct measure_candidate_list {
	MEASURE_GROWING_ITEMS(struct measure_candidate);
};

/* As instances come. */
struct measure_candidates {
	struct measure_call_table *tables;    /* by location */
	struct measure_candidate_list *lists; /* the same: of its calls */
	size_t nr_locations;
	MEASURE_GROWING(struct measure_wait_instance, instances);
	MEASURE_GROWING(struct measure_side, sides);
	MEASURE_GROWING(struct measure_completion, completions);
	struct measure_wait_faults faults[MEASURE_NR_RELATIONS];
};

void measure_candidates_start(struct measure_candidates *candidates,
	struct measure_call_table *tables, size_t nr_locations);

/* A measure_instance_fn. All locations of the instance have been read. */
void measure_candidates_instance(void *data, const struct measure_instance *instance);

/* Moves those of `later` behind these; it is freed. */
void measure_candidates_append(
	struct measure_candidates *candidates, struct measure_candidates *later);
void measure_candidates_free(struct measure_candidates *candidates);

/* Of each call, decides what it has waited for, and adds that up. Call paths of the tables are
 * those of waits->profile. Candidates become waits->dependencies; what is left of them is to be
 * freed. */
void measure_waits_settle(
	struct measure_waits *waits, struct measure_candidates *candidates, unsigned nr_threads);

#endif
