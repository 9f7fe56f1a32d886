/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of communicators and the members they are made from. */
#include "config.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "identity.h"
#include "real.h"

static MPI_Group world_group = MPI_GROUP_NULL;

/* One step of a hash whose steps do not commute; every bit of the result depends on all
 * bits of both arguments. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 29;
}

static struct measure_comm_key mix_key(struct measure_comm_key key, uint64_t a, uint64_t b)
{
	return (struct measure_comm_key){
		.high = mix(mix(mix(key.high, key.low), a), b),
		.low = mix(mix(mix(key.low, b), a), ~key.high),
	};
}

struct measure_comm_key measure_identity_of_self(struct measure_comm_key world, uint32_t rank)
{
	return mix_key(world, UINT64_MAX, rank);
}

struct measure_comm_key measure_identity_of_child(
	struct measure_comm_key parent, uint64_t kinship, uint64_t nr_before)
{
	return mix_key(parent, kinship, nr_before);
}

uint64_t measure_identity_kinship(const struct measure_members *members, int tag)
{
	uint64_t hash = mix(members->nr, (uint64_t)tag);

	for (uint32_t i = 0; i < members->nr; i++)
		hash = mix(hash, members->ranks[i]);
	if (members->nr_others)
		hash = mix(hash, members->nr_others);
	for (uint32_t i = 0; i < members->nr_others; i++)
		hash = mix(hash, members->others[i]);
	return hash;
}

struct measure_comm_key measure_identity_new_world(void)
{
	struct measure_comm_key key;
	struct timespec now;
	char host[256] = "";

	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof(host) - 1);
	key.high = mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
	key.low = mix(key.high, (uint64_t)getpid());
	for (const char *c = host; *c; c++)
		key.low = mix(key.low, (uint64_t)*c);
	return key;
}

measure_status_t measure_identity_open_world(void)
{
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
static measure_status_t translate(MPI_Group group, int size, uint32_t *ranks)
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
		status = translate(group, size, members->ranks);
	if (status != MEASURE_OK)
		measure_members_free(members);
	return status;
}

/* Adds the remote group, and puts the two in order. */
static measure_status_t add_others(MPI_Comm comm, struct measure_members *members)
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
		*members = (struct measure_members){remote.nr, remote.ranks, own.nr, own.ranks};
	else
		*members = (struct measure_members){own.nr, own.ranks, remote.nr, remote.ranks};
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
	int is_inter = 0;

	if (status != MEASURE_OK)
		return status;
	measure_mpi.Comm_test_inter(comm, &is_inter);
	if (is_inter)
		status = add_others(comm, members);
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
