/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network of a run as its calls show it, and what they would have taken on another one.
 *
 * What a call took after all that it depended on had begun has a fixed part, the least of the calls
 * of the same region that lie as near to each other, and a rest that depends on sizes. Only of
 * calls that waited is the fixed part latency; of others it is work of the processor. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_NETWORK_H
#define MEASURE_ANALYSIS_EFFICIENCY_NETWORK_H

#include "replay.h"

struct measure_network_change {
	double latency;                  /* factor, or seconds */
	double bandwidth;                /* factor, or bytes per second */
	bool has_latency, has_bandwidth; /* seconds, bytes per second: replaces that of the run */
};

/* What messages show of the network between the processes that are farthest from each other; 0: not
 * known. */
struct measure_network {
	double latency;   /* seconds */
	double bandwidth; /* bytes per second */
};

/* By step, for measure_replay_rules; to be freed. Without a change, as recorded. */
uint64_t *measure_network_rests(const struct measure_replay *replay,
	const struct measure_interval *windows, const struct measure_network_change *change,
	struct measure_network *network);

#endif
