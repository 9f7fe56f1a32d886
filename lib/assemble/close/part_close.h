/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finishing a part whose process is gone: exactly the committed events are kept, open regions
 * are closed, event files are ended as OTF2 ends them, and the keeper's journal gets its
 * counts and its END. Afterwards the part is data that nothing will change any more. */
#ifndef MEASURE_ASSEMBLE_CLOSE_PART_CLOSE_H
#define MEASURE_ASSEMBLE_CLOSE_PART_CLOSE_H

#include "format/journal_records.h"
#include "format/segment.h"
#include "status.h"

/* `segment`: what the process left in memory, after the last measure_spool_pass(). NULL: only
 * files are left (repair); open regions are then found by walking all events, and what no
 * file holds is lost. `end`: how the process ended; NULL: unknown, it was last seen alive at
 * the last clock triple. Writes the files in `part_fd`; may be repeated after a failure, and
 * leaves a part alone that is finished already.
 * MEASURE_ERROR_IO: the disk is full or failed. MEASURE_ERROR_FORMAT: the chunk size is
 * unknown, there is no KEEPER record. */
measure_status_t measure_part_close(
	const struct measure_segment *segment, int part_fd, const struct measure_def_end *end);

/* Ends the event file of one location of a finished part anew, behind its last sound event: what
 * is behind that is damaged. `end`: as above. */
measure_status_t measure_location_mend(int part_fd, uint32_t location, uint32_t chunk_size,
	const struct measure_def_end *end);

#endif
