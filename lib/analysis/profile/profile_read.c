/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an archive into a profile. Threads take locations in reading order; what they have made is
 * added in that order, too, by whoever has the next one ready. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "fold.h"
#include "sync/parallel/workers.h"
#include "trace/common/trace_error.h"

/* The profile of a location that waits for its turn. */
struct reading_part {
	struct measure_profile profile;
	bool is_ready;
};

struct reading {
	struct measure_trace *trace;
	const struct measure_profile_options *options;
	struct measure_fold_names names;
	struct measure_profile *profile;
	struct reading_part *parts; /* by place in the reading order */
	size_t next;                /* to be added */
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

/* ------------------------------------------------------------------------ location --- */

/* Bytes of a record, without the head of a chunk that begins before it. */
#define MOST_BYTES 65536

struct record_count {
	uint64_t count, bytes;
};

/* Records that are no plain calls are counted one by one: those are the rest. */
struct location_counts {
	struct record_count kinds[MEASURE_NR_EVENT_KINDS];
	uint64_t slow_bytes, nr_slow;
};

static void count_record(struct location_counts *counts, uint8_t kind, ptrdiff_t bytes)
{
	if (bytes < 0 || bytes > MOST_BYTES)
		bytes = 0;
	counts->kinds[kind].count++;
	counts->kinds[kind].bytes += (uint64_t)bytes;
	counts->nr_slow++;
	counts->slow_bytes += (uint64_t)bytes;
}

static uint64_t count_enters(const struct measure_profile *profile)
{
	uint64_t nr = 0;

	for (size_t i = 1; i < profile->nr_paths; i++)
		if (profile->paths[i].region < MEASURE_PSEUDO_BEFORE)
			nr += profile->paths[i].visits;
	return nr;
}

/* Enters and Leaves, by halves where their visits do not say more. */
static void count_calls(const struct measure_profile *profile, struct location_counts *counts,
	uint64_t nr_events, uint64_t nr_bytes)
{
	struct record_count *enters = &counts->kinds[MEASURE_EVENT_ENTER];
	struct record_count *leaves = &counts->kinds[MEASURE_EVENT_LEAVE];
	const uint64_t nr_calls = nr_events - counts->nr_slow;
	const uint64_t bytes = nr_bytes > counts->slow_bytes ? nr_bytes - counts->slow_bytes : 0;
	uint64_t nr_enters = count_enters(profile);

	nr_enters = nr_enters > enters->count ? nr_enters - enters->count : 0;
	if (nr_enters > nr_calls)
		nr_enters = nr_calls;
	if (nr_calls == 0)
		return;
	enters->count += nr_enters;
	leaves->count += nr_calls - nr_enters;
	const uint64_t share = (uint64_t)((__int128)bytes * nr_enters / nr_calls);
	enters->bytes += share;
	leaves->bytes += bytes - share;
}

static void store_counts(struct measure_profile *profile, const struct location_counts *counts)
{
	for (uint64_t kind = 0; kind < MEASURE_NR_EVENT_KINDS; kind++) {
		if (counts->kinds[kind].count == 0)
			continue;
		uint64_t *row = measure_profile_table_row(&profile->tables[MEASURE_TABLE_RECORDS],
			MEASURE_TABLE_RECORDS, measure_key_pair(kind, 0));
		measure_cell(row, RECORDS, COUNT) = counts->kinds[kind].count;
		measure_cell(row, RECORDS, BYTES) = counts->kinds[kind].bytes;
	}
}

static void fold_stream(
	struct measure_fold *fold, struct measure_stream *stream, struct location_counts *counts)
{
	const uint8_t *place = stream->decoder.place;
	const struct measure_event *event = measure_stream_next(stream);

	if (!event)
		return;
	fold->profile->first = fold->last = event->time;
	do {
		measure_fold_event(fold, stream, event);
		if (event != &stream->call)
			count_record(counts, event->kind, stream->decoder.place - place);
		place = stream->decoder.place;
	} while ((event = measure_stream_next(stream)));
}

/* Exclusive times follow from inclusive ones. */
static void make_rows(struct measure_profile *profile, uint32_t location)
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

static void fold_location(const struct reading *reading, struct measure_trace *reader,
	struct measure_ranks *ranks, uint32_t location, struct measure_profile *profile)
{
	struct location_counts *counts = measure_zeroed(1, sizeof(*counts));
	struct measure_stream stream;
	struct measure_fold fold;
	uint64_t nr_read;

	measure_profile_start(profile, reading->trace);
	measure_fold_start(&fold, profile, &reading->names, ranks, location);
	if (reading->options->has_window) {
		fold.special |= MEASURE_FOLD_WINDOW;
		fold.from = reading->options->from;
		fold.until = reading->options->until;
	}
	measure_stream_open(&stream, reader, location);
	fold_stream(&fold, &stream, counts);
	const size_t nr_bytes = stream.decoder.size;
	profile->nr_broken = measure_stream_close(&stream, &nr_read) != MEASURE_OK;
	profile->nr_events = nr_read;
	profile->nr_locations = nr_read > 0;
	measure_fold_end(&fold);
	count_calls(profile, counts, nr_read, nr_bytes);
	store_counts(profile, counts);
	make_rows(profile, location);
	measure_free(counts);
}

/* -------------------------------------------------------------------------- threads --- */

/* Adds what has its turn. */
static void add_parts(struct reading *reading)
{
	const size_t nr = reading->trace->definitions.nr_locations;

	while (reading->next < nr && reading->parts[reading->next].is_ready)
		measure_profile_merge(reading->profile, &reading->parts[reading->next++].profile);
}

static void read_place(void *data, size_t place)
{
	struct reading *reading = data;
	const uint32_t location = reading->trace->reading_order[place];
	struct reading_part *part = &reading->parts[place];
	struct measure_findings findings = {0};
	struct measure_trace reader;
	struct measure_ranks ranks;

	if (measure_trace_open_reader(reading->trace, place, place + 1, &findings, &reader) !=
		MEASURE_OK) {
		measure_profile_start(&part->profile, reading->trace);
		part->profile.nr_broken = 1;
	} else {
		measure_ranks_start(&ranks, &reading->trace->definitions);
		fold_location(reading, &reader, &ranks, location, &part->profile);
		measure_ranks_free(&ranks);
		measure_trace_close_reader(&reader);
	}
	measure_findings_free(&findings);
	pthread_mutex_lock(&reading->lock);
	part->is_ready = true;
	reading->nr_read += part->profile.nr_events;
	if (reading->options->progress && reading->nr_expected)
		reading->options->progress((double)reading->nr_read / (double)reading->nr_expected);
	add_parts(reading);
	pthread_mutex_unlock(&reading->lock);
}

measure_status_t measure_profile_read(struct measure_trace *trace,
	const struct measure_profile_options *options, struct measure_profile *profile)
{
	const size_t nr = trace->definitions.nr_locations;
	struct reading reading = {.trace = trace, .options = options, .profile = profile};

	measure_profile_start(profile, trace);
	measure_profile_unify_regions(profile);
	measure_fold_names_find(&reading.names, &trace->definitions);
	reading.parts = measure_zeroed(nr, sizeof(*reading.parts));
	for (size_t i = 0; i < nr; i++)
		reading.nr_expected += trace->definitions.locations[i].nr_events;
	pthread_mutex_init(&reading.lock, NULL);
	measure_workers_share(options->nr_threads, nr, read_place, &reading);
	pthread_mutex_destroy(&reading.lock);
	measure_free(reading.parts);
	return profile->nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}
