/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a correction did, for people: in 80 columns. Shares are of the receives that have a send
 * on another location. */
#include "config.h"

#include "base/printable.h"
#include "report.h"

static double percent(uint64_t part, uint64_t whole)
{
	return 100 * sync_report_share(part, whole);
}

static void print_relations(const struct sync_run *run, FILE *file)
{
	fprintf(file, "\n  %-22s %8s %8s %8s %8s %8s %8s\n", "happens before", "receives",
		"reversed", "presync", "violated", "jumped", "left");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_sync_relation_counts *presync =
			&run->counts[SYNC_STAGE_PRESYNC].relations[i];

		if (presync->nr == 0)
			continue;
		fprintf(file, "  %-22s %8llu %8llu %8llu %8llu %8llu %8llu\n",
			measure_relations[i].word, sync_report_number(presync->nr),
			sync_report_number(run->counts[SYNC_STAGE_INPUT].relations[i].nr_reversed),
			sync_report_number(presync->nr_reversed),
			sync_report_number(presync->nr_violated),
			sync_report_number(run->clocks.jumps[i]),
			sync_report_number(
				run->counts[SYNC_STAGE_RESULT].relations[i].nr_violated));
		if (run->relaxed.nr[i])
			fprintf(file, "      %llu of them relaxed\n",
				sync_report_number(run->relaxed.nr[i]));
	}
}

static void print_stages(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	static const char *const words[SYNC_NR_STAGES] = {
		"as recorded", "presynchronised", "after the forward pass", "corrected"};

	fprintf(file, "\n  %-22s %18s %18s %15s\n", "shares of receives", "reversed", "violated",
		"worst");
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		fprintf(file, "  %-22s %9llu %6.2f %% %9llu %6.2f %% %13.9f s\n", words[i],
			sync_report_number(totals->nr_reversed[i]),
			percent(totals->nr_reversed[i], totals->nr_receives),
			sync_report_number(totals->nr_violated[i]),
			percent(totals->nr_violated[i], totals->nr_receives),
			sync_report_seconds(run, totals->worst[i]));
}

static void print_clocks(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_rates *slopes = &run->clocks.slopes;

	fprintf(file,
		"\n  moved: %llu of %llu synchronising events,\n"
		"    by %.9f s on average, %.9f s at most\n",
		sync_report_number(run->displacement.nr_moved),
		sync_report_number(run->displacement.nr), sync_report_mean_moved(run),
		sync_report_seconds(run, run->displacement.largest));
	fprintf(file,
		"  knots: %llu, of which %llu at the limit of a send; %llu more for rounding\n",
		sync_report_number(run->clocks.nr_knots),
		sync_report_number(run->clocks.nr_binding),
		sync_report_number(run->clocks.nr_added));
	if (run->clocks.nr_steps)
		fprintf(file, "    %llu steps: two offsets at one tick\n",
			sync_report_number(run->clocks.nr_steps));
	if (slopes->time)
		fprintf(file,
			"  clocks run faster by %.4g %% at most,\n"
			"    by more than %d %% in %.4g %% of their time\n",
			100 * sync_report_share(slopes->gain, slopes->time),
			100 / MEASURE_SYNC_RAMP,
			100 * sync_report_share(slopes->steep, slopes->all));
}

static void print_files(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_emission *emission = &run->emission;

	fprintf(file, "  event files: %u reflinked, %u linked, %u copied, %u rewritten\n",
		emission->nr_reflinked, emission->nr_linked, emission->nr_copied,
		emission->nr_rewritten);
	if (emission->nr_forced)
		fprintf(file, "    %u of them rewritten for two offsets at one tick\n",
			emission->nr_forced);
}

static void print_filtered(const struct sync_run *run, FILE *file)
{
	if (run->emission.filter)
		fprintf(file, "  filter: %llu events removed, %.2f %% of all\n",
			sync_report_number(run->emission.nr_filtered),
			percent(run->emission.nr_filtered, run->scan.nr_events));
}

static void print_repairs(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_emission *emission = &run->emission;

	if (emission->nr_repeated)
		fprintf(file, "  %u duplicate definitions removed\n", emission->nr_repeated);
	if (emission->nr_conflicts > emission->nr_lost)
		fprintf(file, "  %u definitions with duplicate ids got new ids\n",
			emission->nr_conflicts - emission->nr_lost);
	if (emission->nr_snapless)
		fprintf(file, "  snapshots of %u locations cannot be read\n",
			emission->nr_snapless);
	if (emission->has_dropped)
		fputs(emission->filter
				? "  thumbnails removed: they show calls that the filter removed\n"
				: "  thumbnails removed: the ids that they refer to changed\n",
			file);
	if (emission->nr_lost)
		fprintf(file, "  %u definitions with duplicate ids removed\n", emission->nr_lost);
}

