/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One instance of a parallel region: what the master leaves for its team, the records that each
 * of the threads writes, and the barrier at the end.
 *
 * libgomp has its last barrier behind the body, where nobody can look. Each thread notes in the
 * team when it came there; the last one's time is when the barrier was over. The master records
 * that when libgomp has returned to it, the others when something else is to be recorded. */
#ifndef MEASURE_GOMP_TEAM_H
#define MEASURE_GOMP_TEAM_H

#include "adapter.h"
#include "gomp_real.h"
#include "gomp_thread.h"

/* Belongs to the thread that made the team, which uses it again once nobody is in it. */
struct measure_gomp_team {
	/* First word: GOMP_parallel_reductions looks for the reductions there in what it takes
	 * for the program's data. */
	void *reductions;
	measure_gomp_fn function;
	void *data;
	measure_region_t region;
	measure_region_t barrier; /* at its end */
	measure_region_t work;    /* combined with it, or MEASURE_UNDEFINED */
	int level;                /* around the region */
	int bind;                 /* as in struct measure_team_state */

	struct measure_team_state *known; /* NULL where the threads are new in any case */
	_Atomic(struct measure_team_state *) fresh;
	atomic_bool is_mismatched; /* a thread was not the one that `known` names */

	struct measure_gomp_thread *master;
	uint32_t release; /* of those that wait in its last barrier */
	atomic_uint size; /* as the master saw it; 0: it recorded nothing */

	atomic_uint nr_users;   /* members, and the master between fork and join */
	atomic_uint nr_arrived; /* at the last barrier */
	_Atomic uint64_t last;  /* when the last one came there, or ended a task in it */
	struct measure_gomp_team *next;
	struct measure_gomp_team *outer_started; /* GOMP_parallel_start only */
};

/* The worksharing construct that is combined with a parallel region. */
struct measure_gomp_work {
	const char *name; /* NULL: none */
	uint8_t role;
};

/* Takes a team and records the fork. NULL: nothing was recorded, leave the call alone. */
struct measure_gomp_team *measure_gomp_team_fork(measure_gomp_fn function, void *data,
	unsigned nr_threads, unsigned flags, struct measure_gomp_work work);

/* Records the master's end of the last barrier and the join, after the original call has
 * returned. */
void measure_gomp_team_join(struct measure_gomp_team *team);

/* Begin of the calling thread's share; its arrival at the last barrier. */
void measure_gomp_member_begin(struct measure_gomp_team *team);
void measure_gomp_member_arrive(struct measure_gomp_team *team);

/* The body that libgomp runs in place of the program's; `argument` is the team. */
void measure_gomp_member_run(void *argument);

/* Where this thread was in the last barrier of a team, that is over by now: something else
 * begins. */
void measure_gomp_barrier_over(struct measure_gomp_thread *thread);

/* A task has run in this thread's last barrier and was over at `time`: the barrier was not. */
void measure_gomp_barrier_resume(struct measure_gomp_thread *thread, uint64_t time);

#endif
