/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of regions of which the filter records only some: decided one by one. All of these that are
 * open on a location lie in a stack here, with those that are not recorded and that the region
 * stack, which the keeper sees, does not have: so each exit is known for what it is. What is
 * decided is carried out by event/filtered_call.c. */
#ifndef MEASURE_SELECT_CALL_FILTER_H
#define MEASURE_SELECT_CALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/open_call.h"
#include "format/segment.h"

/* What the exit of a function tells. The hook is called from inside of the function, with the
 * stack as it was at the entry, or jumped to as the last thing, when the function's frame is gone:
 * then it seems to be called by the function's caller, and its frame lies above that of the
 * entry. */
struct measure_exit {
	const void *function;
	uint64_t frame;
	const void *return_address; /* of the hook; NULL: it was jumped to */
	uint64_t base; /* the function's frame pointer where it has one, else anything */
};

/* A call that was decided and is open. */
struct measure_filtered_call {
	uint64_t frame; /* 0: of no function */
	uint32_t region;
	struct measure_filter_open open; /* `depth`: of the region stack around it */

	/* Of one that is recorded. Its Enter may be taken back while it is the last record, which
	 * is so if `committed` is what it was after it. */
	const struct measure_segment_frame *entry; /* NULL: not known any more */
	uint64_t committed;
	uint64_t added; /* to that: its Enter, and counters before it */
	uint8_t *begin; /* of its record */
	uint64_t time;
	uint64_t shortest; /* ticks; 0: it stays */
};

/* Of a location. */
struct measure_call_filter;

/* `begin`: what times of the filter count from, in ticks. Once, before the gate opens. */
void measure_call_filter_start(uint64_t begin);

/* For the location of this number; NULL: there is no memory. */
struct measure_call_filter *measure_call_filter_make(uint32_t location);

/* A call begins at `time`, with `depth` regions open around it. Decides whether it is recorded
 * (open.is_recorded), and how long it must take to stay, in ns (*shortest). NULL: there is no room,
 * it is not recorded, and counted. */
struct measure_filtered_call *measure_call_filter_enter(struct measure_call_filter *filter,
	uint32_t region, uint64_t frame, uint32_t depth, uint64_t time, uint64_t *shortest);

/* Ticks of so many ns. */
uint64_t measure_call_filter_ticks(const struct measure_call_filter *filter, uint64_t ns);

/* The call of this region that ends, at that depth, and it is no longer here; `exit`: of a
 * function, or NULL. Valid until the next call. NULL: none was decided. */
const struct measure_filtered_call *measure_call_filter_leave(struct measure_call_filter *filter,
	uint32_t region, uint32_t depth, const struct measure_exit *exit);

/* Counts a call that is not in the archive. */
void measure_call_filter_count(struct measure_call_filter *filter, uint32_t region);

/* Is it the exit of the innermost one of all calls, with no region entered after it? */
bool measure_call_filter_is_innermost(const struct measure_call_filter *filter, uint32_t region,
	uint32_t depth, const struct measure_exit *exit);

/* The frame of the innermost call, where that is not recorded; else 0. */
uint64_t measure_call_filter_frame(const struct measure_call_filter *filter);

/* Forgets the innermost call: its exit was not seen, or it has no entry on the region stack. */
void measure_call_filter_forget(struct measure_call_filter *filter);

/* The thread is over: no call is open. */
void measure_call_filter_clear(struct measure_call_filter *filter);

/* In a forked child, which goes on with its parent's: of the `nr` regions that were open those are
 * again that have a function. */
void measure_call_filter_restart(struct measure_call_filter *filter, uint32_t location,
	const struct measure_segment_frame *open, uint32_t nr);

#endif
