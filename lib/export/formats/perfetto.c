/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Perfetto's traces: track events in protocol buffers. Each location is a sequence of packets, with
 * names that are written once and then numbers; messages are flows between slices of no length on
 * tracks of their own, as viewers follow a whole chain of flows where one slice has several.
 *
 * Packets may come in any order of time: readers sort them. So locations are written one after the
 * other, and where a file becomes too long it goes on in another one, which is complete in itself:
 * what is open ends in the one and begins in the other. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "export/conversion/archive_markers.h"
#include "perfetto_packets.h"

/* -------------------------------------------------------------------------- files --- */

static char *name_of_file(const struct perfetto *perfetto)
{
	const size_t size = strlen(perfetto->path) + 16;
	char *name = measure_zeroed(size, 1);

	if (perfetto->nr_files == 1)
		strcpy(name, perfetto->path);
	else
		snprintf(name, size, "%s.%u", perfetto->path, perfetto->nr_files);
	return name;
}

static void write_tracks(struct perfetto *perfetto)
{
	const struct measure_conversion *conversion = perfetto->conversion;
	const size_t nr = conversion->definitions->nr_location_groups + 1;
	bool *is_written = measure_zeroed(nr, sizeof(*is_written));

	for (size_t i = 0; i < conversion->nr_locations; i++) {
		const uint32_t location = conversion->locations[i];
		const uint32_t process = measure_conversion_process(conversion, location);

		if (!is_written[process])
			perfetto_write_process(perfetto, process);
		is_written[process] = true;
		perfetto_write_location(perfetto, location);
	}
	measure_free(is_written);
}

static void open_file(struct perfetto *perfetto)
{
	const struct measure_conversion *conversion = perfetto->conversion;
	char *name;

	perfetto->nr_files++;
	name = name_of_file(perfetto);
	perfetto->status = measure_output_file_open(&perfetto->output, name);
	measure_free(name);
	perfetto->nr_written = 0;
	perfetto->sequence = 0;
	memset(perfetto->regions, 0,
		measure_conversion_nr_regions(conversion) * sizeof(*perfetto->regions));
	memset(perfetto->categories, 0, (UINT8_MAX + 1) * sizeof(*perfetto->categories));
	measure_map_clear(&perfetto->written_counters);
	if (perfetto->status != MEASURE_OK)
		return;
	perfetto_begin_sequence(perfetto, 0); /* of what has no location */
	write_tracks(perfetto);
}

static void close_file(struct perfetto *perfetto)
{
	perfetto_flush(perfetto);
	if (perfetto->status == MEASURE_OK)
		perfetto->status = measure_output_file_close(&perfetto->output, true);
}

/* Each file has at least half as much of its own as it may have in all, however much was open. */
static bool file_is_full(const struct perfetto *perfetto)
{
	const uint64_t nr = perfetto->nr_written + perfetto->writer.nr_bytes;
	const uint64_t most = perfetto->conversion->options->most_bytes;

	return perfetto->status == MEASURE_OK && nr >= most &&
	       nr - perfetto->nr_repeated >= most / 2;
}

/* In the middle of a location. */
static void next_file(struct perfetto *perfetto, uint32_t location, uint64_t ns)
{
	for (size_t i = 0; i < perfetto->nr_open; i++)
		perfetto_write_end(perfetto, ns);
	close_file(perfetto);
	if (perfetto->status != MEASURE_OK)
		return;
	open_file(perfetto);
	perfetto_begin_sequence(perfetto, perfetto_track(TRACK_OF_LOCATION, location));
	for (size_t i = 0; i < perfetto->nr_open; i++)
		perfetto_write_region_event(perfetto, ns, EVENT_SLICE_BEGIN,
			measure_conversion_region(perfetto->conversion, perfetto->open[i]));
	perfetto->nr_repeated = perfetto->nr_written + perfetto->writer.nr_bytes;
}

/* ------------------------------------------------------------------------ records --- */

static uint64_t counter_track(
	struct perfetto *perfetto, uint32_t location, const struct measure_conversion_value *value)
{
	const struct measure_key key =
		measure_key_pair((uint64_t)location << 32 | value->instance, value->number);
	const uint32_t number =
		measure_map_intern(&perfetto->counters, key, (uint32_t)perfetto->counters.nr_used);
	const uint64_t uuid = perfetto_track(TRACK_OF_COUNTER, number);

	if (measure_map_get(&perfetto->written_counters, key) == MEASURE_NONE) {
		measure_map_set(&perfetto->written_counters, key, 1);
		perfetto_write_counter_track(perfetto, uuid, location, value->member);
	}
	return uuid;
}

