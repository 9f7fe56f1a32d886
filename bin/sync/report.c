/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a correction did, as text and as JSON. Shares are of the receives that have a send on
 * another location. */
#include "config.h"

#include <sys/resource.h>

#include "json_text.h"
#include "run.h"

#define BYTES_PER_KIB 1024

struct totals {
	uint64_t nr_knots, nr_added, nr_pieces, nr_jumps, nr_relaxed, nr_unmatched;
	uint64_t nr_receives;
	uint64_t nr_reversed[SYNC_NR_STAGES], nr_violated[SYNC_NR_STAGES];
	int64_t worst[SYNC_NR_STAGES];
};

static void add_stage(const struct sync_run *run, enum sync_stage stage, struct totals *totals)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_sync_relation_counts *counts =
			&run->counts[stage].relations[i];

		totals->nr_reversed[stage] += counts->nr_reversed;
		totals->nr_violated[stage] += counts->nr_violated;
		if (counts->worst > totals->worst[stage])
			totals->worst[stage] = counts->worst;
	}
}

static struct totals add_up(const struct sync_run *run)
{
	static const enum measure_check partners[] = {MEASURE_CHECK_MESSAGE_UNMATCHED,
		MEASURE_CHECK_COLLECTIVE_INCOMPLETE, MEASURE_CHECK_COLLECTIVE_PAIR,
		MEASURE_CHECK_COLLECTIVE_OPERATION, MEASURE_CHECK_RMA_COLLECTIVE,
		MEASURE_CHECK_TEAM_INCOMPLETE, MEASURE_CHECK_TEAM_FORK,
		MEASURE_CHECK_BARRIER_INCOMPLETE, MEASURE_CHECK_TASK_UNKNOWN};
	struct totals totals = {0};

	for (uint32_t i = 0; i < run->graph.nr_domains; i++) {
		totals.nr_knots += run->corrections[i].nr_knots;
		totals.nr_added += run->corrections[i].nr_added;
		totals.nr_pieces += run->corrections[i].nr - 1;
		for (size_t k = 0; k < run->graph.of[i].nr; k++)
			totals.nr_jumps += run->graph.of[i].records[k].is_jump;
	}
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		totals.nr_receives += run->counts[SYNC_STAGE_INPUT].relations[i].nr;
		totals.nr_relaxed += run->relaxed.nr[i];
	}
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		add_stage(run, i, &totals);
	for (size_t i = 0; i < sizeof(partners) / sizeof(*partners); i++)
		totals.nr_unmatched += run->findings.counts[partners[i]];
	return totals;
}

static double span(const struct sync_run *run, int64_t ticks)
{
	return measure_trace_span(run->trace, (uint64_t)ticks);
}

static double mean_moved(const struct sync_run *run)
{
	const struct measure_sync_displacement *moved = &run->displacement;

	if (moved->nr == 0)
		return 0;
	return (double)moved->sum / (double)moved->nr * measure_trace_span(run->trace, 1);
}

static double all_seconds(const struct sync_run *run)
{
	double seconds = 0;

	for (int i = 0; i < SYNC_NR_PASSES; i++)
		seconds += run->seconds[i];
	return seconds;
}

static double events_per_second(const struct sync_run *run)
{
	double seconds = all_seconds(run);

	return seconds > 0 ? (double)run->scan.nr_events / seconds : 0;
}

static long peak_memory(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss * BYTES_PER_KIB : 0;
}

