/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers that a process leaves about its recording: each a COUNT in its keeper's journal. */
#ifndef MEASURE_ASSEMBLE_CLOSE_RECORDING_COUNTS_H
#define MEASURE_ASSEMBLE_CLOSE_RECORDING_COUNTS_H

#include <stdint.h>

#include "format/segment.h"
#include "status.h"

/* When the process is gone. `segment`: NULL where there is none any more. `nr_lost`: events that
 * were committed and are in no file; `drop_ticks`: of drop intervals that have not ended. */
measure_status_t measure_counters_store(
	const struct measure_segment *segment, int part_fd, uint64_t nr_lost, uint64_t drop_ticks);

#endif
