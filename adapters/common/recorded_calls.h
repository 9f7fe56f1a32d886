/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls in groups that an option chooses from, as regions that are made when they are first
 * needed. For adapters of calls that libraries make for themselves as well; each is built with a
 * copy of its own, and gives it the table. */
#ifndef MEASURE_CALLS_H
#define MEASURE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"
#include "call_groups.h"

struct measure_call_row {
	const char *name;
	uint8_t role; /* OTF2_RegionRole */
	uint8_t group;
	_Atomic(measure_region_t) region; /* id + 1; 0: not yet defined */
};

/* What the adapter has: one row for each of its calls, whose number is `call` below. Hidden, so
 * that the way to a row is not by way of the object's table of addresses. */
#pragma GCC visibility push(hidden)
extern struct measure_call_row measure_call_rows[];
extern const struct measure_call_groups measure_call_groups;
extern const uint8_t measure_calls_paradigm;
#pragma GCC visibility pop

/* Begins to record the groups that the option's text names; NULL is "auto". What was made before
 * is there for whoever sees a call on. */
void measure_calls_choose(const char *text);

/* No more of them: recording leaves the process. */
void measure_calls_choose_none(void);

/* Anything is recorded at all. */
bool measure_calls_are_on(void);

/* Is this call to be recorded? `caller`: an address in the code that calls. */
bool measure_call_is_on(unsigned call, const void *caller);

/* The region of a call. Not inside a transaction, unless it was asked for before. */
measure_region_t measure_call_region(unsigned call);

/* The halves of a recorded call, each with a transaction that stays open for what else is to be
 * written. NULL: nothing can be recorded now, and before the call that means: not at all. A child
 * of vfork() is told so, too. */
struct measure_location *measure_call_enter(unsigned call);
void measure_call_leave(struct measure_location *location, unsigned call);

/* Calls with nothing but a region. False: not recorded. */
bool measure_plain_enter(unsigned call, const void *caller);
void measure_plain_leave(unsigned call);

#endif
