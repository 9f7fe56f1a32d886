/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job as one: a private duplicate of MPI_COMM_WORLD, on which errors are returned, and
 * the transport over it. */
#include "config.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#include "calls.h"
#include "communicators.h"
#include "identity.h"
#include "real.h"
#include "requests.h"
#include "spawn.h"
#include "world.h"

#define TRANSPORT_TAG 0
#define TAG_AT_LEAST  32767 /* that MPI promises */
/* MPI_Init of all ranks ends at about the same time; one that is so late will not come. */
#define COMPLAIN_SECONDS 10
#define MAX_COMPLAINING  4
#define SPIN_SECONDS     300e-6 /* long against a round trip, short against a comparison */

/* At a meeting all are there already, but one that does not run may be late. Counted in naps: a job
 * that was stopped as a whole is not late. */
#define MEETING_PATIENCE 100000

/* A part of the private world's traffic. */
struct channel {
	MPI_Comm comm;
	int tag;
	uint32_t patience; /* naps until a receive gives up; 0: never */
};

static const struct timespec nap = {.tv_nsec = 50000};
static MPI_Comm private_world = MPI_COMM_NULL;
static int greatest_tag;
static struct channel whole_world;
static struct measure_transport transport;

static measure_status_t status_of(int result)
{
	return result == MPI_SUCCESS ? MEASURE_OK : MEASURE_ERROR_IO;
}

static measure_status_t transport_send(
	void *context, const void *data, size_t bytes, uint32_t receiver)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return status_of(measure_mpi.Send(
		data, (int)bytes, MPI_BYTE, (int)receiver, channel->tag, channel->comm));
}

/* MPI waits by spinning. Where ranks share cores, those that wait for their turn would take
 * the time of those whose messages are being timed: so a long wait sleeps. A short one does
 * not, or it would be late for its message. */
static measure_status_t wait_for_message(const struct channel *channel, uint32_t sender)
{
	const double start = measure_mpi.Wtime();
	uint32_t nr_naps = 0;
	int is_there = 0;

	for (;;) {
		if (measure_mpi.Iprobe((int)sender, channel->tag, channel->comm, &is_there,
			    MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return MEASURE_ERROR_IO;
		if (is_there)
			return MEASURE_OK;
		if (measure_mpi.Wtime() - start <= SPIN_SECONDS)
			continue;
		if (++nr_naps == channel->patience)
			return MEASURE_ERROR_NOT_FOUND;
		nanosleep(&nap, NULL);
	}
}

static measure_status_t transport_receive(void *context, void *data, size_t bytes, uint32_t sender)
{
	const struct channel *channel = context;
	measure_status_t status;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	status = wait_for_message(channel, sender);
	if (status != MEASURE_OK)
		return status;
	return status_of(measure_mpi.Recv(data, (int)bytes, MPI_BYTE, (int)sender, channel->tag,
		channel->comm, MPI_STATUS_IGNORE));
}

static measure_status_t transport_broadcast(void *context, void *data, size_t bytes, uint32_t root)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return status_of(measure_mpi.Bcast(data, (int)bytes, MPI_BYTE, (int)root, channel->comm));
}

static measure_status_t transport_gather(
	void *context, const void *data, size_t bytes, void *all, uint32_t root)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return status_of(measure_mpi.Gather(
		data, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, (int)root, channel->comm));
}

static measure_status_t transport_barrier(void *context)
{
	const struct channel *channel = context;
	MPI_Request request;
	int is_done = 0;
	int result = measure_mpi.Ibarrier(channel->comm, &request);

	while (result == MPI_SUCCESS && !is_done) {
		result = measure_mpi.Test(&request, &is_done, MPI_STATUS_IGNORE);
		if (!is_done)
			nanosleep(&nap, NULL);
	}
	return status_of(result);
}

static void complain(void)
{
	int rank = 0;

	measure_mpi.Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank < MAX_COMPLAINING)
		fprintf(stderr,
			"measure: rank %d is still waiting for other ranks in MPI_Init: run all "
			"ranks of the job under measure, or none\n",
			rank);
}

/* A rank that does not run under Measure never comes here, and the others would wait for it
 * without a word. */
static int wait_for_everybody(MPI_Request *request)
{
	const double start = measure_mpi.Wtime();
	bool has_complained = false;
	int is_done = 0;
	int result;

	for (;;) {
		result = measure_mpi.Test(request, &is_done, MPI_STATUS_IGNORE);
		if (is_done || result != MPI_SUCCESS)
			return result;
		if (!has_complained && measure_mpi.Wtime() - start > COMPLAIN_SECONDS) {
			complain();
			has_complained = true;
		}
		nanosleep(&nap, NULL);
	}
}

