/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two passes: over the input with the correction, over the output as a reader sees it. What
 * ties them is a sum of each location's times. */
#include "config.h"

#include "stats_internal.h"

#include "trace/common/containers.h"

#define EVENTS_PER_PROGRESS 65536

/* Of the times of a location, in their order. */
struct times_sum {
	uint64_t nr, hash;
};

struct passing {
	const struct measure_sync_graph *graph;
	const struct measure_sync_correction *corrections;
	const struct measure_sync_window *window;
	struct measure_sync_stats *stats;
	struct measure_match *match;
	uint32_t location;
	struct stats_location at;
	struct measure_sync_reading reading;
	struct measure_clock_reading presync;
	struct times_sum *sums; /* by location */
	measure_sync_progress_fn progress;
	uint64_t nr_seen, nr_expected; /* of both passes */
};

static void take_time(struct times_sum *sum, uint64_t time)
{
	sum->nr++;
	sum->hash = (sum->hash ^ time) * UINT64_C(0x9e3779b97f4a7c15);
	sum->hash ^= sum->hash >> 29;
}

static void show_progress(struct passing *passing)
{
	if (passing->progress && ++passing->nr_seen % EVENTS_PER_PROGRESS == 0)
		passing->progress((double)passing->nr_seen / (double)passing->nr_expected);
}

static bool is_in_window(const struct passing *passing, uint64_t time)
{
	double seconds = measure_trace_seconds(passing->graph->trace, time);

	return seconds >= passing->window->from && seconds <= passing->window->to;
}

/* ------------------------------------------------------------------- the input --- */

static void on_input(void *data, const struct measure_event *event)
{
	struct passing *passing = data;
	const struct measure_sync_graph *graph = passing->graph;
	uint64_t before = measure_clock_function_read(
		&graph->presync[passing->location], &passing->presync, event->raw);
	uint64_t after =
		measure_sync_correct(&passing->corrections[graph->domains[passing->location]],
			&passing->reading, event->raw, passing->location, event->position);

	take_time(&passing->sums[passing->location], after);
	if (is_in_window(passing, before))
		stats_event(&passing->stats->events, &passing->at, (int64_t)before, (int64_t)after);
	measure_match_event(passing->match, event);
	show_progress(passing);
}

static void read_input(struct passing *passing)
{
	struct measure_trace *trace = passing->graph->trace;
	struct measure_findings findings = {0}, *before = trace->findings;
	struct stats_edges edges;

	trace->findings = &findings; /* all of it was found by the first pass */
	stats_edges_start(&edges, passing->graph, passing->corrections, passing->stats);
	passing->match = measure_match_new(trace, stats_edges_instance, &edges);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++) {
		uint64_t nr_read;
		measure_status_t status;

		passing->location = trace->reading_order[i];
		passing->at = (struct stats_location){.has_first = false};
		passing->reading = (struct measure_sync_reading){.piece = 0};
		passing->presync = (struct measure_clock_reading){.number = 0};
		measure_match_begin_location(passing->match, passing->location);
		status = measure_stream_read(trace, passing->location, on_input, passing, &nr_read);
		measure_match_end_location(passing->match, status == MEASURE_OK);
	}
	measure_match_finish(passing->match);
	measure_match_free(passing->match);
	stats_edges_end(&edges);
	measure_findings_free(&findings);
	trace->findings = before;
}

/* ------------------------------------------------------------------ the output --- */

struct reading_back {
	struct passing *passing;
	struct times_sum sum;
	uint64_t last;
};

static void on_output(void *data, const struct measure_event *event)
{
	struct reading_back *back = data;

	take_time(&back->sum, event->time);
	back->passing->stats->nr_backward += event->time < back->last;
	back->last = event->time;
	show_progress(back->passing);
}

static void compare_location(
	struct passing *passing, struct measure_trace *output, uint32_t location)
{
	const struct measure_sync_graph *graph = passing->graph;
	uint64_t id = graph->trace->definitions.locations[location].id, nr_read;
	uint32_t index = measure_definition_index(&output->definitions, MEASURE_KIND_LOCATION, id);
	struct reading_back back = {.passing = passing};
	const struct times_sum *sum = &passing->sums[location];

	if (index != MEASURE_NONE)
		measure_stream_read(output, index, on_output, &back, &nr_read);
	if (back.sum.nr == sum->nr && back.sum.hash == sum->hash)
		return;
	if (passing->stats->nr_different++ == 0)
		passing->stats->different = location;
}

static measure_status_t read_output(struct passing *passing, const char *directory)
{
	struct measure_findings findings = {0};
	struct measure_trace *output;
	measure_status_t status = measure_trace_open(directory, &findings, &output);

	if (status != MEASURE_OK)
		goto free_findings;
	for (uint32_t i = 0; i < passing->graph->trace->definitions.nr_locations; i++)
		compare_location(passing, output, i);
	measure_trace_close(output);
free_findings:
	measure_findings_free(&findings);
	return status;
}

/* -------------------------------------------------------------------------------- */

measure_status_t measure_sync_stats_make(const struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, const struct measure_sync_window *window,
	const char *directory, measure_sync_progress_fn progress, struct measure_sync_stats *stats)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;
	struct passing passing = {.graph = graph,
		.corrections = corrections,
		.window = window,
		.stats = stats,
		.sums = measure_zeroed(definitions->nr_locations + 1, sizeof(*passing.sums)),
		.progress = progress,
		.nr_expected = 1};
	measure_status_t status;

	*stats = (struct measure_sync_stats){.different = MEASURE_NONE};
	for (size_t i = 0; i < definitions->nr_locations; i++)
		passing.nr_expected += 2 * definitions->locations[i].nr_events;
	read_input(&passing);
	status = read_output(&passing, directory);
	measure_free(passing.sums);
	return status;
}

void measure_sync_stats_free(struct measure_sync_stats *stats)
{
	measure_free(stats->party_of);
	measure_free(stats->pairs);
	*stats = (struct measure_sync_stats){.different = MEASURE_NONE};
}

bool measure_sync_stats_are_good(const struct measure_sync_stats *stats)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		if (stats->relations[i].at[MEASURE_SYNC_WHEN_RESULT].nr_violated > 0)
			return false;
	return stats->nr_backward == 0 && stats->nr_different == 0;
}
