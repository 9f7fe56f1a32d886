/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over the events. The locations, in reading order, are cut into runs of whole processes,
 * which threads read, each with a reader and a matcher of its own; then the runs are put together in
 * their order, so that nothing tells how many there were. */
#include "config.h"

#include "sync/scan.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "sync/workers.h"
#include "trace/error_internal.h"
#include "trace/store.h"

#define EVENTS_PER_PROGRESS 65536

/* So that nobody waits long for the last one. */
#define RUNS_PER_THREAD 4

/* Times from here on have no room for a correction. */
#define MOST_TICKS (UINT64_C(1) << 62)

struct scanning {
	struct measure_sync_graph *graph;
	measure_sync_progress_fn progress;
	uint64_t nr_expected;
	pthread_mutex_t lock;
	uint64_t nr_read; /* as far as progress goes; under the lock */
	struct run *runs;
	size_t nr_runs;
};

struct run {
	struct scanning *scanning;
	size_t first, end; /* in reading order */
	struct measure_trace reader;
	struct measure_findings findings;
	struct measure_match *match;
	struct measure_sync_part part;
	struct measure_sync_scan scan;
	measure_status_t status;
	/* the location being read */
	uint32_t location;
	uint64_t nr_events, first_raw, last_raw;
	/* the first event that is not in order */
	uint64_t wrong_position, wrong_raw;
};

static void show_progress(struct scanning *scanning)
{
	if (!scanning->progress || !scanning->nr_expected)
		return;
	pthread_mutex_lock(&scanning->lock);
	scanning->nr_read += EVENTS_PER_PROGRESS;
	scanning->progress((double)scanning->nr_read / (double)scanning->nr_expected);
	pthread_mutex_unlock(&scanning->lock);
}

static void on_event(void *data, const struct measure_event *event)
{
	struct run *run = data;

	if (run->nr_events++ == 0)
		run->first_raw = event->raw;
	else if (event->raw < run->last_raw && !run->wrong_position)
		run->wrong_position = event->position;
	if (event->raw >= MOST_TICKS && !run->wrong_position)
		run->wrong_position = event->position;
	if (run->wrong_position == event->position)
		run->wrong_raw = event->raw;
	run->last_raw = event->raw;
	measure_match_event(run->match, event);
	if (run->nr_events % EVENTS_PER_PROGRESS == 0)
		show_progress(run->scanning);
}

/* False: its times cannot be corrected. */
static bool read_location(struct run *run, uint32_t location)
{
	struct measure_sync_graph *graph = run->scanning->graph;
	uint64_t nr_expected = graph->trace->definitions.locations[location].nr_events, nr_read;
	measure_status_t status;

	run->location = location;
	run->nr_events = 0;
	measure_match_begin_location(run->match, location);
	status = measure_stream_read(&run->reader, location, on_event, run, &nr_read);
	/* A location that never recorded needs no file. */
	if (status != MEASURE_OK && nr_read == 0 && nr_expected == 0)
		status = MEASURE_OK;
	if (status != MEASURE_OK && run->scan.nr_damaged++ == 0)
		run->scan.damaged = location;
	measure_match_end_location(run->match, status == MEASURE_OK);
	run->scan.nr_events += nr_read;
	if (run->nr_events > 0) {
		measure_sync_graph_event(graph, location, run->first_raw);
		measure_sync_graph_event(graph, location, run->last_raw);
	}
	return !run->wrong_position;
}

static bool is_last_of_process(const struct run *run, size_t index)
{
	const struct measure_trace *trace = run->scanning->graph->trace;
	const struct measure_location_definition *locations = trace->definitions.locations;

	return index + 1 == run->end || locations[trace->reading_order[index]].group !=
						locations[trace->reading_order[index + 1]].group;
}

static void read_run(void *data, size_t index)
{
	struct scanning *scanning = data;
	struct run *run = &scanning->runs[index];
	const struct measure_trace *trace = scanning->graph->trace;

	run->findings.nr_kept_per_check = trace->findings->nr_kept_per_check;
	if (scanning->nr_runs == 1) {
		run->reader = *trace;
		run->reader.findings = &run->findings;
	} else {
		run->status = measure_trace_open_reader(
			trace, run->first, run->end, &run->findings, &run->reader);
	}
	if (run->status != MEASURE_OK)
		return;
	run->match = measure_match_new(&run->reader, measure_sync_part_instance, &run->part);
	measure_sync_part_start(&run->part, scanning->graph, measure_match_marks(run->match));
	for (size_t i = run->first; i < run->end && run->status == MEASURE_OK; i++) {
		if (!read_location(run, trace->reading_order[i]))
			run->status = MEASURE_ERROR_FORMAT;
		if (!is_last_of_process(run, i))
			continue;
		measure_match_end_process(run->match);
		measure_sync_part_end_process(&run->part);
	}
	measure_match_end_reading(run->match);
	if (scanning->nr_runs > 1)
		measure_trace_close_reader(&run->reader);
	malloc_trim(0); /* what only reading needed */
}

