/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chrome's older trace events, in JSON: for small slices, and for scripts of other people. Events
 * of a location come in the order of time; flows, which bind to the calls around them, at the
 * end. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/figures.h"
#include "base/printable.h"
#include "cli/json_text.h"
#include "export/conversion/archive_markers.h"
#include "export/conversion/conversion.h"
#include "export/conversion/output_file.h"
#include "flows.h"
#include "text_pieces.h"
#include "trace/common/trace_error.h"

/* Viewers read a file as one text, and need several times its size. */
#define MOST_BYTES (500 * UINT64_C(1000000))

/* Of an event on average: begins and ends of calls take at least 40, and half of the events of a
 * trace at least are such. */
#define LEAST_BYTES 20

#define EVENTS_PER_CHECK 4096

struct chrome {
	struct measure_conversion *conversion;
	FILE *out;
	uint64_t nr_events;
	uint64_t most_bytes;
	bool is_too_long;
	char **regions; /* by number: ,"name":...,"cat":... as it is written; NULL: not yet */
};

/* {"ph": ..., and what all have; what follows begins with a comma. Times are microseconds. */
static void event_begin(struct chrome *chrome, char phase, uint32_t location, uint64_t ns)
{
	const uint32_t process = measure_conversion_process(chrome->conversion, location);
	char line[128], *place = line;

	place = measure_put_text(place, chrome->nr_events++ > 0 ? ",\n" : "\n");
	place = measure_put_text(place, "{\"ph\":\"");
	*place++ = phase;
	place = measure_put_text(place, "\",\"pid\":");
	place = measure_put_number(place, (uint64_t)process + 1);
	place = measure_put_text(place, ",\"tid\":");
	place = measure_put_number(place, (uint64_t)location + 1);
	place = measure_put_text(place, ",\"ts\":");
	place = measure_put_number(place, ns / 1000);
	*place++ = '.';
	place = measure_put_thousandths(place, ns % 1000);
	fwrite(line, 1, (size_t)(place - line), chrome->out);
	if (chrome->nr_events % EVENTS_PER_CHECK == 0 &&
		ftello(chrome->out) > (off_t)chrome->most_bytes)
		chrome->is_too_long = chrome->conversion->is_stopped = true;
}

static void write_text(struct chrome *chrome, const char *key, const char *text)
{
	fprintf(chrome->out, ",\"%s\":", key);
	measure_json_text(chrome->out, text);
}

static void write_metadata(
	struct chrome *chrome, uint32_t location, const char *what, const char *name)
{
	event_begin(chrome, 'M', location, 0);
	write_text(chrome, "name", what);
	fputs(",\"args\":{\"name\":", chrome->out);
	measure_json_text(chrome->out, name);
	fputs("}}", chrome->out);
}

static void write_location_names(struct chrome *chrome, uint32_t location)
{
	const struct measure_definitions *definitions = chrome->conversion->definitions;
	const uint32_t process = measure_conversion_process(chrome->conversion, location);

	write_metadata(chrome, location, "process_name",
		measure_conversion_process_name(chrome->conversion, process));
	write_metadata(chrome, location, "thread_name",
		measure_text(definitions, definitions->locations[location].name));
}

/* ------------------------------------------------------------------------- events --- */

static const char *category_of(const struct chrome *chrome, uint32_t region)
{
	const struct measure_definitions *definitions = chrome->conversion->definitions;
	const char *name = "";

	if (region < definitions->nr_regions)
		name = measure_conversion_paradigm_name(definitions->regions[region].paradigm);
	return *name ? name : "Other";
}

/* Made once, as most events are calls. */
static const char *region_members(struct chrome *chrome, uint32_t region)
{
	char **members =
		&chrome->regions[measure_conversion_region_number(chrome->conversion, region)];
	size_t size;
	FILE *out;

	if (*members)
		return *members;
	out = open_memstream(members, &size);
	if (!out)
		measure_out_of_memory();
	fputs(",\"name\":", out);
	measure_json_text(out, measure_conversion_region_name(chrome->conversion, region));
	fputs(",\"cat\":", out);
	measure_json_text(out, category_of(chrome, region));
	fputc('}', out);
	if (fclose(out) != 0)
		measure_out_of_memory();
	return *members;
}

static void write_begin(struct chrome *chrome, const struct measure_conversion_item *item)
{
	event_begin(chrome, 'B', item->location, item->ns);
	fputs(region_members(chrome, measure_conversion_region(chrome->conversion, item->path)),
		chrome->out);
}

static void write_sample(struct chrome *chrome, const struct measure_conversion_item *item)
{
	const struct measure_definitions *definitions = chrome->conversion->definitions;
	const uint32_t context = item->event->ref;
	uint32_t region = MEASURE_NONE;

	if (context < definitions->nr_calling_contexts)
		region = definitions->calling_contexts[context].region;
	event_begin(chrome, 'i', item->location, item->ns);
	write_text(chrome, "name",
		measure_conversion_region_name(chrome->conversion,
			region == MEASURE_NONE ? MEASURE_PSEUDO_UNDEFINED : region));
	fputs(",\"s\":\"t\"}", chrome->out);
}

/* Counters belong to processes: each location has ones of its own. JSON has no infinities. */
static void write_value(struct chrome *chrome, const struct measure_conversion_item *item,
	const struct measure_conversion_value *value)
{
	const struct measure_definitions *definitions = chrome->conversion->definitions;
	const char *unit = measure_text(definitions, value->member->unit);

	if (!isfinite(value->real))
		return;
	event_begin(chrome, 'C', item->location, item->ns);
	write_text(chrome, "name", measure_text(definitions, value->member->name));
	fprintf(chrome->out, ",\"id\":\"%" PRIu32 "\",\"args\":{", item->location + 1);
	measure_json_text(chrome->out, *unit ? unit : "value");
	if (value->is_integer)
		fprintf(chrome->out, ":%" PRId64 "}}", value->integer);
	else
		fprintf(chrome->out, ":%.17g}}", value->real);
}

