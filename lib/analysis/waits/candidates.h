/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From instances of the matcher to candidates: times until which calls could not go on. */
#ifndef MEASURE_ANALYSIS_WAITS_CANDIDATES_H
#define MEASURE_ANALYSIS_WAITS_CANDIDATES_H

#include "waits.h"

/* Of a collective: how long a call stayed when all were there and somebody had gone on, or for how
 * long it may have waited. */
struct measure_completion {
	uint64_t ticks, until;
	uint32_t location, call;
	uint32_t pattern;
};

/* A plain send that was not over when its receive was posted: whether it waited, its length
 * decides. */
struct measure_reply {
	struct measure_candidate candidate;
	uint64_t length; /* bytes */
	uint8_t nearness;
};

/* A team of threads, from its fork to its join. */
struct measure_team_span {
	uint64_t from, until; /* until 0: it has no join */
	uint64_t ordinal;
	uint32_t comm, location; /* that forked it */
	uint32_t size;
};

struct measure_candidate_list {
	MEASURE_GROWING_ITEMS(struct measure_candidate);
};

/* As instances come. */
struct measure_candidates {
	const struct measure_definitions *definitions;
	const struct measure_waits_options *options;
	bool has_probes;                      /* there is MPI_Probe */
	struct measure_call_table *tables;    /* by location */
	struct measure_candidate_list *lists; /* the same: of its calls */
	size_t nr_locations;
	MEASURE_GROWING(struct measure_wait_instance, instances);
	MEASURE_GROWING(struct measure_send_side, sides);
	MEASURE_GROWING(struct measure_completion, completions);
	MEASURE_GROWING(struct measure_reply, replies);
	MEASURE_GROWING(struct measure_team_span, teams);
	MEASURE_GROWING(struct measure_wait_row, rows); /* of no call; path 0 */
	struct measure_map row_numbers;                 /* by pattern, location */
	/* bytes of the longest message that was sent before its receive was posted */
	uint64_t eager[MEASURE_WAIT_NR_NEARNESSES];
	struct measure_wait_faults faults[MEASURE_NR_RELATIONS];
};

void measure_candidates_start(struct measure_candidates *candidates,
	struct measure_call_table *tables, size_t nr_locations);

/* A measure_instance_fn. All locations of the instance have been read. */
void measure_candidates_instance(void *data, const struct measure_instance *instance);

/* The same, for measure_match_take_exchanges() and measure_match_take_files(). */
void measure_candidates_exchange(void *data, const struct measure_instance *instance);
void measure_candidates_files(void *data, const struct measure_instance *instance);

/* Moves those of `later` behind these; it is freed. */
void measure_candidates_append(
	struct measure_candidates *candidates, struct measure_candidates *later);
void measure_candidates_free(struct measure_candidates *candidates);

/* When all have been taken: plain sends that waited for their receives become candidates. */
void measure_candidates_accept_replies(struct measure_candidates *candidates);

/* The same: origins that may have waited for the lock of a window. */
void measure_candidates_add_locks(struct measure_candidates *candidates);

/* The same: threads that have nothing to do. */
void measure_candidates_add_idle(
	struct measure_candidates *candidates, const struct measure_profile *profile);

/* When the last operation of the access epoch that MPI_Win_complete ends was over: the call before
 * it on a window. */
uint64_t measure_access_end(const struct measure_call_table *table, uint32_t complete);

/* Of each call, decides what it has waited for, and adds that up. Call paths of the tables are
 * those of waits->profile. Candidates become waits->dependencies; what is left of them is to be
 * freed. */
void measure_waits_settle(
	struct measure_waits *waits, struct measure_candidates *candidates, unsigned nr_threads);

#endif
