/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over the events, location by location. */
#include "config.h"

#include "sync/scan.h"

#include "trace/error_internal.h"
#include "trace/store.h"

#define EVENTS_PER_PROGRESS 65536

/* Times from here on have no room for a correction. */
#define MOST_TICKS (UINT64_C(1) << 62)

struct reading {
	struct measure_sync_graph *graph;
	struct measure_match *match;
	struct measure_sync_scan *scan;
	measure_sync_progress_fn progress;
	uint64_t nr_expected;
	uint32_t location;
	uint64_t last;
	/* the first event that is not in order */
	uint64_t wrong_position, wrong_raw;
};

static void on_event(void *data, const struct measure_event *event)
{
	struct reading *reading = data;
	uint64_t nr = ++reading->scan->nr_events;

	if ((event->raw < reading->last || event->raw >= MOST_TICKS) && !reading->wrong_position) {
		reading->wrong_position = event->position;
		reading->wrong_raw = event->raw;
	}
	reading->last = event->raw;
	measure_sync_graph_event(reading->graph, reading->location, event->raw);
	measure_match_event(reading->match, event);
	if (reading->progress && nr % EVENTS_PER_PROGRESS == 0 && reading->nr_expected)
		reading->progress((double)nr / (double)reading->nr_expected);
}

static measure_status_t read_location(struct reading *reading, uint32_t location)
{
	struct measure_trace *trace = reading->graph->trace;
	uint64_t nr_expected = trace->definitions.locations[location].nr_events, nr_read;
	measure_status_t status;

	reading->location = location;
	reading->last = 0;
	measure_match_begin_location(reading->match, location);
	status = measure_stream_read(trace, location, on_event, reading, &nr_read);
	/* A location that never recorded needs no file. */
	if (status != MEASURE_OK && nr_read == 0 && nr_expected == 0)
		status = MEASURE_OK;
	if (status != MEASURE_OK && reading->scan->nr_damaged++ == 0)
		reading->scan->damaged = location;
	measure_match_end_location(reading->match, status == MEASURE_OK);
	if (!reading->wrong_position)
		return MEASURE_OK;
	measure_error_set("%s: %s: event %llu is at tick %llu, %s; record the program again",
		trace->anchor, measure_name_of_location(&trace->definitions, location),
		(unsigned long long)reading->wrong_position,
		(unsigned long long)reading->wrong_raw,
		reading->wrong_raw >= MOST_TICKS ? "which no clock can reach"
						 : "before the one in front of it");
	return MEASURE_ERROR_FORMAT;
}

measure_status_t measure_sync_scan_read(struct measure_sync_graph *graph,
	measure_sync_progress_fn progress, struct measure_sync_scan *scan)
{
	struct measure_trace *trace = graph->trace;
	struct reading reading = {.graph = graph, .scan = scan, .progress = progress};
	measure_status_t status = MEASURE_OK;

	*scan = (struct measure_sync_scan){.damaged = MEASURE_NONE};
	reading.match = measure_match_new(trace, measure_sync_graph_instance, graph);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++)
		reading.nr_expected += trace->definitions.locations[i].nr_events;
	for (size_t i = 0; i < trace->definitions.nr_locations && status == MEASURE_OK; i++)
		status = read_location(&reading, trace->reading_order[i]);
	if (status == MEASURE_OK)
		measure_match_finish(reading.match);
	measure_match_free(reading.match);
	return status;
}
