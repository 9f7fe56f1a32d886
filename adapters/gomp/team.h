/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One instance of a parallel region: what the master leaves for its team, and the records
 * that each of the threads writes. */
#ifndef MEASURE_GOMP_TEAM_H
#define MEASURE_GOMP_TEAM_H

#include "adapter.h"
#include "real.h"
#include "../openmp/roster.h"

/* What a thread keeps between regions. */
struct measure_gomp_thread {
	struct measure_roster *roster; /* of its last team as a master outside of any */
	measure_comm_t solo;		    /* the team of this thread alone */
	struct measure_gomp_team *team;	    /* innermost one that it is in */
	struct measure_gomp_team *started;  /* GOMP_parallel_start without its end, innermost */
	bool is_named;
};

/* One thread's share in a team, from its begin to its end. */
struct measure_gomp_member {
	measure_comm_t comm;		 /* MEASURE_UNDEFINED: nothing is recorded */
	struct measure_gomp_team *outer; /* the team this thread was in before */
};

/* On the master's stack, or on the heap between GOMP_parallel_start and _end: alive until the
 * master has joined. */
struct measure_gomp_team {
	/* First word: GOMP_parallel_reductions looks for the reductions there in what it takes
	 * for the program's data. */
	void *reductions;
	measure_gomp_fn function;
	void *data;
	measure_region_t region;
	int level; /* around the region */
	int bind;  /* as in struct measure_roster */

	struct measure_roster *known; /* NULL where the threads are new in any case */
	_Atomic(struct measure_roster *) fresh;
	atomic_bool is_mismatched; /* a thread was not the one that `known` names */

	struct measure_gomp_thread *master;
	uint32_t size; /* as the master saw it; 0: it recorded nothing */

	/* GOMP_parallel_start only */
	struct measure_gomp_member master_share;
	struct measure_gomp_team *outer_started;
};

/* This thread's. NULL: no memory. Keeps errno. */
struct measure_gomp_thread *measure_gomp_thread_self(void);

/* Prepares a team and records the fork. False: nothing was recorded, leave the call alone. */
bool measure_gomp_team_fork(struct measure_gomp_team *team, measure_gomp_fn function, void *data,
	unsigned nr_threads, unsigned flags);

/* Records the join, after the original call has returned. */
void measure_gomp_team_join(struct measure_gomp_team *team);

/* Begin and end of the calling thread's share. */
void measure_gomp_member_begin(struct measure_gomp_team *team, struct measure_gomp_member *member);
void measure_gomp_member_end(struct measure_gomp_team *team,
	const struct measure_gomp_member *member);

/* The body that libgomp runs in place of the program's; `argument` is the team. */
void measure_gomp_member_run(void *argument);

/* True for an address in measure_gomp_member_run. */
bool measure_gomp_is_member_run(const void *address);

#endif
