/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls and records of one location, as conversion.h promises them: the fold keeps what is open
 * in each task, and what changes there becomes begins and ends. A few items wait in a queue, as one
 * event may end several calls. */
#include "config.h"

#include <string.h>

#include "analysis/fold/fold_stream.h"
#include "conversion.h"
#include "sync/write/archive_filter.h"

/* A call that may turn out to be too short for the filter. */
struct held_enter {
	uint32_t region;
	uint64_t time;
};

struct measure_conversion_reader {
	struct measure_conversion *conversion;
	uint32_t location;
	struct measure_stream stream;
	struct measure_ranks ranks;
	struct measure_profile profile; /* of this location, in the window */
	struct measure_fold fold;
	struct measure_fold_cursor cursor;

	struct measure_sync_filter *filter; /* or NULL */
	struct measure_sync_graph *graph;   /* the little of one that it asks for */
	MEASURE_GROWING(struct held_enter, held);

	MEASURE_GROWING(uint32_t, paths); /* by path of this profile: that of the conversion */
	MEASURE_GROWING(uint32_t, open);  /* calls that show: paths of the conversion */
	size_t nr_hidden; /* of these, below the calls of the task that runs; 0: none does */
	bool is_task;     /* one runs */

	MEASURE_GROWING(struct measure_conversion_item, items);
	size_t next_item;
	bool is_begun;  /* the window */
	bool is_ended;  /* no more events */
	bool is_closed; /* the stream is */
	measure_status_t status;
};

/* ------------------------------------------------------------------------- items --- */

static uint32_t path_in_conversion(struct measure_conversion_reader *reader, uint32_t path)
{
	struct measure_profile *all = &reader->conversion->profile;

	while (reader->nr_paths <= path) {
		const struct measure_profile_path *own = &reader->profile.paths[reader->nr_paths];
		uint32_t number = 0, region = own->region;

		if (reader->nr_paths > 0) {
			if (region < all->trace->definitions.nr_regions)
				region = all->same_regions[region];
			number = measure_profile_child(all, reader->paths[own->parent], region);
		}
		*measure_append(reader, paths) = number;
	}
	return reader->paths[path];
}

static void add_item(struct measure_conversion_reader *reader, enum measure_conversion_kind kind,
	uint64_t time, bool is_piece)
{
	const uint32_t path = reader->nr_open > 0 ? reader->open[reader->nr_open - 1] : 0;

	*measure_append(reader, items) = (struct measure_conversion_item){.kind = kind,
		.location = reader->location,
		.ns = measure_conversion_ns(reader->conversion, time),
		.time = time,
		.path = path,
		.depth = (uint32_t)(reader->nr_open - (kind != MEASURE_CONVERSION_RECORD)),
		.is_piece = is_piece};
}

static void show_begin(
	struct measure_conversion_reader *reader, uint32_t path, uint64_t time, bool is_piece)
{
	*measure_append(reader, open) = path_in_conversion(reader, path);
	if (reader->is_begun)
		add_item(reader, MEASURE_CONVERSION_BEGIN, time, is_piece);
}

static void show_end(struct measure_conversion_reader *reader, uint64_t time, bool is_piece)
{
	if (reader->is_begun)
		add_item(reader, MEASURE_CONVERSION_END, time, is_piece);
	reader->nr_open--;
}

/* What shows becomes what is open in the context that runs. */
static void show_changes(struct measure_conversion_reader *reader, uint64_t time, bool is_piece)
{
	const struct measure_fold_context *context = &reader->fold.context;
	const size_t nr = reader->nr_hidden + (size_t)(context->top - context->bottom);

	while (reader->nr_open > nr)
		/* of several only the last one has the Leave */
		show_end(reader, time, is_piece || reader->nr_open > nr + 1);
	while (reader->nr_open < nr)
		show_begin(reader, context->bottom[reader->nr_open - reader->nr_hidden].path, time,
			is_piece);
}

/* A task stands on what it has interrupted, and on no other task. "(tasks)" is below its calls, as
 * in profiles, so that it shows as well while it has none. */
static void show_switch(struct measure_conversion_reader *reader, uint64_t time)
{
	const uint32_t root = reader->fold.context.root;

	while (reader->is_task && reader->nr_open >= reader->nr_hidden)
		show_end(reader, time, true);
	reader->is_task = root != 0;
	reader->nr_hidden = 0;
	if (reader->is_task) {
		show_begin(reader, root, time, true);
		reader->nr_hidden = reader->nr_open;
	}
	show_changes(reader, time, true);
}

