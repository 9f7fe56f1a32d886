/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Size of a part's event chunks, where the keeper's record that tells it was lost. */
#ifndef MEASURE_ASSEMBLE_PART_CHUNK_SIZE_H
#define MEASURE_ASSEMBLE_PART_CHUNK_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "part.h"

/* Found in the event files: where a second chunk goes on, else as large as what there is needs. 0:
 * these are no chunks of ours. */
uint32_t measure_chunk_size_find(int part_fd, uint32_t nr_locations);

/* An archive has one size: *chunk_size, 0: none yet. Parts with a lost keeper take it over where
 * they have no more than one chunk; they give up their events where that cannot be. */
void measure_chunk_size_adapt(struct measure_part *parts, size_t nr, uint32_t *chunk_size);

#endif
