/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording in a program of tests: the event path with nothing before it and no keeper behind it,
 * into a segment that stays in this process. */
#ifndef MEASURE_TESTS_T_RECORDING_H
#define MEASURE_TESTS_T_RECORDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock/clock.h"
#include "runtime/definitions/code_region.h"
#include "runtime/definitions/define.h"
#include "runtime/gate/gate.h"
#include "runtime/event/location.h"
#include "format/segment.h"

static struct measure_segment segment;

/* Whether it could be done. What a test wants otherwise, it changes between the two. */
static inline bool t_make_segment(const struct measure_segment_size *size)
{
	const struct measure_clock_choice clock = {"auto", 0, 0};
	int fd;

	return measure_clock_start(&clock) == MEASURE_OK &&
	       measure_segment_create(size, &fd, &segment) == MEASURE_OK;
}

static inline bool t_record(void)
{
	measure_define_start(&segment);
	return measure_code_start() == MEASURE_OK &&
	       measure_locations_start(&segment, true) == MEASURE_OK &&
	       measure_gate_open() == MEASURE_OK;
}

static inline uint64_t t_events(uint32_t location)
{
	return measure_committed_events(atomic_load(&segment.locations[location].committed));
}

static inline uint32_t t_depth(uint32_t location)
{
	return measure_committed_depth(atomic_load(&segment.locations[location].committed));
}

static inline uint64_t t_count(enum measure_count what)
{
	return atomic_load(&segment.header->counts[what]);
}

/* Leaves that had to be made up or left out. */
static inline uint64_t t_repairs(void)
{
	return t_count(MEASURE_COUNT_LEAVE_SYNTHESISED) + t_count(MEASURE_COUNT_LEAVE_DROPPED);
}

static inline void t_switch(const void *function, bool is_recorded)
{
	measure_code_switch(measure_region_at(function, NULL, 0, 0), is_recorded);
}

#endif
