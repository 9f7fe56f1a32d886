/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics as curves: of each series the first, the last, the least and the greatest value in each
 * slice of time, so that no peak is lost. The events are read once more where there are any. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "page_run.h"
#include "sync/parallel/workers.h"
#include "trace/stream/stream.h"

#define SHARE            15 /* per cent of the room */
#define CHARACTERS       11 /* of a point, about */
#define MOST_SLICES      1000
#define POINTS_PER_SLICE 4

struct metric_point {
	uint64_t time; /* in ticks of the page */
	double value;
};

/* The values of a member of a metric on one location. */
struct measure_page_series {
	struct measure_key key; /* metric, number of the member in it */
	uint32_t location;
	uint32_t member; /* definition */
	uint64_t slice;  /* that its points are gathered of */
	bool has_slice;
	/* of that slice; numbers: in order of time */
	struct metric_point first, least, greatest, last;
	uint64_t least_number, greatest_number, nr_in_slice;
	double min, max;
	MEASURE_GROWING_ITEMS(struct metric_point);
};

/* Of a location. */
struct metric_series {
	struct measure_map index;
	MEASURE_GROWING(struct measure_page_series, series);
};

struct metric_reading {
	struct measure_page_run *run;
	uint64_t width;               /* of a slice */
	struct metric_series *places; /* by reading order */
};

/* -------------------------------------------------------------------------- slices --- */

static void series_add_point(struct measure_page_series *series, const struct metric_point *point)
{
	*measure_append_item(series) = *point;
}

static void series_end_slice(struct measure_page_series *series)
{
	const bool is_least_first = series->least_number <= series->greatest_number;
	const struct metric_point *middle[2] = {is_least_first ? &series->least : &series->greatest,
		is_least_first ? &series->greatest : &series->least};
	const uint64_t numbers[2] = {
		is_least_first ? series->least_number : series->greatest_number,
		is_least_first ? series->greatest_number : series->least_number};

	if (!series->has_slice)
		return;
	series_add_point(series, &series->first);
	for (int i = 0; i < 2; i++)
		if (numbers[i] > 0 && numbers[i] < series->nr_in_slice - 1 &&
			(i == 0 || numbers[1] != numbers[0]))
			series_add_point(series, middle[i]);
	if (series->nr_in_slice > 1)
		series_add_point(series, &series->last);
}

static void series_start_slice(
	struct measure_page_series *series, uint64_t slice, const struct metric_point *point)
{
	series->slice = slice;
	series->has_slice = true;
	series->first = series->least = series->greatest = series->last = *point;
	series->least_number = series->greatest_number = 0;
	series->nr_in_slice = 1;
}

static void series_take(
	struct measure_page_series *series, uint64_t slice, const struct metric_point *point)
{
	series->min = fmin(series->min, point->value);
	series->max = fmax(series->max, point->value);
	if (!series->has_slice || slice != series->slice) {
		series_end_slice(series);
		series_start_slice(series, slice, point);
		return;
	}
	if (point->value < series->least.value) {
		series->least = *point;
		series->least_number = series->nr_in_slice;
	}
	if (point->value > series->greatest.value) {
		series->greatest = *point;
		series->greatest_number = series->nr_in_slice;
	}
	series->last = *point;
	series->nr_in_slice++;
}

/* ------------------------------------------------------------------------- reading --- */

/* In units of the member: of a base and an exponent. */
static double value_of(const struct measure_metric_member *member, uint64_t value)
{
	const OTF2_MetricValue bits = {.unsigned_int = value};
	const double plain = member->type == OTF2_TYPE_DOUBLE  ? bits.floating_point
			     : member->type == OTF2_TYPE_INT64 ? (double)bits.signed_int
							       : (double)bits.unsigned_int;

	if (member->exponent == 0)
		return plain;
	return plain * pow(member->base == OTF2_BASE_BINARY ? 2 : 10, (double)member->exponent);
}

