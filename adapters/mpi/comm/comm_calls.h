/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that make and free communicators. Children are counted and defined also where no
 * event is recorded. */
#ifndef MEASURE_MPI_COMM_CALLS_H
#define MEASURE_MPI_COMM_CALLS_H

#include "../calls/calls.h"
#include "../core/requests.h"
#include "communicators.h"

/* The end of a call that is a collective of `comm` and has made `created` (NULL: nothing that is
 * known). `collective`: the communicator whose collective it is recorded as; NULL: that is
 * `comm`. */
void measure_comm_made_after(measure_region_t region, int result, MPI_Comm comm,
	const struct measure_communicator *created, const struct measure_communicator *collective);

/* Creation by all members of `comm`: a collective of `comm`. `newcomm` MPI_COMM_NULL: this
 * process is no member. */
void measure_comm_create_after(
	measure_region_t region, int result, MPI_Comm comm, const MPI_Comm *newcomm);

/* Creation by the members of the new communicator only: it is the first collective of that. */
measure_region_t measure_comm_create_group_before(
	enum measure_call call, MPI_Comm comm, MPI_Group group);
void measure_comm_create_group_after(
	measure_region_t region, int result, MPI_Comm comm, int tag, const MPI_Comm *newcomm);

/* Communicators made from groups of a session. What its members gave the same name and made in the
 * same order is the same communicator. */
void measure_comm_from_group_after(
	measure_region_t region, int result, const char *stringtag, const MPI_Comm *newcomm);

/* MPI_Intercomm_create, and MPI_Comm_connect and the like (which have no bridge; `leader` -1): the
 * first collective of the new intercommunicator, or one of `comm`, the local one, where members
 * of another world are in it. */
void measure_intercomm_create_after(measure_region_t region, int result, MPI_Comm comm, int leader,
	MPI_Comm bridge, int tag, const MPI_Comm *newcomm);

/* MPI_Comm_idup: the records of the creation are written when its request is complete. */
struct measure_start measure_comm_idup_before(enum measure_call call, MPI_Comm comm);
void measure_comm_idup_after(struct measure_start start, int result, MPI_Comm comm,
	const MPI_Comm *newcomm, const MPI_Request *request);

struct measure_comm_freed {
	MPI_Comm handle;
	measure_comm_t id; /* MEASURE_UNDEFINED: unknown */
	measure_region_t region;
};
struct measure_comm_freed measure_comm_free_before(enum measure_call call, const MPI_Comm *comm);
void measure_comm_free_after(struct measure_comm_freed freed, int result);

/* MPI_Comm_set_name. */
void measure_comm_set_name_after(measure_region_t region, int result, MPI_Comm comm);

#endif
