/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over the events. The locations, in reading order, are cut into runs of whole processes,
 * which threads read, each with a reader and a matcher of its own. What they have made is put
 * together in their order, so that nothing tells how many threads there were. */
#include "config.h"

#include "waits.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "analysis/fold/fold_stream.h"
#include "analysis/archive/profile_archive.h"
#include "analysis/causes/root_causes.h"
#include "sync/parallel/workers.h"
#include "trace/archive/trace_properties.h"
#include "trace/common/trace_error.h"
#include "trace/relations/relation_selection.h"
#include "waits_runs.h"

#define EVENTS_PER_PROGRESS 262144

/* So that nobody waits long for the last one. */
#define RUNS_PER_THREAD 4

/* Of a job, all of whose processes must make the same ones. */
#define RUNS_PER_RANK 16

/* ------------------------------------------------------------------------ location --- */

static void show_progress(struct waits_reading *reading, uint64_t nr_events)
{
	if (!reading->options->progress || !reading->nr_expected || nr_events % EVENTS_PER_PROGRESS)
		return;
	pthread_mutex_lock(&reading->lock);
	reading->nr_read += EVENTS_PER_PROGRESS;
	reading->options->progress((double)reading->nr_read / (double)reading->nr_expected);
	pthread_mutex_unlock(&reading->lock);
}

static measure_status_t read_events(struct waits_reading *reading, struct waits_run *run,
	uint32_t location, struct measure_profile *profile)
{
	struct measure_fold_cursor *cursor = measure_zeroed(1, sizeof(*cursor));
	struct measure_call_recorder recorder;
	const struct measure_event *event;
	struct measure_stream stream;
	struct measure_fold fold;
	measure_status_t status;
	uint64_t nr_events = 0;

	measure_fold_start(&fold, profile, &run->ranks, location);
	measure_call_recorder_start(&recorder, &reading->tables[location],
		&reading->trace->definitions, reading->waits->region_kinds);
	measure_stream_open(&stream, &run->reader, location);
	while ((event = measure_fold_next(&fold, &stream, cursor))) {
		measure_call_recorder_event(&recorder, &fold, event);
		measure_match_event(run->match, event);
		show_progress(reading, ++nr_events);
	}
	status = measure_stream_close(&stream, &profile->nr_events);
	measure_call_recorder_end(&recorder, &fold);
	measure_fold_store_counts(&fold, cursor);
	measure_fold_end(&fold);
	measure_free(cursor);
	return status;
}

static void read_place(struct waits_reading *reading, struct waits_run *run, size_t place)
{
	const uint32_t location = reading->trace->reading_order[place];
	struct measure_profile *profile = &reading->places[place].profile;
	const uint64_t nr_expected = reading->trace->definitions.locations[location].nr_events;
	measure_status_t status;

	measure_profile_start(profile, reading->trace);
	measure_match_begin_location(run->match, location);
	status = read_events(reading, run, location, profile);
	/* A location that never recorded needs no file. */
	if (status != MEASURE_OK && profile->nr_events == 0 && nr_expected == 0)
		status = MEASURE_OK;
	measure_match_end_location(run->match, status == MEASURE_OK);
	profile->nr_broken = status != MEASURE_OK;
	profile->nr_locations = profile->nr_events > 0;
	measure_fold_make_rows(profile, location);
	reading->places[place].is_read = true;
}

/* ---------------------------------------------------------------------------- runs --- */

static bool has_kind(const struct waits_reading *reading, enum measure_region_kind kind)
{
	for (size_t i = 0; i < reading->trace->definitions.nr_regions; i++)
		if (reading->waits->region_kinds[i] == kind)
			return true;
	return false;
}

static void start_candidates(
	const struct waits_reading *reading, struct measure_candidates *candidates)
{
	measure_candidates_start(
		candidates, reading->tables, reading->trace->definitions.nr_locations);
	candidates->definitions = &reading->trace->definitions;
	candidates->options = reading->options;
	candidates->has_probes = has_kind(reading, MEASURE_REGION_KIND_MPI_PROBE);
}