/* Locations that have another number of events than their definition says. */
static uint32_t nr_recounted(const struct measure_definitions *definitions)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < definitions->nr_locations; i++)
		nr += definitions->locations[i].nr_found != MEASURE_NOT_READ &&
		      definitions->locations[i].nr_found != definitions->locations[i].nr_events;
	return nr;
}

static void print_counts(const struct sync_run *run, FILE *file)
{
	const uint32_t nr = nr_recounted(&run->trace->definitions);

	if (nr > 0)
		fprintf(file, "  %u locations: number of events differs from the definition\n", nr);
	if (run->findings.counts[MEASURE_CHECK_ANCHOR_COUNTS])
		fputs("  the number of definitions in the anchor is wrong\n", file);
	if (run->findings.counts[MEASURE_CHECK_LOCAL_DEFINITIONS_MISSING])
		fputs("  locations without local definitions\n", file);
}

static void print_unmatched(
	const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	if (totals->nr_unmatched == 0)
		return;
	fprintf(file, "  %llu without a partner, skipped\n",
		sync_report_number(totals->nr_unmatched));
	for (size_t i = 0; sync_run_unmatched[i] != MEASURE_NR_CHECKS; i++) {
		enum measure_check check = sync_run_unmatched[i];

		if (run->findings.counts[check])
			fprintf(file, "    %s: %llu\n", measure_checks[check].id,
				sync_report_number(run->findings.counts[check]));
	}
}

static void print_doubts(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	print_unmatched(run, totals, file);
	if (totals->nr_relaxed)
		fprintf(file, "  %llu receives relaxed: the events contradict each other\n",
			sync_report_number(totals->nr_relaxed));
	if (run->scan.nr_damaged)
		fprintf(file, "  %u locations cannot be read to their end (first: %s)\n",
			run->scan.nr_damaged,
			MEASURE_PRINTABLE(measure_name_of_location(
				&run->trace->definitions, run->scan.damaged)));
	if (run->nr_dropped)
		fprintf(file, "  %llu clock offsets skipped: they would make times decrease\n",
			sync_report_number(run->nr_dropped));
	sync_report_clocks_text(run, file);
}

static void print_costs(const struct sync_run *run, const struct sync_totals *totals, FILE *file)
{
	fputs("  seconds:", file);
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		if (i != SYNC_PASS_STATISTICS && i != SYNC_PASS_COMPENSATION)
			fprintf(file, "%s %s %.3f", i ? "," : "", sync_pass_words[i],
				run->seconds[i]);
	if (run->compensation.graph)
		fprintf(file, ",\n    %s %.3f", sync_pass_words[SYNC_PASS_COMPENSATION],
			run->seconds[SYNC_PASS_COMPENSATION]);
	if (run->has_stats)
		fprintf(file, ",\n    %s %.3f", sync_pass_words[SYNC_PASS_STATISTICS],
			run->seconds[SYNC_PASS_STATISTICS]);
	fprintf(file, "\n  %.3f s in total, %.2f million events/s, peak memory %.1f MiB\n",
		totals->seconds, sync_report_events_per_second(run, totals) / 1e6,
		(double)run->memory / (1 << 20));
	if (run->spilled > 0)
		fprintf(file, "  %.1f MiB kept in a temporary file (see --memory)\n",
			(double)run->spilled / (1 << 20));
}

void sync_report_text(const struct sync_run *run, FILE *file)
{
	struct sync_totals totals = sync_report_add_up(run);

	fprintf(file, "%s\n  %llu events, %zu locations, %u clocks\n",
		MEASURE_PRINTABLE(run->trace->anchor), sync_report_number(run->scan.nr_events),
		run->trace->definitions.nr_locations, run->graph.nr_domains);
	print_relations(run, file);
	print_stages(run, &totals, file);
	print_clocks(run, file);
	print_files(run, file);
	print_filtered(run, file);
	print_repairs(run, file);
	print_counts(run, file);
	print_doubts(run, &totals, file);
	sync_report_compensation_text(run, file);
	if (run->has_stats)
		sync_report_stats_text(run, file);
	else
		putc('\n', file);
	print_costs(run, &totals, file);
}
