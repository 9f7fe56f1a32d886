/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unsuccessful polls: calls that only check whether something has happened, and find that it has
 * not, such as MPI_Test with a flag of 0. A loop makes millions of them. Where their records cost
 * more than --overhead allows, only the first of those that directly follow each other is kept; the
 * others are taken back when they return, and counted with their time. lib/event only. */
#ifndef MEASURE_RUNTIME_SELECT_POLLS_H
#define MEASURE_RUNTIME_SELECT_POLLS_H

#include <stdbool.h>
#include <stdint.h>

struct measure_location;
struct measure_segment_header;

/* Of a location: the end of its last unsuccessful poll in this chunk. */
struct measure_polls {
	uint64_t committed; /* at that point; 0: there was none */
	uint8_t *position;
	uint64_t time;
	uint32_t nr_repeated; /* recorded since the throttle looked, though they directly followed
				 another one */
};

/* Records all of them, until told otherwise. */
void measure_polls_start(struct measure_segment_header *header);

/* From now on, on all threads. False: that was so already. */
bool measure_polls_leave_out(void);

#endif
