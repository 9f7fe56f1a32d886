/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that make and free communicators or processes, and of topologies; for
 * calls/wrappers.c. */
#ifndef MEASURE_MPI_COMM_ROLES_H
#define MEASURE_MPI_COMM_ROLES_H

#include "../coll/coll_calls.h"
#include "comm_calls.h"
#include "spawn.h"

#define BEFORE_COMM_CREATE const measure_region_t region = measure_creation_before(call, comm)
#define AFTER_COMM_CREATE  measure_comm_create_after(region, result, comm, newcomm)

#define BEFORE_COMM_IDUP const struct measure_start start = measure_comm_idup_before(call, comm)
#define AFTER_COMM_IDUP  measure_comm_idup_after(start, result, comm, newcomm, request)

#define BEFORE_COMM_CREATE_GROUP                                                                   \
	const measure_region_t region = measure_comm_create_group_before(call, comm, group)
#define AFTER_COMM_CREATE_GROUP measure_comm_create_group_after(region, result, comm, tag, newcomm)

#define BEFORE_COMM_FROM_GROUP                                                                     \
	const measure_region_t region = measure_partial_collective_before(call, MPI_COMM_WORLD)
#define AFTER_COMM_FROM_GROUP measure_comm_from_group_after(region, result, stringtag, newcomm)

#define BEFORE_INTERCOMM_CREATE const measure_region_t region = measure_creation_before(call, comm)
#define AFTER_INTERCOMM_CREATE                                                                     \
	measure_intercomm_create_after(                                                            \
		region, result, comm, local_leader, bridge_comm, tag, newcomm)

/* `comm_`: the communicator of this side. */
#define BEFORE_CONNECT(comm_) const measure_region_t region = measure_creation_before(call, comm_)
#define AFTER_CONNECT(comm_)                                                                       \
	measure_intercomm_create_after(                                                            \
		region, result, comm_, -1, MPI_COMM_NULL, MEASURE_COMM_NO_TAG, newcomm)

/* MPI gets other infos than the program has given. */
#define BEFORE_SPAWN                                                                               \
	char *const commands[] = {(char *)(uintptr_t)command};                                     \
	struct measure_spawn spawn;                                                                \
	info = *measure_spawn_before(&spawn, call, 1, commands, &info, root, comm)
#define AFTER_SPAWN measure_spawn_after(&spawn, result, root, comm, newcomm)

#define BEFORE_SPAWN_MULTIPLE                                                                      \
	struct measure_spawn spawn;                                                                \
	array_of_info = measure_spawn_before(                                                      \
		&spawn, call, count, array_of_commands, array_of_info, root, comm)
#define AFTER_SPAWN_MULTIPLE measure_spawn_after(&spawn, result, root, comm, newcomm)

#define BEFORE_COMM_FREE                                                                           \
	const struct measure_comm_freed freed = measure_comm_free_before(call, comm)
#define AFTER_COMM_FREE measure_comm_free_after(freed, result)

#define BEFORE_COMM_SET_NAME const measure_region_t region = measure_plain_before(call)
#define AFTER_COMM_SET_NAME  measure_comm_set_name_after(region, result, comm)

#endif
