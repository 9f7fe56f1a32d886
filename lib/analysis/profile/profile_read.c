/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an archive into a profile. Threads take locations in reading order; what they have made is
 * added in that order, too, by whoever has the next one ready. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fold.h"
#include "profile_archive.h"
#include "profile_pack.h"
#include "sync/parallel/sync_ranks.h"
#include "sync/parallel/workers.h"
#include "trace/common/trace_error.h"

/* The profile of a location that waits for its turn. */
struct reading_part {
	struct measure_profile profile;
	uint64_t first_chunk; /* chunks of those before it */
	bool is_ready;
};

struct reading {
	struct measure_trace *trace;
	const struct measure_profile_options *options;
	struct measure_fold_names names;
	struct measure_profile *profile;
	struct reading_part *parts; /* by place in the reading order */
	size_t first, end;          /* places that this process reads */
	size_t next;                /* to be added */
	uint64_t step;              /* every step-th chunk is read */
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

/* ------------------------------------------------------------------------ location --- */

struct record_count {
	uint64_t count, bytes;
};

static void store_counts(struct measure_profile *profile, const struct record_count *counts)
{
	for (uint64_t kind = 0; kind < MEASURE_NR_EVENT_KINDS; kind++) {
		if (counts[kind].count == 0)
			continue;
		uint64_t *row = measure_profile_table_row(&profile->tables[MEASURE_TABLE_RECORDS],
			MEASURE_TABLE_RECORDS, measure_key_pair(kind, 0));
		measure_cell(row, RECORDS, COUNT) = counts[kind].count;
		measure_cell(row, RECORDS, BYTES) = counts[kind].bytes;
	}
}

/* The event is the first one of a chunk: what is open when chunks were skipped is not seen to end.
 */
static void begin_chunk(struct measure_fold *fold, const struct measure_stream *stream,
	const struct measure_event *event)
{
	if (fold->profile->nr_chunks_read++ == 0)
		fold->profile->first = fold->last = event->time;
	else if (stream->decoder.skipped)
		measure_fold_skip(fold, event->time);
}

static void fold_stream(
	struct measure_fold *fold, struct measure_stream *stream, struct record_count *counts)
{
	const struct measure_event_decoder *decoder = &stream->decoder;
	const uint8_t *start = decoder->place;
	uint64_t nr_bytes, of_metrics = 0;
	const struct measure_event *event;
	size_t chunk = SIZE_MAX;

	while ((event = measure_stream_next(stream))) {
		if (unlikely(chunk != decoder->next_chunk)) {
			begin_chunk(fold, stream, event);
			chunk = decoder->next_chunk;
			start = decoder->first_record;
		}
		nr_bytes = (uint64_t)(decoder->place - start);
		start = decoder->place;
		fold->bytes = nr_bytes + of_metrics;
		measure_fold_event(fold, stream, event);
		of_metrics = event->kind == MEASURE_EVENT_METRIC ? of_metrics + nr_bytes : 0;
		counts[event->kind].count++;
		counts[event->kind].bytes += nr_bytes;
	}
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
	struct measure_ranks *ranks, uint32_t location, size_t first_chunk,
	struct measure_profile *profile)
{
	struct record_count *counts = measure_zeroed(MEASURE_NR_EVENT_KINDS, sizeof(*counts));
	struct measure_stream stream;
	struct measure_fold fold;
	uint64_t nr_read;

