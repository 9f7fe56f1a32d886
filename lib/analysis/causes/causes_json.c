/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root causes as members of the object that measure-analyze prints. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "causes_report.h"

#define NR_LONGEST 10 /* segments */

static void put_ns(FILE *out, const struct measure_waits *waits, const char *name, uint64_t ticks)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, measure_profile_ns(&waits->profile, ticks));
}

static uint64_t since_start(const struct measure_waits *waits, uint64_t time)
{
	const uint64_t start = waits->profile.trace->definitions.clock.offset;

	return time > start ? time - start : 0;
}

/* ------------------------------------------------------------------- critical path --- */

static void put_critical_rows(
	const struct measure_waits *waits, const struct measure_critical_path *critical, FILE *out)
{
	fputs(", \"paths\": [", out);
	for (size_t i = 0; i < critical->nr_rows; i++) {
		const struct measure_critical_row *row = &critical->rows[i];

		fprintf(out, "%s\n  {\"path\": %" PRIu32, i > 0 ? "," : "", row->path);
		put_ns(out, waits, "time_ns", row->ticks);
		put_ns(out, waits, "imbalance_ns", row->imbalance);
		put_ns(out, waits, "impact_ns", row->impact);
		put_ns(out, waits, "impact_intra_ns", row->impact - row->inter);
		put_ns(out, waits, "impact_inter_ns", row->inter);
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
		put_ns(out, waits, "time_ns", critical->locations[i]);
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
		put_ns(out, waits, "from_ns", since_start(waits, longest[i].from));
		put_ns(out, waits, "until_ns", since_start(waits, longest[i].until));
		fprintf(out, ", \"path\": %" PRIu32, path);
		put_ns(out, waits, "path_ns", ticks);
		fputc('}', out);
	}
	fputc(']', out);
	free(longest);
}

static void put_critical_path(const struct measure_waits *waits, FILE *out)
{
	const struct measure_critical_path *critical = &waits->root_causes->critical;

	fprintf(out, ",\n\"critical_path\": {\"time_ns\": %" PRIu64,
		measure_profile_ns(&waits->profile, critical->last - critical->first));
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
		measure_profile_ns(&waits->profile, measure_delays_total(delays)));
	put_ns(out, waits, "unattributed_ns", delays->unattributed);
	fprintf(out, ", \"delay_circles\": %" PRIu64, delays->nr_circles);
	fputs(",\n\"delays\": [", out);
	for (size_t i = 0; i < delays->nr_rows; i++) {
		const struct measure_delay_row *row = &delays->rows[i];

		fprintf(out,
			"%s\n {\"pattern\": \"%s\", \"path\": %" PRIu32 ", \"location\": %" PRIu32,
			i > 0 ? "," : "", measure_wait_patterns[row->pattern].word, row->path,
			row->location);
		put_ns(out, waits, "short_term_ns", row->short_term);
		put_ns(out, waits, "long_term_ns", row->long_term);
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
	put_ns(out, waits, "direct_ns", costs->direct);
	put_ns(out, waits, "indirect_ns", costs->indirect);
	put_ns(out, waits, "propagating_ns", costs->propagating);
	put_ns(out, waits, "terminal_ns", costs->terminal);
}

void measure_root_causes_print_json(const struct measure_waits *waits, FILE *out)
{
	if (!waits->root_causes)
		return;
	put_delays(waits, out);
	put_critical_path(waits, out);
}