static void write_item(struct chrome *chrome, const struct measure_conversion_item *item)
{
	struct measure_conversion_value value;

	if (item->kind == MEASURE_CONVERSION_BEGIN) {
		write_begin(chrome, item);
	} else if (item->kind == MEASURE_CONVERSION_END) {
		event_begin(chrome, 'E', item->location, item->ns);
		fputc('}', chrome->out);
	} else if (item->event->kind == MEASURE_EVENT_CALLING_CONTEXT_SAMPLE) {
		write_sample(chrome, item);
	} else if (item->event->kind == MEASURE_EVENT_METRIC) {
		for (uint32_t i = 0; measure_conversion_value(chrome->conversion, item, i, &value);
			i++)
			if (value.member)
				write_value(chrome, item, &value);
	}
}

static void write_events(void *data, uint32_t location, struct measure_conversion_reader *reader)
{
	const struct measure_conversion_item *item;
	struct chrome *chrome = data;

	write_location_names(chrome, location);
	while (!chrome->is_too_long && (item = measure_conversion_next(reader)))
		write_item(chrome, item);
}

/* On the thread that it is about, or for all to see. */
static void write_marker(struct chrome *chrome, const struct archive_marker *marker)
{
	const bool is_global = marker->location == MEASURE_NONE;

	event_begin(chrome, 'i', is_global ? chrome->conversion->locations[0] : marker->location,
		marker->ns);
	write_text(chrome, "name", marker->text);
	write_text(chrome, "cat", "marker");
	fprintf(chrome->out, ",\"s\":\"%c\",\"args\":{\"category\":", is_global ? 'g' : 't');
	measure_json_text(chrome->out, marker->category);
	fputs("}}", chrome->out);
}

static void write_markers(struct chrome *chrome)
{
	struct archive_markers markers;

	if (chrome->conversion->nr_locations == 0)
		return;
	archive_markers_read(&markers, chrome->conversion);
	for (size_t i = 0; i < markers.nr_items; i++)
		write_marker(chrome, &markers.items[i]);
	archive_markers_free(&markers);
}

/* "bp": bound to the call around it, not to the next one. */
static void write_flow_end(struct chrome *chrome, const struct flow_end *end)
{
	event_begin(chrome, end->is_receive ? 'f' : 's', end->location, end->ns);
	fprintf(chrome->out,
		",\"name\":\"message\",\"cat\":\"message\",\"id\":%" PRIu32
		",\"args\":{\"bytes\":%" PRIu64 ",\"tag\":%" PRIu32 "}%s}",
		end->flow, end->bytes, end->tag, end->is_receive ? ",\"bp\":\"e\"" : "");
}

static measure_status_t write_flows(struct chrome *chrome)
{
	struct measure_conversion *conversion = chrome->conversion;
	measure_status_t status = MEASURE_OK;
	struct flow_ends flows;

	if (chrome->is_too_long || conversion->options->nr_flows == 0)
		return status;
	status = flows_find(conversion, "chrome", &flows);
	for (size_t i = 0; i < flows.nr; i++)
		write_flow_end(chrome, &flows.ends[i]);
	flows_free(&flows);
	return status;
}

static uint64_t most_bytes(const struct measure_conversion_options *options)
{
	return measure_earlier(MOST_BYTES, options->most_bytes);
}

static measure_status_t refuse_length(const struct measure_conversion_options *options)
{
	char size[MEASURE_FIGURE_TEXT];

	measure_error_set("chrome: more than %s of JSON, which viewers do not read: use "
			  "measure-convert %s --to perfetto -o OUT, or cut a slice out with --from "
			  "and --until",
		measure_figure_size(most_bytes(options), size), MEASURE_PRINTABLE(options->input));
	return MEASURE_ERROR_USAGE;
}

measure_status_t measure_chrome_check(
	const struct measure_trace *trace, const struct measure_conversion_options *options)
{
	const bool is_whole = !options->from.is_given && !options->until.is_given &&
			      !options->locations && !options->phase.name && !options->filter;
	uint64_t nr_events = 0;

	for (size_t i = 0; i < trace->definitions.nr_locations; i++)
		nr_events += trace->definitions.locations[i].nr_events;
	if (is_whole && nr_events > most_bytes(options) / LEAST_BYTES)
		return refuse_length(options);
	return MEASURE_OK;
}

measure_status_t measure_export_chrome(struct measure_conversion *conversion, const char *path)
{
	struct measure_output_file output;
	const size_t nr_regions = measure_conversion_nr_regions(conversion);
	struct chrome chrome = {.conversion = conversion};
	measure_status_t status = measure_output_file_open(&output, path), read, matched;

	if (status != MEASURE_OK)
		return status;
	chrome.out = output.file;
	chrome.most_bytes = most_bytes(conversion->options);
	chrome.regions = measure_zeroed(nr_regions, sizeof(*chrome.regions));
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", chrome.out);
	read = measure_conversion_read(conversion, write_events, &chrome);
	write_markers(&chrome);
	matched = write_flows(&chrome);
	fputs("\n]}\n", chrome.out);
	for (size_t i = 0; i < nr_regions; i++)
		free(chrome.regions[i]);
	measure_free(chrome.regions);
	status = measure_output_file_close(&output, !chrome.is_too_long);
	if (chrome.is_too_long) {
		return refuse_length(conversion->options);
	}
	if (status != MEASURE_OK)
		return status;
	return read == MEASURE_OK ? matched : read;
}