/* ------------------------------------------------------------------------- text --- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_relations(const struct sync_run *run, FILE *file)
{
	fprintf(file, "\n  %-26s %10s %10s %10s %10s %10s\n", "happens before", "receives",
		"reversed", "presync", "violated", "left");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_sync_relation_counts *input =
			&run->counts[SYNC_STAGE_INPUT].relations[i];

		if (input->nr == 0)
			continue;
		fprintf(file, "  %-26s %10llu %10llu %10llu %10llu %10llu",
			measure_relations[i].word, (unsigned long long)input->nr,
			(unsigned long long)input->nr_reversed,
			(unsigned long long)run->counts[SYNC_STAGE_PRESYNC].relations[i].nr_reversed,
			(unsigned long long)run->counts[SYNC_STAGE_PRESYNC].relations[i].nr_violated,
			(unsigned long long)run->counts[SYNC_STAGE_RESULT].relations[i].nr_violated);
		if (run->relaxed.nr[i])
			fprintf(file, "  (%llu relaxed)", (unsigned long long)run->relaxed.nr[i]);
		putc('\n', file);
	}
}

static void print_stages(const struct sync_run *run, const struct totals *totals, FILE *file)
{
	static const char *const words[SYNC_NR_STAGES] = {
		"as recorded", "presynchronised", "after the forward pass", "corrected"};

	fprintf(file, "\n  of %llu receives\n", (unsigned long long)totals->nr_receives);
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		fprintf(file,
			"  %-26s reversed %10llu (%6.2f %%)  violated %10llu (%6.2f %%)  "
			"worst %.9f s\n",
			words[i], (unsigned long long)totals->nr_reversed[i],
			percent(totals->nr_reversed[i], totals->nr_receives),
			(unsigned long long)totals->nr_violated[i],
			percent(totals->nr_violated[i], totals->nr_receives),
			span(run, totals->worst[i]));
}

static void print_files(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_emission *emission = &run->emission;

	fprintf(file, "  event files: %u reflinked, %u linked, %u copied, %u rewritten\n",
		emission->nr_reflinked, emission->nr_linked, emission->nr_copied,
		emission->nr_rewritten);
	if (emission->nr_forced)
		fprintf(file, "  %u of them rewritten because they need two offsets at one tick\n",
			emission->nr_forced);
	if (emission->has_dropped)
		fputs("  markers, snapshots and thumbnails are left out: they hold times of "
		      "their own\n",
			file);
}

static void print_repairs(const struct measure_sync_emission *emission, FILE *file)
{
	if (emission->nr_repeated)
		fprintf(file, "  %u definitions left out, which were there already\n",
			emission->nr_repeated);
	if (emission->nr_conflicts > emission->nr_lost)
		fprintf(file,
			"  %u definitions had the id of another one and got one of their own\n",
			emission->nr_conflicts - emission->nr_lost);
	if (emission->nr_lost)
		fprintf(file, "  %u definitions had the id of another one and are left out\n",
			emission->nr_lost);
}

static void print_doubts(const struct sync_run *run, const struct totals *totals, FILE *file)
{
	if (totals->nr_unmatched)
		fprintf(file, "  %llu without a partner, passed over\n",
			(unsigned long long)totals->nr_unmatched);
	if (totals->nr_relaxed)
		fprintf(file, "  %llu receives relaxed: the events contradict each other\n",
			(unsigned long long)totals->nr_relaxed);
	if (run->scan.nr_damaged)
		fprintf(file, "  %u locations cannot be read to their end, %s first\n",
			run->scan.nr_damaged,
			measure_name_of_location(&run->trace->definitions, run->scan.damaged));
	if (run->nr_dropped)
		fprintf(file, "  %llu clock offsets passed over: they turn time back\n",
			(unsigned long long)run->nr_dropped);
	sync_report_splits_text(run, file);
}

void sync_report_text(const struct sync_run *run, FILE *file)
{
	struct totals totals = add_up(run);

	fprintf(file, "%s\n  %llu events, %zu locations, %u clocks, %llu knots\n",
		run->trace->anchor, (unsigned long long)run->scan.nr_events,
		run->trace->definitions.nr_locations, run->graph.nr_domains,
		(unsigned long long)(totals.nr_knots + totals.nr_added));
	print_relations(run, file);
	print_stages(run, &totals, file);
	fprintf(file,
		"\n  moved: %llu of %llu synchronising events, by %.9f s on average, %.9f s at "
		"most\n",
		(unsigned long long)run->displacement.nr_moved,
		(unsigned long long)run->displacement.nr, mean_moved(run),
		span(run, run->displacement.largest));
	print_files(run, file);
	print_repairs(&run->emission, file);
	print_doubts(run, &totals, file);
	fprintf(file, "  %.3f s (", all_seconds(run));
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		fprintf(file, "%s%s %.3f", i ? ", " : "", sync_pass_words[i], run->seconds[i]);
	fprintf(file, "), %.2f million events/s, %.1f MiB at most\n",
		events_per_second(run) / 1e6, (double)peak_memory() / (1 << 20));
}

/* ------------------------------------------------------------------------- JSON --- */