static void read_run(void *data, size_t index)
{
	struct waits_reading *reading = data;
	struct waits_run *run = &reading->runs[reading->first_run + index];
	struct measure_trace *trace = reading->trace;

	run->findings.nr_kept_per_check = trace->findings->nr_kept_per_check;
	if (measure_trace_open_reader(trace, run->first, run->end, &run->findings, &run->reader) !=
		MEASURE_OK)
		return;
	run->is_opened = true;
	start_candidates(reading, &run->candidates);
	measure_ranks_start(&run->ranks, &trace->definitions);
	run->match = measure_match_new(&run->reader, measure_candidates_instance, &run->candidates);
	measure_match_take_files(run->match, measure_candidates_files);
	for (size_t place = run->first; place < run->end; place++)
		read_place(reading, run, place);
	measure_match_end_reading(run->match);
	measure_ranks_free(&run->ranks);
	measure_trace_close_reader(&run->reader);
	malloc_trim(0); /* what only reading needed */
}

static bool is_same_process(const struct measure_trace *trace, size_t place)
{
	const struct measure_location_definition *locations = trace->definitions.locations;

	return place > 0 && locations[trace->reading_order[place]].group ==
				    locations[trace->reading_order[place - 1]].group;
}

static size_t nr_wanted_runs(const struct waits_reading *reading)
{
	if (reading->job->size > 1)
		return (size_t)reading->job->size * RUNS_PER_RANK;
	return reading->options->nr_threads > 1
		       ? (size_t)reading->options->nr_threads * RUNS_PER_THREAD
		       : 1;
}

/* Runs of about as many events each, of whole processes. */
static void make_runs(struct waits_reading *reading)
{
	const struct measure_trace *trace = reading->trace;
	const size_t nr = trace->definitions.nr_locations;
	const size_t nr_wanted = nr_wanted_runs(reading);
	double nr_events = 0;

	reading->runs = measure_zeroed(nr, sizeof(*reading->runs));
	for (size_t i = 0; i < nr; i++)
		reading->nr_expected +=
			trace->definitions.locations[trace->reading_order[i]].nr_events;
	for (size_t i = 0; i < nr; i++) {
		const bool is_due = nr_events * (double)nr_wanted >=
				    (double)reading->nr_expected * (double)reading->nr_runs;

		if (i == 0 ||
			(!is_same_process(trace, i) && is_due && reading->nr_runs < nr_wanted))
			reading->runs[reading->nr_runs++].first = i;
		reading->runs[reading->nr_runs - 1].end = i + 1;
		nr_events +=
			(double)trace->definitions.locations[trace->reading_order[i]].nr_events;
	}
}

/* Those of this process of the job: others read the others. */
static void choose_runs(struct waits_reading *reading)
{
	const struct measure_sync_job *job = reading->job;

	reading->first_run = reading->nr_runs * job->rank / job->size;
	reading->end_run = reading->nr_runs * (job->rank + 1) / job->size;
}

/* ------------------------------------------------------------------------ together --- */

/* A call path as a part of a profile has it. */
struct waits_frame {
	uint32_t parent, region;
};

static struct waits_frame *copy_frames(const struct measure_profile *profile)
{
	struct waits_frame *frames = measure_zeroed(profile->nr_paths, sizeof(*frames));

	for (size_t i = 0; i < profile->nr_paths; i++)
		frames[i] =
			(struct waits_frame){profile->paths[i].parent, profile->paths[i].region};
	return frames;
}

static uint32_t same_region(const struct measure_profile *profile, uint32_t region)
{
	return region < profile->trace->definitions.nr_regions ? profile->same_regions[region]
							       : region;
}

/* As if this process had read it, whoever has. */
static void note_reading(
	struct measure_trace *trace, size_t place, const struct measure_profile *profile)
{
	struct measure_location_definition *location =
		&trace->definitions.locations[trace->reading_order[place]];

