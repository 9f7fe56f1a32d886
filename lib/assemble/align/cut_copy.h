/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An event file without some of its events. */
#ifndef MEASURE_ASSEMBLE_ALIGN_CUT_COPY_H
#define MEASURE_ASSEMBLE_ALIGN_CUT_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* Numbers of events, in their order. */
struct measure_removed_events {
	const uint64_t *items;
	size_t nr;
};

/* Copies the file: the chunks stay where they are, the events that are left get new numbers. */
measure_status_t measure_cut_copy(
	int from, int to, uint32_t chunk_size, struct measure_removed_events removed);

/* How long the copy is. Looks at the last chunk only. */
measure_status_t measure_cut_copy_size(
	int from, uint32_t chunk_size, struct measure_removed_events removed, uint64_t *size);

#endif
