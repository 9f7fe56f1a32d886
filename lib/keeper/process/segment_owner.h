/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment that a keeper owns: its size, and its initial contents. */
#ifndef MEASURE_KEEPER_PROCESS_SEGMENT_OWNER_H
#define MEASURE_KEEPER_PROCESS_SEGMENT_OWNER_H

#include "keeper.h"
#include "format/segment.h"

/* Makes it, and begins the clock of the recording. */
measure_status_t measure_segment_owner_make(
	struct measure_keeper *keeper, struct measure_segment *segment);

/* Another keeper has made it before it died; else nobody has it. */
bool measure_segment_owner_is_there(const struct measure_keeper *keeper);

/* That is known here, whatever the process has made of it since. */
void measure_segment_owner_count_keepers(
	const struct measure_keeper *keeper, struct measure_segment_header *header);

/* Maps what another keeper has made. MEASURE_ERROR_FORMAT: it was overwritten since. */
measure_status_t measure_segment_owner_take_over(
	struct measure_keeper *keeper, struct measure_segment *segment);

#endif
