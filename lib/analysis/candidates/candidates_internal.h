/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the parts that make candidates share: waits/candidates.c (dispatch, collectives, threads),
 * candidates_collectives.c, candidates_messages.c, candidates_rma.c, idle_threads.c. */
#ifndef MEASURE_ANALYSIS_CANDIDATES_CANDIDATES_INTERNAL_H
#define MEASURE_ANALYSIS_CANDIDATES_CANDIDATES_INTERNAL_H

#include "analysis/waits/candidates.h"

/* A send, as those who wait for it see it. */
struct wait_send {
	uint64_t begin; /* Enter of its call */
	uint32_t location, call, rank;
	uint64_t position;
};

struct wait_send candidates_send_of(const struct measure_candidates *candidates,
	enum measure_relation relation, const struct measure_point *point);

/* The call that a receive lies in; NULL: it is in none. */
const struct measure_sync_call *candidates_call_of(const struct measure_candidates *candidates,
	const struct measure_point *point, uint32_t *index);

/* What an instance with one send says about its receive, which lies in a call. */
struct measure_candidate candidates_make(const struct measure_sync_call *call, uint32_t index,
	const struct measure_instance *instance, const struct measure_point *receive,
	const struct wait_send *send);

void candidates_add(
	struct measure_candidates *candidates, const struct measure_candidate *candidate);

bool candidates_is_later(const struct wait_send *a, const struct wait_send *b);

/* The first end of a call of the instance. */
uint64_t candidates_first_leave(
	const struct measure_candidates *candidates, const struct measure_instance *instance);

/* Some candidates of the instance have been added: it is kept with its sends. */
void candidates_add_instance(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct measure_point *sends);

enum measure_wait_nearness candidates_nearness(
	const struct measure_candidates *candidates, uint32_t a, uint32_t b);

/* candidates_collectives.c */
void candidates_add_completions(struct measure_candidates *candidates,
	const struct measure_instance *instance, uint64_t until, enum measure_wait_pattern pattern);

/* candidates_messages.c: MPI_Probe before the receive of a message; a send that may have waited for
 * its receive */
void candidates_take_probe(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct wait_send *send);
void candidates_take_reply(
	struct measure_candidates *candidates, const struct measure_instance *instance);
void candidates_append_replies(
	struct measure_candidates *candidates, const struct measure_candidates *later);

/* candidates_rma.c */
void candidates_take_post(
	struct measure_candidates *candidates, const struct measure_instance *instance);

/* idle_threads.c */
void candidates_take_team(
	struct measure_candidates *candidates, const struct measure_instance *instance);

#endif
