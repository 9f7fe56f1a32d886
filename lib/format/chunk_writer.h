/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a location writes its next record. The records themselves are encoded by
 * event_encode.h; both call nothing of OTF2 (doc/HOTPATH.md says why). */
#ifndef MEASURE_FORMAT_CHUNK_WRITER_H
#define MEASURE_FORMAT_CHUNK_WRITER_H

#include <stddef.h>
#include <stdint.h>

/* What is left free at the end of a chunk: more than any record with its timestamp takes, than
 * the end markers, and than a store reaches beyond its record. */
#define MEASURE_RECORD_ROOM 128

struct measure_otf2_writer {
	uint8_t *position; /* behind the last record */
	uint8_t *limit;    /* a record that would begin behind it goes to the next chunk */
	uint64_t time;     /* last timestamp in this chunk; UINT64_MAX: none yet */
};

/* Begins a chunk in `memory`; its first event will have this number (from 1). */
void measure_writer_begin(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t first_event);

/* Ends a chunk that another one will follow; its bytes are final then. */
void measure_writer_end(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t last_event);

#endif
