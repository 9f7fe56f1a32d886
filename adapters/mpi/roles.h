/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roles named in mpi_calls.def: for each the OTF2 role of its region and what happens
 * before and after the PMPI call. Glue only: each line calls one function of the headers below
 * with parameters of the row, `call`, and `result`. */
#ifndef MEASURE_MPI_ROLES_H
#define MEASURE_MPI_ROLES_H

#include <otf2/OTF2_Events.h>

#include "coll.h"
#include "comm.h"
#include "exchange.h"
#include "icoll.h"
#include "inner.h"
#include "io_roles.h"
#include "life.h"
#include "matched.h"
#include "meetings.h"
#include "p2p.h"
#include "persistent.h"
#include "sessions.h"
#include "spawn.h"
#include "topology.h"
#include "rma_roles.h"
#include "wait.h"

#define REGION_PLAIN OTF2_REGION_ROLE_WRAPPER
#define BEFORE_PLAIN const bool is_recorded = measure_plain_before(call)
#define AFTER_PLAIN  measure_plain_after(call, is_recorded)

/* Components of MPI libraries make some calls by the names that are meant for programs. */
#define REGION_PLAIN_OUTER REGION_PLAIN
#define BEFORE_PLAIN_OUTER                                                                         \
	const bool is_recorded = measure_outer_before(call, __builtin_return_address(0))
#define AFTER_PLAIN_OUTER AFTER_PLAIN

#define REGION_PLAIN_AS(role) OTF2_REGION_ROLE_##role
#define BEFORE_PLAIN_AS(role) BEFORE_PLAIN
#define AFTER_PLAIN_AS(role)  AFTER_PLAIN

#define REGION_POLL OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_POLL BEFORE_PLAIN
#define AFTER_POLL  measure_plain_poll_after(call, is_recorded, result, flag)

#define REGION_ABORT REGION_PLAIN
#define BEFORE_ABORT const bool is_recorded = measure_abort_before(call, errorcode)
#define AFTER_ABORT  AFTER_PLAIN

/* ------------------------------------------------------------- point-to-point --- */

#define REGION_SEND OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_SEND const bool is_recorded = measure_send_before(call, count, type, dest, tag, comm)
#define AFTER_SEND  measure_send_after(call, is_recorded, result)

/* Lends a receive a status where the caller has none. */
#define OWN_STATUS                                                                                 \
	MPI_Status own_status;                                                                     \
	status = status == MPI_STATUS_IGNORE ? &own_status : status

#define REGION_RECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_RECV                                                                                \
	OWN_STATUS;                                                                                \
	BEFORE_PLAIN
#define AFTER_RECV measure_recv_after(call, is_recorded, result, comm, status)

#define REGION_SENDRECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_SENDRECV                                                                            \
	OWN_STATUS;                                                                                \
	const bool is_recorded =                                                                   \
		measure_sendrecv_before(call, count, type, dest, tag, recvcount, recvtype, comm)
#define AFTER_SENDRECV AFTER_RECV

#define REGION_SENDRECV_REPLACE REGION_SENDRECV
#define BEFORE_SENDRECV_REPLACE                                                                    \
	OWN_STATUS;                                                                                \
	BEFORE_SEND
#define AFTER_SENDRECV_REPLACE AFTER_RECV

#define REGION_ISEND OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_ISEND                                                                               \
	const struct measure_start start = measure_isend_before(call, count, type, dest, tag, comm)
#define AFTER_ISEND measure_isend_after(call, start, result, request)

#define REGION_IRECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_IRECV const struct measure_start start = measure_irecv_before(call, source, comm)
#define AFTER_IRECV  measure_irecv_after(call, start, result, request)

#define REGION_ISENDRECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_ISENDRECV                                                                           \
	struct measure_exchange exchange =                                                         \
		measure_isendrecv_before(call, count, type, dest, tag, source, recvtag, comm)
#define AFTER_ISENDRECV                                                                            \
	measure_isendrecv_after(call, &exchange, result, recvcount, recvtype, request)

#define REGION_ISENDRECV_REPLACE OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_ISENDRECV_REPLACE BEFORE_ISENDRECV
#define AFTER_ISENDRECV_REPLACE                                                                    \
	measure_isendrecv_after(call, &exchange, result, count, type, request)

#define REGION_MPROBE OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_MPROBE BEFORE_PLAIN
#define AFTER_MPROBE                                                                               \
	measure_mprobe_after(call, is_recorded, result, &(const int){true}, comm, message)

