/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's thread that allocates event memory in advance. The pages belong to the segment: the
 * program only maps them, in about 5 us instead of 50 for 64 KiB, and needs no thread of Measure.
 */
#ifndef MEASURE_KEEPER_SPOOL_POPULATOR_H
#define MEASURE_KEEPER_SPOOL_POPULATOR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/segment.h"

struct measure_populator {
	const struct measure_segment *segment;
	pthread_t thread;
	bool is_running;
	_Atomic bool is_over;
	uint32_t next; /* no chunk below this one is untouched */
};

/* Where no thread can be started, the program allocates all memory itself. */
void measure_populator_start(
	struct measure_populator *populator, const struct measure_segment *segment);

void measure_populator_stop(struct measure_populator *populator);

#endif
