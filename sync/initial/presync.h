/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Presynchronisation: from the ClockOffset records of a location, whichever tool wrote them, the
 * function that gives its clock the reference's time before any message is looked at. The
 * function is itself a list of offsets, and measure_clock_function_apply() is how it is applied:
 * with OTF2's own arithmetic, so that a list written back is read by everybody as we meant it. */
#ifndef MEASURE_SYNC_INITIAL_PRESYNC_H
#define MEASURE_SYNC_INITIAL_PRESYNC_H

#include "status.h"
#include "clock/clock_function.h"

enum measure_presync {
	MEASURE_PRESYNC_NONE,      /* raw time */
	MEASURE_PRESYNC_CONST,     /* one offset, from which the records differ least */
	MEASURE_PRESYNC_LINEAR,    /* the line through the first and the last record */
	MEASURE_PRESYNC_PIECEWISE, /* lines through all of them, as readers do it */
	MEASURE_PRESYNC_MESSAGES /* none of this: sync/initial/message_bounds.h finds lines later */
};

/* Before the first and after the last record. */
enum measure_presync_ends {
	MEASURE_PRESYNC_PROLONG, /* the outer lines go on, as readers do it */
	MEASURE_PRESYNC_CLAMP    /* the outer records' offsets hold */
};

/* `function` is empty where raw time is what is meant, and has two offsets or more otherwise; their
 * times increase, and so do the times they give. Records that are against that are left out and
 * counted in `nr_dropped`. A single record has no effect, as with every reader; only for CONST it
 * counts. free(function->items) is the caller's. MEASURE_ERROR_MEMORY. */
measure_status_t measure_presync_make(const struct measure_clock_function *records,
	enum measure_presync kind, enum measure_presync_ends ends,
	struct measure_clock_function *function, size_t *nr_dropped);

#endif
