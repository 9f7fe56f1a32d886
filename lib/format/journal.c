/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Framing of journal records; see journal.h. */
#include "config.h"

#include "journal.h"

#include <string.h>

#include "base/hash.h"

/* Over the payload, started from length and kind: finds torn and stale frames. */
static uint64_t checksum(const uint8_t *payload, size_t size, uint32_t length, uint32_t kind)
{
	return measure_hash(MEASURE_HASH_START ^ ((uint64_t)length << 32 | kind), payload, size);
}

struct journal_frame {
	uint32_t length;
	uint32_t kind;
	uint64_t checksum;
};
_Static_assert(sizeof(struct journal_frame) == MEASURE_JOURNAL_FRAME, "frame layout");

size_t measure_journal_seal(uint8_t *data, uint32_t kind, size_t payload_size)
{
	struct journal_frame frame = {(uint32_t)(MEASURE_JOURNAL_FRAME + payload_size), kind, 0};

	frame.checksum = checksum(data + MEASURE_JOURNAL_FRAME, payload_size, frame.length, kind);
	memcpy(data, &frame, sizeof(frame));
	return frame.length;
}

measure_status_t measure_journal_next(struct measure_journal_reader *reader, uint32_t *kind,
	struct measure_decoder *payload)
{
	size_t left = reader->size - reader->position;
	const uint8_t *place = reader->data + reader->position;
	struct journal_frame frame;

	if (left == 0)
		return MEASURE_ERROR_NOT_FOUND;
	if (left < sizeof(frame))
		return MEASURE_ERROR_FORMAT;
	memcpy(&frame, place, sizeof(frame));
	if (frame.length < sizeof(frame) || frame.length % 8 != 0 || frame.length > left)
		return MEASURE_ERROR_FORMAT;

	size_t payload_size = frame.length - sizeof(frame);
	place += sizeof(frame);
	if (checksum(place, payload_size, frame.length, frame.kind) != frame.checksum)
		return MEASURE_ERROR_FORMAT;

	*kind = frame.kind;
	*payload = (struct measure_decoder){place, payload_size, 0};
	reader->position += frame.length;
	return MEASURE_OK;
}
