/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start of recording, as far as forked children need it; lib/core only. */
#ifndef MEASURE_RUNTIME_CORE_START_H
#define MEASURE_RUNTIME_CORE_START_H

#include <stddef.h>
#include <stdint.h>

#include "format/rendezvous.h"
#include "format/segment.h"
#include "status.h"

/* Maps the segment that the keeper of a part has for this process; `other` as in rendezvous.h. */
measure_status_t measure_start_attach(const char *part, enum measure_wish wish,
	struct measure_segment *segment, char *other, size_t size);

/* Records a forked child, from `ticks` on, into a segment of its own. `journal`: its
 * parent's at the moment of the fork. The calling thread is the only one and in no bracket; signals
 * are blocked. Allocates nothing. */
void measure_start_child(
	struct measure_segment *segment, const uint8_t *journal, size_t size, uint64_t ticks);

/* Tells adapters of a forked child, which records already. */
void measure_adapters_restart(void);

#endif
