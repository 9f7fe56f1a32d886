/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is measured: pairs of operations of which one makes events that the other does not make, and
 * that are otherwise the same. */
#ifndef MEASURE_EVENT_COSTS_SUBJECTS_H
#define MEASURE_EVENT_COSTS_SUBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "costs/event_costs.h"

struct subject {
	enum measure_event_cost_kind kind, other_kind; /* the same, or Enter and Leave */
	void (*recorded)(void);
	void (*plain)(void);
	unsigned nr_transactions; /* of the first one */
	unsigned nr_events;       /* that it has and the second one has not; Enter and Leave: 1 */
	bool has_timestamp;       /* these have one of their own */
};

#define PAIR(kind) MEASURE_EVENT_COST_##kind##_ENTER, MEASURE_EVENT_COST_##kind##_LEAVE
#define SAME(kind) MEASURE_EVENT_COST_##kind, MEASURE_EVENT_COST_##kind

/* subjects.c, and mpi_subjects.c of the program that has MPI. */
#define MOST_SUBJECTS 6
extern const struct subject measure_subjects[];
extern const unsigned measure_nr_subjects;

/* False: nobody records this, or not all of it. */
bool measure_subjects_start(void);
void measure_subjects_end(void);

#endif