	measure_profile_start(profile, reading->trace);
	measure_fold_start(&fold, profile, &reading->names, ranks, location);
	if (reading->options->has_window) {
		fold.special |= MEASURE_FOLD_WINDOW;
		fold.from = reading->options->from;
		fold.until = reading->options->until;
		if (fold.until < fold.from) /* empty */
			fold.until = fold.from;
	}
	measure_stream_open(&stream, reader, location);
	if (reading->step > 1)
		measure_event_decoder_sample(&stream.decoder, first_chunk, reading->step);
	fold_stream(&fold, &stream, counts);
	profile->nr_broken = measure_stream_close(&stream, &nr_read) != MEASURE_OK;
	profile->nr_events = nr_read;
	profile->nr_locations = nr_read > 0;
	measure_fold_end(&fold);
	store_counts(profile, counts);
	make_rows(profile, location);
	measure_free(counts);
}

/* -------------------------------------------------------------------------- threads --- */

/* Adds what has its turn. */
static void add_parts(struct reading *reading)
{
	while (reading->next < reading->end && reading->parts[reading->next].is_ready)
		measure_profile_merge(reading->profile, &reading->parts[reading->next++].profile);
}

static void read_place(void *data, size_t index)
{
	struct reading *reading = data;
	const size_t place = reading->first + index;
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
		fold_location(reading, &reader, &ranks, location,
			(reading->step - part->first_chunk % reading->step) % reading->step,
			&part->profile);
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

static uint64_t nr_chunks_of(const struct measure_trace *trace, uint32_t location)
{
	char *path = measure_trace_file(trace, location, ".evt");
	struct stat file;
	uint64_t nr = 0;

	if (trace->chunk_size && stat(path, &file) == 0)
		nr = ((uint64_t)file.st_size + trace->chunk_size - 1) / trace->chunk_size;
	measure_free(path);
	return nr;
}

static void choose_chunks(struct reading *reading)
{
	const struct measure_trace *trace = reading->trace;
	struct measure_profile *profile = reading->profile;
	uint64_t most;

	for (size_t i = 0; i < trace->definitions.nr_locations; i++) {
		reading->parts[i].first_chunk = profile->nr_chunks;
		profile->nr_chunks += nr_chunks_of(trace, trace->reading_order[i]);
	}
	reading->step = 1;
	if (reading->options->most_bytes == 0 || trace->chunk_size == 0 || trace->is_foreign)
		return;
	most = reading->options->most_bytes / trace->chunk_size + 1;
	if (profile->nr_chunks > most)
		reading->step = (profile->nr_chunks + most - 1) / most;
	profile->is_sampled = reading->step > 1;
}

/* -------------------------------------------------------------------------- ranks --- */

/* Each process of a job has a run of places with about as many events as every other. Archives may
 * say anything about their numbers: sums have more bits than these. */
static void choose_places(struct reading *reading, const struct measure_sync_job *job)
{
	const struct measure_trace *trace = reading->trace;
	const size_t nr = trace->definitions.nr_locations;
	unsigned __int128 all = 1, before = 0;

	for (size_t i = 0; i < nr; i++)
		all += trace->definitions.locations[i].nr_events;
	reading->first = reading->end = nr;
	for (size_t i = 0; i < nr; i++) {
		const uint64_t nr_events =
			trace->definitions.locations[trace->reading_order[i]].nr_events;
		const uint32_t rank = (uint32_t)(before * job->size / all);

		if (rank >= job->rank && reading->first == nr)
			reading->first = i;
		if (rank > job->rank && reading->end == nr)
			reading->end = i;
		if (rank == job->rank)
			reading->nr_expected += nr_events;
		before += nr_events;
	}
	reading->next = reading->first;
}

/* Collective: the first process adds what the others have read, in their order, which is that of
 * the locations. */
static void gather(struct measure_profile *profile, const struct measure_sync_job *job)
{
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));
	measure_profile_pack_t pack = {.nr = 0};
	struct measure_profile part;

	if (job->rank > 0) {
		measure_profile_pack(profile, &pack);
		out[0] = (struct measure_sync_job_part){pack.items, pack.nr};
	}
	measure_sync_job_swap(job, out, in);
	for (uint32_t rank = 1; job->rank == 0 && rank < job->size; rank++) {
		if (!measure_profile_unpack(&part, profile->trace, in[rank].data, in[rank].size))
			measure_end("the processes of the job do not read the same archive");
		measure_profile_merge(profile, &part);
		measure_free(in[rank].data);
	}
	free(pack.items);
	measure_free(out);
	measure_free(in);
}

measure_status_t measure_profile_read(struct measure_trace *trace,
	const struct measure_profile_options *options, struct measure_profile *profile)
{
	const struct measure_sync_job *job = options->job ? options->job : &measure_sync_job_of_one;
	struct reading reading = {.trace = trace, .options = options, .profile = profile};

	if (measure_profile_archive_is_one(trace))
		return measure_profile_archive_read(trace, options, profile);
	measure_profile_start(profile, trace);
	measure_profile_unify_regions(profile);
	measure_fold_names_find(&reading.names, &trace->definitions);
	reading.parts = measure_zeroed(trace->definitions.nr_locations, sizeof(*reading.parts));
	choose_chunks(&reading);
	choose_places(&reading, job);
	pthread_mutex_init(&reading.lock, NULL);
	measure_workers_share(
		options->nr_threads, reading.end - reading.first, read_place, &reading);
	pthread_mutex_destroy(&reading.lock);
	measure_free(reading.parts);
	if (job->size > 1)
		gather(profile, job);
	return profile->nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}
