/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of the table as regions, and whether they are recorded. */
#ifndef MEASURE_POSIXIO_CALLS_H
#define MEASURE_POSIXIO_CALLS_H

#include <stdbool.h>

#include "adapter.h"

#define ROW(type, name, group, role, parameters) CALL_##name,
enum measure_call {
#include "posixio_calls.def"
	NR_CALLS
};

/* Begins to record the groups that the option's text names. */
void measure_calls_choose(const char *groups);

/* Is this call to be recorded? `caller`: an address in the code that calls. */
bool measure_call_is_on(enum measure_call call, const void *caller);

/* The halves of a recorded call, each with a bracket that stays open for what else is to be
 * written. NULL: nothing can be recorded now, and before the call that means: not at all. A child
 * of vfork() is told so, too. */
struct measure_location *measure_call_enter(enum measure_call call);
void measure_call_leave(struct measure_location *location, enum measure_call call);

/* Calls with nothing but a region. False: not recorded. */
bool measure_plain_enter(enum measure_call call, const void *caller);
void measure_plain_leave(enum measure_call call);

#endif
