/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random events on the locations of t_profile.h, and where each location truly was between them, as
 * who writes them knows it: nothing of the product is asked. */
#ifndef TESTS_UNIT_PYRAMID_T_TRUTH_H
#define TESTS_UNIT_PYRAMID_T_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analysis/t_profile.h"

#define T_DEPTH      8
#define T_MOST_STEPS 8192

/* From an event on. */
struct t_step {
	uint64_t time;
	uint32_t chain[T_DEPTH + 3]; /* regions, the outermost first */
	uint32_t depth;
	bool is_call; /* of the innermost one */
	bool is_event;
	bool is_send, is_receive;
	uint64_t bytes; /* sent */
};

struct t_location {
	struct t_step steps[T_MOST_STEPS];
	size_t nr_steps; /* the last one is the last event */
	uint64_t nr_events;
};

extern struct t_location t_truth[T_NR_LOCATIONS];

/* After the same seed everything is the same. */
void t_seed(uint64_t seed);
/* Below `limit`. */
uint64_t t_random(uint64_t limit);

/* Writes `most` events or less, or a few more, to each location, from about `start` on; between two
 * of them up to `step` ticks pass. */
void t_write_random(uint64_t start, uint64_t step, uint64_t most);

/* The innermost region after a step. */
uint32_t t_region(const struct t_step *step);

#endif
