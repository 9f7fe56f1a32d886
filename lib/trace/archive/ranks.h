/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who is rank r of a communicator: communicator -> group -> COMM_LOCATIONS -> location ->
 * location group (the process), and back. MPI records may come from any thread of a
 * process, so the matcher thinks in processes. */
#ifndef MEASURE_TRACE_ARCHIVE_RANKS_H
#define MEASURE_TRACE_ARCHIVE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "definitions.h"
#include "trace/common/containers.h"

struct measure_ranks {
	const struct measure_definitions *definitions;
	/* (group, process) -> rank, filled group by group, of groups that are not in order */
	struct measure_map members;
	bool *is_filled; /* by group */
	/* of the last question about a group that is in order */
	uint32_t last_group, last_process, last_rank;
};

void measure_ranks_start(
	struct measure_ranks *ranks, const struct measure_definitions *definitions);
void measure_ranks_free(struct measure_ranks *ranks);

/* Location index of a rank in a group; MEASURE_NONE where there is none, and for the group
 * of a self communicator. */
uint32_t measure_group_location(
	const struct measure_definitions *definitions, uint32_t group, uint32_t rank);

/* For measure_definitions_link(): marks the groups in which a rank can be found by bisection. In large
 * jobs these are nearly all, and a table of each would take more time than reading the events of one
 * location. */
void measure_groups_compare(struct measure_definitions *definitions);

/* The rank that events give to the i-th member of a group. */
uint32_t measure_group_rank(const struct measure_group *group, uint32_t member);

/* True for the group of self communicators: whoever uses it is its rank 0. */
bool measure_group_is_self(const struct measure_definitions *definitions, uint32_t group);

/* Rank of a process (location group index) in a group, or MEASURE_NONE. */
uint32_t measure_ranks_rank(struct measure_ranks *ranks, uint32_t group, uint32_t process);

/* Which of the groups of a communicator a process is in: 0 or 1, or MEASURE_NONE. */
uint32_t measure_ranks_side(struct measure_ranks *ranks, uint32_t comm, uint32_t process);

/* The process that `process` means by rank `peer` of a communicator (in an intercommunicator:
 * of the other group), or MEASURE_NONE. */
uint32_t measure_ranks_peer(
	struct measure_ranks *ranks, uint32_t comm, uint32_t process, uint32_t peer);

#endif
