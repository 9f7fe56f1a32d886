/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of collectives; for calls/wrappers.c. Arguments as in calls/coll.def: the call has taken
 * place where `members` is not NULL, its arguments are good then, and its traffic is computed. */
#ifndef MEASURE_MPI_COLL_ROLES_H
#define MEASURE_MPI_COLL_ROLES_H

#include "../core/failed_calls.h"
#include "../p2p/p2p.h"
#include "coll_calls.h"

#define BEFORE_COLLECTIVE(operation, root_, traffic, synchronizes)                                 \
	const measure_region_t region =                                                            \
		measure_collective_before(call, OTF2_COLLECTIVE_OP_##operation, root_, comm)
#define AFTER_COLLECTIVE(operation, root_, traffic, synchronizes)                                  \
	do {                                                                                       \
		const struct measure_communicator *members;                                        \
		struct measure_location *location =                                                \
			measure_collective_return(region, result, comm, &members);                 \
		if (members)                                                                       \
			measure_collective_end(location, OTF2_COLLECTIVE_OP_##operation, members,  \
				result, root_, traffic);                                           \
		if (location)                                                                      \
			measure_failure_leave(location, region, result);                           \
		if (result == MPI_SUCCESS && (synchronizes))                                       \
			measure_collective_has_synchronized(comm);                                 \
	} while (0)

#define BEFORE_ICOLLECTIVE(operation, root_, traffic)                                              \
	const struct measure_start start =                                                         \
		measure_icollective_before(call, OTF2_COLLECTIVE_OP_##operation, root_, comm)
#define AFTER_ICOLLECTIVE(operation, root_, traffic)                                               \
	do {                                                                                       \
		const struct measure_communicator *members =                                       \
			measure_icollective_members(start, result, comm);                          \
		if (members)                                                                       \
			measure_icollective_add(*request, start, OTF2_COLLECTIVE_OP_##operation,   \
				members, root_, traffic);                                          \
		measure_start_leave(start, result);                                                \
	} while (0)

#define BEFORE_PERSISTENT(operation, root_, traffic)                                               \
	const measure_region_t region = measure_plain_before(call)
#define AFTER_PERSISTENT(operation, root_, traffic)                                                \
	do {                                                                                       \
		const struct measure_communicator *members =                                       \
			measure_persistent_members(result, comm);                                  \
		if (members)                                                                       \
			measure_persistent_add(*request, OTF2_COLLECTIVE_OP_##operation, members,  \
				root_, traffic);                                                   \
		measure_plain_after(region);                                                       \
	} while (0)

#endif
