/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an edge is: a send and a receive of one instance, on different locations, of which the
 * one must happen before the other. */
#ifndef MEASURE_TRACE_RELATIONS_EDGES_H
#define MEASURE_TRACE_RELATIONS_EDGES_H

#include "trace/match/match.h"

static inline bool measure_is_edge(enum measure_relation relation, uint32_t send_location,
	uint32_t send_rank, uint32_t receive_location, uint32_t receive_rank)
{
	return send_location != receive_location &&
	       (measure_relations[relation].pattern == MEASURE_PATTERN_ALL ||
		       send_rank < receive_rank);
}

#endif
