/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clocks of a run in the header: how far that of each host was from the common time, as the
 * recording has measured it, and how many messages arrived before they were sent. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/json_text.h"
#include "page_run.h"
#include "trace/archive/trace_properties.h"

#define ERROR_TEXT 32

/* The first location of a host that has clock offsets, else any of it; MEASURE_NONE: it has none.
 */
static uint32_t location_of_host(const struct measure_page_run *run, uint32_t host)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	uint32_t found = MEASURE_NONE;

	for (size_t row = 0; row < definitions->nr_locations; row++) {
		const uint32_t location = run->locations[row];
		const uint32_t group = definitions->locations[location].group;

		if (group == MEASURE_NONE || definitions->location_groups[group].host != host)
			continue;
		if (run->trace->offsets[location].nr > 1)
			return location;
		found = found == MEASURE_NONE ? location : found;
	}
	return found;
}

static void print_host(
	const struct measure_page_run *run, uint32_t host, const char *error, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	const uint32_t location = location_of_host(run, host);
	const struct measure_clock_function none = {.nr = 0};
	const struct measure_clock_function *clock =
		location == MEASURE_NONE ? &none : &run->trace->offsets[location];
	const double resolution =
		definitions->clock.resolution ? (double)definitions->clock.resolution : 1;
	double offset = 0, drift = 0;

	if (clock->nr > 0)
		offset = (double)clock->items[0].offset / resolution;
	if (clock->nr > 1)
		drift = measure_clock_line_between(&clock->items[0], &clock->items[clock->nr - 1])
				.slope;
	fputs("{\"name\": ", out);
	measure_json_text(out, measure_name_of_host(definitions, host));
	fprintf(out,
		", \"offset_s\": %.12g, \"drift\": %.12g, \"error_s\": %s, "
		"\"measurements\": %zu, \"points\": [",
		offset, drift, error, clock->nr);
	for (size_t i = 0; i < clock->nr; i++)
		fprintf(out, "%s[%" PRIu64 ", %.12g]", i > 0 ? ", " : "",
			measure_page_time(
				run, (uint64_t)measure_clock_knot_corrected(&clock->items[i])),
			(double)clock->items[i].offset / resolution);
	fputs("]}", out);
}

static uint64_t violations_after(const struct measure_waits *waits)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		nr += waits->faults[i].violations;
	return nr;
}

/* Bounds are a property of the whole archive: the largest one, in seconds. */
static void find_error(const struct measure_page_run *run, char text[ERROR_TEXT])
{
	const uint64_t resolution = run->trace->definitions.clock.resolution;
	struct measure_trace_properties properties;
	const char *bound;

	measure_trace_properties_read(run->trace, &properties);
	bound = measure_trace_property(&properties, "MEASURE::OFFSET_BOUND_TICKS");
	if (bound && resolution)
		snprintf(text, ERROR_TEXT, "%.12g", strtod(bound, NULL) / (double)resolution);
	else
		snprintf(text, ERROR_TEXT, "null");
	measure_trace_properties_free(&properties);
}

void measure_page_print_clocks(const struct measure_page_run *run, FILE *out)
{
	const struct measure_waits *waits = run->waits;
	char error[ERROR_TEXT];

	if (!waits) {
		fputs("null", out);
		return;
	}
	find_error(run, error);
	fputs("{\"hosts\": [", out);
	for (size_t i = 0; i < run->nr_hosts; i++) {
		fputs(i > 0 ? ",\n " : "\n ", out);
		print_host(run, run->hosts[i], error, out);
	}
	fprintf(out,
		"],\n \"violations_before\": %" PRIu64 ", \"violations_after\": %" PRIu64
		", \"worst_before_s\": %.12g, \"is_corrected\": %s",
		waits->clocks.violations, violations_after(waits),
		measure_trace_span(run->trace, waits->clocks.worst),
		waits->clocks.is_corrected ? "true" : "false");
	fputc('}', out);
}