static void write_value(struct perfetto *perfetto, const struct measure_conversion_item *item,
	const struct measure_conversion_value *value)
{
	const uint64_t uuid = counter_track(perfetto, item->location, value);
	const struct perfetto_event event = perfetto_begin_event(perfetto, item->ns, EVENT_COUNTER);

	proto_write_uint(&perfetto->writer, EVENT_TRACK, uuid);
	if (value->is_integer)
		proto_write_int(&perfetto->writer, EVENT_COUNTER_INTEGER, value->integer);
	else
		proto_write_double(&perfetto->writer, EVENT_COUNTER_DOUBLE, value->real);
	perfetto_end_event(perfetto, &event);
}

static void write_values(struct perfetto *perfetto, const struct measure_conversion_item *item)
{
	struct measure_conversion_value value;

	for (uint32_t i = 0; measure_conversion_value(perfetto->conversion, item, i, &value); i++)
		if (value.member)
			write_value(perfetto, item, &value);
}

static void write_sample(struct perfetto *perfetto, const struct measure_conversion_item *item)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	const uint32_t context = item->event->ref;
	uint32_t region = MEASURE_NONE;

	if (context < definitions->nr_calling_contexts)
		region = definitions->calling_contexts[context].region;
	perfetto_write_region_event(perfetto, item->ns, EVENT_INSTANT,
		region == MEASURE_NONE ? MEASURE_PSEUDO_UNDEFINED : region);
}

static void write_item(struct perfetto *perfetto, const struct measure_conversion_item *item)
{
	if (item->kind == MEASURE_CONVERSION_BEGIN) {
		perfetto_write_region_event(perfetto, item->ns, EVENT_SLICE_BEGIN,
			measure_conversion_region(perfetto->conversion, item->path));
		*measure_append(perfetto, open) = item->path;
	} else if (item->kind == MEASURE_CONVERSION_END) {
		perfetto_write_end(perfetto, item->ns);
		perfetto->nr_open--;
	} else if (item->event->kind == MEASURE_EVENT_METRIC) {
		write_values(perfetto, item);
	} else if (item->event->kind == MEASURE_EVENT_CALLING_CONTEXT_SAMPLE) {
		write_sample(perfetto, item);
	}
}

/* -------------------------------------------------------------------------- waits --- */

struct perfetto_waits {
	struct perfetto *perfetto;
	MEASURE_GROWING_ITEMS(struct measure_conversion_wait);
};

static void take_wait(void *data, const struct measure_conversion_wait *wait)
{
	struct perfetto_waits *waits = data;

	*measure_append_item(waits) = *wait;
}

static int compare_waits(const void *left, const void *right)
{
	const struct measure_conversion_wait *a = left, *b = right;

	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

static void write_wait(struct perfetto *perfetto, const struct measure_conversion_wait *wait,
	uint64_t begin, uint64_t end)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	const struct perfetto_event event =
		perfetto_begin_event(perfetto, begin, EVENT_SLICE_BEGIN);

	proto_write_text(&perfetto->writer, EVENT_NAME, measure_wait_patterns[wait->pattern].title);
	perfetto_annotate_uint(perfetto, "waiting_ns", wait->waiting_ns);
	if (wait->cause != MEASURE_NONE)
		perfetto_annotate_text(
			perfetto, "cause", measure_name_of_location(definitions, wait->cause));
	perfetto_end_event(perfetto, &event);
	perfetto_write_end(perfetto, end);
}

/* One after the other: a wait that begins before another one has ended begins then. */
static void write_waits(struct perfetto *perfetto, uint32_t location)
{
	const uint64_t last = perfetto->conversion->until_ns;
	struct perfetto_waits waits = {.perfetto = perfetto};
	const uint64_t uuid = perfetto_track(TRACK_OF_WAITS, location);
	uint64_t end = 0;

	measure_conversion_waits(perfetto->conversion, location, take_wait, &waits);
	if (waits.nr == 0)
		return;
	qsort(waits.items, waits.nr, sizeof(*waits.items), compare_waits);
	perfetto_write_child_track(perfetto, uuid, location, "waits");
	perfetto_begin_sequence(perfetto, uuid);
	for (size_t i = 0; i < waits.nr; i++) {
		const uint64_t begin = measure_later(waits.items[i].begin_ns, end);

		end = measure_earlier(
			begin + waits.items[i].waiting_ns, measure_later(begin, last));
		write_wait(perfetto, &waits.items[i], begin, end);
	}
	measure_free(waits.items);
}

/* ----------------------------------------------------------------------- messages --- */

static void write_flow_end(struct perfetto *perfetto, const struct flow_end *end)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	const struct perfetto_event event =
		perfetto_begin_event(perfetto, end->ns, EVENT_SLICE_BEGIN);

	proto_write_text(&perfetto->writer, EVENT_NAME, end->is_receive ? "receive" : "send");
	perfetto_annotate_text(perfetto, end->is_receive ? "from" : "to",
		measure_name_of_location(definitions, end->other));
	perfetto_annotate_uint(perfetto, "bytes", end->bytes);
	perfetto_annotate_uint(perfetto, "tag", end->tag);
	if (end->waiting_ns > 0)
		perfetto_annotate_uint(perfetto, "waiting_ns", end->waiting_ns);
	proto_write_fixed64(
		&perfetto->writer, end->is_receive ? EVENT_FLOW_END : EVENT_FLOW, end->flow);
	perfetto_end_event(perfetto, &event);
	perfetto_write_end(perfetto, end->ns);
}

