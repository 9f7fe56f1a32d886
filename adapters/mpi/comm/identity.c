/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of communicators and the members they are made from. */
#include "config.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../core/pmpi.h"
#include "identity.h"

static MPI_Group world_group = MPI_GROUP_NULL;

/* One step of a hash whose steps do not commute; every bit of the result depends on all
 * bits of both arguments. */
static uint64_t hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 29;
}

static struct measure_comm_key key_mix(struct measure_comm_key key, uint64_t a, uint64_t b)
{
	return (struct measure_comm_key){
		.high = hash_mix(hash_mix(hash_mix(key.high, key.low), a), b),
		.low = hash_mix(hash_mix(hash_mix(key.low, b), a), ~key.high),
	};
}

struct measure_comm_key measure_identity_of_self(struct measure_comm_key world, uint32_t rank)
{
	return key_mix(world, UINT64_MAX, rank);
}

struct measure_comm_key measure_identity_of_child(
	struct measure_comm_key parent, uint64_t kinship, uint64_t nr_before)
{
	return key_mix(parent, kinship, nr_before);
}

uint64_t measure_identity_kinship(const struct measure_members *members, int tag)
{
	uint64_t hash = hash_mix(members->nr, (uint64_t)tag);

	if (members->is_relative)
		hash = hash_mix(hash, members->is_relative);
	for (uint32_t i = 0; i < members->nr; i++)
		hash = hash_mix(hash, members->ranks[i]);
	if (members->nr_others)
		hash = hash_mix(hash, members->nr_others);
	for (uint32_t i = 0; i < members->nr_others; i++)
		hash = hash_mix(hash, members->others[i]);
	return hash;
}

struct measure_comm_key measure_identity_new_world(void)
{
	struct measure_comm_key key;
	struct timespec now;
	char host[256] = "";

	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof(host) - 1);
	key.high = hash_mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
	key.low = hash_mix(key.high, (uint64_t)getpid());
	for (const char *c = host; *c; c++)
		key.low = hash_mix(key.low, (uint64_t)*c);
	return key;
}

/* What launchers call the job. */
static const char *const job_names[] = {
	"PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID", "SLURM_STEP_ID"};

struct measure_comm_key measure_identity_of_job(void)
{
	struct measure_comm_key key = {.high = hash_mix(0, 1), .low = hash_mix(0, 2)};

	for (size_t i = 0; i < sizeof(job_names) / sizeof(job_names[0]); i++) {
		const char *name = getenv(job_names[i]);

		for (const char *c = name ? name : ""; *c; c++)
			key = key_mix(key, i, (uint64_t)*c);
	}
	return key;
}

void measure_identity_adopt_world(MPI_Group group)
{
	world_group = group;
}

measure_status_t measure_identity_open_world(void)
{
	measure_identity_close_world();
	if (measure_mpi.Comm_group(MPI_COMM_WORLD, &world_group) != MPI_SUCCESS)
		return MEASURE_ERROR_UNSUPPORTED;
	return MEASURE_OK;
}

void measure_identity_close_world(void)
{
	if (world_group != MPI_GROUP_NULL)
		measure_mpi.Group_free(&world_group);
}

/* Room for both rank lists of a translation in one allocation: own ranks, then the world's. */
static measure_status_t group_translate(MPI_Group group, int size, uint32_t *ranks)
{
	measure_status_t status = MEASURE_OK;
	int *own = malloc((2 * (size_t)size + 1) * sizeof(*own));

	if (!own)
		return MEASURE_ERROR_MEMORY;
	int *world = own + size;
	for (int i = 0; i < size; i++)
		own[i] = i;
	measure_mpi.Group_translate_ranks(group, size, own, world_group, world);
	for (int i = 0; i < size; i++) {
		if (world[i] == MPI_UNDEFINED)
			status = MEASURE_ERROR_NOT_FOUND;
		ranks[i] = (uint32_t)world[i];
	}
	free(own);
	return status;
}

measure_status_t measure_members_of_group(MPI_Group group, struct measure_members *members)
{
	measure_status_t status = MEASURE_ERROR_MEMORY;
	int size = 0;

	*members = (struct measure_members){0};
	if (world_group == MPI_GROUP_NULL)
		return MEASURE_ERROR_NOT_FOUND;
	measure_mpi.Group_size(group, &size);
	members->nr = (uint32_t)size;
	members->ranks = malloc(((size_t)size + 1) * sizeof(*members->ranks));
	if (members->ranks)
		status = group_translate(group, size, members->ranks);
	if (status != MEASURE_OK)
		measure_members_free(members);
	return status;
}

static bool comm_is_inter(MPI_Comm comm)
{
	int is_inter = 0;

	measure_mpi.Comm_test_inter(comm, &is_inter);
	return is_inter;
}