static void print_json_relations(const struct sync_run *run, FILE *file)
{
	fprintf(file, ",\n  \"relations\": [");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		fprintf(file, "%s\n    {\"row\": %d, \"name\": \"%s\", \"receives\": %llu, "
			      "\"relaxed\": %llu",
			i ? "," : "", measure_relations[i].row, measure_relations[i].word,
			(unsigned long long)run->counts[SYNC_STAGE_INPUT].relations[i].nr,
			(unsigned long long)run->relaxed.nr[i]);
		for (int stage = 0; stage < SYNC_NR_STAGES; stage++) {
			const struct measure_sync_relation_counts *counts =
				&run->counts[stage].relations[i];

			fprintf(file,
				", \"%s\": {\"reversed\": %llu, \"violated\": %llu, "
				"\"worst_seconds\": %.12g}",
				sync_stage_words[stage], (unsigned long long)counts->nr_reversed,
				(unsigned long long)counts->nr_violated, span(run, counts->worst));
		}
		putc('}', file);
	}
	fprintf(file, "\n  ]");
}

static void print_json_stages(const struct sync_run *run, const struct totals *totals, FILE *file)
{
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		fprintf(file,
			",\n  \"%s\": {\"reversed\": %llu, \"violated\": %llu, "
			"\"worst_seconds\": %.12g}",
			sync_stage_words[i], (unsigned long long)totals->nr_reversed[i],
			(unsigned long long)totals->nr_violated[i], span(run, totals->worst[i]));
}

static void print_json_costs(const struct sync_run *run, FILE *file)
{
	fprintf(file, ",\n  \"seconds\": {");
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		fprintf(file, "\"%s\": %.6f, ", sync_pass_words[i], run->seconds[i]);
	fprintf(file, "\"all\": %.6f},\n  \"events_per_second\": %.0f,\n"
		      "  \"peak_memory_bytes\": %ld",
		all_seconds(run), events_per_second(run), peak_memory());
}

void sync_report_json(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_emission *emission = &run->emission;
	struct totals totals = add_up(run);

	fprintf(file, "{\"archive\": ");
	measure_json_text(file, run->trace->anchor);
	fprintf(file,
		",\n  \"events\": %llu, \"locations\": %zu, \"clocks\": %u, \"receives\": %llu",
		(unsigned long long)run->scan.nr_events, run->trace->definitions.nr_locations,
		run->graph.nr_domains, (unsigned long long)totals.nr_receives);
	print_json_stages(run, &totals, file);
	fprintf(file,
		",\n  \"jumps\": %llu, \"knots\": %llu, \"rounding_knots\": %llu, \"steps\": %llu, "
		"\"unmatched\": %llu, \"relaxed\": %llu, \"damaged_locations\": %u",
		(unsigned long long)totals.nr_jumps, (unsigned long long)totals.nr_knots,
		(unsigned long long)totals.nr_added, (unsigned long long)totals.nr_pieces,
		(unsigned long long)totals.nr_unmatched, (unsigned long long)totals.nr_relaxed,
		run->scan.nr_damaged);
	fprintf(file,
		",\n  \"displacement\": {\"events\": %llu, \"moved\": %llu, "
		"\"mean_seconds\": %.12g, \"most_seconds\": %.12g}",
		(unsigned long long)run->displacement.nr,
		(unsigned long long)run->displacement.nr_moved, mean_moved(run),
		span(run, run->displacement.largest));
	fprintf(file,
		",\n  \"event_files\": {\"reflinked\": %u, \"linked\": %u, \"copied\": %u, "
		"\"rewritten\": %u, \"forced\": %u}",
		emission->nr_reflinked, emission->nr_linked, emission->nr_copied,
		emission->nr_rewritten, emission->nr_forced);
	sync_report_splits_json(run, file);
	fprintf(file, ",\n  \"definitions\": {\"repeated\": %u, \"conflicting\": %u, \"lost\": %u}",
		emission->nr_repeated, emission->nr_conflicts, emission->nr_lost);
	print_json_relations(run, file);
	print_json_costs(run, file);
	fprintf(file, "}\n");
}
