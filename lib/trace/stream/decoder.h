/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our own reader of event files: the file of one location, mapped into memory, record by record.
 * It reads what OTF2's reader reads, with the same result, and stops with a reason where that one
 * would go on with memory that is not of the file. For files that are neither compressed nor in a
 * container; others are for library_reader.h.
 *
 *	chunk:	0x03 | 0x42 or 0x23 | first event u64 | last event u64 | records | 0x00 ...
 *	record:	[0x05 time u64] [0x06 attributes] number [length] fields
 *
 * 0x23: numbers have their highest byte first. The last chunk of a file ends in 0x02. */
#ifndef MEASURE_TRACE_STREAM_DECODER_H
#define MEASURE_TRACE_STREAM_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/likely.h"
#include "format/otf2_records.h"
#include "record.h"

struct measure_id_mapping;

enum measure_event_decoder_state {
	MEASURE_EVENT_DECODER_READING,
	MEASURE_EVENT_DECODER_AT_END,   /* behind the last record */
	MEASURE_EVENT_DECODER_CUT_OFF,  /* the file ends before its end mark */
	MEASURE_EVENT_DECODER_DAMAGED,  /* see fault */
	MEASURE_EVENT_DECODER_UNREADABLE /* there is no such file, or it cannot be mapped: see fault */
};

struct measure_event_decoder {
	const uint8_t *place; /* of the next record */
	const uint8_t *quick_end; /* before it lies room for an Enter or a Leave with its time */
	uint64_t time, position; /* of the record before */

	const uint8_t *end;   /* of what is there of the chunk */
	const uint8_t *limit; /* no record of it ends behind that */
	size_t next_chunk;    /* where it begins in the file */
	size_t skipped;       /* bytes between two chunks that are read: see _sample */
	const uint8_t *first_record; /* of the chunk */
	bool is_swapped;      /* numbers of this chunk are in the other byte order */
	const uint8_t *file;
	size_t size, chunk_size;
	size_t released; /* bytes of the file that were given back to the system */
	bool is_borrowed;                         /* it is the caller's memory */
	const struct measure_id_mapping *mapping; /* NULL: ids are global ones */

	enum measure_event_decoder_state state;
	const char *fault;
	struct measure_record record;
	struct measure_record_attribute *attributes;
	uint64_t *items;
	uint8_t *types;
	size_t room_attributes, room_items, room_types;
};

/* To be closed, whatever its state is then. */
void measure_event_decoder_open(struct measure_event_decoder *decoder, const char *path, size_t chunk_size,
	const struct measure_id_mapping *mapping);
/* The same of bytes that are in memory already, from the begin of a chunk on; they stay the
 * caller's. */
void measure_event_decoder_open_memory(struct measure_event_decoder *decoder, const uint8_t *bytes,
	size_t size, size_t chunk_size);
void measure_event_decoder_close(struct measure_event_decoder *decoder);

/* Reads only every step-th chunk, from the number `first` on; to be called before the first record
 * is read. The last one may be AT_END, then, where it is not the end of the file. */
void measure_event_decoder_sample(struct measure_event_decoder *decoder, size_t first, size_t step);

/* The next record, valid until the next call; NULL: decoder->state says why there is none. */
const struct measure_record *measure_event_decoder_next(struct measure_event_decoder *decoder);

/* An Enter or a Leave, the two that nine of ten records are. */
struct measure_decoded_call {
	const uint8_t *end;
	uint64_t time;
	uint32_t region; /* local id */
	bool is_leave;
};

/* The next record, if it is an Enter or a Leave with nothing special about it. */
static inline bool measure_event_decoder_peek_call(
	const struct measure_event_decoder *decoder, struct measure_decoded_call *call)
{
	const uint8_t *place = decoder->place;
	uint32_t region;
	uint8_t which, length;

	if (unlikely(place >= decoder->quick_end))
		return false;
	call->time = decoder->time;
	if (likely(*place == MEASURE_OTF2_TIMESTAMP)) {
		memcpy(&call->time, place + 1, sizeof(call->time));
		place += 1 + sizeof(call->time);
	}
	which = (uint8_t)(place[0] - MEASURE_OTF2_ENTER);
	length = place[1];
	if (unlikely(which > MEASURE_OTF2_LEAVE - MEASURE_OTF2_ENTER || length > sizeof(region)))
		return false;
	memcpy(&region, place + 2, sizeof(region));
	call->region = region & (uint32_t)((UINT64_C(1) << 8 * length) - 1);
	call->is_leave = which;
	call->end = place + 2 + length;
	return true;
}

/* Goes on behind it. */
static inline void measure_event_decoder_take_call(
	struct measure_event_decoder *decoder, const struct measure_decoded_call *call)
{
	decoder->place = call->end;
	decoder->time = call->time;
	decoder->position++;
}

#endif
