/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The object of a run in the header: what the numbers in blocks mean. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "base/figures.h"
#include "cli/json_text.h"
#include "page_run.h"

/* A member of an object: text. */
static void print_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	measure_json_text(out, text);
}

/* "[" and after all of them "]". */
static void print_next(FILE *out, size_t index)
{
	fputs(index > 0 ? ",\n " : "\n ", out);
}

/* ----------------------------------------------------------------------- call paths --- */

static void print_classes(FILE *out)
{
	fputs(",\n\"classes\": [", out);
	for (int i = 0; i < MEASURE_NR_STATE_CLASSES; i++)
		fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", measure_state_classes[i].word);
	fputc(']', out);
}

static void print_regions(const struct measure_page_run *run, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"regions\": [", out);
	for (size_t i = 0; i < run->nr_regions; i++) {
		const uint32_t number = run->regions[i];
		const struct measure_region *region = measure_profile_region(run->profile, number);

		print_next(out, i);
		fputc('{', out);
		print_text(out, "name", measure_profile_region_name(run->profile, number));
		fputs(", ", out);
		print_text(out, "file", region ? measure_text(definitions, region->file) : "");
		fprintf(out, ", \"line\": %" PRIu32 ", \"class\": %d}",
			region ? region->begin_line : 0,
			(int)measure_state_class_of(run->pyramid.classes, definitions, number));
	}
	fputc(']', out);
}

static void print_paths(const struct measure_page_run *run, FILE *out)
{
	fputs(",\n\"paths\": [[-1, -1]", out);
	for (size_t i = 1; i < run->profile->nr_paths; i++) {
		const struct measure_profile_path *path = &run->profile->paths[i];

		fprintf(out, ",%s[%" PRIu32 ", %" PRIu32 "]", i % 16 ? " " : "\n ", path->parent,
			measure_map_get(&run->region_rows, measure_key_of(path->region)));
	}
	fputc(']', out);
}

/* ------------------------------------------------------------------------ locations --- */

static const char *type_of(OTF2_LocationType type)
{
	switch (type) {
	case OTF2_LOCATION_TYPE_CPU_THREAD:
		return "CPU_THREAD";
	case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
		return "ACCELERATOR_STREAM";
	case OTF2_LOCATION_TYPE_METRIC:
		return "METRIC";
	default:
		return "UNKNOWN";
	}
}

static void print_locations(const struct measure_page_run *run, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"locations\": [", out);
	for (size_t row = 0; row < definitions->nr_locations; row++) {
		const uint32_t index = run->locations[row];
		const struct measure_location_definition *location = &definitions->locations[index];
		const struct measure_pyramid_location *life = &run->pyramid.locations[index];

		print_next(out, row);
		fputc('{', out);
		print_text(out, "name", measure_text(definitions, location->name));
		if (location->group == MEASURE_NONE)
			fputs(", \"process\": null", out);
		else
			fprintf(out, ", \"process\": %" PRIu32, run->process_rows[location->group]);
		fprintf(out,
			", \"index\": %" PRIu32 ", \"type\": \"%s\", \"first\": %" PRIu64
			", \"last\": %" PRIu64 ", \"events\": %" PRIu64 "}",
			index, type_of(location->type), life->nr_levels ? life->first : 0,
			life->nr_levels ? life->last : 0, life->nr_events);
	}
	fputc(']', out);
}

static void print_processes(const struct measure_page_run *run, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"processes\": [", out);
	for (size_t i = 0; i < run->nr_processes; i++) {
		const uint32_t index = run->processes[i];
		const struct measure_location_group *process = &definitions->location_groups[index];

		print_next(out, i);
		fputc('{', out);
		print_text(out, "name", measure_text(definitions, process->name));
		if (run->ranks[index] == MEASURE_NONE)
			fputs(", \"rank\": null", out);
		else
			fprintf(out, ", \"rank\": %" PRIu32, run->ranks[index]);
		if (process->host == MEASURE_NONE)
			fputs(", \"host\": null}", out);
		else
			fprintf(out, ", \"host\": %" PRIu32 "}", run->host_rows[process->host]);
	}
	fputc(']', out);
}

static void print_hosts(const struct measure_page_run *run, FILE *out)
{
	fputs(",\n\"hosts\": [", out);
	for (size_t i = 0; i < run->nr_hosts; i++) {
		fputs(i > 0 ? ", " : "", out);
		measure_json_text(
			out, measure_name_of_host(&run->trace->definitions, run->hosts[i]));
	}
	fputc(']', out);
}

