/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State that a keeper leaves to its successor, in memory that the guard allocates and the process
 * does not have: the process may have overwritten what it shares with its keeper. */
#ifndef MEASURE_KEEPER_PROCESS_KEEPER_STATE_H
#define MEASURE_KEEPER_PROCESS_KEEPER_STATE_H

#include <stdatomic.h>
#include <stdint.h>

#include "format/segment.h"
#include "status.h"

/* Programs that the process has started and that cannot be recorded, and why. */
#define MEASURE_UNRECORDED_PROGRAMS 32 /* of more, only how many: the last one */

struct measure_unrecorded_programs {
	struct measure_unrecorded_program {
		uint64_t nr; /* times; 0: nothing here */
		char program[256];
		char reason[96];
	} programs[MEASURE_UNRECORDED_PROGRAMS];
};

struct measure_keeper_state {
	struct measure_segment_layout layout; /* of its segment; written before that is sealed */
	uint64_t clock_origin;		      /* as it is told to the program; the same */
	_Atomic int32_t pid;	     /* of the program; 0: not told yet. Release */
	_Atomic uint64_t start_time; /* of that process: another one may get its number */
	_Atomic uint32_t is_served;  /* it has its segment */
	_Atomic uint32_t nr_followed; /* children that have come */
	_Atomic uint32_t nr_images;   /* of those, programs that were started in them */
	_Atomic uint32_t stopped; /* nothing can be written any more: measure_status_t */
	_Atomic uint32_t has_successor; /* what it became was answered, and asks no more */
	struct measure_unrecorded_programs unrecorded;
	_Atomic uint64_t replaced;    /* ticks when it became another program, with a segment of
				       * its own; 0: it did not */
};

/* For the guard and all that it forks from now on. All zero. */
struct measure_keeper_state *measure_keeper_state_make(void);
void measure_keeper_state_drop(struct measure_keeper_state *known);

/* Counts a program. By one thread. */
void measure_unrecorded_count(
	struct measure_unrecorded_programs *unrecorded, const char *program, const char *reason);

/* Into the keeper's journal, once the process has ended. */
measure_status_t measure_unrecorded_write(
	const struct measure_unrecorded_programs *unrecorded, int part_fd);

#endif
