/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results for people: what the archive is, the clock condition per relation, one line per
 * check with its first few cases and what to do. */
#include "config.h"

#include "check.h"

#include <stdio.h>

#include "base/printable.h"

static void print_head(const struct check *check)
{
	const struct measure_trace *trace = check->trace;
	const struct measure_definitions *definitions = &trace->definitions;

	printf("%s\n", MEASURE_PRINTABLE(trace->anchor));
	printf("  %llu process%s, %zu location%s, %llu event%s, %.6f s, written by %s\n",
		(unsigned long long)check->nr_processes, check->nr_processes == 1 ? "" : "es",
		definitions->nr_locations, definitions->nr_locations == 1 ? "" : "s",
		(unsigned long long)check->nr_events, check->nr_events == 1 ? "" : "s",
		measure_trace_span(trace, definitions->clock.length),
		MEASURE_PRINTABLE(
			trace->creator && *trace->creator ? trace->creator : "an unknown tool"));
}

static void print_traffic(const struct check *check)
{
	bool has_any = false;

	for (int i = 0; i < CHECK_NR_TRAFFIC; i++) {
		const struct check_traffic *traffic = &check->traffic[i];

		if (!traffic->nr)
			continue;
		if (!has_any)
			printf("\n  %-26s %10s %16s %16s\n", "moved", "number", "bytes out",
				"bytes in");
		has_any = true;
		printf("  %-26s %10llu %16llu %16llu\n", check_traffic_infos[i].word,
			(unsigned long long)traffic->nr, (unsigned long long)traffic->bytes_out,
			(unsigned long long)traffic->bytes_in);
	}
}

static void print_relations(const struct check *check)
{
	bool has_any = false;

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct check_relation *counts = &check->relations[i];

		if (!counts->nr_instances)
			continue;
		if (!has_any)
			printf("\n  %-26s %10s %10s %10s %16s\n", "happens before", "instances",
				"edges", "reversed", "worst");
		has_any = true;
		printf("  %-26s %10llu %10llu %10llu", measure_relations[i].word,
			(unsigned long long)counts->nr_instances,
			(unsigned long long)counts->nr_edges,
			(unsigned long long)counts->nr_reversed);
		if (counts->nr_reversed)
			printf(" %14.9f s", measure_trace_span(check->trace, counts->worst));
		putchar('\n');
	}
}

static void print_place(const struct check *check, const struct measure_place *place)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	if (place->location == MEASURE_NONE)
		return;
	printf("%s", MEASURE_PRINTABLE(measure_name_of_location(definitions, place->location)));
	if (place->position)
		printf(", %.9f s, record %llu", measure_trace_seconds(check->trace, place->time),
			(unsigned long long)place->position);
	printf(": ");
}

static void print_check(const struct check *check, enum measure_check id)
{
	const struct measure_check_info *info = &measure_checks[id];
	uint64_t nr_errors = measure_findings_errors(&check->findings, id);
	uint64_t nr_shown = 0, nr = check->findings.counts[id];

	printf("\n  %-7s %s: %llu x %s", nr_errors ? "ERROR" : "warning", info->id,
		(unsigned long long)nr, info->text);
	if (info->severity == MEASURE_ERROR && check->findings.excused[id])
		printf(" (%llu excused)", (unsigned long long)check->findings.excused[id]);
	printf("\n");
	for (size_t i = 0; i < check->findings.nr_kept; i++) {
		const struct measure_finding *finding = &check->findings.kept[i];

		if (finding->check != id)
			continue;
		printf("    %s", finding->excused ? "(excused) " : "");
		print_place(check, &finding->place);
		printf("%s\n", MEASURE_PRINTABLE(finding->text));
		nr_shown++;
	}
	if (nr_shown < nr)
		printf("    ... and %llu more\n", (unsigned long long)(nr - nr_shown));
	printf("    -> %s\n", info->severity == MEASURE_ERROR && !nr_errors
				      ? "caused by processes that were cut short or by failed MPI "
					"calls; nothing to repair"
				      : info->remedy);
}

void check_print_text(const struct check *check, bool is_verbose)
{
	uint64_t nr_errors = check_errors(check), nr_warnings = check_warnings(check);

	print_head(check);
	check_print_cuts_text(check);
	print_traffic(check);
	print_relations(check);
	if (check->has_times)
		check_print_times_text(check, is_verbose);
	if (is_verbose)
		putchar('\n');
	for (int id = 0; id < MEASURE_NR_CHECKS; id++)
		if (is_verbose && !check->findings.counts[id])
			printf("  ok      %s\n", measure_checks[id].id);
	for (int id = 0; id < MEASURE_NR_CHECKS; id++)
		if (measure_findings_errors(&check->findings, id))
			print_check(check, id);
	for (int id = 0; id < MEASURE_NR_CHECKS; id++)
		if (check->findings.counts[id] && !measure_findings_errors(&check->findings, id))
			print_check(check, id);
	printf("\n  %s (%d checks, %llu error%s, %llu warning%s)\n",
		nr_errors ? "NOT SOUND" : "sound", MEASURE_NR_CHECKS, (unsigned long long)nr_errors,
		nr_errors == 1 ? "" : "s", (unsigned long long)nr_warnings,
		nr_warnings == 1 ? "" : "s");
}
