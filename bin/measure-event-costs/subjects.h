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

#define NR_SUBJECTS 6
extern const struct subject measure_subjects[NR_SUBJECTS];

/* Ticks of the function that says when it is inside, from its call to there and from there to its
 * return. */
struct passage {
	uint64_t enter, leave;
};
struct passage measure_pass_recorded(void);
struct passage measure_pass_plain(void);

/* measure_reference_ticks() of what records. */
extern uint64_t (*measure_subjects_reference)(void);

/* False: nobody records this, or not all of it. */
bool measure_subjects_start(void);

#endif