static void begin_window(struct measure_conversion_reader *reader)
{
	const size_t nr = reader->nr_open;

	reader->is_begun = true;
	for (reader->nr_open = 1; reader->nr_open <= nr; reader->nr_open++)
		add_item(reader, MEASURE_CONVERSION_BEGIN, reader->conversion->from, true);
	reader->nr_open = nr;
}

static void end_window(struct measure_conversion_reader *reader, uint64_t time)
{
	while (reader->nr_open > 0)
		show_end(reader, time, true);
	reader->is_ended = true;
}

/* ------------------------------------------------------------------------ events --- */

static void fold_held(struct measure_conversion_reader *reader)
{
	for (size_t i = 0; i < reader->nr_held; i++) {
		struct measure_fold *fold = &reader->fold;

		if (reader->held[i].time > fold->last)
			fold->last = reader->held[i].time;
		measure_fold_enter(fold, reader->held[i].region, fold->last);
		show_changes(reader, fold->last, false);
	}
	reader->nr_held = 0;
	measure_sync_filter_settle(reader->filter);
}

static void hold(struct measure_conversion_reader *reader, const struct measure_event *event)
{
	*measure_append(reader, held) = (struct held_enter){event->ref, event->time};
}

static uint32_t region_of(
	const struct measure_conversion_reader *reader, const struct measure_event *event)
{
	const struct measure_definitions *definitions = reader->conversion->definitions;

	if (event->kind == MEASURE_EVENT_ENTER || event->kind == MEASURE_EVENT_LEAVE)
		return event->ref;
	return event->ref < definitions->nr_calling_contexts
		       ? definitions->calling_contexts[event->ref].region
		       : MEASURE_NONE;
}

static bool is_enter(const struct measure_event *event)
{
	return event->kind == MEASURE_EVENT_ENTER ||
	       event->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER;
}

static bool is_leave(const struct measure_event *event)
{
	return event->kind == MEASURE_EVENT_LEAVE ||
	       event->kind == MEASURE_EVENT_CALLING_CONTEXT_LEAVE;
}

/* False: the filter leaves it out, or has not decided yet. */
static bool is_kept(struct measure_conversion_reader *reader, const struct measure_event *event)
{
	enum measure_sync_verdict verdict = MEASURE_SYNC_KEEP;

	if (is_enter(event))
		verdict = measure_sync_filter_enter(
			reader->filter, region_of(reader, event), event->raw);
	else if (is_leave(event))
		verdict = measure_sync_filter_leave(
			reader->filter, region_of(reader, event), event->raw);
	if (verdict == MEASURE_SYNC_HOLD)
		hold(reader, event);
	else if (verdict == MEASURE_SYNC_TAKE_BACK)
		reader->nr_held--;
	else if (verdict == MEASURE_SYNC_KEEP)
		fold_held(reader);
	return verdict == MEASURE_SYNC_KEEP;
}

/* As measure_fold_next(), with a filter between the stream and the fold. */
static const struct measure_event *next_kept(struct measure_conversion_reader *reader)
{
	struct measure_fold_cursor *cursor = &reader->cursor;
	const struct measure_event *event;

	while ((event = measure_stream_next(&reader->stream))) {
		if (cursor->next_chunk != reader->stream.decoder.next_chunk)
			measure_fold_begin_chunk(&reader->fold, &reader->stream, cursor, event);
		if (is_kept(reader, event))
			break;
	}
	if (event) {
		measure_fold_event(&reader->fold, &reader->stream, event);
		cursor->kinds[event->kind].count++;
	}
	return event;
}

static bool reader_is_past(const struct measure_conversion_reader *reader)
{
	return reader->fold.last >= reader->conversion->until && reader->conversion->has_window;
}

static void take_event(struct measure_conversion_reader *reader, const struct measure_event *event)
{
	const uint64_t time = reader->fold.last;

	if (!reader->is_begun && time >= reader->conversion->from)
		begin_window(reader);
	if (reader_is_past(reader)) {
		end_window(reader, reader->conversion->until);
		return;
	}
	if (event->kind == MEASURE_EVENT_THREAD_TASK_SWITCH)
		show_switch(reader, time);
	else
		show_changes(reader, time, false);
	if (!reader->is_begun || is_enter(event) || is_leave(event))
		return;
	add_item(reader, MEASURE_CONVERSION_RECORD, time, false);
	reader->items[reader->nr_items - 1].event = event;
	reader->items[reader->nr_items - 1].record = reader->stream.record;
}

