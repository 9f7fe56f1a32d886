/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The order of what happened at one tick of a clock that several locations share. */
#ifndef MEASURE_SYNC_GRAPH_TIE_BREAKING_H
#define MEASURE_SYNC_GRAPH_TIE_BREAKING_H

#include "graph.h"

/* The records of a domain are in order of (raw time, location, position). Afterwards those of one
 * tick are so that sends come before their receives, where that can be. While marks are arranged:
 * the records' times are the numbers of their marks still. */
void measure_sync_break_ties(struct measure_sync_graph *graph, uint32_t domain);

#endif