/* Adds the remote group, and puts the two in order. */
static measure_status_t members_add_others(MPI_Comm comm, struct measure_members *members)
{
	const struct measure_members own = *members;
	struct measure_members remote;
	measure_status_t status;
	MPI_Group group;

	if (own.nr == 0 || measure_mpi.Comm_remote_group(comm, &group) != MPI_SUCCESS)
		return MEASURE_ERROR_NOT_FOUND;
	status = measure_members_of_group(group, &remote);
	measure_mpi.Group_free(&group);
	if (status != MEASURE_OK)
		return status;
	if (remote.nr == 0) {
		measure_members_free(&remote);
		return MEASURE_ERROR_NOT_FOUND;
	}
	if (remote.ranks[0] < own.ranks[0])
		*members = (struct measure_members){.nr = remote.nr,
			.ranks = remote.ranks,
			.nr_others = own.nr,
			.others = own.ranks,
			.is_second = true};
	else
		*members = (struct measure_members){.nr = own.nr,
			.ranks = own.ranks,
			.nr_others = remote.nr,
			.others = remote.ranks};
	return MEASURE_OK;
}

measure_status_t measure_members_of_own_side(MPI_Comm comm, struct measure_members *members)
{
	measure_status_t status;
	MPI_Group group;

	if (world_group == MPI_GROUP_NULL || measure_mpi.Comm_group(comm, &group) != MPI_SUCCESS)
		return MEASURE_ERROR_NOT_FOUND;
	status = measure_members_of_group(group, members);
	measure_mpi.Group_free(&group);
	return status;
}

measure_status_t measure_members_get(MPI_Comm comm, struct measure_members *members)
{
	measure_status_t status = measure_members_of_own_side(comm, members);

	if (status == MEASURE_OK && comm_is_inter(comm))
		status = members_add_others(comm, members);
	if (status != MEASURE_OK)
		measure_members_free(members);
	return status;
}

/* ----------------------------------------------------- across several worlds --- */

/* The one or two groups that ranks are looked up in, and from where on each is counted. */
struct rank_frame {
	MPI_Group groups[2];
	uint32_t offsets[2];
	int nr;
};

static void frame_open(struct rank_frame *frame, MPI_Comm comm, bool is_second)
{
	int own_size = 0, remote_size = 0;

	*frame = (struct rank_frame){.nr = comm_is_inter(comm) ? 2 : 1};
	measure_mpi.Comm_group(comm, &frame->groups[0]);
	if (frame->nr == 1)
		return;
	measure_mpi.Comm_remote_group(comm, &frame->groups[1]);
	measure_mpi.Group_size(frame->groups[0], &own_size);
	measure_mpi.Group_size(frame->groups[1], &remote_size);
	frame->offsets[is_second ? 0 : 1] = (uint32_t)(is_second ? remote_size : own_size);
}

static void frame_close(struct rank_frame *frame)
{
	for (int i = 0; i < frame->nr; i++)
		measure_mpi.Group_free(&frame->groups[i]);
}

/* False: it is nowhere in there. */
static bool frame_find_rank(
	const struct rank_frame *frame, MPI_Group group, int rank, uint32_t *found)
{
	for (int i = 0; i < frame->nr; i++) {
		int there = MPI_UNDEFINED;

		measure_mpi.Group_translate_ranks(group, 1, &rank, frame->groups[i], &there);
		*found = frame->offsets[i] + (uint32_t)there;
		if (there != MPI_UNDEFINED)
			return true;
	}
	return false;
}

static measure_status_t frame_find_group(
	const struct rank_frame *frame, MPI_Group group, uint32_t *nr, uint32_t **ranks)
{
	int size = 0;

	measure_mpi.Group_size(group, &size);
	*nr = (uint32_t)size;
	*ranks = malloc(((size_t)size + 1) * sizeof(**ranks));
	if (!*ranks)
		return MEASURE_ERROR_MEMORY;
	for (int rank = 0; rank < size; rank++)
		if (!frame_find_rank(frame, group, rank, &(*ranks)[rank]))
			return MEASURE_ERROR_NOT_FOUND;
	return MEASURE_OK;
}

static measure_status_t frame_find_others(
	const struct rank_frame *frame, MPI_Comm comm, struct measure_members *members)
{
	struct measure_members own = *members;
	measure_status_t status;
	MPI_Group group;

	measure_mpi.Comm_remote_group(comm, &group);
	status = frame_find_group(frame, group, &members->nr_others, &members->others);
	measure_mpi.Group_free(&group);
	if (!members->is_second)
		return status;
	members->nr = members->nr_others;
	members->ranks = members->others;
	members->nr_others = own.nr;
	members->others = own.ranks;
	return status;
}

/* What is made of an intercommunicator lists its groups in the same order. */
measure_status_t measure_members_within(
	MPI_Comm comm, MPI_Comm from, bool is_second_of_from, struct measure_members *members)
{
	measure_status_t status;
	struct rank_frame frame;
	MPI_Group group;

	*members = (struct measure_members){.is_relative = true};
	frame_open(&frame, from, is_second_of_from);
	measure_mpi.Comm_group(comm, &group);
	status = frame_find_group(&frame, group, &members->nr, &members->ranks);
	measure_mpi.Group_free(&group);
	if (status == MEASURE_OK && comm_is_inter(comm)) {
		members->is_second = is_second_of_from;
		status = frame_find_others(&frame, comm, members);
	}
	frame_close(&frame);
	if (status != MEASURE_OK)
		measure_members_free(members);
	return status;
}

void measure_members_free(struct measure_members *members)
{
	free(members->ranks);
	free(members->others);
	*members = (struct measure_members){0};
}