#define REGION_IMPROBE OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_IMPROBE BEFORE_PLAIN
#define AFTER_IMPROBE  measure_mprobe_after(call, is_recorded, result, flag, comm, message)

#define REGION_MRECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_MRECV                                                                               \
	OWN_STATUS;                                                                                \
	BEFORE_IMRECV
#define AFTER_MRECV measure_mrecv_after(call, &matched, result, message, status)

#define REGION_IMRECV OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_IMRECV const struct measure_matched matched = measure_mrecv_before(call, message)
#define AFTER_IMRECV  measure_imrecv_after(call, &matched, result, message, request)

#define REGION_SEND_INIT OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_SEND_INIT BEFORE_PLAIN
#define AFTER_SEND_INIT                                                                            \
	measure_send_init_after(call, is_recorded, result, count, type, dest, tag, comm, request)

#define REGION_RECV_INIT OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_RECV_INIT BEFORE_PLAIN
#define AFTER_RECV_INIT  measure_recv_init_after(call, is_recorded, result, source, comm, request)

#define REGION_PSEND_INIT OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_PSEND_INIT BEFORE_PLAIN
#define AFTER_PSEND_INIT                                                                           \
	measure_send_init_after(                                                                   \
		call, is_recorded, result, partitions *count, type, dest, tag, comm, request)

#define REGION_PRECV_INIT OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_PRECV_INIT BEFORE_PLAIN
#define AFTER_PRECV_INIT                                                                           \
	measure_precv_init_after(                                                                  \
		call, is_recorded, result, partitions *count, type, source, tag, comm, request)

#define REGION_START OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_START const bool is_recorded = measure_start_all_before(call, 1, request)
#define AFTER_START  measure_start_all_after(call, is_recorded, result, 1, request)

#define REGION_STARTALL OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_STARTALL const bool is_recorded = measure_start_all_before(call, count, requests)
#define AFTER_STARTALL  measure_start_all_after(call, is_recorded, result, count, requests)

/* ----------------------------------------------------------------- completion --- */

#define REGION_WAIT OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_WAIT                                                                                \
	struct measure_wait wait;                                                                  \
	status = measure_wait_before(&wait, call, 1, request, status, 1)
#define AFTER_WAIT measure_wait_all_after(&wait, call, result, &(const int){true})

#define REGION_TEST REGION_WAIT
#define BEFORE_TEST BEFORE_WAIT
#define AFTER_TEST  measure_wait_all_after(&wait, call, result, flag)

#define REGION_WAITALL OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_WAITALL                                                                             \
	struct measure_wait wait;                                                                  \
	statuses = measure_wait_before(&wait, call, count, requests, statuses, count)
#define AFTER_WAITALL AFTER_WAIT

#define REGION_TESTALL REGION_WAITALL
#define BEFORE_TESTALL BEFORE_WAITALL
#define AFTER_TESTALL  AFTER_TEST

#define REGION_WAITANY OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_WAITANY                                                                             \
	struct measure_wait wait;                                                                  \
	status = measure_wait_before(&wait, call, count, requests, status, 1)
#define AFTER_WAITANY measure_wait_any_after(&wait, call, result, index, &(const int){true})

#define REGION_TESTANY REGION_WAITANY
#define BEFORE_TESTANY BEFORE_WAITANY
#define AFTER_TESTANY  measure_wait_any_after(&wait, call, result, index, flag)

#define REGION_WAITSOME OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_WAITSOME BEFORE_WAITALL
#define AFTER_WAITSOME  measure_wait_some_after(&wait, call, result, outcount, indices)

#define REGION_GET_STATUS OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_GET_STATUS                                                                          \
	OWN_STATUS;                                                                                \
	BEFORE_PLAIN
#define AFTER_GET_STATUS measure_get_status_after(call, is_recorded, result, request, flag, status)

#define REGION_CANCEL OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_CANCEL const bool is_recorded = measure_cancel_before(call, request)
#define AFTER_CANCEL  AFTER_PLAIN

#define REGION_REQUEST_FREE OTF2_REGION_ROLE_POINT2POINT
#define BEFORE_REQUEST_FREE                                                                        \
	struct measure_wait wait;                                                                  \
	measure_request_free_before(&wait, call, request)
#define AFTER_REQUEST_FREE measure_request_free_after(&wait, call)

/* ---------------------------------------------------------------- collectives --- */

/* The call has taken place where `members` is not NULL: its arguments are good then, and what
 * TRAFFIC_... makes of them is computed. */
