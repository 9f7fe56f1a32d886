/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The JSON that measure-analyze prints: one object. Other tables refer to call paths and locations
 * by index. */
#include "config.h"

#include <inttypes.h>

#include "analysis/causes/root_causes.h"
#include "analysis/efficiency/efficiency_report.h"
#include "analysis/report/profile_report.h"
#include "cli/json_text.h"
#include "waits_clocks.h"
#include "waits_figures.h"
#include "waits_report.h"

static void json_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	measure_json_text(out, text);
}

/* -------------------------------------------------------------------------- tables --- */

static void json_locations(const struct measure_waits *waits, FILE *out)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;

	fputs(",\n\"locations\": [", out);
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "name", measure_name_of_location(definitions, i));
		measure_waits_json_index(out, "process", definitions->locations[i].group);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_paths(const struct measure_profile *profile, FILE *out)
{
	fputs(",\n\"paths\": [", out);
	for (size_t i = 0; i < profile->nr_paths; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "region",
			measure_profile_region_name(profile, profile->paths[i].region));
		measure_waits_json_index(out, "parent", profile->paths[i].parent);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_worst(
	const struct measure_waits *waits, const struct measure_wait_row *row, FILE *out)
{
	const struct measure_worst_wait *worst = &row->worst;

	fprintf(out, ", \"worst\": {\"time_ns\": %" PRIu64, measure_waits_ns(waits, row->max));
	measure_waits_json_time(waits, out, "enter_ns", worst->enter);
	measure_waits_json_time(waits, out, "until_ns", worst->until);
	measure_waits_json_index(out, "cause", worst->cause);
	measure_waits_json_index(out, "cause_path", worst->cause_path);
	fputc('}', out);
}

static void json_waits(const struct measure_waits *waits, FILE *out)
{
	fputs(",\n\"waits\": [", out);
	for (size_t i = 0; i < waits->nr_rows; i++) {
		const struct measure_wait_row *row = &waits->rows[i];

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "pattern", measure_wait_patterns[row->pattern].word);
		measure_waits_json_number(out, "path", row->path);
		measure_waits_json_number(out, "location", row->location);
		measure_waits_json_ticks(waits, out, "time_ns", row->ticks);
		measure_waits_json_number(out, "instances", row->count);
		measure_root_causes_print_wait_json(waits, i, out);
		json_worst(waits, row, out);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_causes(const struct measure_waits *waits, FILE *out)
{
	fputs(",\n\"causes\": [", out);
	for (size_t i = 0; i < waits->nr_causes; i++) {
		const struct measure_wait_cause *cause = &waits->causes[i];

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "pattern", measure_wait_patterns[cause->pattern].word);
		measure_waits_json_number(out, "path", cause->path);
		measure_waits_json_number(out, "cause", cause->cause);
		measure_waits_json_ticks(waits, out, "time_ns", cause->ticks);
		measure_waits_json_number(out, "instances", cause->count);
		fputc('}', out);
	}
	fputc(']', out);
}

static uint32_t path_of(const struct measure_waits *waits, uint32_t location, uint32_t call)
{
	return call == MEASURE_NONE ? MEASURE_NONE
				    : waits->dependencies.tables[location].calls[call].path;
}

static void json_longest(const struct measure_waits *waits, FILE *out)
{
	fputs(",\n\"longest\": [", out);
	for (size_t i = 0; i < waits->nr_longest; i++) {
		const struct measure_wait_state *wait =
			&waits->dependencies.waits[waits->longest[i]];
		const struct measure_call_table *table =
			&waits->dependencies.tables[wait->location];

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "pattern", measure_wait_patterns[wait->pattern].word);
		measure_waits_json_number(out, "path", path_of(waits, wait->location, wait->call));
		measure_waits_json_number(out, "location", wait->location);
		measure_waits_json_time(waits, out, "enter_ns", table->calls[wait->call].enter);
		measure_waits_json_time(waits, out, "until_ns", wait->until);
		measure_waits_json_ticks(waits, out, "time_ns", wait->ticks);
		measure_waits_json_index(out, "cause", wait->cause);
		measure_waits_json_index(
			out, "cause_path", path_of(waits, wait->cause, wait->cause_call));
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_patterns(FILE *out)
{
	static const char *const parts[] = {"added", "part", "beside"};

	fputs(",\n\"patterns\": [", out);
	for (int i = 0; i < MEASURE_NR_WAIT_PATTERNS; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "pattern", measure_wait_patterns[i].word);
		fputs(", ", out);
		json_text(out, "title", measure_wait_patterns[i].title);
		fputs(", ", out);
		json_text(out, "counts", parts[measure_wait_patterns[i].part]);
		fputc('}', out);
	}
	fputc(']', out);
}

/* ------------------------------------------------------------------------- unknown --- */

bool measure_waits_is_gap(enum measure_check check)
{
	switch (check) {
	case MEASURE_CHECK_LOCATION_SILENT:
	case MEASURE_CHECK_REQUEST_UNKNOWN:
	case MEASURE_CHECK_MESSAGE_UNMATCHED:
	case MEASURE_CHECK_MESSAGE_ORDER:
	case MEASURE_CHECK_COLLECTIVE_PAIR:
	case MEASURE_CHECK_COLLECTIVE_OPERATION:
	case MEASURE_CHECK_COLLECTIVE_ROOT:
	case MEASURE_CHECK_COLLECTIVE_INCOMPLETE:
	case MEASURE_CHECK_RMA_COLLECTIVE:
	case MEASURE_CHECK_TEAM_INCOMPLETE:
	case MEASURE_CHECK_BARRIER_INCOMPLETE:
	case MEASURE_CHECK_TASK_UNKNOWN:
	case MEASURE_CHECK_TASK_TWICE:
	case MEASURE_CHECK_THREAD_WAIT:
	case MEASURE_CHECK_LOCK_PAIR:
		return true;
	default:
		return false;
	}
}

static void json_relations(const struct measure_waits *waits, FILE *out)
{
	bool is_first = true;

	fputs(", \"relations\": [", out);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_wait_faults *faults = &waits->faults[i];

		if (faults->violations == 0 && faults->disproved == 0)
			continue;
		fprintf(out, "%s\n  {", is_first ? "" : ",");
		is_first = false;
		json_text(out, "relation", measure_relations[i].word);
		measure_waits_json_number(out, "violations", faults->violations);
		measure_waits_json_ticks(waits, out, "worst_violation_ns", faults->worst_violation);
		measure_waits_json_number(out, "disproved", faults->disproved);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_gaps(const struct measure_findings *findings, FILE *out)
{
	bool is_first = true;

	fputs(", \"gaps\": [", out);
	for (int i = 0; i < MEASURE_NR_CHECKS; i++) {
		if (findings->counts[i] == 0 || !measure_waits_is_gap((enum measure_check)i))
			continue;
		fprintf(out, "%s\n  {", is_first ? "" : ",");
		is_first = false;
		json_text(out, "check", measure_checks[i].id);
		measure_waits_json_number(out, "count", findings->counts[i]);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_eager(const struct measure_waits *waits, FILE *out)
{
	fprintf(out, ",\n\"longest_eager\": {\"process\": %" PRIu64,
		waits->eager[MEASURE_WAIT_NEARNESS_PROCESS]);
	measure_waits_json_number(out, "node", waits->eager[MEASURE_WAIT_NEARNESS_NODE]);
	measure_waits_json_number(out, "network", waits->eager[MEASURE_WAIT_NEARNESS_NETWORK]);
	fputc('}', out);
}

static void json_unknown(const struct measure_waits *waits, FILE *out)
{
	fprintf(out, ",\n\"unknown\": {\"unreadable_locations\": %" PRIu32,
		waits->profile.nr_broken);
	measure_waits_json_number(out, "dropped_events", waits->nr_dropped);
	measure_waits_json_number(out, "cut_processes", waits->nr_processes_cut);
	measure_waits_json_number(out, "cut_calls", waits->nr_cut);
	json_relations(waits, out);
	json_gaps(waits->profile.trace->findings, out);
	fputc('}', out);
}

void measure_waits_print_json(
	const struct measure_waits *waits, const struct measure_efficiency *efficiency, FILE *out)
{
	const struct measure_profile *profile = &waits->profile;

	fprintf(out, "{\"schema\": %d, ", MEASURE_WAITS_SCHEMA);
	json_text(out, "archive", measure_trace_name(profile->trace));
	measure_waits_json_number(out, "events", profile->nr_events);
	measure_waits_json_ticks(waits, out, "time_ns", measure_waits_run_ticks(waits));
	measure_waits_json_ticks(waits, out, "all_locations_ns", measure_waits_all_ticks(waits));
	measure_waits_json_ticks(waits, out, "waiting_ns", measure_waits_total(waits));
	measure_waits_clocks_print_json(waits, out);
	json_waits(waits, out);
	json_causes(waits, out);
	json_longest(waits, out);
	json_eager(waits, out);
	measure_root_causes_print_json(waits, out);
	measure_efficiency_print_json(waits, efficiency, out);
	json_unknown(waits, out);
	json_patterns(out);
	json_locations(waits, out);
	json_paths(profile, out);
	fputs("}\n", out);
}
