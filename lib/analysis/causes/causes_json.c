/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root causes as members of the object that measure-analyze prints. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/waits/waits_figures.h"
#include "causes_report.h"

#define NR_LONGEST 10 /* segments */

/* ------------------------------------------------------------------- critical path --- */

static void put_critical_rows(
	const struct measure_waits *waits, const struct measure_critical_path *critical, FILE *out)
{
	fputs(", \"paths\": [", out);
	for (size_t i = 0; i < critical->nr_rows; i++) {
		const struct measure_critical_row *row = &critical->rows[i];

		fprintf(out, "%s\n  {\"path\": %" PRIu32, i > 0 ? "," : "", row->path);
		measure_waits_json_ticks(waits, out, "time_ns", row->ticks);
		measure_waits_json_ticks(waits, out, "imbalance_ns", row->imbalance);
		measure_waits_json_ticks(waits, out, "impact_ns", row->impact);
		measure_waits_json_ticks(waits, out, "impact_intra_ns", row->impact - row->inter);
		measure_waits_json_ticks(waits, out, "impact_inter_ns", row->inter);
		fputc('}', out);
	}
	fputc(']', out);
}

static void put_critical_locations(
	const struct measure_waits *waits, const struct measure_critical_path *critical, FILE *out)
{
	bool is_first = true;

	fputs(", \"locations\": [", out);
	for (size_t i = 0; i < waits->dependencies.nr_locations; i++) {
		if (critical->locations[i] == 0)
			continue;
		fprintf(out, "%s\n  {\"location\": %zu", is_first ? "" : ",", i);
		is_first = false;
		measure_waits_json_ticks(waits, out, "time_ns", critical->locations[i]);
		fputc('}', out);
	}
	fputc(']', out);
}

static void put_segments(const struct measure_waits *waits, FILE *out)
{
	const struct measure_root_causes *causes = waits->root_causes;
	size_t nr;
	struct measure_path_segment *longest = measure_longest_segments(causes, NR_LONGEST, &nr);

	fprintf(out, ", \"nr_segments\": %zu, \"segments\": [", causes->critical.nr_segments);
	for (size_t i = 0; i < nr; i++) {
		uint64_t ticks;
		const uint32_t path = measure_segment_path(causes, &longest[i], &ticks);

		fprintf(out, "%s\n  {\"location\": %" PRIu32, i > 0 ? "," : "",
			longest[i].location);
		measure_waits_json_time(waits, out, "from_ns", longest[i].from);
		measure_waits_json_time(waits, out, "until_ns", longest[i].until);
		fprintf(out, ", \"path\": %" PRIu32, path);
		measure_waits_json_ticks(waits, out, "path_ns", ticks);
		fputc('}', out);
	}
	fputc(']', out);
	free(longest);
}

static void put_critical_path(const struct measure_waits *waits, FILE *out)
{
	const struct measure_critical_path *critical = &waits->root_causes->critical;

	fprintf(out, ",\n\"critical_path\": {\"time_ns\": %" PRIu64,
		measure_waits_ns(waits, critical->last - critical->first));
	put_critical_rows(waits, critical, out);
	put_critical_locations(waits, critical, out);
	put_segments(waits, out);
	fputc('}', out);
}

/* ------------------------------------------------------------------------- delays --- */

static void put_delays(const struct measure_waits *waits, FILE *out)
{
	const struct measure_delays *delays = &waits->root_causes->delays;

	fprintf(out, ",\n\"delay_total_ns\": %" PRIu64,
		measure_waits_ns(waits, measure_delays_total(delays)));
	measure_waits_json_ticks(waits, out, "unattributed_ns", delays->unattributed);
	fprintf(out, ", \"delay_circles\": %" PRIu64, delays->nr_circles);
	fputs(",\n\"delays\": [", out);
	for (size_t i = 0; i < delays->nr_rows; i++) {
		const struct measure_delay_row *row = &delays->rows[i];

		fprintf(out,
			"%s\n {\"pattern\": \"%s\", \"path\": %" PRIu32 ", \"location\": %" PRIu32,
			i > 0 ? "," : "", measure_wait_patterns[row->pattern].word, row->path,
			row->location);
		measure_waits_json_ticks(waits, out, "short_term_ns", row->short_term);
		measure_waits_json_ticks(waits, out, "long_term_ns", row->long_term);
		fputc('}', out);
	}
	fputc(']', out);
}

void measure_root_causes_print_wait_json(const struct measure_waits *waits, size_t row, FILE *out)
{
	const struct measure_wait_costs *costs;

	if (!waits->root_causes ||
		measure_wait_patterns[waits->rows[row].pattern].part != MEASURE_WAIT_ADDED)
		return;
	costs = &waits->root_causes->delays.costs[row];
	measure_waits_json_ticks(waits, out, "direct_ns", costs->direct);
	measure_waits_json_ticks(waits, out, "indirect_ns", costs->indirect);
	measure_waits_json_ticks(waits, out, "propagating_ns", costs->propagating);
	measure_waits_json_ticks(waits, out, "terminal_ns", costs->terminal);
}

void measure_root_causes_print_json(const struct measure_waits *waits, FILE *out)
{
	if (!waits->root_causes)
		return;
	put_delays(waits, out);
	put_critical_path(waits, out);
}