#define REGION_COLLECTIVE(operation) REGION_##operation
#define BEFORE_COLLECTIVE(operation) BEFORE_ANY_COLLECTIVE
#define AFTER_COLLECTIVE(operation)                                                                \
	do {                                                                                       \
		const struct measure_communicator *members;                                        \
		struct measure_location *location =                                                \
			measure_collective_return(is_recorded, result, comm, &members);            \
		if (members)                                                                       \
			measure_collective_end(location, OTF2_COLLECTIVE_OP_##operation, members,  \
				result, TRAFFIC_##operation);                                      \
		if (location)                                                                      \
			measure_refusal_leave(location, call, result);                             \
	} while (0)
#define BEFORE_ANY_COLLECTIVE const bool is_recorded = measure_collective_before(call, comm)

/* Those that nobody leaves before everybody has come, as far as MPI's arguments say so, the same
 * on all ranks: there MEETS_... is true. */
#define REGION_MEETING(operation) REGION_##operation
#define BEFORE_MEETING(operation) BEFORE_ANY_COLLECTIVE
#define AFTER_MEETING(operation)                                                                   \
	do {                                                                                       \
		AFTER_COLLECTIVE(operation);                                                       \
		if (measure_mpi_is_on && result == MPI_SUCCESS && MEETS_##operation)               \
			measure_meeting_after(comm);                                               \
	} while (0)
#define MEETS_BARRIER              true
#define MEETS_ALLREDUCE            (measure_type_bytes(count, type) > 0)
#define MEETS_ALLGATHER            (measure_type_bytes(recvcount, recvtype) > 0)
#define MEETS_ALLTOALL             MEETS_ALLGATHER
#define MEETS_REDUCE_SCATTER_BLOCK (measure_type_bytes(recvcount, type) > 0)

#define REGION_ICOLLECTIVE(operation) REGION_##operation
#define BEFORE_ICOLLECTIVE(operation) BEFORE_ANY_ICOLLECTIVE
#define AFTER_ICOLLECTIVE(operation)                                                               \
	do {                                                                                       \
		const struct measure_communicator *members =                                       \
			measure_icollective_members(start, result, comm);                          \
		if (members)                                                                       \
			measure_icollective_add(*request, start.id,                                \
				OTF2_COLLECTIVE_OP_##operation, members, TRAFFIC_##operation);     \
		measure_start_leave(call, start, result);                                          \
	} while (0)
#define BEFORE_ANY_ICOLLECTIVE                                                                     \
	const struct measure_start start = measure_icollective_before(call, comm)

#define REGION_PERSISTENT(operation) REGION_##operation
#define BEFORE_PERSISTENT(operation) BEFORE_PLAIN
#define AFTER_PERSISTENT(operation)                                                                \
	do {                                                                                       \
		const struct measure_communicator *members =                                       \
			measure_persistent_members(call, result, comm);                            \
		if (members)                                                                       \
			measure_persistent_add(*request, OTF2_COLLECTIVE_OP_##operation, members,  \
				TRAFFIC_##operation);                                              \
		AFTER_PLAIN;                                                                       \
	} while (0)

/* Of each collective the role of its regions; and its root and traffic, as arguments. */
#define NO_ROOT OTF2_COLLECTIVE_ROOT_NONE
#define ROOT    measure_collective_root(root)

#define REGION_BARRIER OTF2_REGION_ROLE_BARRIER
#define TRAFFIC_BARRIER NO_ROOT, measure_no_traffic

#define REGION_BCAST OTF2_REGION_ROLE_COLL_ONE2ALL
#define TRAFFIC_BCAST ROOT, measure_bcast_traffic(members, root, count, type)

#define REGION_GATHER OTF2_REGION_ROLE_COLL_ALL2ONE
#define TRAFFIC_GATHER                                                                             \
	ROOT, measure_gather_traffic(members, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,  \
		      recvcount, recvtype)

#define REGION_GATHERV OTF2_REGION_ROLE_COLL_ALL2ONE
#define TRAFFIC_GATHERV                                                                            \
	ROOT, measure_gatherv_traffic(members, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype, \
		      COUNTS(recvcounts), recvtype)

#define REGION_SCATTER OTF2_REGION_ROLE_COLL_ONE2ALL
#define TRAFFIC_SCATTER                                                                            \
	ROOT, measure_scatter_traffic(members, root, recvbuf == MPI_IN_PLACE, sendcount, sendtype, \
		      recvcount, recvtype)

#define REGION_SCATTERV OTF2_REGION_ROLE_COLL_ONE2ALL
#define TRAFFIC_SCATTERV                                                                           \
	ROOT, measure_scatterv_traffic(members, root, recvbuf == MPI_IN_PLACE, COUNTS(sendcounts), \
		      sendtype, recvcount, recvtype)

#define REGION_ALLGATHER OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLGATHER                                                                          \
	NO_ROOT, measure_allgather_traffic(members, sendbuf == MPI_IN_PLACE, sendcount, sendtype,  \
			 recvcount, recvtype)

#define REGION_ALLGATHERV OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLGATHERV                                                                         \
	NO_ROOT, measure_allgatherv_traffic(members, sendbuf == MPI_IN_PLACE, sendcount, sendtype, \
			 COUNTS(recvcounts), recvtype)

#define REGION_ALLTOALL OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLTOALL                                                                           \
	NO_ROOT, measure_allgather_traffic(members, sendbuf == MPI_IN_PLACE, sendcount, sendtype,  \
			 recvcount, recvtype)

#define REGION_ALLTOALLV OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLTOALLV                                                                          \
	NO_ROOT, measure_alltoallv_traffic(members, sendbuf == MPI_IN_PLACE, COUNTS(sendcounts),   \
			 sendtype, COUNTS(recvcounts), recvtype)

#define REGION_ALLTOALLW OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLTOALLW                                                                          \
	NO_ROOT, measure_alltoallw_traffic(members, sendbuf == MPI_IN_PLACE, COUNTS(sendcounts),   \
			 sendtypes, COUNTS(recvcounts), recvtypes)

#define REGION_REDUCE OTF2_REGION_ROLE_COLL_ALL2ONE
#define TRAFFIC_REDUCE                                                                             \
	ROOT, measure_reduce_traffic(members, root, sendbuf == MPI_IN_PLACE, count, type)

#define REGION_ALLREDUCE OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_ALLREDUCE                                                                          \
	NO_ROOT, measure_allreduce_traffic(members, sendbuf == MPI_IN_PLACE, count, type)

#define REGION_REDUCE_SCATTER OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_REDUCE_SCATTER                                                                     \
	NO_ROOT, measure_reduce_scatter_traffic(                                                   \
			 members, sendbuf == MPI_IN_PLACE, COUNTS(recvcounts), type)

#define REGION_REDUCE_SCATTER_BLOCK OTF2_REGION_ROLE_COLL_ALL2ALL
#define TRAFFIC_REDUCE_SCATTER_BLOCK                                                               \
	NO_ROOT, measure_reduce_scatter_block_traffic(                                             \
			 members, sendbuf == MPI_IN_PLACE, recvcount, type)

#define REGION_SCAN OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_SCAN NO_ROOT, measure_scan_traffic(members, sendbuf == MPI_IN_PLACE, count, type)

#define REGION_EXSCAN OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_EXSCAN NO_ROOT, measure_exscan_traffic(members, count, type)

/* Neighbourhood collectives, for which OTF2 has no operations: they are exchanges of all with all
 * in which most counts are 0. Of these, unlike of those with equal counts, no reader may conclude
 * that everybody has waited for everybody. */
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLGATHER  OTF2_COLLECTIVE_OP_ALLTOALLV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLGATHERV OTF2_COLLECTIVE_OP_ALLTOALLV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALL   OTF2_COLLECTIVE_OP_ALLTOALLV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALLV  OTF2_COLLECTIVE_OP_ALLTOALLV
#define OTF2_COLLECTIVE_OP_NEIGHBOR_ALLTOALLW  OTF2_COLLECTIVE_OP_ALLTOALLW

#define REGION_NEIGHBOR_ALLGATHER OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_NEIGHBOR_ALLGATHER                                                                 \
	NO_ROOT, measure_neighbor_traffic(members, sendcount, sendtype, recvcount, recvtype)

#define REGION_NEIGHBOR_ALLGATHERV OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_NEIGHBOR_ALLGATHERV                                                                \
	NO_ROOT, measure_neighbor_allgatherv_traffic(                                              \
			 members, sendcount, sendtype, COUNTS(recvcounts), recvtype)

#define REGION_NEIGHBOR_ALLTOALL OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_NEIGHBOR_ALLTOALL                                                                  \
	NO_ROOT, measure_neighbor_traffic(members, sendcount, sendtype, recvcount, recvtype)

#define REGION_NEIGHBOR_ALLTOALLV OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_NEIGHBOR_ALLTOALLV                                                                 \
	NO_ROOT, measure_neighbor_alltoallv_traffic(                                               \
			 members, COUNTS(sendcounts), sendtype, COUNTS(recvcounts), recvtype)

#define REGION_NEIGHBOR_ALLTOALLW OTF2_REGION_ROLE_COLL_OTHER
#define TRAFFIC_NEIGHBOR_ALLTOALLW                                                                 \
	NO_ROOT, measure_neighbor_alltoallw_traffic(                                               \
			 members, COUNTS(sendcounts), sendtypes, COUNTS(recvcounts), recvtypes)

/* -------------------------------------------------------------- communicators --- */

#define REGION_COMM_CREATE OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_COMM_CREATE BEFORE_ANY_COLLECTIVE
#define AFTER_COMM_CREATE  measure_comm_create_after(call, is_recorded, result, comm, newcomm)

#define REGION_COMM_IDUP OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_COMM_IDUP BEFORE_ANY_ICOLLECTIVE
#define AFTER_COMM_IDUP  measure_comm_idup_after(call, start, result, comm, newcomm, request)

#define REGION_COMM_CREATE_GROUP OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_COMM_CREATE_GROUP                                                                   \
	const bool is_recorded = measure_comm_create_group_before(call, comm, group)
#define AFTER_COMM_CREATE_GROUP                                                                    \
	measure_comm_create_group_after(call, is_recorded, result, comm, tag, newcomm)

#define REGION_INTERCOMM_CREATE OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_INTERCOMM_CREATE BEFORE_ANY_COLLECTIVE
#define AFTER_INTERCOMM_CREATE                                                                     \
	measure_intercomm_create_after(                                                            \
		call, is_recorded, result, comm, local_leader, bridge_comm, tag, newcomm)

#define REGION_CONNECT OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_CONNECT BEFORE_ANY_COLLECTIVE
#define AFTER_CONNECT                                                                              \
	measure_intercomm_create_after(call, is_recorded, result, comm, NO_LEADER, MPI_COMM_NULL,  \
		MEASURE_COMM_NO_TAG, newcomm)
#define NO_LEADER (-1)

/* Alone on its side, as on MPI_COMM_SELF. */
#define REGION_JOIN OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_JOIN                                                                                \
	const MPI_Comm comm = MPI_COMM_SELF;                                                       \
	BEFORE_CONNECT
#define AFTER_JOIN AFTER_CONNECT

#define REGION_SPAWN OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_SPAWN                                                                               \
	struct measure_spawn spawn;                                                                \
	char *const commands[] = {(char *)(uintptr_t)command};                                     \
	info = *measure_spawn_before(&spawn, call, 1, commands, &info, root, comm)
#define AFTER_SPAWN measure_spawn_after(&spawn, call, result, root, comm, newcomm)

#define REGION_SPAWN_MULTIPLE OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_SPAWN_MULTIPLE                                                                      \
	struct measure_spawn spawn;                                                                \
	array_of_info = measure_spawn_before(                                                      \
		&spawn, call, count, array_of_commands, array_of_info, root, comm)
#define AFTER_SPAWN_MULTIPLE AFTER_SPAWN

#define REGION_COMM_FREE OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_COMM_FREE                                                                           \
	const struct measure_comm_freed freed = measure_comm_free_before(call, comm)
#define AFTER_COMM_FREE measure_comm_free_after(call, freed, result)

#define REGION_COMM_FROM_GROUP OTF2_REGION_ROLE_COLL_OTHER
#define BEFORE_COMM_FROM_GROUP const bool is_recorded = measure_from_group_before(call)
#define AFTER_COMM_FROM_GROUP                                                                      \
	measure_from_group_after(call, is_recorded, result, stringtag, newcomm)

#define REGION_SESSION_INIT REGION_PLAIN
#define BEFORE_SESSION_INIT const bool is_recorded = measure_life_before(call)
#define AFTER_SESSION_INIT  measure_session_init_after(call, is_recorded, result)

#define REGION_SESSION_FINALIZE REGION_PLAIN
#define BEFORE_SESSION_FINALIZE BEFORE_PLAIN
#define AFTER_SESSION_FINALIZE  measure_session_finalize_after(call, is_recorded, result)

#define REGION_COMM_SET_NAME REGION_PLAIN
#define BEFORE_COMM_SET_NAME BEFORE_PLAIN
#define AFTER_COMM_SET_NAME  measure_comm_set_name_after(call, is_recorded, result, comm)

#endif
