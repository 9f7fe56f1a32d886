/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's thread that has archives of the run made while it goes on: DIR/snapshot-1, -2, ...
 * It waits for somebody to ask (the program by measure.h or --snapshot-if, the user by a signal),
 * starts `measure-repair --live`, and says when the archive is there. Of what is asked for while
 * one is being made, one is made afterwards. Of keepers of a node that are asked at one time one
 * does it. */
#ifndef MEASURE_KEEPER_PROCESS_SNAPSHOTS_H
#define MEASURE_KEEPER_PROCESS_SNAPSHOTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/segment.h"
#include "keeper.h"

struct measure_snapshots {
	const struct measure_keeper *keeper;
	struct measure_segment_header *header;
	pthread_t thread;
	bool is_running;
	_Atomic bool is_over;
	uint32_t served; /* header->snapshots_wanted of those that were cared for */
	uint32_t number; /* of the last one that did it for us */
};

/* Where no thread can be started, nobody gets one. `is_second`: the keeper before this one has
 * died. */
void measure_snapshots_start(struct measure_snapshots *snapshots,
	const struct measure_keeper *keeper, struct measure_segment_header *header, bool is_second);

/* The program is gone: one that is being made has some seconds left, later ones are not made any
 * more: the archive of the run has all of them. */
void measure_snapshots_stop(struct measure_snapshots *snapshots);

#endif
