/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the journal of a running process, record by record. For a keeper. */
#ifndef MEASURE_KEEPER_PROCESS_JOURNAL_TAIL_H
#define MEASURE_KEEPER_PROCESS_JOURNAL_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "format/journal.h"
#include "format/segment.h"

#define MEASURE_JOURNAL_TAIL_RECORD 16384 /* bytes; a module's has a path in it */

/* All zero but for the segment before the first call. */
struct measure_journal_tail {
	const struct measure_segment *segment;
	uint64_t position; /* behind the last record */
	_Alignas(8) uint8_t record[MEASURE_JOURNAL_TAIL_RECORD];
};

/* The next record that is whole and no longer than there is room here; false: there is none now.
 * What it points to is there until the next call. */
bool measure_journal_tail_next(
	struct measure_journal_tail *tail, uint32_t *kind, struct measure_decoder *payload);

#endif