/* No user code has run yet that could have set an error handler of its own or attributes
 * whose copy functions would be called. The handler that is there stays: in MPICH, communicators
 * to which none was ever given follow what the program gives MPI_COMM_WORLD later. */
static bool duplicate_world(void)
{
	MPI_Request request;
	int result;

	result = measure_mpi.Comm_idup(MPI_COMM_WORLD, &private_world, &request);
	if (result == MPI_SUCCESS)
		result = wait_for_everybody(&request);
	if (result != MPI_SUCCESS) {
		private_world = MPI_COMM_NULL;
		return false;
	}
	measure_mpi.Comm_set_errhandler(private_world, MPI_ERRORS_RETURN);
	return true;
}

static int find_greatest_tag(void)
{
	const int *value = NULL;
	int is_set = 0;

	measure_mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &is_set);
	return is_set ? *value : TAG_AT_LEAST;
}

static void fill_transport(void)
{
	int rank = 0;
	int size = 0;

	measure_mpi.Comm_rank(private_world, &rank);
	measure_mpi.Comm_size(private_world, &size);
	greatest_tag = find_greatest_tag();
	whole_world = (struct channel){private_world, TRANSPORT_TAG, 0};
	transport = (struct measure_transport){
		.rank = (uint32_t)rank,
		.size = (uint32_t)size,
		.context = &whole_world,
		.send = transport_send,
		.receive = transport_receive,
		.broadcast = transport_broadcast,
		.gather = transport_gather,
		.barrier = transport_barrier,
	};
}

/* True where all ranks record. A phase of the transport needs every rank. */
static bool all_record(void)
{
	int is_on = measure_mpi_is_on;
	int are_on = 0;

	if (measure_mpi.Allreduce(&is_on, &are_on, 1, MPI_INT, MPI_LAND, private_world) !=
		MPI_SUCCESS)
		return false;
	return are_on;
}

/* Rank 0 names the world. Where that fails, communicators stay unknown. */
static void define_world(void)
{
	const bool is_defined = measure_communicator_world != NULL; /* by sessions */
	struct measure_comm_key key =
		is_defined ? measure_communicator_world->key : measure_identity_new_world();

	if (transport.broadcast(transport.context, &key, sizeof(key), 0) != MEASURE_OK)
		return;
	if (!measure_mpi_is_on)
		return;
	if (!is_defined)
		measure_world_define(transport.rank, transport.size, key);
	measure_communicator_open_world(key);
}

void measure_world_open(void)
{
	int level = MPI_THREAD_SINGLE;

	measure_mpi.Query_thread(&level);
	measure_mpi_is_multiple |= level == MPI_THREAD_MULTIPLE;
	if (!duplicate_world())
		return;
	fill_transport();
	define_world();
	if (!all_record()) {
		measure_mpi.Comm_free(&private_world);
		return;
	}
	measure_spawn_open_parent();
	measure_parallel_begin(&transport);
	/* Nobody leaves MPI_Init before the last has entered it. MPI itself does not promise
	 * that, but the offset measurement needs it and checkers may then rely on it. */
	transport.barrier(transport.context);
}

bool measure_world_is_whole(void)
{
	return private_world != MPI_COMM_NULL;
}

bool measure_world_is_all_of(MPI_Comm comm)
{
	int result = MPI_UNEQUAL;

	if (private_world == MPI_COMM_NULL)
		return false;
	measure_mpi.Comm_compare(comm, private_world, &result);
	return result != MPI_UNEQUAL;
}

/* Tags of two communicators are the same too seldom to matter: only threads that meet in both at
 * the same time could mix them up. */
void measure_world_meet(struct measure_comm_key key, struct measure_points *points)
{
	struct channel channel = {
		.comm = private_world,
		.tag = TRANSPORT_TAG + 1 + (int)(key.low % (uint64_t)greatest_tag),
		.patience = MEETING_PATIENCE,
	};
	const struct measure_transport meeting = {
		.rank = transport.rank,
		.size = transport.size,
		.context = &channel,
		.send = transport_send,
		.receive = transport_receive,
	};

	if (private_world == MPI_COMM_NULL)
		points->left = 0;
	else
		measure_parallel_point(&meeting, points);
}

void measure_world_close(void)
{
	if (private_world != MPI_COMM_NULL) {
		measure_parallel_end(&transport);
		/* As in MPI_Init: nobody leaves MPI_Finalize before the last has entered it. */
		transport.barrier(transport.context);
		measure_mpi.Comm_free(&private_world);
	}
	measure_identity_close_world();
}
