/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files that read a part have in common: part.c opens and frees it, part_journal.c
 * has what its journals tell, part_events.c its event files. */
#ifndef MEASURE_ASSEMBLE_PART_PART_INTERNAL_H
#define MEASURE_ASSEMBLE_PART_PART_INTERNAL_H

#include "part.h"

/* One that no record of the journals tells of. */
measure_status_t measure_part_add_location(struct measure_part *part, uint32_t index);

/* All records of one journal. What cannot be is passed over and makes the part damaged. */
measure_status_t measure_part_note_journal(
	struct measure_part *part, const uint8_t *data, size_t size);

/* After the journals: chunk_size is known. */
measure_status_t measure_part_read_events(struct measure_part *part);

#endif
