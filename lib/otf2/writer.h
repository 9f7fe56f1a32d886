/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's OTF2 archive: one event writer per location, chunks from the segment, no
 * files, no flush. Errors of OTF2 are returned, never printed. */
#ifndef MEASURE_OTF2_WRITER_H
#define MEASURE_OTF2_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* An OTF2_EvtWriter; only lib/otf2 knows. */
struct measure_otf2_writer;

/* Memory of the next chunk for whoever `owner` is; NULL: there is none. */
typedef void *(*measure_otf2_chunk_fn)(void *owner);

/* Opens the archive; once per process. */
measure_status_t measure_otf2_open(uint32_t chunk_size, measure_otf2_chunk_fn next_chunk);

/* Makes a writer; takes its first chunk at once. Not thread-safe: under the definition lock. */
struct measure_otf2_writer *measure_otf2_writer_create(uint32_t location, void *owner);

/* Records besides those of events.def; each returns false where OTF2 refused. */
bool measure_otf2_program_begin(struct measure_otf2_writer *writer, uint64_t time,
	uint32_t program_string);
bool measure_otf2_buffer_flush(struct measure_otf2_writer *writer, uint64_t begin, uint64_t end);

#endif
