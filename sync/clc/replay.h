/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replays, on the events that matter: each receive gets its time when those of what was sent to it
 * are known, by a policy. The controlled logical clock has two passes. Forward: every receive is
 * put behind what was sent to it. Backward: every send learns how far it may be moved after that.
 * Results are the same for any number of threads. */
#ifndef MEASURE_SYNC_CLC_REPLAY_H
#define MEASURE_SYNC_CLC_REPLAY_H

#include "sync/graph/decay.h"
#include "sync/graph/graph.h"

/* Receives from which nothing is asked because the events contradict each other: by relation. */
struct measure_sync_relaxed {
	uint64_t nr[MEASURE_NR_RELATIONS];
};

/* Where a replay puts events: it comes to those of a domain in the order of its clock, and to a
 * receive when all that was sent to it is known. */
struct measure_sync_policy {
	/* `bound`: what a receive must not be before, or MEASURE_SYNC_NO_BOUND, as of all sends */
	int64_t (*time_of)(
		void *data, uint32_t domain, struct measure_sync_record *record, int64_t bound);
	void *data;
	bool are_neighbours_asked; /* locations of one domain wait for each other, too */
};

/* Afterwards a value is the time of its event. False: domains that cannot be one clock have been
 * marked, and nothing is done: see sync/graph/split.h; not where neighbours are asked. */
bool measure_sync_replay(struct measure_sync_graph *graph, const struct measure_sync_policy *policy,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed);

/* Forgets what a replay has found, but for receives from which nothing is asked. */
void measure_sync_replay_again(struct measure_sync_graph *graph);

/* The controlled logical clock. Afterwards a value is the time of its event on that clock, and
 * receives that were put forward are marked. False: domains that cannot be one clock have been
 * marked, and nothing is done: see sync/graph/split.h. */
bool measure_sync_forward(struct measure_sync_graph *graph, const struct measure_sync_rate *rate,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed);

/* Afterwards the value of a send is the latest time that it may have, or MEASURE_SYNC_NO_LIMIT;
 * that of a receive is as before. */
void measure_sync_backward(struct measure_sync_graph *graph, unsigned nr_threads);

#endif
