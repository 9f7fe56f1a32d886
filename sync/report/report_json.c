/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a correction did, for programs. Times in seconds, shares from 0 to 1. */
#include "config.h"

#include "cli/json_text.h"
#include "report.h"

static void print_stage(const struct sync_run *run, const char *before, enum sync_stage stage,
	uint64_t nr_reversed, uint64_t nr_violated, int64_t worst, FILE *file)
{
	fprintf(file,
		"%s\"%s\": {\"reversed\": %llu, \"violated\": %llu, \"worst_seconds\": %.12g}",
		before, sync_stage_words[stage], sync_report_number(nr_reversed),
		sync_report_number(nr_violated), sync_report_seconds(run, worst));
}

static void print_relations(const struct sync_run *run, FILE *file)
{
	fprintf(file, ",\n  \"relations\": [");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		fprintf(file,
			"%s\n    {\"row\": %d, \"name\": \"%s\", \"receives\": %llu, "
			"\"relaxed\": %llu, \"jumps\": %llu",
			i ? "," : "", measure_relations[i].row, measure_relations[i].word,
			sync_report_number(run->counts[SYNC_STAGE_INPUT].relations[i].nr),
			sync_report_number(run->relaxed.nr[i]),
			sync_report_number(run->clocks.jumps[i]));
		for (int stage = 0; stage < SYNC_NR_STAGES; stage++) {
			const struct measure_sync_relation_counts *counts =
				&run->counts[stage].relations[i];

			print_stage(run, ", ", stage, counts->nr_reversed, counts->nr_violated,
				counts->worst, file);
		}
		putc('}', file);
	}
	fprintf(file, "\n  ]");
}

static void print_clocks(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	const struct measure_sync_rates *slopes = &run->clocks.slopes;

	fprintf(file,
		",\n  \"jumps\": %llu, \"knots\": %llu, \"binding_sends\": %llu, "
		"\"rounding_knots\": %llu, \"steps\": %llu",
		sync_report_number(totals->nr_jumps), sync_report_number(run->clocks.nr_knots),
		sync_report_number(run->clocks.nr_binding),
		sync_report_number(run->clocks.nr_added), sync_report_number(run->clocks.nr_steps));
	fprintf(file,
		",\n  \"slope\": {\"limit\": %.12g, \"most\": %.12g, \"time_above_limit\": %.12g}",
		1.0 / MEASURE_SYNC_RAMP, sync_report_share(slopes->gain, slopes->time),
		sync_report_share(slopes->steep, slopes->all));
	fprintf(file,
		",\n  \"displacement\": {\"events\": %llu, \"moved\": %llu, "
		"\"mean_seconds\": %.12g, \"most_seconds\": %.12g}",
		sync_report_number(run->displacement.nr),
		sync_report_number(run->displacement.nr_moved), sync_report_mean_moved(run),
		sync_report_seconds(run, run->displacement.largest));
}

static void print_doubts(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	fprintf(file,
		",\n  \"unmatched\": %llu, \"relaxed\": %llu, \"damaged_locations\": %u, "
		"\"dropped_offsets\": %llu",
		sync_report_number(totals->nr_unmatched), sync_report_number(totals->nr_relaxed),
		run->scan.nr_damaged, sync_report_number(run->nr_dropped));
	fprintf(file, ",\n  \"unmatched_by_check\": {");
	for (size_t i = 0; sync_run_unmatched[i] != MEASURE_NR_CHECKS; i++)
		fprintf(file, "%s\"%s\": %llu", i ? ", " : "",
			measure_checks[sync_run_unmatched[i]].id,
			sync_report_number(run->findings.counts[sync_run_unmatched[i]]));
	putc('}', file);
}

static void print_files(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_emission *emission = &run->emission;

	fprintf(file,
		",\n  \"event_files\": {\"reflinked\": %u, \"linked\": %u, \"copied\": %u, "
		"\"rewritten\": %u, \"forced\": %u}",
		emission->nr_reflinked, emission->nr_linked, emission->nr_copied,
		emission->nr_rewritten, emission->nr_forced);
	if (emission->filter)
		fprintf(file, ",\n  \"filter\": {\"events_removed\": %llu}",
			sync_report_number(emission->nr_filtered));
	fprintf(file, ",\n  \"definitions\": {\"repeated\": %u, \"conflicting\": %u, \"lost\": %u}",
		emission->nr_repeated, emission->nr_conflicts, emission->nr_lost);
}

static void print_costs(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	fprintf(file, ",\n  \"seconds\": {");
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		fprintf(file, "\"%s\": %.6f, ", sync_pass_words[i], run->seconds[i]);
	fprintf(file,
		"\"all\": %.6f},\n  \"events_per_second\": %.0f,\n  \"peak_memory_bytes\": %llu, "
		"\"spilled_bytes\": %llu",
		totals->seconds, sync_report_events_per_second(run, totals),
		sync_report_number(run->memory), sync_report_number(run->spilled));
}

void sync_report_json(const struct sync_run *run, FILE *file)
{
	struct sync_totals totals = sync_report_add_up(run);

	fprintf(file, "{\"archive\": ");
	measure_json_text(file, run->trace->anchor);
	fprintf(file,
		",\n  \"events\": %llu, \"locations\": %zu, \"clocks\": %u, \"receives\": %llu",
		sync_report_number(run->scan.nr_events), run->trace->definitions.nr_locations,
		run->graph.nr_domains, sync_report_number(totals.nr_receives));
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		print_stage(run, ",\n  ", i, totals.nr_reversed[i], totals.nr_violated[i],
			totals.worst[i], file);
	print_clocks(run, &totals, file);
	print_doubts(run, &totals, file);
	print_files(run, file);
	sync_report_clocks_json(run, file);
	sync_report_compensation_json(run, file);
	print_relations(run, file);
	if (run->has_stats)
		sync_report_stats_json(run, file);
	print_costs(run, &totals, file);
	fprintf(file, "}\n");
}
