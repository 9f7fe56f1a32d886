/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets of Perfetto's traces; see perfetto_packets.h. */
#include "config.h"

#include "perfetto_packets.h"

#include <stdio.h>
#include <string.h>

#define FLUSH_SIZE (1 << 20)

uint64_t perfetto_track(enum perfetto_track kind, uint64_t number)
{
	return ((uint64_t)kind << 32) + number;
}

/* ------------------------------------------------------------------------ packets --- */

void perfetto_flush(struct perfetto *perfetto)
{
	struct proto_writer *writer = &perfetto->writer;

	if (perfetto->output.file && writer->nr_bytes > 0)
		fwrite(writer->bytes, 1, writer->nr_bytes, perfetto->output.file);
	perfetto->nr_written += writer->nr_bytes;
	writer->nr_bytes = 0;
}

/* Of the current sequence, if there is one. */
static size_t packet_begin(struct perfetto *perfetto)
{
	struct proto_writer *writer = &perfetto->writer;
	size_t packet;

	if (writer->nr_bytes >= FLUSH_SIZE)
		perfetto_flush(perfetto);
	packet = proto_begin(writer, TRACE_PACKET);
	proto_write_uint(writer, PACKET_SEQUENCE_ID, perfetto->sequence);
	return packet;
}

static size_t event_packet_begin(struct perfetto *perfetto, uint64_t ns)
{
	const size_t packet = packet_begin(perfetto);

	proto_write_uint(&perfetto->writer, PACKET_TIMESTAMP, ns);
	proto_write_uint(&perfetto->writer, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	return packet;
}

/* The first packet says on which track its events are. */
void perfetto_begin_sequence(struct perfetto *perfetto, uint64_t track)
{
	struct proto_writer *writer = &perfetto->writer;
	size_t packet, defaults, event;

	perfetto->sequence++;
	packet = packet_begin(perfetto);
	proto_write_uint(writer, PACKET_SEQUENCE_FLAGS, SEQUENCE_BEGINS);
	defaults = proto_begin(writer, PACKET_DEFAULTS);
	event = proto_begin(writer, DEFAULTS_TRACK_EVENT);
	proto_write_uint(writer, EVENT_DEFAULTS_TRACK, track);
	proto_end(writer, event);
	proto_end(writer, defaults);
	proto_end(writer, packet);
}

/* ------------------------------------------------------------------------- tracks --- */

static size_t track_begin(struct perfetto *perfetto, uint64_t uuid)
{
	const size_t track = proto_begin(&perfetto->writer, PACKET_TRACK_DESCRIPTOR);

	proto_write_uint(&perfetto->writer, TRACK_UUID, uuid);
	return track;
}

void perfetto_write_process(struct perfetto *perfetto, uint32_t process)
{
	struct proto_writer *writer = &perfetto->writer;
	const size_t packet = packet_begin(perfetto);
	const size_t track = track_begin(perfetto, perfetto_track(TRACK_OF_PROCESS, process));
	const size_t descriptor = proto_begin(writer, TRACK_PROCESS);

	proto_write_uint(writer, PROCESS_PID, process + 1);
	proto_write_text(writer, PROCESS_NAME,
		measure_conversion_process_name(perfetto->conversion, process));
	proto_end(writer, descriptor);
	proto_end(writer, track);
	proto_end(writer, packet);
}

void perfetto_write_location(struct perfetto *perfetto, uint32_t location)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	const uint32_t process = measure_conversion_process(perfetto->conversion, location);
	struct proto_writer *writer = &perfetto->writer;
	const size_t packet = packet_begin(perfetto);
	const size_t track = track_begin(perfetto, perfetto_track(TRACK_OF_LOCATION, location));
	size_t descriptor;

	proto_write_uint(writer, TRACK_PARENT, perfetto_track(TRACK_OF_PROCESS, process));
	descriptor = proto_begin(writer, TRACK_THREAD);
	proto_write_uint(writer, THREAD_PID, process + 1);
	proto_write_uint(writer, THREAD_TID, location + 1);
	proto_write_text(writer, THREAD_NAME,
		measure_text(definitions, definitions->locations[location].name));
	proto_end(writer, descriptor);
	proto_end(writer, track);
	proto_end(writer, packet);
}

void perfetto_write_child_track(
	struct perfetto *perfetto, uint64_t uuid, uint32_t location, const char *name)
{
	struct proto_writer *writer = &perfetto->writer;
	const size_t packet = packet_begin(perfetto);
	const size_t track = track_begin(perfetto, uuid);

	proto_write_text(writer, TRACK_NAME, name);
	if (location != MEASURE_NONE)
		proto_write_uint(writer, TRACK_PARENT, perfetto_track(TRACK_OF_LOCATION, location));
	proto_end(writer, track);
	proto_end(writer, packet);
}

void perfetto_write_counter_track(struct perfetto *perfetto, uint64_t uuid, uint32_t location,
	const struct measure_metric_member *member)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	const char *unit = measure_text(definitions, member->unit);
	const bool has_bytes =
		!strcmp(unit, "B") || !strcmp(unit, "bytes") || !strcmp(unit, "Bytes");
	struct proto_writer *writer = &perfetto->writer;
	const size_t packet = packet_begin(perfetto);
	const size_t track = track_begin(perfetto, uuid);
	size_t counter;

	proto_write_text(writer, TRACK_NAME, measure_text(definitions, member->name));
	proto_write_uint(writer, TRACK_PARENT, perfetto_track(TRACK_OF_LOCATION, location));
	counter = proto_begin(writer, TRACK_COUNTER);
	proto_write_uint(writer, COUNTER_UNIT, has_bytes ? UNIT_SIZE_BYTES : UNIT_COUNT);
	if (*unit && !has_bytes)
		proto_write_text(writer, COUNTER_UNIT_NAME, unit);
	proto_end(writer, counter);
	proto_end(writer, track);
	proto_end(writer, packet);
}

