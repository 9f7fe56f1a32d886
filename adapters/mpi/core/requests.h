/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of the requests in flight: a map from MPI's handle to what its completion
 * record needs. O(1), without a limit on their number, and memory follows their number up
 * and down. Thread-safe where MPI runs with MPI_THREAD_MULTIPLE.
 *
 * A handle alone does not name a request. MPI libraries give one handle to many sends that
 * were complete at once, and with threads a handle can be given out again while the thread
 * that completed its last use has not come here yet. So adding numbers the requests, and
 * whoever completes one reads the number before its PMPI call (the horizon): its request is
 * the newest of that handle below the horizon. */
#ifndef MEASURE_MPI_REQUESTS_H
#define MEASURE_MPI_REQUESTS_H

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>

#include "adapter.h"

struct measure_communicator;

/* True: several threads may call MPI at once. Set once by MPI_Init. */
extern bool measure_mpi_is_multiple;

/* A lock for a few instructions on the way of MPI calls. Below MPI_THREAD_MULTIPLE the program
 * itself keeps the threads' MPI calls apart, and it costs nothing. */
static inline void measure_mpi_lock(atomic_flag *lock)
{
	if (!measure_mpi_is_multiple)
		return;
	while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
		sched_yield();
}

static inline void measure_mpi_unlock(atomic_flag *lock)
{
	if (measure_mpi_is_multiple)
		atomic_flag_clear_explicit(lock, memory_order_release);
}

enum measure_request_kind {
	MEASURE_REQUEST_SEND,
	MEASURE_REQUEST_RECEIVE,
	MEASURE_REQUEST_PARTITIONED, /* a receive of which all is known from the beginning */
	MEASURE_REQUEST_SENDRECV,    /* a receive, maybe with a send: of MPI_Isendrecv */
	MEASURE_REQUEST_COLLECTIVE,
	MEASURE_REQUEST_IDUP,
	MEASURE_REQUEST_RMA,
	MEASURE_REQUEST_IO
};

/* Bytes that this rank sends and receives in a collective. */
struct measure_traffic {
	uint64_t sent;
	uint64_t received;
};

/* The envelope of what a send sends, a partitioned receive receives, or a receive or MPI_Isendrecv
 * is to receive at most (peer and tag as asked for: where negative, anybody's). Bytes where they
 * are needed. */
struct measure_envelope {
	uint64_t bytes;
	uint32_t peer;
	uint32_t tag;
};

/* A communicator that MPI_Comm_idup is making. */
struct measure_idup {
	struct measure_communicator *prepared;
	MPI_Comm newcomm; /* MPI libraries give the handle at once; Fortran bindings rely on it */
};

/* A one-sided operation on a window. */
struct measure_rma_request {
	MPI_Win win;
	uint32_t place; /* in what is pending on the window; see measure_pending_add_alone() */
};

/* An operation on a file. */
struct measure_io_request {
	measure_io_handle_t handle;
	uint32_t recording; /* measure_recording_number() of the handle */
	uint64_t bytes; /* that were asked for */
};

struct measure_request {
	uint64_t id;         /* as in the trace */
	measure_comm_t comm; /* of a collective or MPI_Comm_idup: the one it is called on */
	uint32_t root;       /* of a collective; see measure_collective_end() */
	uint8_t kind;        /* enum measure_request_kind */
	uint8_t operation;   /* of a collective: OTF2_CollectiveOp */
	bool is_cancelled : 1; /* MPI_Cancel was called; whether it came in time, the status says */
	bool is_silent : 1;    /* its start was not recorded, or its completion was */
	bool is_persistent : 1; /* the id is that of each start */
	bool is_active : 1;     /* persistent: started and not complete */
	bool has_send : 1; /* of MPI_Isendrecv: a send too, with the id after that of the receive */
	bool is_synchronous : 1; /* of a send: complete only when it is received */
	bool is_inter : 1;       /* the communicator is an intercommunicator */
	uint32_t number;         /* of a collective: see measure_collective_count() */
	union {
		struct measure_traffic traffic;
		struct measure_envelope envelope;
		struct measure_idup idup;
		struct measure_rma_request rma;
		struct measure_io_request io;
	};
};

/* What the two halves of a call that starts a request hand on; communicator NULL: there is no
 * request to keep. */
struct measure_start {
	const struct measure_communicator *communicator;
	uint64_t id;
	measure_region_t region; /* MEASURE_UNDEFINED: not recorded */
	uint32_t number;         /* of a collective; see measure_collective_count() */
};

/* An id for the trace, unique in this process; the first of two that follow each other. */
uint64_t measure_request_new_id(void);
uint64_t measure_request_new_pair(void);

/* To be read before the PMPI call that may complete requests. */
uint64_t measure_request_horizon(void);

/* False: nothing is in flight, no handle needs to be looked at. */
bool measure_request_is_any(void);

/* After a PMPI call has started a request. Where memory is short it is not kept, and its
 * completion not recorded. */
void measure_request_add(MPI_Request handle, const struct measure_request *request);

/* Takes a request out of the map. False: it is none of ours (of a file, started
 * by Fortran); nothing is to be recorded. */
bool measure_request_take(MPI_Request handle, uint64_t horizon, struct measure_request *request);

/* The receive of a message that a matched probe has found, by the message's handle; see
 * p2p/p2p.h. */
void measure_message_add(MPI_Message message, const struct measure_request *receive);
bool measure_message_take(MPI_Message message, struct measure_request *receive);

/* Persistent requests stay in the map from their making to their freeing. What is known of
 * one; false: the handle is that of no persistent request of ours. */
bool measure_request_look_up(MPI_Request handle, struct measure_request *request);

/* What is known of one that is under way, for whoever only looks; false: nothing. */
bool measure_request_peek(MPI_Request handle, struct measure_request *request);

/* Notes that it was started. */
void measure_request_activate(MPI_Request handle, bool is_recorded);

/* Ends the use of a persistent request that is complete. False: it had not been started. */
bool measure_request_finish(MPI_Request handle, uint64_t horizon, struct measure_request *request);

/* What is known of a request that MPI says is complete, but keeps until it is waited for or freed.
 * Its completion is to be recorded now and not again. False: there is nothing to record. What
 * MPI_Comm_idup makes is known when it is waited for. */
bool measure_request_settle(MPI_Request handle, struct measure_request *request);

/* Whether a request of ours is under way whose end is to be recorded. */
bool measure_request_is_open(MPI_Request handle);

/* Notes that MPI_Cancel was called for a request. */
void measure_request_mark_cancelled(MPI_Request handle);

#endif
