/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One instance of a parallel region: what all its threads need to know of it.
 *
 * Who writes to a line of the cache that another core has written last, or read, waits for that
 * core, up to 150 ns, which is as much as all the records of a region take. So what threads write
 * lies in lines apart, by who writes it; what the master tells the members is the same from one
 * instance to the next in most programs, and not written again then; and whether a member still is
 * in a team is asked once for many teams. */
#ifndef MEASURE_OMPT_TEAM_H
#define MEASURE_OMPT_TEAM_H

#include "ompt_thread.h"

#define MEASURE_OMPT_TEAMS 16 /* of a pool */

/* What the master tells the members. No gaps, as it is compared byte by byte. */
struct measure_ompt_notice {
	const void *codeptr;              /* of the construct */
	struct measure_team_state *known; /* NULL where the threads are new in any case */

	/* the team that the master was in, and its number there */
	const struct measure_ompt_team *outer;
	uint32_t outer_number;
	measure_region_t region;
};

/* Belongs to the thread that made the team, which uses it again once nobody is in it. */
struct measure_ompt_team {
	/* Only read by members. */
	_Alignas(MEASURE_OMPT_LINE) struct measure_ompt_notice notice;
	struct measure_ompt_pool *pool;

	/* Between master and members, once they have come. When the last barrier was over for the
	 * master: no other member hears of it before it is needed again. What is not later than
	 * its begin is of an earlier use of the team: not over yet. */
	_Alignas(MEASURE_OMPT_LINE) _Atomic uint64_t end;
	_Atomic(struct measure_team_state *) fresh;
	atomic_bool is_mismatched; /* a thread was not the one that `known` names */

	/* Only of the master. */
	_Alignas(MEASURE_OMPT_LINE) struct measure_ompt_team *outer_forked; /* by the same master */
	uint32_t size; /* as the master saw it; 0: it recorded nothing */
	bool is_outermost;
};

/* In which teams of a pool a member is. */
struct measure_ompt_share {
	_Alignas(MEASURE_OMPT_LINE) _Atomic uint16_t nr_inside[MEASURE_OMPT_TEAMS];
};

/* Teams of one master. */
struct measure_ompt_pool {
	struct measure_ompt_team teams[MEASURE_OMPT_TEAMS];

	/* Only of the master. */
	_Alignas(MEASURE_OMPT_LINE) struct measure_ompt_pool *next;
	uint32_t free;   /* bits of those that nobody was in, when this was looked at last */
	uint32_t forked; /* bits of those between fork and join */

	_Alignas(MEASURE_OMPT_LINE) uint32_t nr_shares;
	/* [nr_shares + 1] by the number of the member, which alone writes to it; the last one is
	 * for all others */
	struct measure_ompt_share shares[];
};

/* A team for members up to `size`, of whom there may be more; that tells this, if any of those at
 * hand does. NULL: no memory. Keeps errno. */
struct measure_ompt_team *measure_ompt_team_take(struct measure_ompt_thread *thread,
	const struct measure_ompt_notice *notice, uint32_t size);

/* The master has done with it. */
void measure_ompt_team_drop(struct measure_ompt_team *team);

/* A member comes, or goes: then it touches the team no more. */
void measure_ompt_team_come(struct measure_ompt_team *team, uint32_t number);
void measure_ompt_team_go(struct measure_ompt_team *team, uint32_t number);

/* Ends this thread's share in a team whose last barrier is over: something else begins. */
void measure_ompt_team_over(struct measure_ompt_thread *thread);

/* This thread has been let go from a last barrier, and will need to know when that was over. */
void measure_ompt_team_expect(const struct measure_ompt_member *member);

#endif
