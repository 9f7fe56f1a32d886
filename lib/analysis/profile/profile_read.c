/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an archive into a profile. Threads take locations in reading order; what they have made is
 * added in that order, too, by whoever has the next one ready. */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/fold/fold_stream.h"
#include "analysis/archive/profile_archive.h"
#include "profile_file.h"
#include "translation.h"
#include "sync/parallel/sync_ranks.h"
#include "sync/parallel/workers.h"
#include "format/run_layout.h"
#include "trace/archive/trace_properties.h"
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
	struct measure_profile *profile;
	struct reading_part *parts; /* by place in the reading order */
	size_t first, end;          /* places that this process reads */
	size_t next;                /* to be added */
	uint64_t step;              /* every step-th chunk is read */
	bool has_profiles; /* locations may have profiles that were made while they were recorded */
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

/* ------------------------------------------------------------------------ location --- */

/* The profile that was made while the location was recorded. False: there is none, or it is
 * damaged: see nr_broken. */
static bool take_profile(const struct reading *reading, struct measure_ranks *ranks,
	uint32_t location, struct measure_profile *profile)
{
	const struct measure_translation translation = {reading->trace, ranks, location};
	const struct measure_clock_function *offsets = &reading->trace->offsets[location];
	char *path = measure_trace_file(reading->trace, location, ".prof");
	struct measure_profile part;
	const void *data;
	uint8_t *bytes;
	size_t size;
	measure_status_t status = measure_profile_file_load(AT_FDCWD, path, &bytes, &data, &size);

	measure_free(path);
	if (status == MEASURE_ERROR_NOT_FOUND)
		return false;
	if (status != MEASURE_OK) {
		profile->nr_broken = 1;
		return true;
	}
	if (!measure_profile_unpack(&part, reading->trace, data, size)) {
		measure_profile_free(&part);
		profile->nr_broken = 1;
	} else {
		part.first = measure_clock_function_apply(offsets, part.first);
		part.last = measure_clock_function_apply(offsets, part.last);
		measure_profile_merge(profile, &part, &translation);
		measure_fold_make_rows(profile, location);
	}
	free(bytes);
	return true;
}

static void fold_location(const struct reading *reading, struct measure_trace *reader,
	struct measure_ranks *ranks, uint32_t location, size_t first_chunk,
	struct measure_profile *profile)
{
	struct measure_fold_cursor *cursor = measure_zeroed(1, sizeof(*cursor));
	struct measure_stream stream;
	struct measure_fold fold;
	uint64_t nr_read;

	measure_profile_start(profile, reading->trace);
	if (reading->has_profiles && take_profile(reading, ranks, location, profile)) {
		measure_free(cursor);
		return;
	}
	measure_fold_start(&fold, profile, ranks, location);
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
	while (measure_fold_next(&fold, &stream, cursor))
		;
	profile->nr_broken = measure_stream_close(&stream, &nr_read) != MEASURE_OK;
	profile->nr_events = nr_read;
	profile->nr_locations = nr_read > 0;
	measure_fold_store_counts(&fold, cursor);
	measure_fold_end(&fold);
	measure_fold_make_rows(profile, location);
	measure_free(cursor);
}

/* -------------------------------------------------------------------------- threads --- */

/* Adds what has its turn. */
static void add_parts(struct reading *reading)
{
	while (reading->next < reading->end && reading->parts[reading->next].is_ready)
		measure_profile_merge(
			reading->profile, &reading->parts[reading->next++].profile, NULL);
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
	if (reading->has_profiles || reading->options->most_bytes == 0 || trace->chunk_size == 0 ||
		trace->is_foreign)
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
		measure_profile_merge(profile, &part, NULL);
		measure_free(in[rank].data);
	}
	free(pack.items);
	measure_free(out);
	measure_free(in);
}

static bool is_partly_kept(const struct measure_trace *trace)
{
	struct measure_trace_properties properties;
	bool is_there;

	measure_trace_properties_read(trace, &properties);
	is_there = measure_trace_property(&properties, MEASURE_KEPT_PROPERTY) != NULL;
	measure_trace_properties_free(&properties);
	return is_there;
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
	reading.has_profiles = !options->has_window && is_partly_kept(trace);
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
