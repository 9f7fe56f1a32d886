/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --hang-after: the keeper's thread that notices that nothing in the whole job has moved for so
 * long, and prints the roll-call of this node. Keepers tell one another by the time of a file of
 * the run directory, which whoever sees its process move sets, unless another one just has. Of the
 * keepers of a node one prints, once for each hang. */
#ifndef MEASURE_KEEPER_PROCESS_HANG_WATCH_H
#define MEASURE_KEEPER_PROCESS_HANG_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "format/segment.h"
#include "keeper.h"

struct measure_hang_watch {
	const struct measure_keeper *keeper;
	const struct measure_segment *segment;
	pthread_t thread;
	bool is_running;
	_Atomic uint32_t is_over; /* a futex */
	int fd;                   /* of the file */
	struct timespec stamp;    /* its time */
	int64_t quiet_since;      /* measure_now_ms() */
	uint64_t nr_events;       /* of the process */
	bool is_said;             /* of this hang, by whomever */
};

/* Nothing where the option is not given, or no thread can be started. */
void measure_hang_watch_start(struct measure_hang_watch *watch, const struct measure_keeper *keeper,
	const struct measure_segment *segment);
void measure_hang_watch_stop(struct measure_hang_watch *watch);

#endif
