/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The journal of a process that runs; see journal_tail.h. */
#include "config.h"

#include "journal_tail.h"

#include <string.h>

/* A whole record, in memory of our own: it may be overwritten while we look at it. False: there is
 * none. *size 0: it is too long and was passed over. */
static bool copy_record(struct measure_journal_tail *tail, size_t *size)
{
	const uint8_t *place = tail->segment->journal + tail->position;
	uint64_t end = measure_segment_journal_size(tail->segment);
	uint64_t left = end > tail->position ? end - tail->position : 0;
	uint32_t length;

	if (left < MEASURE_JOURNAL_FRAME)
		return false;
	memcpy(&length, place, sizeof(length));
	if (length < MEASURE_JOURNAL_FRAME || length > left)
		return false;
	tail->position += length;
	*size = length <= sizeof(tail->record) ? length : 0;
	memcpy(tail->record, place, *size);
	return true;
}

bool measure_journal_tail_next(
	struct measure_journal_tail *tail, uint32_t *kind, struct measure_decoder *payload)
{
	size_t size;

	while (copy_record(tail, &size)) {
		struct measure_journal_reader reader = {tail->record, size, 0};
		if (measure_journal_next(&reader, kind, payload) == MEASURE_OK)
			return true;
	}
	return false;
}
