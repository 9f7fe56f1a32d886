/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What rules ask of the calls around one: while recording (lib/runtime/select/call_filter.c) and of
 * the calls of an archive (sync/write/archive_filter.c). Whoever decides keeps those that are open,
 * the innermost last. */
#ifndef MEASURE_FILTER_OPEN_CALL_H
#define MEASURE_FILTER_OPEN_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/filter.h"

struct measure_filter_open {
	uint32_t depth;      /* calls around it that are recorded */
	uint32_t within;     /* conditions that are true in it */
	uint32_t nr_skipped; /* calls that are not recorded, up to it */
	bool is_recorded;
};

/* What is around a call is in it as well. `around`: the last one that was decided, or NULL. Then
 * comes the decision, and measure_filter_open_end(). */
static inline void measure_filter_open_begin(struct measure_filter_open *open,
	const struct measure_filter_open *around, uint32_t depth, measure_filter_outcome_t outcome)
{
	open->depth = depth;
	open->within = measure_filter_opens(outcome) | (around ? around->within : 0);
	open->nr_skipped = around ? around->nr_skipped : 0;
}

static inline void measure_filter_open_end(struct measure_filter_open *open, bool is_recorded)
{
	open->is_recorded = is_recorded;
	open->nr_skipped += !is_recorded;
}

/* The call as decisions want it; time and number are left to be set where they are asked for. */
static inline struct measure_filter_call measure_filter_call_of(
	const struct measure_filter_open *open, uint32_t thread)
{
	return (struct measure_filter_call){.thread = thread,
		.depth = open->depth + open->nr_skipped + 1,
		.within = open->within};
}

/* From ticks of a clock to the nanoseconds of rules, and back. */
static inline uint64_t measure_filter_nanoseconds(uint64_t ticks, double ns_per_tick)
{
	return (uint64_t)((double)(int64_t)ticks * ns_per_tick);
}

static inline uint64_t measure_filter_ticks(uint64_t ns, double ns_per_tick)
{
	return ns ? (uint64_t)((double)(int64_t)ns / ns_per_tick) : 0;
}

#endif
