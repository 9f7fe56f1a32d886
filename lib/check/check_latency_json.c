/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long messages take, for programs. */
#include "config.h"

#include "check_internal.h"

#include <stdio.h>

#include "cli/json_text.h"

static void print_way(const struct check *check, const struct check_time_row *row)
{
	static const char *const words[] = {"process", "node", "network"};
	const struct measure_definitions *definitions = &check->trace->definitions;

	printf("{\"way\": \"%s\"", words[row->way]);
	if (row->way != CHECK_WAY_NETWORK)
		return;
	printf(", \"from\": ");
	measure_json_text(stdout, measure_name_of_host(definitions, row->from));
	printf(", \"to\": ");
	measure_json_text(stdout, measure_name_of_host(definitions, row->to));
}

static void print_row(const struct check *check, const struct check_time_row *row)
{
	double tick = measure_trace_span(check->trace, 1);

	print_way(check, row);
	printf(", \"messages\": %llu, \"reversed\": %llu, \"too_short\": %llu, "
	       "\"least_seconds\": %.12g, \"mean_seconds\": %.12g, \"greatest_seconds\": %.12g, "
	       "\"decades\": [",
		(unsigned long long)row->nr, (unsigned long long)row->decades[0],
		(unsigned long long)row->nr_below, tick * (double)row->least,
		tick * (double)row->sum / (double)row->nr, tick * (double)row->most);
	for (int i = 0; i < CHECK_NR_DECADES; i++)
		printf("%s%llu", i ? ", " : "", (unsigned long long)row->decades[i]);
	printf("]}");
}

void check_print_times_json(const struct check *check)
{
	const char *separator = "";

	printf(",\n  \"message_times\": {\"below_seconds\": [");
	for (int i = 0; i < CHECK_NR_DECADES - 1; i++)
		printf("%s%.9g", i ? ", " : "", 1e-9 * (double)check_decades[i]);
	printf("], \"ways\": [");
	for (size_t i = 0; i < check->times.nr; i++) {
		if (check->times.rows[i].nr == 0)
			continue;
		printf("%s\n    ", separator);
		print_row(check, &check->times.rows[i]);
		separator = ",";
	}
	printf("\n  ]}");
}
