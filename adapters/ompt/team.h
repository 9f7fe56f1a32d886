/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One instance of a parallel region: what all its threads need to know of it. */
#ifndef MEASURE_OMPT_TEAM_H
#define MEASURE_OMPT_TEAM_H

#include "thread.h"

/* Belongs to the thread that made the team, which uses it again once nobody is in it. */
struct measure_ompt_team {
	atomic_uint nr_users; /* members, and the master between begin and end of the region */
	measure_region_t region;
	const void *codeptr; /* of the construct */

	struct measure_roster *known; /* NULL where the threads are new in any case */
	_Atomic(struct measure_roster *) fresh;
	atomic_bool is_mismatched; /* a thread was not the one that `known` names */
	bool is_outermost;
	uint32_t size; /* as the master saw it; 0: it recorded nothing */

	/* the team that the master was in, and its number there */
	const struct measure_ompt_team *outer;
	uint32_t outer_number;

	/* When the last barrier was over for the master; 0: not yet. The others hear of it only
	 * when they are needed again. */
	_Atomic uint64_t end;
	struct measure_ompt_team *next;
	struct measure_ompt_team *outer_forked; /* by the same master */
};

/* The communicator of a thread alone. */
measure_comm_t measure_ompt_solo(struct measure_ompt_thread *thread);

/* Opens a bracket for the end of the innermost team's last barrier, or of the team. */
struct measure_location *measure_ompt_record_team_end(const struct measure_ompt_thread *thread);

#endif
