/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over the events. The locations, in reading order, are cut into runs of whole processes,
 * which threads read, each with a reader and a matcher of its own; then the runs are put together
 * in their order, so that nothing tells how many there were. The other ranks of a job read other
 * processes in the same way. */
#include "config.h"

#include "scan.h"

#include <malloc.h>
#include <pthread.h>

#include "sync/parallel/status_reduction.h"
#include "sync/parallel/workers.h"
#include "trace/common/trace_error.h"
#include "trace/match/match_pack.h"
#include "trace/common/containers.h"

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
	struct scan_run *runs;
	size_t nr_runs;
};

struct scan_run {
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

static bool is_wrong(const struct scan_run *run, const struct measure_event *event)
{
	return event->raw < run->last_raw || event->raw >= MOST_TICKS;
}

static void read_event(struct scan_run *run, const struct measure_event *event)
{
	if (run->nr_events++ == 0)
		run->first_raw = event->raw;
	if (is_wrong(run, event) && !run->wrong_position) {
		run->wrong_position = event->position;
		run->wrong_raw = event->raw;
	}
	run->last_raw = event->raw;
	measure_match_event(run->match, event);
	if (run->nr_events % EVENTS_PER_PROGRESS == 0)
		show_progress(run->scanning);
}

static measure_status_t read_events(struct scan_run *run, uint64_t *nr_read)
{
	const struct measure_event *event;
	struct measure_stream stream;

	run->nr_events = 0;
	run->last_raw = 0;
	measure_stream_open(&stream, &run->reader, run->location);
	while ((event = measure_stream_next(&stream)))
		read_event(run, event);
	return measure_stream_close(&stream, nr_read);
}

/* False: its times cannot be corrected. */
static bool read_location(struct scan_run *run, uint32_t location)
{
	struct measure_sync_graph *graph = run->scanning->graph;
	uint64_t nr_expected = graph->trace->definitions.locations[location].nr_events, nr_read;
	measure_status_t status;

	run->location = location;
	measure_match_begin_location(run->match, location);
	status = read_events(run, &nr_read);
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

static bool is_last_of_process(const struct scan_run *run, size_t index)
{
	const struct measure_trace *trace = run->scanning->graph->trace;
	const struct measure_location_definition *locations = trace->definitions.locations;

	return index + 1 == run->end || locations[trace->reading_order[index]].group !=
						locations[trace->reading_order[index + 1]].group;
}

static void read_run(void *data, size_t index)
{
	struct scanning *scanning = data;
	struct scan_run *run = &scanning->runs[index];
	const struct measure_trace *trace = scanning->graph->trace;

	run->findings.nr_kept_per_check = trace->findings->nr_kept_per_check;
	run->findings.has_lost_begins = trace->findings->has_lost_begins;
	run->findings.has_lost_partners = trace->findings->has_lost_partners;
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

static bool is_mine(const struct scanning *scanning, size_t place)
{
	const struct measure_sync_graph *graph = scanning->graph;

	return measure_sync_is_mine(graph, graph->trace->reading_order[place]);
}

/* Can a run begin here? It must where others read what comes before. */
static bool is_start(const struct scanning *scanning, size_t place, bool *must_be)
{
	const struct measure_trace *trace = scanning->graph->trace;
	const struct measure_location_definition *locations = trace->definitions.locations;

	*must_be = place == 0 || !is_mine(scanning, place - 1);
	return *must_be || locations[trace->reading_order[place]].group !=
				   locations[trace->reading_order[place - 1]].group;
}

/* Runs of about as many events each, of whole processes. */
static void make_runs(struct scanning *scanning, unsigned nr_threads)
{
	const struct measure_trace *trace = scanning->graph->trace;
	const size_t nr = trace->definitions.nr_locations;
	const size_t nr_wanted = nr_threads > 1 ? (size_t)nr_threads * RUNS_PER_THREAD : 1;
	uint64_t nr_events = 0;
	struct scan_run *run = NULL;

	scanning->runs = measure_zeroed(nr, sizeof(*scanning->runs));
	for (size_t i = 0; i < nr; i++) {
		const struct measure_location_definition *location =
			&trace->definitions.locations[trace->reading_order[i]];
		bool must_be;

		if (!is_mine(scanning, i))
			continue;
		if (is_start(scanning, i, &must_be) &&
			(must_be || ((double)nr_events * (double)nr_wanted >=
						    (double)scanning->nr_expected *
							    (double)scanning->nr_runs &&
					    scanning->nr_runs < nr_wanted))) {
			run = &scanning->runs[scanning->nr_runs++];
			*run = (struct scan_run){.scanning = scanning, .first = i};
		}
		run->end = i + 1;
		nr_events += location->nr_events;
	}
}

static void set_error(const struct scan_run *run)
{
	const struct measure_trace *trace = run->scanning->graph->trace;

	if (run->status == MEASURE_ERROR_FORMAT)
		measure_error_set(
			"%s: %s: event %llu is at tick %llu, %s; record the program again",
			trace->anchor, measure_name_of_location(&trace->definitions, run->location),
			(unsigned long long)run->wrong_position, (unsigned long long)run->wrong_raw,
			run->wrong_raw >= MOST_TICKS ? "outside the range of clocks"
						     : "earlier than the previous event");
	else
		measure_error_set("%s: cannot reopen; use fewer threads", trace->anchor);
}

static void join_run(
	struct measure_match *match, struct scan_run *run, struct measure_sync_scan *scan)
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
	measure_free(scanning->runs);
}

/* Events of others, as far as they have to do with ours. */
static void join_others(struct measure_sync_graph *graph, struct measure_match *match,
	struct measure_unpacking *pack)
{
	struct measure_match *others =
		measure_match_new(graph->trace, measure_sync_part_instance, &graph->whole);
	struct measure_sync_part part;

	measure_match_unpack(others, pack);
	measure_sync_part_start(&part, graph, measure_match_marks(others));
	measure_sync_part_end_process(&part);
	measure_sync_graph_join(graph, &part, measure_match_join(match, others));
}

/* Collective: each rank learns what it needs of what the others have read. The caller frees it. */
static struct measure_sync_job_part *swap_packs(const struct scanning *scanning)
{
	const struct measure_sync_graph *graph = scanning->graph;
	const uint32_t nr = graph->job->size;
	struct measure_sync_job_part *out = measure_zeroed(nr, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(nr, sizeof(*in));
	struct measure_packing packing;

	measure_packing_start(&packing, graph->trace, graph->ranks, graph->job->rank, nr);
	for (size_t i = 0; i < scanning->nr_runs; i++)
		measure_match_pack(scanning->runs[i].match, scanning->runs[i].first, &packing);
	for (uint32_t r = 0; r < nr; r++)
		out[r] = (struct measure_sync_job_part){
			packing.packs[r].data, packing.packs[r].size};
	measure_sync_job_swap(graph->job, out, in);
	measure_packing_free(&packing);
	measure_free(out);
	return in;
}

/* Collective: all runs of all ranks, in reading order: each rank finds the same. */
static void join_all(
	struct scanning *scanning, struct measure_match *match, struct measure_sync_scan *scan)
{
	struct measure_sync_graph *graph = scanning->graph;
	struct measure_sync_job_part *packs = swap_packs(scanning);
	struct measure_unpacking *others = measure_zeroed(graph->job->size, sizeof(*others));
	size_t nr_own = 0;

	for (uint32_t r = 0; r < graph->job->size; r++)
		others[r] = (struct measure_unpacking){
			packs[r].data, (const char *)packs[r].data + packs[r].size};
	for (;;) {
		size_t first = nr_own < scanning->nr_runs ? scanning->runs[nr_own].first : SIZE_MAX;
		struct measure_unpacking *next = NULL;

		for (uint32_t r = 0; r < graph->job->size; r++)
			if (measure_match_next(&others[r]) < first) {
				next = &others[r];
				first = measure_match_next(next);
			}
		if (first == SIZE_MAX)
			break;
		if (next)
			join_others(graph, match, next);
		else
			join_run(match, &scanning->runs[nr_own++], scan);
	}
	for (uint32_t r = 0; r < graph->job->size; r++)
		measure_free(packs[r].data);
	measure_free(packs);
	measure_free(others);
}

static void scan_finish(
	struct scanning *scanning, unsigned nr_threads, struct measure_sync_scan *scan)
{
	struct measure_sync_graph *graph = scanning->graph;
	bool *is_elsewhere =
		measure_zeroed(graph->trace->definitions.nr_locations, sizeof(*is_elsewhere));
	struct measure_match *match =
		measure_match_new(graph->trace, measure_sync_part_instance, &graph->whole);

	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++)
		is_elsewhere[i] = !measure_sync_is_mine(graph, i);
	measure_match_take_pairs(match, measure_sync_graph_pairs);
	graph->whole.marks = measure_match_marks(match);
	join_all(scanning, match, scan);
	graph->trace->findings->is_elsewhere = is_elsewhere;
	measure_match_finish(match);
	graph->trace->findings->is_elsewhere = NULL;
	measure_free(is_elsewhere);
	measure_sync_graph_tie(graph, nr_threads);
	measure_match_free(match);
	malloc_trim(0); /* what is left lies in the memory of all threads that have read */
}

/* Collective: what every rank has to know of all locations. */
static void share_locations(struct measure_sync_graph *graph)
{
	const struct measure_sync_job_ops *ops = graph->job->ops;
	struct measure_definitions *definitions = &graph->trace->definitions;
	const size_t nr = definitions->nr_locations;
	uint64_t *first = measure_zeroed(4 * nr, sizeof(*first));
	uint64_t *last = first + nr, *nr_found = last + nr, *is_broken = nr_found + nr;

	for (uint32_t i = 0; i < nr; i++) {
		first[i] = graph->spans[i].first;
		last[i] = graph->spans[i].last;
		nr_found[i] =
			measure_sync_is_mine(graph, i) ? definitions->locations[i].nr_found : 0;
		is_broken[i] =
			measure_sync_is_mine(graph, i) && definitions->locations[i].is_broken;
	}
	ops->combine(first, nr, MEASURE_SYNC_JOB_LEAST);
	ops->combine(last, 3 * nr, MEASURE_SYNC_JOB_MOST);
	for (uint32_t i = 0; i < nr; i++) {
		graph->spans[i] = (struct measure_sync_span){first[i], last[i]};
		definitions->locations[i].nr_found = nr_found[i];
		definitions->locations[i].is_broken = is_broken[i];
	}
	measure_free(first);
}

/* Collective: its counts become those of all ranks. */
static void share_counts(const struct measure_sync_graph *graph, struct measure_sync_scan *scan)
{
	const struct measure_trace *trace = graph->trace;
	uint64_t place = 0;

	while (place < trace->definitions.nr_locations &&
		trace->reading_order[place] != scan->damaged)
		place++;
	place = measure_sync_job_least(graph->job, place);
	scan->damaged = place < trace->definitions.nr_locations ? trace->reading_order[place]
								: MEASURE_NONE;
	scan->nr_events = measure_sync_job_sum(graph->job, scan->nr_events);
	scan->nr_damaged = (uint32_t)measure_sync_job_sum(graph->job, scan->nr_damaged);
}

/* Collective: of all that failed, the first one in reading order is the one that counts. */
static measure_status_t find_status(const struct scanning *scanning)
{
	const struct measure_sync_graph *graph = scanning->graph;
	measure_status_t status = MEASURE_OK;
	size_t place = 0;

	for (size_t i = 0; i < scanning->nr_runs && status == MEASURE_OK; i++) {
		const struct scan_run *run = &scanning->runs[i];

		status = run->status;
		if (status != MEASURE_OK)
			set_error(run);
		for (place = run->first; status == MEASURE_ERROR_FORMAT &&
					 graph->trace->reading_order[place] != run->location;)
			place++;
	}
	return measure_sync_job_reduce_status(graph->job, status, place);
}

measure_status_t measure_sync_scan_read(struct measure_sync_graph *graph, unsigned nr_threads,
	measure_sync_progress_fn progress, struct measure_sync_scan *scan)
{
	struct scanning scanning = {.graph = graph, .progress = progress};
	const struct measure_definitions *definitions = &graph->trace->definitions;
	measure_status_t status;

	*scan = (struct measure_sync_scan){.damaged = MEASURE_NONE};
	for (size_t i = 0; i < definitions->nr_locations; i++)
		scanning.nr_expected += measure_sync_is_mine(graph, (uint32_t)i)
						? definitions->locations[i].nr_events
						: 0;
	pthread_mutex_init(&scanning.lock, NULL);
	make_runs(&scanning, nr_threads);
	/* Where another allocator stands before that of the C library, this is what begins that one: in two
	 * threads at once it would end in a fault. */
	malloc_trim(0);
	measure_workers_share(nr_threads, scanning.nr_runs, read_run, &scanning);
	status = find_status(&scanning);
	if (status == MEASURE_OK) {
		share_locations(graph);
		scan_finish(&scanning, nr_threads, scan);
		share_counts(graph, scan);
	}
	free_runs(&scanning);
	pthread_mutex_destroy(&scanning.lock);
	return status;
}
