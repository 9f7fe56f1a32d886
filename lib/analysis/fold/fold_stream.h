/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a stream of events to a profile: folds them, and counts their records by kind. */
#ifndef MEASURE_ANALYSIS_FOLD_FOLD_STREAM_H
#define MEASURE_ANALYSIS_FOLD_FOLD_STREAM_H

#include "fold.h"

struct measure_record_count {
	uint64_t count, bytes;
};

/* Where a fold is in a stream. All zero at first; for another stream only the counts stay. */
struct measure_fold_cursor {
	struct measure_record_count kinds[MEASURE_NR_EVENT_KINDS];
	uint64_t of_metrics;  /* bytes of metrics that belong to the event that follows */
	const uint8_t *start; /* of the next record */
	size_t next_chunk;    /* of the stream, when the event before was read; 0: there was none */
};

/* The first event of a chunk. Where chunks were skipped, what is open is forgotten. */
void measure_fold_begin_chunk(struct measure_fold *fold, const struct measure_stream *stream,
	struct measure_fold_cursor *cursor, const struct measure_event *event);

/* The next event of the stream, which has been folded; NULL: there is none. */
static inline const struct measure_event *measure_fold_next(struct measure_fold *fold,
	struct measure_stream *stream, struct measure_fold_cursor *cursor)
{
	const struct measure_event_decoder *decoder = &stream->decoder;
	const struct measure_event *event = measure_stream_next(stream);
	uint64_t nr_bytes;

	if (!event)
		return NULL;
	if (unlikely(cursor->next_chunk != decoder->next_chunk))
		measure_fold_begin_chunk(fold, stream, cursor, event);
	nr_bytes = (uint64_t)(decoder->place - cursor->start);
	cursor->start = decoder->place;
	fold->bytes = nr_bytes + cursor->of_metrics;
	measure_fold_event(fold, stream, event);
	cursor->of_metrics =
		event->kind == MEASURE_EVENT_METRIC ? cursor->of_metrics + nr_bytes : 0;
	cursor->kinds[event->kind].count++;
	cursor->kinds[event->kind].bytes += nr_bytes;
	return event;
}

/* Adds the counts to the profile's table of records, and clears them. */
void measure_fold_store_counts(struct measure_fold *fold, struct measure_fold_cursor *cursor);

/* The fold has ended: what of the profile was on that location. Exclusive times follow from
 * inclusive ones. */
void measure_fold_make_rows(struct measure_profile *profile, uint32_t location);

#endif