static struct measure_page_series *series_of(struct metric_series *place, uint32_t location,
	uint32_t metric, uint32_t number, uint32_t member)
{
	const struct measure_key key = measure_key_pair(metric, number);
	const uint32_t index = measure_map_intern(&place->index, key, (uint32_t)place->nr_series);

	if (index == place->nr_series)
		*measure_append(place, series) = (struct measure_page_series){.key = key,
			.location = location,
			.member = member,
			.min = HUGE_VAL,
			.max = -HUGE_VAL};
	return &place->series[index];
}

static void take_values(struct metric_reading *reading, struct metric_series *place,
	const struct measure_stream *stream, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &reading->run->trace->definitions;
	const struct measure_metric *class = &definitions->metrics[event->ref];
	struct metric_point point = {.time = measure_page_time(reading->run, event->time)};

	if (class->instance_of != MEASURE_NONE)
		class = &definitions->metrics[class->instance_of];
	for (uint32_t i = 0; i < class->nr_members && i < event->peer; i++) {
		const uint32_t member = class->members[i];

		if (member == MEASURE_NONE)
			continue;
		point.value =
			value_of(&definitions->metric_members[member], stream->record->items[i]);
		if (isfinite(point.value))
			series_take(series_of(place, stream->location, event->ref, i, member),
				point.time / reading->width, &point);
	}
}

static void read_place(void *data, size_t index)
{
	struct metric_reading *reading = data;
	struct metric_series *place = &reading->places[index];
	struct measure_trace *trace = reading->run->trace;
	/* what is wrong with events has been found before */
	struct measure_findings findings = {.nr_kept_per_check = 0};
	const struct measure_event *event;
	struct measure_stream stream;
	struct measure_trace reader;
	uint64_t nr_read;

	if (measure_trace_open_reader(trace, index, index + 1, &findings, &reader) == MEASURE_OK) {
		measure_stream_open(&stream, &reader, trace->reading_order[index]);
		while ((event = measure_stream_next(&stream)))
			if (event->kind == MEASURE_EVENT_METRIC && event->ref != MEASURE_NONE)
				take_values(reading, place, &stream, event);
		measure_stream_close(&stream, &nr_read);
		measure_trace_close_reader(&reader);
	}
	for (size_t i = 0; i < place->nr_series; i++)
		series_end_slice(&place->series[i]);
	measure_findings_free(&findings);
}

/* So wide that all series together have room. */
static uint64_t width_of_slices(const struct measure_page_run *run)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	const uint64_t nr_series =
		(uint64_t)run->profile->nr_locations * definitions->nr_metric_members;
	const uint64_t most = measure_page_most(run, SHARE, CHARACTERS) /
			      (POINTS_PER_SLICE * (nr_series ? nr_series : 1));
	const uint64_t nr_slices = most > MOST_SLICES ? MOST_SLICES : most > 4 ? most : 4;

	return run->pyramid.length / nr_slices + 1;
}

static int compare_series(const void *left, const void *right, void *data)
{
	const struct measure_page_run *run = data;
	const struct measure_page_series *a = left, *b = right;
	const uint32_t row_a = run->rows[a->location], row_b = run->rows[b->location];

	if (row_a != row_b)
		return row_a < row_b ? -1 : 1;
	if (a->key.high != b->key.high)
		return a->key.high < b->key.high ? -1 : 1;
	return (a->key.low > b->key.low) - (a->key.low < b->key.low);
}

static void gather_series(struct metric_reading *reading, size_t nr_places)
{
	struct measure_page_run *run = reading->run;
	size_t nr = 0;

	for (size_t i = 0; i < nr_places; i++)
		nr += reading->places[i].nr_series;
	run->series = measure_zeroed(nr, sizeof(*run->series));
	for (size_t i = 0; i < nr_places; i++) {
		struct metric_series *place = &reading->places[i];

		for (size_t k = 0; k < place->nr_series; k++)
			run->series[run->nr_series++] = place->series[k];
		measure_free(place->series);
		measure_map_free(&place->index);
	}
	qsort_r(run->series, nr, sizeof(*run->series), compare_series, run);
}

/* ------------------------------------------------------------------------- writing --- */

static void write_series(const struct measure_page_series *series, struct measure_page_block *block)
{
	uint64_t last = 0;

	measure_page_block_number(block, series->nr);
	for (size_t i = 0; i < series->nr; i++) {
		measure_page_block_number(block, series->items[i].time - last);
		measure_page_block_real(block, series->items[i].value);
		last = series->items[i].time;
	}
}