	if (location->nr_found != MEASURE_NOT_READ)
		return;
	location->nr_found = profile->nr_events;
	location->is_broken = profile->nr_broken > 0 || profile->nr_events == 0;
}

/* Adds the profile of a location, and gives its calls the paths of all. */
static void join_place(struct waits_reading *reading, size_t place)
{
	struct measure_call_table *table = &reading->tables[reading->trace->reading_order[place]];
	struct measure_profile *profile = &reading->waits->profile;
	struct measure_profile *part = &reading->places[place].profile;
	const size_t nr = part->nr_paths;
	struct waits_frame *frames = copy_frames(part);
	uint32_t *numbers = measure_zeroed(nr, sizeof(*numbers));

	table->begin = part->first;
	table->end = part->last;
	note_reading(reading->trace, place, part);
	measure_profile_merge(profile, part, NULL);
	for (size_t i = 1; i < nr; i++)
		numbers[i] = measure_profile_child(
			profile, numbers[frames[i].parent], same_region(profile, frames[i].region));
	for (size_t i = 0; i < table->nr_calls; i++)
		table->calls[i].path = numbers[table->calls[i].path];
	for (size_t i = 0; i < table->segments.nr_spans; i++)
		table->segments.spans[i].path = numbers[table->segments.spans[i].path];
	for (size_t i = 0; i < table->nr_phases; i++)
		table->phases[i].path = numbers[table->phases[i].path];
	reading->waits->nr_cut += table->nr_cut;
	measure_free(numbers);
	measure_free(frames);
}

static void join_run(struct waits_reading *reading, struct waits_run *run,
	struct measure_match *match, struct measure_candidates *candidates)
{
	for (size_t place = run->first; place < run->end; place++)
		if (reading->places[place].is_read)
			join_place(reading, place);
		else
			reading->waits->profile.nr_broken++;
	if (run->is_opened) {
		measure_match_join(match, run->match);
		measure_candidates_append(candidates, &run->candidates);
	}
	measure_findings_append(reading->trace->findings, &run->findings);
	measure_findings_free(&run->findings);
}

static void count_cut_processes(struct measure_waits *waits, const struct measure_match *match)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;

	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		waits->nr_processes_cut += definitions->location_groups[i].nr_locations > 0 &&
					   !measure_match_has_ended(match, i);
}

/* With measure --keep: those before the ones that are left. */
static void count_dropped(struct measure_waits *waits)
{
	struct measure_trace_properties properties;
	const char *recorded;
	uint64_t nr;

	measure_trace_properties_read(waits->profile.trace, &properties);
	recorded = measure_trace_property(&properties, "MEASURE::EVENTS_RECORDED");
	nr = recorded ? strtoull(recorded, NULL, 10) : 0;
	waits->nr_dropped = nr > waits->profile.nr_events ? nr - waits->profile.nr_events : 0;
	measure_trace_properties_free(&properties);
}

/* What belongs together in several processes, for candidates and for an observer. */
static void take_instance(void *data, const struct measure_instance *instance)
{
	const struct measure_candidates *candidates = data;
	const struct measure_waits_observer *observer = candidates->options->observer;

	if (observer && (instance->relation == MEASURE_RELATION_MESSAGE ||
				instance->relation == MEASURE_RELATION_MESSAGE_NONBLOCKING))
		observer->message(observer->data, instance);
	measure_candidates_instance(data, instance);
}

static void take_collective(void *data, const struct measure_collective *collective)
{
	const struct measure_candidates *candidates = data;
	const struct measure_waits_observer *observer = candidates->options->observer;

	observer->collective(observer->data, collective);
}

static void start_observer(const struct waits_reading *reading, struct measure_match *match)
{
	const struct measure_waits_observer *observer = reading->options->observer;

	if (!observer)
		return;
	observer->start(observer->data, reading->tables);
	measure_match_take_collectives(match, take_collective);
}

