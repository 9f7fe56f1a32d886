/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that make processes or connect to them.
 *
 * Parents and children do not know each other's places in their worlds. What they share is a
 * name for the intercommunicator between them: the parents agree on it without communication and
 * hand it to the children in their environment. That is done only where the command is `measure`:
 * other children are not recorded, and traffic with them is none of messages with two ends.
 * Only the root knows the command, so it tells the others whether: one broadcast in a call that
 * starts processes and is collective anyway.
 *
 * Who connects and accepts knows of the other side no more than a port that only the roots are
 * told. Where both sides are of one world, that is enough; traffic between worlds that are
 * connected so is not recorded. */
#ifndef MEASURE_MPI_SPAWN_H
#define MEASURE_MPI_SPAWN_H

#include "../calls/calls.h"
#include "communicators.h"

struct measure_spawn {
	measure_region_t region;
	bool has_key;  /* the intercommunicator can be named */
	int is_traced; /* the children are; known to the root */
	struct measure_comm_key key;
	int nr_infos;    /* made, to be freed */
	MPI_Info *infos; /* given to MPI; NULL: the caller's */
	MPI_Info one;
};

/* Before MPI_Comm_spawn (`count` 1) and MPI_Comm_spawn_multiple. Returns the infos for MPI: the
 * caller's, or copies of them that have the name for the children's environment. */
const MPI_Info *measure_spawn_before(struct measure_spawn *spawn, enum measure_call call, int count,
	char *const *commands, const MPI_Info *infos, int root, MPI_Comm comm);
void measure_spawn_after(
	struct measure_spawn *spawn, int result, int root, MPI_Comm comm, const MPI_Comm *newcomm);

/* In MPI_Init of a child whose parents have named what is between them: makes the
 * intercommunicator to them known. */
void measure_spawn_open_parent(void);

#endif
