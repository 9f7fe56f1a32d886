/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What became of every event and of every pair of events that depend on each other, for people. */
#include "config.h"

#include <stdlib.h>

#include "base/printable.h"
#include "report.h"
#include "trace/common/containers.h"

#define MOST_ROWS 8 /* of the matrix */
#define US_PER_S  1e6

/* --------------------------------------------------------------------- events --- */

static void print_events(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_event_stats *events = &run->stats.events;

	fprintf(file,
		"\n  every event against its presynchronised time\n"
		"    moved: %llu of %llu events (%.4g %%),\n"
		"      by %.9f s on average, %.9f s rms, %.9f s at most\n",
		sync_report_number(events->nr_moved), sync_report_number(events->nr),
		100 * sync_report_share(events->nr_moved, events->nr),
		sync_report_seconds(run, 1) * sync_report_share(events->sum, events->nr),
		sync_report_rms_moved(run), sync_report_seconds(run, events->largest));
	fprintf(file,
		"    time since the first event of the location differs\n"
		"      by %.9f s on average, %.9f s and %.4g %% at most\n",
		sync_report_seconds(run, 1) *
			sync_report_share(events->position_sum, events->nr_positions),
		sync_report_seconds(run, events->largest_position),
		100 * sync_report_worst_share(&events->worst_position));
}

static void print_class(const struct sync_run *run, const char *word,
	const struct measure_sync_intervals *intervals, const struct measure_sync_intervals *all,
	FILE *file)
{
	fprintf(file, "  %-18s %10llu %7.3f %% %8.4f %% %8.4f %% %12.9f s\n", word,
		sync_report_number(intervals->nr), 100 * sync_report_share(intervals->nr, all->nr),
		100 * sync_report_share(intervals->before, all->before),
		100 * sync_report_share(intervals->after, all->after),
		sync_report_seconds(run, intervals->deviation));
}

static void print_distances(const struct sync_run *run, FILE *file)
{
	static const char *const words[MEASURE_SYNC_NR_DISTANCES] = {"not at all",
		"by 0.01 % at most", "by 0.1 % at most", "by 1 % at most", "by 10 % at most",
		"by 100 % at most", "by more"};
	const struct measure_sync_event_stats *events = &run->stats.events;
	struct measure_sync_intervals all = {0};

	for (int i = 0; i < MEASURE_SYNC_NR_DISTANCES; i++) {
		all.nr += events->distances[i].nr;
		all.before += events->distances[i].before;
		all.after += events->distances[i].after;
		all.deviation += events->distances[i].deviation;
	}
	fprintf(file,
		"\n  time since the event before, on the location\n"
		"  %-18s %10s %9s %10s %10s %14s\n",
		"differs", "intervals", "of all", "of time", "corrected", "change");
	for (int i = 0; i < MEASURE_SYNC_NR_DISTANCES; i++)
		print_class(run, words[i], &events->distances[i], &all, file);
	print_class(run, "all", &all, &all, file);
	fprintf(file, "    at most by %.4g %%",
		100 * sync_report_worst_share(&events->worst_distance));
	if (events->nr_stretched)
		fprintf(file, "; %llu intervals of length 0 became longer",
			sync_report_number(events->nr_stretched));
	putc('\n', file);
}

/* ---------------------------------------------------------------------- pairs --- */

static void print_edges(const struct sync_run *run, const char *word,
	const struct measure_sync_edges *edges, FILE *file)
{
	const struct measure_sync_edge_counts *input = &edges->at[MEASURE_SYNC_WHEN_INPUT];
	const struct measure_sync_edge_counts *presync = &edges->at[MEASURE_SYNC_WHEN_PRESYNC];

	fprintf(file, "  %-22s %8llu %8llu %8llu %8llu %9.3f %9.3f\n", word,
		sync_report_number(edges->nr), sync_report_number(input->nr_reversed),
		sync_report_number(presync->nr_reversed),
		sync_report_number(edges->at[MEASURE_SYNC_WHEN_RESULT].nr_violated),
		US_PER_S * sync_report_seconds(run, 1) *
			sync_report_share(presync->sum, presync->nr_reversed),
		US_PER_S * sync_report_seconds(run, presync->worst));
}

static void add_edges(struct measure_sync_edges *to, const struct measure_sync_edges *from)
{
	to->nr += from->nr;
	for (int i = 0; i < MEASURE_SYNC_NR_WHEN; i++) {
		to->at[i].nr_reversed += from->at[i].nr_reversed;
		to->at[i].nr_violated += from->at[i].nr_violated;
		to->at[i].sum += from->at[i].sum;
		if (from->at[i].worst > to->at[i].worst)
			to->at[i].worst = from->at[i].worst;
	}
}