/* ------------------------------------------------------------------------ together --- */

/* Runs of about as many events each, of whole processes. */
static void make_runs(struct scanning *scanning, unsigned nr_threads)
{
	const struct measure_trace *trace = scanning->graph->trace;
	const struct measure_location_definition *locations = trace->definitions.locations;
	const size_t nr = trace->definitions.nr_locations;
	const size_t nr_wanted = nr_threads > 1 ? (size_t)nr_threads * RUNS_PER_THREAD : 1;
	uint64_t nr_events = 0;
	struct run *run = NULL;

	scanning->runs = measure_zeroed(nr_wanted, sizeof(*scanning->runs));
	for (size_t i = 0; i < nr; i++) {
		const struct measure_location_definition *location =
			&locations[trace->reading_order[i]];
		const bool is_new =
			i == 0 ||
			location->group != locations[trace->reading_order[i - 1]].group;

		if (is_new && (double)nr_events * (double)nr_wanted >=
				      (double)scanning->nr_expected * (double)scanning->nr_runs &&
			scanning->nr_runs < nr_wanted) {
			run = &scanning->runs[scanning->nr_runs++];
			*run = (struct run){.scanning = scanning, .first = i};
		}
		run->end = i + 1;
		nr_events += location->nr_events;
	}
}

static void set_error(const struct run *run)
{
	const struct measure_trace *trace = run->scanning->graph->trace;

	if (run->status == MEASURE_ERROR_FORMAT)
		measure_error_set("%s: %s: event %llu is at tick %llu, %s; record the program again",
			trace->anchor, measure_name_of_location(&trace->definitions, run->location),
			(unsigned long long)run->wrong_position,
			(unsigned long long)run->wrong_raw,
			run->wrong_raw >= MOST_TICKS ? "which no clock can reach"
						     : "before the one in front of it");
	else
		measure_error_set(
			"%s: cannot be opened once more; use fewer threads", trace->anchor);
}

static void join_run(
	struct measure_match *match, struct run *run, struct measure_sync_scan *scan)
{
	struct measure_sync_graph *graph = run->scanning->graph;
	uint32_t base = measure_match_join(match, run->match);

	run->match = NULL;
	measure_sync_graph_join(graph, &run->part, base);
	measure_findings_append(graph->trace->findings, &run->findings);
	scan->nr_events += run->scan.nr_events;
	if (scan->nr_damaged == 0)
		scan->damaged = run->scan.damaged;
	scan->nr_damaged += run->scan.nr_damaged;
}

static void free_runs(struct scanning *scanning)
{
	for (size_t i = 0; i < scanning->nr_runs; i++) {
		measure_match_free(scanning->runs[i].match);
		measure_sync_part_free(&scanning->runs[i].part);
		measure_findings_free(&scanning->runs[i].findings);
	}
	free(scanning->runs);
}

static void finish(struct scanning *scanning, unsigned nr_threads, struct measure_sync_scan *scan)
{
	struct measure_sync_graph *graph = scanning->graph;
	struct measure_match *match =
		measure_match_new(graph->trace, measure_sync_part_instance, &graph->whole);

	measure_match_take_pairs(match, measure_sync_graph_pairs);
	graph->whole.marks = measure_match_marks(match);
	for (size_t i = 0; i < scanning->nr_runs; i++)
		join_run(match, &scanning->runs[i], scan);
	measure_match_finish(match);
	measure_sync_graph_tie(graph, nr_threads);
	measure_match_free(match);
	malloc_trim(0); /* what is left lies in the memory of all threads that have read */
}

measure_status_t measure_sync_scan_read(struct measure_sync_graph *graph, unsigned nr_threads,
	measure_sync_progress_fn progress, struct measure_sync_scan *scan)
{
	struct scanning scanning = {.graph = graph, .progress = progress};
	const struct measure_definitions *definitions = &graph->trace->definitions;
	measure_status_t status = MEASURE_OK;

	*scan = (struct measure_sync_scan){.damaged = MEASURE_NONE};
	for (size_t i = 0; i < definitions->nr_locations; i++)
		scanning.nr_expected += definitions->locations[i].nr_events;
	pthread_mutex_init(&scanning.lock, NULL);
	make_runs(&scanning, nr_threads);
	measure_workers_share(nr_threads, scanning.nr_runs, read_run, &scanning);
	for (size_t i = 0; i < scanning.nr_runs && status == MEASURE_OK; i++) {
		status = scanning.runs[i].status;
		if (status != MEASURE_OK)
			set_error(&scanning.runs[i]);
	}
	if (status == MEASURE_OK)
		finish(&scanning, nr_threads, scan);
	free_runs(&scanning);
	pthread_mutex_destroy(&scanning.lock);
	return status;
}