static void read_event(struct measure_conversion_reader *reader)
{
	const struct measure_event *event =
		reader->filter ? next_kept(reader)
			       : measure_fold_next(&reader->fold, &reader->stream, &reader->cursor);

	if (event)
		take_event(reader, event);
	else
		end_window(reader, reader->fold.last);
}

const struct measure_conversion_item *measure_conversion_next(
	struct measure_conversion_reader *reader)
{
	if (reader->next_item == reader->nr_items) {
		reader->next_item = reader->nr_items = 0;
		while (reader->nr_items == 0 && !reader->is_ended)
			read_event(reader);
	}
	return reader->next_item < reader->nr_items ? &reader->items[reader->next_item++] : NULL;
}

/* ----------------------------------------------------------------- open and close --- */

static void start_filter(struct measure_conversion_reader *reader)
{
	struct measure_conversion *conversion = reader->conversion;

	if (!conversion->options->filter)
		return;
	reader->graph = measure_zeroed(1, sizeof(*reader->graph));
	reader->graph->trace = conversion->trace;
	reader->graph->spans = conversion->spans;
	reader->filter = measure_sync_filter_new(conversion->options->filter, reader->graph);
	measure_sync_filter_begin(reader->filter, reader->location);
}

struct measure_conversion_reader *measure_conversion_open(
	struct measure_conversion *conversion, uint32_t location)
{
	struct measure_conversion_reader *reader = measure_zeroed(1, sizeof(*reader));

	reader->conversion = conversion;
	reader->location = location;
	measure_profile_start(&reader->profile, conversion->trace);
	measure_ranks_start(&reader->ranks, conversion->definitions);
	measure_fold_start(&reader->fold, &reader->profile, &reader->ranks, location);
	if (conversion->has_window) {
		reader->fold.special |= MEASURE_FOLD_WINDOW;
		reader->fold.from = conversion->from;
		reader->fold.until = conversion->until;
	} else {
		reader->is_begun = true;
	}
	start_filter(reader);
	measure_stream_open(&reader->stream, conversion->trace, location);
	return reader;
}

static void keep_profile(struct measure_conversion_reader *reader, bool is_broken)
{
	struct measure_profile *profile = &reader->profile;

	profile->nr_broken = is_broken;
	profile->nr_locations = profile->nr_events > 0;
	measure_fold_store_counts(&reader->fold, &reader->cursor);
	measure_fold_end(&reader->fold);
	measure_fold_make_rows(profile, reader->location);
	if (reader->conversion->is_profiled)
		measure_profile_free(profile);
	else
		measure_profile_merge(&reader->conversion->profile, profile, NULL);
}

measure_status_t measure_conversion_close(struct measure_conversion_reader *reader)
{
	const struct measure_location_definition *location =
		&reader->conversion->definitions->locations[reader->location];
	measure_status_t status;

	while (!reader->conversion->is_stopped && measure_conversion_next(reader))
		;
	status = measure_stream_close(&reader->stream, &reader->profile.nr_events);
	if (reader->conversion->is_stopped || reader_is_past(reader) ||
		(reader->profile.nr_events == 0 && location->nr_events == 0))
		status = MEASURE_OK;
	keep_profile(reader, status != MEASURE_OK);
	measure_ranks_free(&reader->ranks);
	measure_sync_filter_free(reader->filter);
	measure_free(reader->graph);
	measure_free(reader->held);
	measure_free(reader->paths);
	measure_free(reader->open);
	measure_free(reader->items);
	measure_free(reader);
	return status;
}

measure_status_t measure_conversion_read(
	struct measure_conversion *conversion, measure_location_fn take, void *data)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < conversion->nr_locations && !conversion->is_stopped; i++) {
		struct measure_conversion_reader *reader =
			measure_conversion_open(conversion, conversion->locations[i]);
		measure_status_t one;

		if (take)
			take(data, conversion->locations[i], reader);
		one = measure_conversion_close(reader);
		status = status == MEASURE_OK ? one : status;
	}
	conversion->is_profiled = true;
	return status;
}

measure_status_t measure_conversion_read_profile(struct measure_conversion *conversion)
{
	return conversion->is_profiled ? MEASURE_OK
				       : measure_conversion_read(conversion, NULL, NULL);
}
