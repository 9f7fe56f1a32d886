/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hands out the records of a slice, location by location: made up ones, those of the window but for
 * what is left out, made up ones. */
#include "config.h"

#include "slice_internal.h"

#include <stdlib.h>

#include "sync/write/slicing.h"
#include "trace/stream/library_reader.h"

struct slice_cursor {
	struct slice *slice;
	const struct slice_location *of;
	struct measure_stream stream;
	size_t nr_before, nr_removed, nr_after; /* that were handed out, or left out */
	bool is_read;                           /* all of the window */
	bool has_context;                       /* a call stack has been handed out */
	struct measure_record record;
};

static int compare_positions(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void cursor_begin(void *data, uint32_t location)
{
	struct slice_cursor *cursor = data;
	struct slice_location *of = &cursor->slice->locations[location];

	*cursor = (struct slice_cursor){.slice = cursor->slice, .of = of};
	if (of->nr_removed > 0)
		qsort(of->removed, of->nr_removed, sizeof(*of->removed), compare_positions);
	measure_stream_open(&cursor->stream, cursor->slice->trace, location);
}

static void cursor_end(void *data)
{
	struct slice_cursor *cursor = data;
	uint64_t nr_read;

	measure_stream_close(&cursor->stream, &nr_read);
}

static void skip_calls(struct slice_cursor *cursor)
{
	struct measure_event_decoder *decoder = &cursor->stream.decoder;
	struct measure_decoded_call call;

	while (decoder->position + 1 < cursor->of->first &&
		measure_event_decoder_peek_call(decoder, &call))
		measure_event_decoder_take_call(decoder, &call);
}

static const struct measure_record *next_recorded(struct slice_cursor *cursor)
{
	if (cursor->stream.library)
		return measure_library_reader_next(
			cursor->stream.library, &cursor->stream.library_status);
	skip_calls(cursor);
	return measure_event_decoder_next(&cursor->stream.decoder);
}

static bool is_removed(struct slice_cursor *cursor, uint64_t position)
{
	const struct slice_location *of = cursor->of;

	while (cursor->nr_removed < of->nr_removed && of->removed[cursor->nr_removed] < position)
		cursor->nr_removed++;
	return cursor->nr_removed < of->nr_removed && of->removed[cursor->nr_removed] == position;
}

/* NULL: there are no more. */
static const struct measure_record *next_of_window(struct slice_cursor *cursor)
{
	const struct measure_record *record;

	if (cursor->of->first > cursor->of->last || cursor->is_read)
		return NULL;
	while ((record = next_recorded(cursor)))
		if (record->position >= cursor->of->first && !is_removed(cursor, record->position))
			break;
	if (!record || record->position > cursor->of->last) {
		cursor->is_read = true;
		return NULL;
	}
	return record;
}

static uint64_t depth_of(const struct measure_definitions *definitions, uint64_t context)
{
	uint32_t at = measure_definition_index(definitions, MEASURE_KIND_CALLING_CONTEXT, context);
	uint64_t depth = 0;

	for (; at < definitions->nr_calling_contexts && depth < definitions->nr_calling_contexts;
		depth++)
		at = definitions->calling_contexts[at].parent;
	return depth;
}

/* What a record says of others that are not there. */
static const struct measure_record *adapt(
	struct slice_cursor *cursor, const struct measure_record *record)
{
	const bool is_context = record->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER ||
				record->kind == MEASURE_EVENT_CALLING_CONTEXT_SAMPLE;

	if (record->kind == MEASURE_EVENT_BUFFER_FLUSH &&
		record->values[0] > cursor->of->raw_until) {
		cursor->record = *record;
		cursor->record.values[0] = cursor->of->raw_until;
		return &cursor->record;
	}
	if (!is_context || cursor->has_context || !cursor->of->has_context_before)
		return record;
	cursor->has_context = true;
	cursor->record = *record;
	cursor->record.values[1] = depth_of(cursor->slice->definitions, record->values[0]) + 1;
	return &cursor->record;
}

static const struct measure_record *hand_out(
	struct slice_cursor *cursor, const struct slice_made *made, uint64_t raw)
{
	cursor->record = made->record;
	cursor->record.items = made->items;
	cursor->record.types = made->types;
	cursor->record.time = raw;
	return &cursor->record;
}

static const struct measure_record *cursor_next(void *data, bool *is_made)
{
	struct slice_cursor *cursor = data;
	const struct slice_location *of = cursor->of;
	const struct measure_record *record;

	*is_made = true;
	if (cursor->nr_before < of->before.nr)
		return hand_out(cursor, &of->before.items[cursor->nr_before++], of->raw_from);
	record = next_of_window(cursor);
	if (record) {
		*is_made = false;
		return adapt(cursor, record);
	}
	if (cursor->nr_after < of->after.nr)
		return hand_out(cursor, &of->after.items[cursor->nr_after++], of->raw_until);
	return NULL;
}

static bool *find_cuts(const struct slice *slice)
{
	const size_t nr = slice->definitions->nr_location_groups;
	bool *are_cut = measure_zeroed(nr + 1, sizeof(*are_cut));

	for (size_t i = 0; i < nr; i++)
		are_cut[i] = !slice->processes[i].is_kept || slice->processes[i].has_before ||
			     slice->processes[i].has_after;
	return are_cut;
}

measure_status_t slice_copy(struct slice *slice, const char *directory)
{
	struct slice_cursor cursor = {.slice = slice};
	bool *are_cut = find_cuts(slice);
	const struct measure_slicing slicing = {.begin = cursor_begin,
		.next = cursor_next,
		.end = cursor_end,
		.data = &cursor,
		.from = slice->from,
		.until = slice->until,
		.are_cut = are_cut};
	const measure_status_t status = measure_sync_emit_slice(slice->trace, &slicing, directory);

	measure_free(are_cut);
	return status;
}
