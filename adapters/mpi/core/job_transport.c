/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The private world, of all ranks that are recorded, and the transport over it; synchronisation
 * points. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pmpi.h"
#include "job_transport.h"

#define TRANSPORT_TAG 0
#define TAG_AT_LEAST  32767 /* that MPI promises */
/* MPI_Init of all ranks ends at about the same time; one that is so late will not come. */
#define COMPLAIN_SECONDS 10
#define MAX_COMPLAINING  4
#define SPIN_SECONDS     300e-6 /* long against a round trip, short against a comparison */

/* At a synchronisation point all are there already, but one that does not run may be late. Counted
 * in naps: a job that was stopped as a whole is not late. */
#define SYNC_POINT_PATIENCE 100000

/* Many communicators are made for a call or two: those are not worth a word. */
#define FIRST_SYNC_POINT 4

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

static measure_status_t mpi_status(int result)
{
	return result == MPI_SUCCESS ? MEASURE_OK : MEASURE_ERROR_IO;
}

static measure_status_t transport_send(
	void *context, const void *data, size_t bytes, uint32_t receiver)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return mpi_status(measure_mpi.Send(
		data, (int)bytes, MPI_BYTE, (int)receiver, channel->tag, channel->comm));
}

/* MPI waits by spinning. Where ranks share cores, those that wait for their turn would take
 * the time of those whose messages are being timed: so a long wait sleeps. A short one does
 * not, or it would be late for its message. */
static measure_status_t channel_wait(const struct channel *channel, uint32_t sender)
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
	status = channel_wait(channel, sender);
	if (status != MEASURE_OK)
		return status;
	return mpi_status(measure_mpi.Recv(data, (int)bytes, MPI_BYTE, (int)sender, channel->tag,
		channel->comm, MPI_STATUS_IGNORE));
}

static measure_status_t transport_broadcast(void *context, void *data, size_t bytes, uint32_t root)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return mpi_status(measure_mpi.Bcast(data, (int)bytes, MPI_BYTE, (int)root, channel->comm));
}

static measure_status_t transport_gather(
	void *context, const void *data, size_t bytes, void *all, uint32_t root)
{
	const struct channel *channel = context;

	if (bytes > INT_MAX)
		return MEASURE_ERROR_USAGE;
	return mpi_status(measure_mpi.Gather(
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
	return mpi_status(result);
}

static void complain_about_ranks(void)
{
	int rank = 0;

	measure_mpi.Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank < MAX_COMPLAINING)
		fprintf(stderr,
			"measure: rank %d is still waiting for other ranks in MPI_Init: run all "
			"ranks of the job under measure, or none\n",
			rank);
}

/* Where nobody could find out which ranks run under Measure, one that does not never comes here, and
 * the others would wait for it without a word. */
static int wait_for_all_ranks(MPI_Request *request)
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
			complain_about_ranks();
			has_complained = true;
		}
		nanosleep(&nap, NULL);
	}
}

/* Of those ranks that are recorded. */
static bool make_common(const uint32_t *ranks, uint32_t nr)
{
	int *members = malloc(nr * sizeof(*members));
	MPI_Group world, group;
	int result = MPI_ERR_NO_MEM;

	if (!members)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		members[i] = (int)ranks[i];
	measure_mpi.Comm_group(MPI_COMM_WORLD, &world);
	measure_mpi.Group_incl(world, (int)nr, members, &group);
	result = measure_mpi.Comm_create_group(
		MPI_COMM_WORLD, group, TRANSPORT_TAG, &private_world);
	measure_mpi.Group_free(&group);
	measure_mpi.Group_free(&world);
	free(members);
	return result == MPI_SUCCESS;
}

static void complain_about_isolation(int rank)
{
	fprintf(stderr,
		"measure: rank %d: cannot find out which other ranks are recorded: its clock is not "
		"compared with theirs, and its communicators are not recorded\n",
		rank);
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
		result = wait_for_all_ranks(&request);
	return result == MPI_SUCCESS;
}

