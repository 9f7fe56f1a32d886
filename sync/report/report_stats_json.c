/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What became of every event and of every pair of events that depend on each other, for
 * programs. Times in seconds, shares from 0 to 1. */
#include "config.h"

#include "cli/json_text.h"
#include "report.h"

static void print_events(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_event_stats *events = &run->stats.events;
	double tick = sync_report_seconds(run, 1);

	fprintf(file,
		"\n    \"displacement\": {\"events\": %llu, \"moved\": %llu, "
		"\"mean_seconds\": %.12g, \"rms_seconds\": %.12g, \"most_seconds\": %.12g}",
		sync_report_number(events->nr), sync_report_number(events->nr_moved),
		tick * sync_report_share(events->sum, events->nr), sync_report_rms_moved(run),
		sync_report_seconds(run, events->largest));
	fprintf(file,
		",\n    \"position\": {\"events\": %llu, \"mean_seconds\": %.12g, "
		"\"most_seconds\": %.12g, \"most_share\": %.12g}",
		sync_report_number(events->nr_positions),
		tick * sync_report_share(events->position_sum, events->nr_positions),
		sync_report_seconds(run, events->largest_position),
		sync_report_worst_share(&events->worst_position));
}

static void print_distances(const struct sync_run *run, FILE *file)
{
	static const char *const bounds[MEASURE_SYNC_NR_DISTANCES] = {
		"0", "0.0001", "0.001", "0.01", "0.1", "1", "null"};
	const struct measure_sync_event_stats *events = &run->stats.events;

	fprintf(file,
		",\n    \"distance\": {\"most_share\": %.12g, \"stretched_from_nothing\": %llu, "
		"\"classes\": [",
		sync_report_worst_share(&events->worst_distance),
		sync_report_number(events->nr_stretched));
	for (int i = 0; i < MEASURE_SYNC_NR_DISTANCES; i++) {
		const struct measure_sync_intervals *intervals = &events->distances[i];

		fprintf(file,
			"%s\n      {\"up_to\": %s, \"intervals\": %llu, \"seconds\": %.12g, "
			"\"corrected_seconds\": %.12g, \"deviation_seconds\": %.12g}",
			i ? "," : "", bounds[i], sync_report_number(intervals->nr),
			sync_report_seconds(run, intervals->before),
			sync_report_seconds(run, intervals->after),
			sync_report_seconds(run, intervals->deviation));
	}
	fprintf(file, "\n    ]}");
}

static void print_edges(
	const struct sync_run *run, const struct measure_sync_edges *edges, FILE *file)
{
	static const char *const words[MEASURE_SYNC_NR_WHEN] = {"input", "presync", "result"};

	fprintf(file, "\"pairs\": %llu", sync_report_number(edges->nr));
	for (int i = 0; i < MEASURE_SYNC_NR_WHEN; i++) {
		const struct measure_sync_edge_counts *at = &edges->at[i];

		fprintf(file,
			", \"%s\": {\"reversed\": %llu, \"violated\": %llu, "
			"\"early_mean_seconds\": %.12g, \"early_most_seconds\": %.12g}",
			words[i], sync_report_number(at->nr_reversed),
			sync_report_number(at->nr_violated),
			sync_report_seconds(run, 1) * sync_report_share(at->sum, at->nr_reversed),
			sync_report_seconds(run, at->worst));
	}
}

static void print_relations(const struct sync_run *run, FILE *file)
{
	fprintf(file, ",\n    \"relations\": [");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		fprintf(file, "%s\n      {\"row\": %d, \"name\": \"%s\", ", i ? "," : "",
			measure_relations[i].row, measure_relations[i].word);
		print_edges(run, &run->stats.relations[i], file);
		putc('}', file);
	}
	fprintf(file, "\n    ]");
}

static void print_matrix(const struct sync_run *run, FILE *file)
{
	static const char *const words[] = {"\"clock\"", "\"node\"", "null"};
	const struct measure_sync_stats *stats = &run->stats;
	const char *separator = "";

	fprintf(file, ",\n    \"matrix_of\": %s, \"names\": [", words[stats->party]);
	for (uint32_t i = 0; i < stats->nr_parties; i++) {
		fputs(i ? ", " : "", file);
		measure_json_text(file, measure_sync_stats_name(&run->graph, stats, i));
	}
	fprintf(file, "],\n    \"matrix\": [");
	for (uint32_t from = 0; from < stats->nr_parties; from++)
		for (uint32_t to = 0; to < stats->nr_parties; to++) {
			const struct measure_sync_edges *edges =
				&stats->pairs[(size_t)from * stats->nr_parties + to];

			if (edges->nr == 0)
				continue;
			fprintf(file, "%s\n      {\"from\": %u, \"to\": %u, ", separator, from, to);
			print_edges(run, edges, file);
			putc('}', file);
			separator = ",";
		}
	fprintf(file, "\n    ]");
}

void sync_report_stats_json(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_stats *stats = &run->stats;

	fprintf(file, ",\n  \"statistics\": {");
	print_events(run, file);
	print_distances(run, file);
	print_relations(run, file);
	print_matrix(run, file);
	fprintf(file,
		",\n    \"read_back\": {\"good\": %s, \"backward\": %llu, "
		"\"different_locations\": %u}\n  }",
		measure_sync_stats_are_good(stats) ? "true" : "false",
		sync_report_number(stats->nr_backward), stats->nr_different);
}