/* Those of all locations together: a flow is of one file. */
static void write_flows(struct perfetto *perfetto)
{
	uint32_t location = MEASURE_NONE;

	for (size_t i = 0; i < perfetto->flows.nr; i++) {
		const struct flow_end *end = &perfetto->flows.ends[i];

		if (end->location != location) {
			const uint64_t uuid = perfetto_track(TRACK_OF_MESSAGES, end->location);

			perfetto_write_child_track(perfetto, uuid, end->location, "messages");
			perfetto_begin_sequence(perfetto, uuid);
			location = end->location;
		}
		write_flow_end(perfetto, end);
	}
}

/* ------------------------------------------------------------------------ markers --- */

static int compare_locations(const void *left, const void *right)
{
	const struct archive_marker *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void write_marker(struct perfetto *perfetto, const struct archive_marker *marker)
{
	const struct perfetto_event event =
		perfetto_begin_event(perfetto, marker->ns, EVENT_INSTANT);

	proto_write_text(&perfetto->writer, EVENT_NAME, marker->text);
	if (*marker->category)
		perfetto_annotate_text(perfetto, "category", marker->category);
	perfetto_end_event(perfetto, &event);
}

/* On a track of each location that has any; those of none on one of their own. */
static void write_markers(struct perfetto *perfetto)
{
	struct archive_markers markers;

	archive_markers_read(&markers, perfetto->conversion);
	if (markers.nr_items > 0)
		qsort(markers.items, markers.nr_items, sizeof(*markers.items), compare_locations);
	for (size_t i = 0; i < markers.nr_items; i++) {
		const uint32_t location = markers.items[i].location;

		if (i == 0 || markers.items[i - 1].location != location) {
			const uint64_t uuid = perfetto_track(TRACK_OF_MARKERS, location);

			perfetto_write_child_track(perfetto, uuid, location, "markers");
			perfetto_begin_sequence(perfetto, uuid);
		}
		write_marker(perfetto, &markers.items[i]);
	}
	archive_markers_free(&markers);
}

/* ------------------------------------------------------------------------ the file --- */

static void write_events(void *data, uint32_t location, struct measure_conversion_reader *reader)
{
	const struct measure_conversion_item *item;
	struct perfetto *perfetto = data;

	perfetto_begin_sequence(perfetto, perfetto_track(TRACK_OF_LOCATION, location));
	while (perfetto->status == MEASURE_OK && (item = measure_conversion_next(reader))) {
		write_item(perfetto, item);
		if (file_is_full(perfetto))
			next_file(perfetto, location, item->ns);
	}
	perfetto->conversion->is_stopped = perfetto->status != MEASURE_OK;
	perfetto->nr_open = 0;
	if (perfetto->status == MEASURE_OK)
		write_waits(perfetto, location);
}

static void perfetto_say_files(const struct perfetto *perfetto)
{
	if (perfetto->nr_files > 1)
		measure_cli_say(
			"perfetto: %u files, as viewers read no longer ones: %s, %s.2, ...; "
			"--from and --until cut a slice out",
			perfetto->nr_files, perfetto->path, perfetto->path);
}

measure_status_t measure_export_perfetto(struct measure_conversion *conversion, const char *path)
{
	const size_t nr_regions = measure_conversion_nr_regions(conversion);
	struct perfetto perfetto = {.conversion = conversion,
		.path = path,
		.regions = measure_zeroed(nr_regions, sizeof(uint32_t)),
		.categories = measure_zeroed(UINT8_MAX + 1, sizeof(uint32_t))};
	measure_status_t read = MEASURE_OK;

	open_file(&perfetto);
	if (perfetto.status == MEASURE_OK)
		write_markers(&perfetto);
	if (perfetto.status == MEASURE_OK && conversion->options->nr_flows > 0) {
		read = flows_find(conversion, "perfetto", &perfetto.flows);
		write_flows(&perfetto);
	}
	if (perfetto.status == MEASURE_OK) {
		const measure_status_t all =
			measure_conversion_read(conversion, write_events, &perfetto);

		read = read == MEASURE_OK ? all : read;
		close_file(&perfetto);
	}
	if (perfetto.status == MEASURE_OK)
		perfetto_say_files(&perfetto);
	flows_free(&perfetto.flows);
	measure_map_free(&perfetto.counters);
	measure_map_free(&perfetto.written_counters);
	measure_free(perfetto.writer.bytes);
	measure_free(perfetto.open);
	measure_free(perfetto.regions);
	measure_free(perfetto.categories);
	return perfetto.status == MEASURE_OK ? read : perfetto.status;
}