static bool make_private_world(void)
{
	enum measure_ranks_known which = MEASURE_RANKS_UNKNOWN;
	uint32_t *ranks, nr = 0;
	bool is_made = false;
	int rank = 0, size = 0;

	measure_mpi.Comm_rank(MPI_COMM_WORLD, &rank);
	measure_mpi.Comm_size(MPI_COMM_WORLD, &size);
	ranks = malloc((size_t)size * sizeof(*ranks));
	if (ranks)
		which = measure_ranks_agree((uint32_t)rank, (uint32_t)size, ranks, &nr);
	if (which == MEASURE_RANKS_ALL)
		is_made = duplicate_world();
	else if (which == MEASURE_RANKS_SOME)
		is_made = make_common(ranks, nr);
	else if (measure_is_recording())
		complain_about_isolation(rank);
	free(ranks);
	if (is_made)
		measure_mpi.Comm_set_errhandler(private_world, MPI_ERRORS_RETURN);
	else
		private_world = MPI_COMM_NULL;
	return is_made;
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
	int world_rank = 0;

	measure_mpi.Comm_rank(MPI_COMM_WORLD, &world_rank);
	measure_mpi.Comm_rank(private_world, &rank);
	measure_mpi.Comm_size(private_world, &size);
	greatest_tag = find_greatest_tag();
	whole_world = (struct channel){private_world, TRANSPORT_TAG, 0};
	transport = (struct measure_transport){
		.rank = (uint32_t)rank,
		.size = (uint32_t)size,
		.world_rank = (uint32_t)world_rank,
		.context = &whole_world,
		.send = transport_send,
		.receive = transport_receive,
		.broadcast = transport_broadcast,
		.gather = transport_gather,
		.barrier = transport_barrier,
	};
}

const struct measure_transport *measure_transport_open(void)
{
	if (!make_private_world())
		return NULL;
	fill_transport();
	return &transport;
}

const struct measure_transport *measure_transport_get(void)
{
	return private_world == MPI_COMM_NULL ? NULL : &transport;
}

bool measure_transport_has_world(void)
{
	int size = 0;

	measure_mpi.Comm_size(MPI_COMM_WORLD, &size);
	return private_world != MPI_COMM_NULL && (int)transport.size == size;
}

void measure_transport_close(void)
{
	measure_mpi.Comm_free(&private_world);
}

bool measure_transport_is_true_for_all(bool is_true)
{
	int own = is_true;
	int all = 0;

	if (measure_mpi.Allreduce(&own, &all, 1, MPI_INT, MPI_LAND, private_world) != MPI_SUCCESS)
		return false;
	return all;
}

/* --------------------------------------------------------- synchronisation points --- */

static bool has_all_ranks(MPI_Comm comm)
{
	int result = MPI_UNEQUAL;

	if (private_world == MPI_COMM_NULL)
		return false;
	measure_mpi.Comm_compare(comm, private_world, &result);
	return result != MPI_UNEQUAL;
}

struct measure_points *measure_sync_points_open(MPI_Comm comm)
{
	struct measure_points *points;

	if (!has_all_ranks(comm))
		return NULL;
	points = calloc(1, sizeof(*points));
	if (points)
		points->left = points->step = comm == MPI_COMM_WORLD ? 1 : FIRST_SYNC_POINT;
	return points;
}

/* Tags of two communicators are the same too seldom to matter: only threads that come together in
 * both at the same time could mix them up. */
static void sync_point_announce(struct measure_comm_key key, struct measure_points *points)
{
	struct channel channel = {
		.comm = private_world,
		.tag = TRANSPORT_TAG + 1 + (int)(key.low % (uint64_t)greatest_tag),
		.patience = SYNC_POINT_PATIENCE,
	};
	const struct measure_transport at_point = {
		.rank = transport.rank,
		.size = transport.size,
		.context = &channel,
		.send = transport_send,
		.receive = transport_receive,
	};

	if (private_world == MPI_COMM_NULL)
		points->left = 0;
	else
		measure_parallel_point(&at_point, points);
}

void measure_sync_point_pass(struct measure_comm_key key, struct measure_points *points)
{
	if (points && points->left > 0 && --points->left == 0)
		sync_point_announce(key, points);
}