/* ------------------------------------------------------------------------- events --- */

static size_t event_begin(struct perfetto *perfetto, enum perfetto_event_type type)
{
	const size_t event = proto_begin(&perfetto->writer, PACKET_TRACK_EVENT);

	proto_write_uint(&perfetto->writer, EVENT_TYPE, type);
	return event;
}

struct perfetto_event perfetto_begin_event(
	struct perfetto *perfetto, uint64_t ns, enum perfetto_event_type type)
{
	struct perfetto_event event = {.packet = event_packet_begin(perfetto, ns)};

	event.event = event_begin(perfetto, type);
	return event;
}

void perfetto_end_event(struct perfetto *perfetto, const struct perfetto_event *event)
{
	proto_end(&perfetto->writer, event->event);
	proto_end(&perfetto->writer, event->packet);
}

void perfetto_annotate_uint(struct perfetto *perfetto, const char *name, uint64_t value)
{
	const size_t annotation = proto_begin(&perfetto->writer, EVENT_ANNOTATION);

	proto_write_text(&perfetto->writer, ANNOTATION_NAME, name);
	proto_write_uint(&perfetto->writer, ANNOTATION_UINT, value);
	proto_end(&perfetto->writer, annotation);
}

void perfetto_annotate_text(struct perfetto *perfetto, const char *name, const char *value)
{
	const size_t annotation = proto_begin(&perfetto->writer, EVENT_ANNOTATION);

	proto_write_text(&perfetto->writer, ANNOTATION_NAME, name);
	proto_write_text(&perfetto->writer, ANNOTATION_TEXT, value);
	proto_end(&perfetto->writer, annotation);
}

static void intern_text(
	struct perfetto *perfetto, enum perfetto_field field, uint64_t iid, const char *text)
{
	const size_t interned = proto_begin(&perfetto->writer, field);

	proto_write_uint(&perfetto->writer, INTERNED_IID, iid);
	proto_write_text(&perfetto->writer, INTERNED_TEXT, text);
	proto_end(&perfetto->writer, interned);
}

static void intern_source(
	struct perfetto *perfetto, uint64_t iid, const struct measure_region *region)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;
	struct proto_writer *writer = &perfetto->writer;
	const size_t source = proto_begin(writer, INTERNED_SOURCES);

	proto_write_uint(writer, INTERNED_IID, iid);
	proto_write_text(writer, SOURCE_FILE, measure_text(definitions, region->file));
	proto_write_text(writer, SOURCE_FUNCTION, measure_text(definitions, region->name));
	proto_write_uint(writer, SOURCE_LINE, region->begin_line);
	proto_end(writer, source);
}

/* NULL, or a region with a line of source. */
static const struct measure_region *region_with_source(
	const struct perfetto *perfetto, uint32_t region)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;

	if (region >= definitions->nr_regions || definitions->regions[region].begin_line == 0)
		return NULL;
	return &definitions->regions[region];
}

static OTF2_Paradigm paradigm_of(const struct perfetto *perfetto, uint32_t region)
{
	const struct measure_definitions *definitions = perfetto->conversion->definitions;

	return region < definitions->nr_regions ? definitions->regions[region].paradigm
						: OTF2_PARADIGM_UNKNOWN;
}

/* What the sequence has not heard of yet. */
static void intern_region(struct perfetto *perfetto, uint32_t region)
{
	const struct measure_conversion *conversion = perfetto->conversion;
	const size_t number = measure_conversion_region_number(conversion, region);
	const OTF2_Paradigm paradigm = paradigm_of(perfetto, region);
	const char *category = measure_conversion_paradigm_name(paradigm);
	size_t interned;

	if (perfetto->regions[number] == perfetto->sequence)
		return;
	perfetto->regions[number] = perfetto->sequence;
	interned = proto_begin(&perfetto->writer, PACKET_INTERNED_DATA);
	intern_text(perfetto, INTERNED_NAMES, number + 1,
		measure_conversion_region_name(conversion, region));
	if (perfetto->categories[paradigm] != perfetto->sequence) {
		perfetto->categories[paradigm] = perfetto->sequence;
		intern_text(perfetto, INTERNED_CATEGORIES, (uint64_t)paradigm + 1,
			*category ? category : "Other");
	}
	if (region_with_source(perfetto, region))
		intern_source(perfetto, number + 1, region_with_source(perfetto, region));
	proto_end(&perfetto->writer, interned);
}

void perfetto_write_region_event(
	struct perfetto *perfetto, uint64_t ns, enum perfetto_event_type type, uint32_t region)
{
	struct proto_writer *writer = &perfetto->writer;
	const size_t number = measure_conversion_region_number(perfetto->conversion, region);
	const size_t packet = event_packet_begin(perfetto, ns);
	size_t event;

	intern_region(perfetto, region);
	event = event_begin(perfetto, type);
	proto_write_uint(writer, EVENT_NAME_IID, number + 1);
	proto_write_uint(writer, EVENT_CATEGORY, (uint64_t)paradigm_of(perfetto, region) + 1);
	if (region_with_source(perfetto, region))
		proto_write_uint(writer, EVENT_SOURCE_IID, number + 1);
	proto_end(writer, event);
	proto_end(writer, packet);
}

void perfetto_write_end(struct perfetto *perfetto, uint64_t ns)
{
	const struct perfetto_event event = perfetto_begin_event(perfetto, ns, EVENT_SLICE_END);

	perfetto_end_event(perfetto, &event);
}
