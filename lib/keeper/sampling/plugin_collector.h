/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Score-P metric plug-ins in a keeper, with values of a node or of the whole job. They are read at
 * each sample of the keeper, or provide values with timestamps of their own. */
#ifndef MEASURE_KEEPER_SAMPLING_PLUGIN_COLLECTOR_H
#define MEASURE_KEEPER_SAMPLING_PLUGIN_COLLECTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/sample_file.h"
#include "base/array.h"
#include "format/segment.h"
#include "metric/list.h"
#include "metric/scorep.h"
#include "keeper/spool/clock_snapshots.h"

/* A value that waits for earlier ones of other metrics. */
struct measure_collected {
	uint64_t time;
	uint32_t metric;
	uint64_t value;
};

/* Where values go to, and who says what they are. */
struct measure_collecting {
	const char *list; /* --metrics */
	int part_fd;
	const struct measure_segment *segment;
	struct measure_clock_snapshots *triples; /* has the keeper's journal */
	pthread_mutex_t *lock;           /* of its thread; never held while a plug-in is asked */
	const bool *is_cut;              /* under the lock: nothing of the part is ours any more */
};

struct measure_collector {
	const struct measure_collecting *into;
	struct measure_scorep plugin;
	char path[MEASURE_METRIC_PATH];
	uint32_t series;
	uint32_t nr; /* metrics */
	struct measure_metric_info metrics[MEASURE_MOST_SINGLE];
	int32_t numbers[MEASURE_MOST_SINGLE]; /* of the plug-in; negative: cannot be read */
	bool is_open, is_off;
	struct measure_sample_file file;
	MEASURE_ARRAY(struct measure_collected) waiting;
	uint64_t latest[MEASURE_MOST_SINGLE]; /* times of the last values that came */
	uint64_t begin, last; /* ticks: since when it is read, and last */
	uint64_t nr_outside;  /* values of times when it was not */
	uint64_t nr_written;
	uint64_t nr_moved; /* came so late that they have the time of others */
};

struct measure_collectors {
	struct measure_collecting into;
	uint32_t nr;
	struct measure_collector items[MEASURE_SAMPLED_PLUGINS];
};

/* Those in --metrics that are to be read here. Not one that a keeper has started of which this one
 * is forked, and has the memory: what the plug-in knows there is not true any more. */
void measure_collectors_choose(
	struct measure_collectors *collectors, const struct measure_collecting *into);

/* Starts it, the first time, and says in the keeper's journal what its values are. False: it is
 * not to be read. */
bool measure_collector_begin(struct measure_collector *collector);

/* The values that it has now, all of which are of a time before `now`. What cannot be written is
 * counted. */
void measure_collector_read(struct measure_collector *collector, uint64_t now);

/* The last values, up to `end`, when the program was over; 0: that is not known. Where it has
 * become another one (`is_replaced`) that it is not read there is said. */
void measure_collector_end(struct measure_collector *collector, uint64_t end, bool is_replaced);

#endif