static void join_runs(struct waits_reading *reading)
{
	struct measure_candidates candidates;
	struct measure_match *match = measure_match_new(reading->trace, take_instance, &candidates);

	start_candidates(reading, &candidates);
	start_observer(reading, match);
	measure_match_take_exchanges(match, measure_candidates_exchange);
	measure_match_take_files(match, measure_candidates_files);
	for (size_t i = 0; i < reading->nr_runs; i++)
		join_run(reading, &reading->runs[i], match, &candidates);
	measure_match_finish(match);
	count_cut_processes(reading->waits, match);
	count_dropped(reading->waits);
	measure_match_free(match);
	malloc_trim(0);
	measure_candidates_accept_replies(&candidates);
	measure_candidates_add_idle(&candidates, &reading->waits->profile);
	measure_candidates_add_locks(&candidates);
	measure_waits_settle(reading->waits, &candidates, reading->options->nr_threads);
	measure_candidates_free(&candidates);
}

/* More than clocks may be corrected by: what is only assumed is looked at again here. */
static void select_relations(const struct measure_trace *trace, struct measure_selection *selection)
{
	measure_selection_default(selection);
	if (trace->selection)
		*selection = *trace->selection;
	selection->is_on[MEASURE_RELATION_RENDEZVOUS] = true;
	selection->rendezvous = 0;
	selection->is_on[MEASURE_RELATION_PIPE] = true;
}

measure_status_t measure_waits_read(struct measure_trace *trace,
	const struct measure_waits_options *options, struct measure_waits *waits)
{
	const size_t nr = trace->definitions.nr_locations;
	struct waits_reading reading = {.trace = trace,
		.options = options,
		.job = options->job ? options->job : &measure_sync_job_of_one,
		.waits = waits};
	const struct measure_selection *before = trace->selection;
	struct measure_selection selection;

	select_relations(trace, &selection);
	trace->selection = &selection;
	*waits = (struct measure_waits){
		.region_kinds = measure_region_kinds_find(&trace->definitions)};
	measure_profile_start(&waits->profile, trace);
	measure_profile_unify_regions(&waits->profile);
	reading.tables = measure_zeroed(nr, sizeof(*reading.tables));
	reading.places = measure_zeroed(nr, sizeof(*reading.places));
	pthread_mutex_init(&reading.lock, NULL);
	make_runs(&reading);
	choose_runs(&reading);
	/* Where another allocator stands before that of the C library, this is what begins that
	 * one: in two threads at once it would end in a fault. */
	malloc_trim(0);
	measure_workers_share(
		options->nr_threads, reading.end_run - reading.first_run, read_run, &reading);
	pthread_mutex_destroy(&reading.lock);
	if (reading.job->size > 1)
		measure_waits_gather(&reading);
	if (reading.job->rank == 0)
		join_runs(&reading);
	else
		measure_waits_drop_tables(&reading);
	trace->selection = before;
	measure_free(reading.places);
	measure_free(reading.runs);
	return waits->profile.nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}

void measure_dependencies_free(struct measure_dependencies *dependencies)
{
	for (size_t i = 0; i < dependencies->nr_locations; i++) {
		measure_call_table_free(&dependencies->tables[i]);
		measure_free(dependencies->candidates[i]);
	}
	measure_free(dependencies->tables);
	measure_free(dependencies->candidates);
	measure_free(dependencies->nr_candidates);
	measure_free(dependencies->instances);
	measure_free(dependencies->sides);
	measure_free(dependencies->waits);
	measure_free(dependencies->first_waits);
	*dependencies = (struct measure_dependencies){.nr_locations = 0};
}

void measure_waits_free(struct measure_waits *waits)
{
	measure_root_causes_free(waits->root_causes);
	measure_profile_free(&waits->profile);
	measure_dependencies_free(&waits->dependencies);
	measure_free((void *)(uintptr_t)waits->region_kinds);
	measure_free(waits->rows);
	measure_free(waits->causes);
	*waits = (struct measure_waits){.nr_rows = 0};
}
