/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From instances of the matcher to candidates: times until which calls could not go on. */
#ifndef MEASURE_ANALYSIS_WAITS_CANDIDATES_H
#define MEASURE_ANALYSIS_WAITS_CANDIDATES_H

#include "call_table.h"
#include "waits.h"

struct measure_candidate {
	uint64_t until;
	uint64_t limit;    /* the call has gone on by then at the latest */
	uint64_t position; /* of the receive */
	uint32_t location, call;
	uint32_t cause;      /* location */
	uint32_t cause_call; /* of its table, or MEASURE_NONE */
	uint8_t relation;    /* enum measure_relation */
	uint8_t pattern;     /* enum measure_wait_pattern */
};

/* Of a collective: how long a call stayed when all were there and somebody had gone on. */
struct measure_completion {
	uint64_t ticks;
	uint32_t location, call;
	uint32_t pattern;
};

/* A message that arrived on a location. */
struct measure_arrival {
	uint64_t position;
	uint64_t begin;            /* of the call that has sent it */
	uint32_t location, source; /* locations */
};

struct measure_candidates {
	struct measure_call_table *tables; /* by location */
	MEASURE_GROWING(struct measure_candidate, candidates);
	MEASURE_GROWING(struct measure_completion, completions);
	MEASURE_GROWING(struct measure_arrival, arrivals);
	struct measure_wait_faults faults[MEASURE_NR_RELATIONS];
};

/* A measure_instance_fn. All locations of the instance have been read. */
void measure_candidates_instance(void *data, const struct measure_instance *instance);

/* Moves those of `later` behind these; it is freed. */
void measure_candidates_append(
	struct measure_candidates *candidates, struct measure_candidates *later);
void measure_candidates_free(struct measure_candidates *candidates);

/* Of each call, decides what it has waited for, and adds that up. Call paths of the tables are
 * those of waits->profile. Candidates are put in an order of their own. */
void measure_waits_settle(struct measure_waits *waits, struct measure_candidates *candidates);

#endif
