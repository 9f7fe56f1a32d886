/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folding a stream; see fold_stream.h. */
#include "config.h"

#include "fold_stream.h"

#include "fold_internal.h"

void measure_fold_begin_chunk(struct measure_fold *fold, const struct measure_stream *stream,
	struct measure_fold_cursor *cursor, const struct measure_event *event)
{
	if (fold->profile->nr_chunks_read++ == 0)
		fold->profile->first = fold->last = event->time;
	else if (stream->decoder.skipped)
		measure_fold_skip(fold, event->time);
	cursor->next_chunk = stream->decoder.next_chunk;
	cursor->start = stream->decoder.first_record;
}

void measure_fold_make_rows(struct measure_profile *profile, uint32_t location)
{
	profile->rows = measure_zeroed(profile->nr_paths, sizeof(*profile->rows));
	profile->nr_rows = profile->room_rows = profile->nr_paths;
	for (size_t i = profile->nr_paths; i-- > 0;) {
		const struct measure_profile_path *path = &profile->paths[i];
		struct measure_profile_row *row = &profile->rows[i];

		row->path = (uint32_t)i;
		row->location = location;
		row->visits = path->visits;
		row->inclusive = path->inclusive;
		row->exclusive += path->inclusive;
		if (i > 0 && path->region != MEASURE_PSEUDO_RUNNING_TASKS)
			profile->rows[path->parent].exclusive -= path->inclusive;
	}
}

void measure_fold_store_counts(struct measure_fold *fold, struct measure_fold_cursor *cursor)
{
	for (uint64_t kind = 0; kind < MEASURE_NR_EVENT_KINDS; kind++) {
		if (cursor->kinds[kind].count == 0)
			continue;
		uint64_t *row = fold_row(fold, MEASURE_TABLE_RECORDS, kind, 0);
		measure_cell(row, RECORDS, COUNT) += cursor->kinds[kind].count;
		measure_cell(row, RECORDS, BYTES) += cursor->kinds[kind].bytes;
		cursor->kinds[kind] = (struct measure_record_count){0, 0};
	}
}