/* --------------------------------------------------------------------------- names --- */

static void print_comms(const struct measure_page_run *run, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"comms\": [", out);
	for (size_t i = 0; i < run->nr_comms; i++) {
		const uint32_t comm = run->comms[i];
		const char *name = "";

		fputs(i > 0 ? ", " : "", out);
		if (comm < definitions->nr_comms)
			name = measure_text(definitions, definitions->comms[comm].name);
		if (comm < definitions->nr_comms && !*name)
			name = definitions->comms[comm].label;
		measure_json_text(out, name);
	}
	fputc(']', out);
}

static void print_patterns(FILE *out)
{
	fputs(",\n\"patterns\": [", out);
	for (int i = 0; i < MEASURE_NR_WAIT_PATTERNS; i++)
		fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", measure_wait_patterns[i].word);
	fputc(']', out);
}

static void print_blocks(const struct measure_page_run *run, FILE *out)
{
	bool is_first = true;

	fputs(",\n\"blocks\": {", out);
	for (int i = 0; i < MEASURE_PAGE_NR_PARTS; i++) {
		const struct measure_page_share *share = &run->shares[i];

		if (!share->is_there)
			continue;
		fprintf(out, "%s\"%s\": {\"id\": \"run%u-%s\"", is_first ? "" : ", ",
			measure_page_parts[i].word, run->number, measure_page_parts[i].word);
		if (share->total > 0)
			fprintf(out, ", \"shown\": %" PRIu64 ", \"total\": %" PRIu64, share->shown,
				share->total);
		fputc('}', out);
		is_first = false;
	}
	fputc('}', out);
}

/* ------------------------------------------------------------------------- time line --- */

static double seconds_per_tick(const struct measure_page_run *run)
{
	const uint64_t resolution = run->trace->definitions.clock.resolution;

	return (double)(UINT64_C(1) << run->pyramid.shift) / (double)(resolution ? resolution : 1);
}

double measure_page_finest_interval(const struct measure_page_run *run)
{
	return ldexp(seconds_per_tick(run), (int)run->finest);
}

static void print_note(const struct measure_page_run *run, FILE *out)
{
	char interval[MEASURE_FIGURE_TEXT];

	fputs(", \"note\": \"", out);
	if (!run->is_complete)
		fprintf(out,
			"Single calls do not fit into this page: it shows how long each region "
			"ran in each interval of %s. A part of the run with all of its calls: "
			"measure-convert TRACE --to otf2 --from 10%% --until 11%% -o PART; "
			"measure-report PART. A larger page: measure-report --size 200.",
			measure_figure_seconds(measure_page_finest_interval(run), interval));
	fputc('"', out);
}

/* Seconds from the start of the trace, as the analysis counts time, to that of the time line. */
static double seconds_to_start(const struct measure_page_run *run)
{
	return measure_trace_seconds(run->trace, run->pyramid.start);
}

static void print_timeline(const struct measure_page_run *run, FILE *out)
{
	fprintf(out, "{\n\"ticks\": %" PRIu64 ", \"seconds_per_tick\": %.17g, \"shift\": %u",
		run->pyramid.length, seconds_per_tick(run), run->pyramid.shift);
	fprintf(out, ", \"start_s\": %.17g, \"recorded_events\": %" PRIu64 ", \"complete\": %s",
		seconds_to_start(run), run->profile->nr_events,
		run->is_complete ? "true" : "false");
	print_note(run, out);
	print_classes(out);
	print_regions(run, out);
	print_paths(run, out);
	print_hosts(run, out);
	print_processes(run, out);
	print_locations(run, out);
	measure_page_print_phases(run, out);
	measure_page_print_markers(run, out);
	measure_page_print_metrics(run, out);
	print_comms(run, out);
	measure_page_print_operations(run, out);
	print_patterns(out);
	print_blocks(run, out);
	fputs("}", out);
}

void measure_page_run_print(const struct measure_page_run *run, const char *name, FILE *out)
{
	fputc('{', out);
	print_text(out, "name", name);
	fputs(",\n\"profile\": ", out);
	measure_page_text_print(&run->profile_text, out);
	fputs(",\n\"analysis\": ", out);
	measure_page_text_print(&run->analysis_text, out);
	fputs(",\n\"clocks\": ", out);
	measure_page_print_clocks(run, out);
	fputs(",\n\"timeline\": ", out);
	if (run->waits)
		print_timeline(run, out);
	else
		fputs("null", out);
	fputs(",\n\"tasks\": ", out);
	measure_page_print_tasks(run, out);
	fputc('}', out);
}
