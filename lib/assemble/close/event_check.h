/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the event files of a part hold what a process records, or something has overwritten its
 * event memory. */
#ifndef MEASURE_ASSEMBLE_CLOSE_EVENT_CHECK_H
#define MEASURE_ASSEMBLE_CLOSE_EVENT_CHECK_H

#include <stdint.h>

#include "base/array.h"
#include "status.h"

/* Of more bytes than this only every n-th chunk is checked: so many take 0.2 s. */
#define MEASURE_EVENT_CHECK_BYTES (UINT64_C(256) << 20)

typedef MEASURE_ARRAY(uint32_t) measure_damaged_t;

/* Lists the damaged ones among the finished event files of locations 0 to nr_locations - 1. Of more
 * than `most` chunks every n-th is checked. Damage is what no process records: bytes that are no
 * events, other regions left than entered, or ones that cannot be, times that go back. */
measure_status_t measure_event_check(int part_fd, uint32_t nr_locations, uint32_t chunk_size,
	uint64_t most, measure_damaged_t *damaged);

#endif
