/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The controlled logical clock, on the events that matter. Forward: every receive is put behind
 * what was sent to it. Backward: every send learns how far it may be moved after that. Results
 * are the same for any number of threads. */
#ifndef MEASURE_SYNC_CLC_REPLAY_H
#define MEASURE_SYNC_CLC_REPLAY_H

#include "sync/graph/decay.h"
#include "sync/graph/graph.h"

/* Receives from which nothing is asked because the events contradict each other: by relation. */
struct measure_sync_relaxed {
	uint64_t nr[MEASURE_NR_RELATIONS];
};

/* Afterwards a value is the time of its event on the controlled clock, and receives that were put
 * forward are marked. False: domains that cannot be one clock have been marked, and nothing is
 * done: see sync/graph/split.h. */
bool measure_sync_forward(struct measure_sync_graph *graph, const struct measure_sync_rate *rate,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed);

/* Afterwards the value of a send is the latest time that it may have, or MEASURE_SYNC_NO_LIMIT;
 * that of a receive is as before. */
void measure_sync_backward(struct measure_sync_graph *graph, unsigned nr_threads);

#endif
