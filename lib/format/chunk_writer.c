/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning and ending of the chunks of a location; see chunk_writer.h. */
#include "config.h"

#include "chunk_writer.h"

#include "format/event_chunk.h"

void measure_writer_begin(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t first_event)
{
	writer->position = memory + measure_chunk_begin(memory, first_event);
	writer->limit = memory + size - MEASURE_RECORD_ROOM;
	writer->time = UINT64_MAX;
}

void measure_writer_end(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t last_event)
{
	measure_chunk_seal(memory, size, (size_t)(writer->position - memory), last_event, false);
}
