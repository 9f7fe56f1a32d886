/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Presynchronisation of archives in which nobody has measured offsets: from messages alone. No
 * message arrives before it was sent, so each bounds the offset between two clocks from one side,
 * and messages both ways leave room for few lines. Pairs that know each other best make a tree,
 * along which lines and their bounds add up. */
#ifndef MEASURE_SYNC_INITIAL_ESTIMATE_H
#define MEASURE_SYNC_INITIAL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "clock/clock_function.h"

struct measure_estimate_message {
	uint32_t sender; /* numbers of clocks */
	uint32_t receiver;
	uint64_t sent; /* raw ticks of each */
	uint64_t received;
	uint64_t least; /* ticks that it takes at least */
};

struct measure_estimate {
	/* in */
	uint64_t first; /* raw ticks of the clock's first and last event */
	uint64_t last;
	/* out */
	struct measure_clock_function
		function;   /* two offsets; free(function.items) is the caller's */
	uint32_t reference; /* whose time it gives: the lowest number that messages lead to */
	double bound; /* ticks that it is wrong between first and last, if no clock changes its
			 drift. HUGE_VAL: not known, as messages go one way only somewhere on
			 the way to the reference, or contradict each other */
};

/* For each of `nr` clocks. With `are_alike` clocks are taken to show the same time but for their
 * errors: where messages do not clearly contradict that, nothing is changed.
 * MEASURE_ERROR_MEMORY: and then no function is there. Messages of clocks with themselves, or with
 * others than these, are not looked at. */
measure_status_t measure_estimate_make(const struct measure_estimate_message *messages,
	size_t nr_messages, bool are_alike, struct measure_estimate *estimates, uint32_t nr);

#endif
