/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random events of all kinds, with the definitions of t_profile.h, and what they leave in a fold.
 */
#ifndef TESTS_UNIT_ANALYSIS_T_RANDOM_EVENTS_H
#define TESTS_UNIT_ANALYSIS_T_RANDOM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream/record.h"
#include "trace/stream/stream.h"

/* After the same seed everything is the same. There have been no events. */
void t_seed(uint64_t seed);
/* Below `limit`. */
uint64_t t_random(uint64_t limit);
/* One time of so many. */
bool t_chance(uint64_t of);

/* What the events so far must have left in the private parts of a fold. */
struct t_model {
	uint32_t sends, locks, operations; /* open ones, a bit each */
	uint32_t nr_collectives;
	uint32_t tasks; /* a bit each */
	uint32_t current, team;
	uint32_t nr_free; /* tasks: at least so many */
	bool is_complete; /* the current task */
	bool has_strict_value, has_value, has_slices;
};

extern struct t_model t_model;

struct t_step {
	struct measure_event event;
	struct measure_record record;
	struct measure_record_attribute attribute;
	uint64_t items[2];
	bool is_plain; /* an Enter or a Leave that has nothing more */
	bool is_skip;
};

/* The next event, at `time`. Of three styles of threads one begins without calls, of two one may
 * turn out to be no worker. */
void t_next(struct t_step *step, uint64_t time, uint64_t style);

#endif
