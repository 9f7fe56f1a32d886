/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The definition journal of a part: framed, checksummed records, append only. While the
 * process runs it lies in the segment and the keeper copies what is committed to the part's
 * file `journal`; the keeper's own records go to `keeper`. Both files have this format.
 *
 *	frame = length u32 (whole frame, multiple of 8) | kind u32 | checksum u64 | payload */
#ifndef MEASURE_FORMAT_JOURNAL_H
#define MEASURE_FORMAT_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "journal_records.h"
#include "status.h"

#define MEASURE_JOURNAL_FRAME 16 /* bytes before the payload */

/* Completes a frame whose payload of `payload_size` bytes lies at data + MEASURE_JOURNAL_FRAME;
 * returns its length. Used by the expansions of journal_records.def. */
size_t measure_journal_seal(uint8_t *data, uint32_t kind, size_t payload_size);

/* Reads frames one after another. A cut or damaged frame ends the journal there. */
struct measure_journal_reader {
	const uint8_t *data;
	size_t size;
	size_t position;
};

/* MEASURE_OK: *kind and *payload are the next record. MEASURE_ERROR_NOT_FOUND: clean end.
 * MEASURE_ERROR_FORMAT: damage at `position`; nothing behind it can be read. */
measure_status_t measure_journal_next(struct measure_journal_reader *reader, uint32_t *kind,
	struct measure_decoder *payload);

#endif
