/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of the calls of MPI sessions: MPI without MPI_Init. Opening one communicates with
 * nobody, so there is no transport and clocks of different nodes are not compared. The world of a
 * program that only has sessions is the process set mpi://WORLD. */
#ifndef MEASURE_MPI_SESSIONS_H
#define MEASURE_MPI_SESSIONS_H

#include "calls.h"

#ifdef HAVE_PMPI_Session_init

/* The first session switches recording on, the end of the last one off. */
void measure_session_init_after(enum measure_call call, bool is_recorded, int result);
void measure_session_finalize_after(enum measure_call call, bool is_recorded, int result);

/* Communicators made from groups of a session. What its members gave the same name and made in the
 * same order is the same communicator. */
bool measure_from_group_before(enum measure_call call);
void measure_from_group_after(enum measure_call call, bool is_recorded, int result,
	const char *stringtag, const MPI_Comm *newcomm);

bool measure_sessions_are_open(void);

#else

static inline bool measure_sessions_are_open(void)
{
	return false;
}

#endif
#endif
