/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results for programs: one JSON object per archive. */
#include "config.h"

#include "check.h"

#include <stdio.h>

#include "cli/json_text.h"

static void print_relations(const struct check *check)
{
	printf(",\n  \"relations\": [");
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct check_relation *counts = &check->relations[i];

		printf("%s\n    {\"row\": %d, \"name\": \"%s\", \"certain\": %s, "
		       "\"instances\": %llu, \"edges\": %llu, \"reversed\": %llu, "
		       "\"worst_seconds\": %.12g}",
			i ? "," : "", measure_relations[i].row, measure_relations[i].word,
			measure_relations[i].is_certain ? "true" : "false",
			(unsigned long long)counts->nr_instances,
			(unsigned long long)counts->nr_edges,
			(unsigned long long)counts->nr_reversed,
			measure_trace_span(check->trace, counts->worst));
	}
	printf("\n  ]");
}

static void print_cases(const struct check *check, int id)
{
	const char *separator = "";

	printf("[");
	for (size_t i = 0; i < check->findings.nr_kept; i++) {
		const struct measure_finding *finding = &check->findings.kept[i];

		if ((int)finding->check != id)
			continue;
		printf("%s\n      {\"text\": ", separator);
		measure_json_text(stdout, finding->text);
		if (finding->excused)
			printf(", \"excused\": true");
		if (finding->place.location != MEASURE_NONE) {
			printf(", \"location\": %llu", (unsigned long long)check->trace->definitions
							       .locations[finding->place.location]
							       .id);
			printf(", \"name\": ");
			measure_json_text(stdout, measure_name_of_location(
				&check->trace->definitions, finding->place.location));
			printf(", \"record\": %llu, \"seconds\": %.12g",
				(unsigned long long)finding->place.position,
				measure_trace_seconds(check->trace, finding->place.time));
		}
		printf("}");
		separator = ",";
	}
	printf("]");
}

static void print_checks(const struct check *check)
{
	printf(",\n  \"checks\": [");
	for (int id = 0; id < MEASURE_NR_CHECKS; id++) {
		printf("%s\n    {\"id\": \"%s\", \"severity\": \"%s\", \"count\": %llu, "
		       "\"excused\": %llu, \"cases\": ",
			id ? "," : "", measure_checks[id].id,
			measure_checks[id].severity == MEASURE_ERROR ? "error" : "warning",
			(unsigned long long)check->findings.counts[id],
			(unsigned long long)check->findings.excused[id]);
		print_cases(check, id);
		printf("}");
	}
	printf("\n  ]");
}

static void print_files(const struct measure_file_counts *files)
{
	printf(",\n  \"files\": {\"opened\": %llu, \"operations\": %llu, "
	       "\"bytes_read\": %llu, \"bytes_written\": %llu}",
		(unsigned long long)files->nr_opened, (unsigned long long)files->nr_operations,
		(unsigned long long)files->bytes_read, (unsigned long long)files->bytes_written);
}

static void print_traffic(const struct check *check)
{
	printf(",\n  \"traffic\": [");
	for (int i = 0; i < CHECK_NR_TRAFFIC; i++)
		printf("%s\n    {\"id\": \"%s\", \"count\": %llu, \"bytes_out\": %llu, "
		       "\"bytes_in\": %llu}",
			i ? "," : "", check_traffic_infos[i].id,
			(unsigned long long)check->traffic[i].nr,
			(unsigned long long)check->traffic[i].bytes_out,
			(unsigned long long)check->traffic[i].bytes_in);
	printf("\n  ]");
}

void check_print_json(const struct check *check, const char *path)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	printf("{\"archive\": ");
	measure_json_text(stdout, path);
	printf(",\n  \"anchor\": ");
	measure_json_text(stdout, check->trace->anchor);
	printf(",\n  \"creator\": ");
	measure_json_text(stdout, check->trace->creator ? check->trace->creator : "");
	printf(",\n  \"status\": \"%s\", \"errors\": %llu, \"warnings\": %llu",
		check_is_sound(check) ? "sound" : "violations",
		(unsigned long long)check_errors(check), (unsigned long long)check_warnings(check));
	printf(",\n  \"processes\": %llu, \"locations\": %zu, \"events\": %llu, "
	       "\"ticks_per_second\": %llu, \"seconds\": %.12g",
		(unsigned long long)check->nr_processes, definitions->nr_locations,
		(unsigned long long)check->nr_events,
		(unsigned long long)definitions->clock.resolution,
		measure_trace_span(check->trace, definitions->clock.length));
	check_print_cuts_json(check);
	print_files(&check->files);
	print_traffic(check);
	print_relations(check);
	if (check->has_times)
		check_print_times_json(check);
	print_checks(check);
	printf("}");
}
