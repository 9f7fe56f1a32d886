/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams of threads, for steps that have them. */
#ifndef TESTS_SYNC_GEN_TEAMS_H
#define TESTS_SYNC_GEN_TEAMS_H

#include "generate.h"

enum { GEN_MAX_TEAM = 256 };

/* A team while it is simulated. */
struct gen_team {
	uint32_t process;
	uint32_t comm;
	uint32_t nr;
	uint32_t threads[GEN_MAX_TEAM];
	uint32_t region;
};

typedef void (*gen_body_fn)(struct gen *gen, struct gen_team *team);

/* A team of two threads to all of them in each process; the body ends it. */
void gen_run_teams(struct gen *gen, gen_body_fn body);

struct gen_team gen_team_of(
	const struct gen *gen, uint32_t process, uint32_t index, uint32_t region);
struct gen_location *gen_team_thread(
	const struct gen *gen, const struct gen_team *team, uint32_t rank);
void gen_begin_team(struct gen *gen, struct gen_team *team);
void gen_end_team(struct gen *gen, struct gen_team *team);

/* All enter; the last one is returned, which they leave after. */
struct gen_moment gen_enter_barrier(struct gen *gen, struct gen_team *team, uint32_t region);
void gen_leave_barrier(
	struct gen *gen, struct gen_team *team, uint32_t region, struct gen_moment last);

/* With --exact: a thread cannot go on before all others have arrived. */
void gen_await_team(struct gen *gen, const struct gen_team *team, uint32_t rank);

/* ... and after `time`. */
void gen_leave_barrier_after(struct gen *gen, struct gen_team *team, uint32_t region,
	struct gen_moment last, uint64_t time);

/* The rank that comes first, of those that are not done. */
uint32_t gen_first_of(const struct gen *gen, const struct gen_team *team, const bool is_done[]);

void gen_latest(uint64_t *last, uint64_t time);

#endif