static void print_relations(const struct sync_run *run, FILE *file)
{
	struct measure_sync_edges all = {0};

	fprintf(file,
		"\n  every send with every receive; presynchronised, reversed ones are early\n"
		"  %-22s %8s %8s %8s %8s %9s %9s\n",
		"", "pairs", "reversed", "presync", "left", "mean us", "worst us");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		if (run->stats.relations[i].nr == 0)
			continue;
		print_edges(run, measure_relations[i].word, &run->stats.relations[i], file);
		add_edges(&all, &run->stats.relations[i]);
	}
	print_edges(run, "all", &all, file);
}

struct row {
	uint32_t from, to;
	const struct measure_sync_edges *edges;
};

/* Those with the worst message first; where none is early, those with most violations. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	const struct measure_sync_edge_counts *of_a = &a->edges->at[MEASURE_SYNC_WHEN_PRESYNC];
	const struct measure_sync_edge_counts *of_b = &b->edges->at[MEASURE_SYNC_WHEN_PRESYNC];

	if (of_a->worst != of_b->worst)
		return of_a->worst > of_b->worst ? -1 : 1;
	if (of_a->nr_violated != of_b->nr_violated)
		return of_a->nr_violated > of_b->nr_violated ? -1 : 1;
	return a->edges < b->edges ? -1 : 1;
}

static void print_row(const struct sync_run *run, const struct row *row, FILE *file)
{
	const struct measure_sync_edge_counts *presync = &row->edges->at[MEASURE_SYNC_WHEN_PRESYNC];

	fprintf(file, "  %-16.16s > %-16.16s %8llu %7llu %8llu %5llu %9.3f\n",
		MEASURE_PRINTABLE(measure_sync_stats_name(&run->graph, &run->stats, row->from)),
		MEASURE_PRINTABLE(measure_sync_stats_name(&run->graph, &run->stats, row->to)),
		sync_report_number(row->edges->nr), sync_report_number(presync->nr_reversed),
		sync_report_number(presync->nr_violated),
		sync_report_number(row->edges->at[MEASURE_SYNC_WHEN_RESULT].nr_violated),
		US_PER_S * sync_report_seconds(run, presync->worst));
}

static void print_matrix(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_stats *stats = &run->stats;
	struct row *rows =
		measure_zeroed((size_t)stats->nr_parties * stats->nr_parties + 1, sizeof(*rows));
	size_t nr = 0;

	for (uint32_t from = 0; from < stats->nr_parties; from++)
		for (uint32_t to = 0; to < stats->nr_parties; to++) {
			const struct measure_sync_edges *edges =
				&stats->pairs[(size_t)from * stats->nr_parties + to];

			if (edges->nr)
				rows[nr++] = (struct row){from, to, edges};
		}
	qsort(rows, nr, sizeof(*rows), compare_rows);
	if (nr)
		fprintf(file, "\n  %-35s %8s %7s %8s %5s %9s\n",
			stats->party == MEASURE_SYNC_PARTY_NODE ? "from node > to node"
								: "from clock > to clock",
			"pairs", "presync", "violated", "left", "worst us");
	for (size_t i = 0; i < nr && i < MOST_ROWS; i++)
		print_row(run, &rows[i], file);
	if (nr > MOST_ROWS)
		fprintf(file, "    and %zu more with smaller errors\n", nr - MOST_ROWS);
	measure_free(rows);
}

static void print_reading_back(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_stats *stats = &run->stats;

	if (measure_sync_stats_are_good(stats))
		fputs("\n  verified: no event precedes its cause, no time decreases\n", file);
	else
		fputs("\n  verification FAILED\n", file);
	if (stats->nr_backward)
		fprintf(file, "    %llu events are earlier than the previous event\n",
			sync_report_number(stats->nr_backward));
	if (stats->nr_different)
		fprintf(file, "    %u locations differ from the computed times (first: %s)\n",
			stats->nr_different,
			MEASURE_PRINTABLE(measure_name_of_location(
				&run->trace->definitions, stats->different)));
}

void sync_report_stats_text(const struct sync_run *run, FILE *file)
{
	print_events(run, file);
	print_distances(run, file);
	print_relations(run, file);
	print_matrix(run, file);
	print_reading_back(run, file);
}