void measure_page_write_metrics(struct measure_page_run *run)
{
	const size_t nr_places = run->trace->definitions.nr_locations;
	struct metric_reading reading = {.run = run, .width = width_of_slices(run)};
	struct measure_page_block *block;

	if (run->profile->nr_metrics == 0)
		return;
	reading.places = measure_zeroed(nr_places, sizeof(*reading.places));
	measure_workers_share(run->nr_threads, nr_places, read_place, &reading);
	gather_series(&reading, nr_places);
	measure_free(reading.places);
	if (run->nr_series == 0)
		return;
	run->shares[MEASURE_PAGE_METRICS].is_there = true;
	block = measure_page_open(run->page, run->number, "metrics");
	for (size_t i = 0; i < run->nr_series; i++)
		write_series(&run->series[i], block);
	measure_page_close(run->page);
}

void measure_page_metrics_free(struct measure_page_run *run)
{
	for (size_t i = 0; i < run->nr_series; i++)
		measure_free(run->series[i].items);
	measure_free(run->series);
}

/* -------------------------------------------------------------------------- header --- */

/* "process" or "node": a sampled metric that one location has recorded for others. */
static const char *scope_of(const struct measure_definitions *definitions, uint32_t location)
{
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];

		if (property->kind == MEASURE_KIND_LOCATION && property->owner == location &&
			property->type == OTF2_TYPE_STRING &&
			!strcmp(measure_text(definitions, property->name), "MEASURE::METRIC_SCOPE"))
			return measure_text(definitions,
				measure_definition_index(definitions, MEASURE_KIND_STRING,
					property->value.stringRef));
	}
	return "";
}

/* A row, or null. */
static void print_row(const char *name, uint32_t row, FILE *out)
{
	if (row == MEASURE_NONE)
		fprintf(out, ", \"%s\": null", name);
	else
		fprintf(out, ", \"%s\": %" PRIu32, name, row);
}

/* Of location, process and host, the one that the values are about. */
static void print_owner(
	const struct measure_page_run *run, const struct measure_page_series *series, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	const uint32_t group = definitions->locations[series->location].group;
	const char *scope = scope_of(definitions, series->location);
	const bool is_process = group != MEASURE_NONE && !strcmp(scope, "process");
	const bool is_host = group != MEASURE_NONE && !strcmp(scope, "node") &&
			     definitions->location_groups[group].host != MEASURE_NONE;

	print_row("location", is_process || is_host ? MEASURE_NONE : run->rows[series->location],
		out);
	print_row("process", is_process ? run->process_rows[group] : MEASURE_NONE, out);
	print_row("host",
		is_host ? run->host_rows[definitions->location_groups[group].host] : MEASURE_NONE,
		out);
}

static void print_mode(OTF2_MetricMode mode, FILE *out)
{
	static const char *const kinds[] = {"accumulated", "absolute", "relative"};
	static const char *const timings[] = {"start", "point", "last", "next"};
	const unsigned kind = mode & OTF2_METRIC_VALUE_MASK,
		       timing = (mode & OTF2_METRIC_TIMING_MASK) >> 4;

	fprintf(out, ", \"mode\": \"%s\", \"kind\": \"%s\"", timings[timing < 4 ? timing : 1],
		kinds[kind < 3 ? kind : 1]);
}

void measure_page_print_metrics(const struct measure_page_run *run, FILE *out)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"metrics\": [", out);
	for (size_t i = 0; i < run->nr_series; i++) {
		const struct measure_page_series *series = &run->series[i];
		const struct measure_metric_member *member =
			&definitions->metric_members[series->member];

		fprintf(out, "%s\n {\"name\": ", i > 0 ? "," : "");
		measure_json_text(out, measure_text(definitions, member->name));
		fputs(", \"unit\": ", out);
		measure_json_text(out, measure_text(definitions, member->unit));
		print_owner(run, series, out);
		print_mode(member->mode, out);
		fprintf(out, ", \"min\": %.17g, \"max\": %.17g}", series->min, series->max);
	}
	fputc(']', out);
}
