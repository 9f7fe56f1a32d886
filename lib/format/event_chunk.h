/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What must be known of OTF2's event chunks to begin one, and to finish one whose process is gone:
 * where the n-th event ends, and how a chunk is closed. Works on bytes, calls nothing of OTF2.
 *
 *	header: 0x03 | 0x42 (little endian) | first event u64 | last event u64
 *	then	[0x05 time u64] type [length] payload, ..., zeros to the end of the chunk
 *
 * Events of a location are numbered from 1 through all its chunks. The last chunk of a file
 * ends in 0x02 0x01 instead and is cut there; all others have the full chunk size. */
#ifndef MEASURE_FORMAT_EVENT_CHUNK_H
#define MEASURE_FORMAT_EVENT_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2_records.h"
#include "status.h"

#define MEASURE_CHUNK_HEADER 18 /* bytes */
#define MEASURE_CHUNK_CLOSE  2	/* bytes of the end markers of the last chunk */

/* What ends a chunk behind its last event. */
enum measure_chunk_marker {
	MEASURE_CHUNK_END_OF_CHUNK = 0,
	MEASURE_CHUNK_END_OF_BUFFER = 1,
	MEASURE_CHUNK_END_OF_FILE = 2,
	MEASURE_CHUNK_NO_MARKER = UINT8_MAX
};

/* OTF2_IoOperationMode, as far as it moves bytes. */
enum measure_chunk_io_mode { MEASURE_CHUNK_IO_READ = 0, MEASURE_CHUNK_IO_WRITE = 1 };

/* Name of a record type, as OTF2 has it: "MpiSend"; NULL: it has none. */
const char *measure_chunk_type_name(uint32_t type);

/* Of the begin and the end of an operation on a file. */
struct measure_chunk_io {
	uint32_t handle;
	uint8_t mode;   /* of a begin */
	uint64_t bytes; /* asked for, moved; UINT64_MAX: not known; of one that is cancelled: 0 */
	uint64_t operation; /* the same at begin and end */
};

struct measure_chunk_event {
	uint64_t ordinal; /* from 1 */
	uint64_t time;
	uint32_t region; /* of an Enter or Leave, else UINT32_MAX */
	uint8_t type;
	uint32_t contingent; /* of a ThreadBegin or ThreadEnd */
	uint32_t context;    /* of a CallingContextSample */
	uint64_t sequence;   /* the same */
	uint32_t size;       /* bytes, with its timestamp and attributes */
	struct measure_chunk_io io;
};

typedef void (*measure_chunk_event_fn)(void *context, const struct measure_chunk_event *event);

struct measure_chunk_header {
	uint64_t first_event;
	uint64_t last_event; /* 0 while the chunk is being written */
};

/* How far a walk came. */
struct measure_chunk_walk {
	uint64_t first_event; /* of the chunk */
	uint64_t last_event; /* first_event - 1 if there was none */
	uint64_t first_time; /* of the first event, if there was one */
	uint64_t last_time;
	size_t end; /* position behind the last event */
	uint8_t marker; /* enum measure_chunk_marker: what stands there, if it was reached */
};

/* Writes the header of a chunk whose first event has this number; returns where that goes. */
size_t measure_chunk_begin(uint8_t *data, uint64_t first_event);

/* MEASURE_ERROR_FORMAT: `data` does not begin with a whole chunk header. */
measure_status_t measure_chunk_header_read(const uint8_t *data, size_t size,
	struct measure_chunk_header *header);

/* Visits the events up to number `until` (UINT64_MAX: all). `visit` may be NULL.
 * MEASURE_OK: `until` or an end marker was reached. MEASURE_ERROR_FORMAT: no chunk, or a
 * record that is none or does not end within `size`; *walk covers what lies before it. */
measure_status_t measure_chunk_walk(const uint8_t *data, size_t size, uint64_t until,
	measure_chunk_event_fn visit, void *context, struct measure_chunk_walk *walk);

/* Goes on where a walk of the same chunk has ended: at its `until`, or at a record that was not whole
 * then. */
measure_status_t measure_chunk_walk_on(const uint8_t *data, size_t size, uint64_t until,
	measure_chunk_event_fn visit, void *context, struct measure_chunk_walk *walk);

/* Visits the records of a chunk that is still written, between two of its positions; the one before
 * them had this time. They are numbered from 1, and have no sizes. */
void measure_chunk_walk_part(const uint8_t *begin, const uint8_t *end, uint64_t time,
	measure_chunk_event_fn visit, void *context);

/* Ends a chunk of `size` bytes at position `end`: writes its last event's number, and zeros to
 * the end or, in the last chunk of a file, the end markers (which need `end` + 2 <= `size`).
 * Returns the bytes that belong into the file. */
size_t measure_chunk_seal(uint8_t *data, size_t size, size_t end, uint64_t last_event,
	bool is_last);

/* Renumbers a chunk's events: its first one becomes `first_event`. */
void measure_chunk_renumber(uint8_t *data, uint64_t first_event, uint64_t last_event);

/* Does an event file, opened as `fd`, end with the chunk before number `sequence`, or with a part of
 * that one? Its first event follows the last one of the chunk before. */
bool measure_chunk_continues_file(
	int fd, uint64_t chunk_size, uint64_t sequence, uint64_t first_event);

#endif
