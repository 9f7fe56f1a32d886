/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens an archive: anchor, global definitions, local definitions of all locations. */
#include "config.h"

#include "trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "anchor.h"
#include "format/run_layout.h"
#include "trace/common/trace_error.h"
#include "trace/common/containers.h"
#include "id_mapping.h"
#include "file_truncation.h"
#include "trace_properties.h"

/* Time that the library takes for a location grows with the number of those that its reader knows:
 * definitions of so many are read by one reader. */
#define LOCATIONS_OF_READER 512

/* Where the records of the local definition file being read go. */
struct local_reader {
	struct measure_trace *trace;
	uint32_t location;
	struct measure_id_mapping *mapping; /* NULL: none yet */
};

static OTF2_CallbackCode on_mapping_table(
	void *data, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct local_reader *local = data;

	if (!local->mapping)
		local->mapping = measure_zeroed(1, sizeof(*local->mapping));
	measure_id_mapping_add(local->mapping, type, map);
	return OTF2_CALLBACK_SUCCESS;
}

/* As a rule it is that of the location before. */
static void keep_mapping(struct local_reader *local)
{
	struct measure_id_mapping **mapping = &local->trace->mappings[local->location];

	*mapping = local->mapping;
	if (!*mapping)
		return;
	if (local->location > 0 && mapping[-1] &&
		measure_id_mapping_is_same(*mapping, mapping[-1])) {
		measure_id_mapping_free(*mapping);
		*mapping = mapping[-1];
	} else {
		measure_id_mapping_link(*mapping, &local->trace->definitions);
	}
}

static void free_mappings(struct measure_trace *trace)
{
	for (size_t i = 0; trace->mappings && i < trace->definitions.nr_locations; i++)
		if (i == 0 || trace->mappings[i] != trace->mappings[i - 1])
			measure_id_mapping_free(trace->mappings[i]);
	measure_free(trace->mappings);
}

static OTF2_CallbackCode on_clock_offset(
	void *data, OTF2_TimeStamp time, int64_t offset, double deviation)
{
	struct local_reader *local = data;
	struct measure_clock_function *offsets = &local->trace->offsets[local->location];
	struct measure_place place = {local->location, time, 0};

	if (offsets->nr && offsets->items[offsets->nr - 1].time >= time) {
		measure_report(local->trace->findings, MEASURE_CHECK_CLOCK_OFFSETS, place,
			"clock offset at tick %llu follows the one at %llu",
			(unsigned long long)time,
			(unsigned long long)offsets->items[offsets->nr - 1].time);
		return OTF2_CALLBACK_SUCCESS;
	}
	offsets->items = measure_grow(
		offsets->items, offsets->nr, &offsets->capacity, sizeof(*offsets->items));
	offsets->items[offsets->nr++] = (struct measure_clock_knot){time, offset, deviation};
	return OTF2_CALLBACK_SUCCESS;
}

/* Reads the local definitions of one location; the library keeps its mapping tables. */
static void read_local(struct measure_trace *trace, OTF2_Reader *archive, OTF2_DefReader *reader,
	uint32_t location, OTF2_DefReaderCallbacks *callbacks)
{
	struct local_reader local = {trace, location, NULL};
	struct measure_place place = {location, 0, 0};
	OTF2_ErrorCode status;
	const uint64_t nr_whole = measure_trace_nr_intact_local(trace, location);
	uint64_t nr_read;

	measure_error_start();
	status = OTF2_Reader_RegisterDefCallbacks(archive, reader, callbacks, &local);
	if (status == OTF2_SUCCESS)
		status = OTF2_Reader_ReadLocalDefinitions(archive, reader, nr_whole, &nr_read);
	keep_mapping(&local);
	if (status == OTF2_SUCCESS && nr_read >= nr_whole)
		status = OTF2_ERROR_FILE_INTERACTION; /* it ends there */
	if (status != OTF2_SUCCESS)
		measure_report(trace->findings, MEASURE_CHECK_LOCAL_DEFINITIONS, place,
			"the local definitions end early: %s", measure_error_cause());
	else if (trace->offsets[location].nr == 1)
		measure_report(trace->findings, MEASURE_CHECK_CLOCK_OFFSET_SINGLE, place,
			"one clock offset only");
	OTF2_Reader_CloseDefReader(archive, reader);
}

char *measure_trace_file(const struct measure_trace *trace, uint32_t location, const char *suffix)
{
	const size_t length = strlen(trace->anchor) - strlen(".otf2");
	const size_t size = length + sizeof("/18446744073709551615") + strlen(suffix);
	char *path = measure_zeroed(size, 1);

	snprintf(path, size, "%.*s/%llu%s", (int)length, trace->anchor,
		(unsigned long long)trace->definitions.locations[location].id, suffix);
	return path;
}

/* The library does not tell a file that is not there from one that it cannot open. */
static bool has_local_file(const struct measure_trace *trace, uint32_t location)
{
	char *path = measure_trace_file(trace, location, ".def");
	const bool is_there = access(path, F_OK) == 0;

	measure_free(path);
	return is_there;
}

/* Locations whose local definitions are not there. */
struct missing_files {
	uint32_t nr, last;
};

static void read_local_run(struct measure_trace *trace, OTF2_Reader *archive,
	OTF2_DefReaderCallbacks *callbacks, size_t first, size_t end, struct missing_files *missing)
{
	for (size_t i = first; i < end; i++) {
		OTF2_DefReader *reader = OTF2_Reader_GetDefReader(
			archive, trace->definitions.locations[i].id);

		if (reader) {
			read_local(trace, archive, reader, (uint32_t)i, callbacks);
			continue;
		}
		if (has_local_file(trace, (uint32_t)i)) {
			measure_report(trace->findings, MEASURE_CHECK_LOCAL_DEFINITIONS,
				(struct measure_place){(uint32_t)i, 0, 0},
				"the local definitions cannot be read");
			continue;
		}
		missing->nr++;
		missing->last = (uint32_t)i;
	}
}

static void select_run(
	const struct measure_trace *trace, OTF2_Reader *archive, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		OTF2_Reader_SelectLocation(archive, trace->definitions.locations[i].id);
}

/* The reader that opened the archive does it, where it will also read events, or they are few. */
static bool is_read_at_once(const struct measure_trace *trace)
{
	return trace->is_foreign || trace->definitions.nr_locations <= LOCATIONS_OF_READER;
}

/* By a reader of its own. */
static void read_run_apart(struct measure_trace *trace, OTF2_DefReaderCallbacks *callbacks,
	size_t first, size_t end, struct missing_files *missing)
{
	OTF2_Reader *archive = OTF2_Reader_Open(trace->anchor);

	if (!archive || OTF2_Reader_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS)
		goto undo_open;
	select_run(trace, archive, first, end);
	if (OTF2_Reader_OpenDefFiles(archive) != OTF2_SUCCESS)
		goto undo_open;
	read_local_run(trace, archive, callbacks, first, end, missing);
	OTF2_Reader_CloseDefFiles(archive);
	OTF2_Reader_Close(archive);
	return;
undo_open:
	measure_report(trace->findings, MEASURE_CHECK_LOCAL_DEFINITIONS,
		(struct measure_place){(uint32_t)first, 0, 0},
		"the local definitions cannot be read: %s", measure_error_cause());
	if (archive)
		OTF2_Reader_Close(archive);
}

static void read_all_runs(struct measure_trace *trace, OTF2_DefReaderCallbacks *callbacks,
	struct missing_files *missing)
{
	const size_t nr = trace->definitions.nr_locations;

	if (is_read_at_once(trace)) {
		if (OTF2_Reader_OpenDefFiles(trace->reader) != OTF2_SUCCESS)
			return;
		read_local_run(trace, trace->reader, callbacks, 0, nr, missing);
		OTF2_Reader_CloseDefFiles(trace->reader);
		return;
	}
	for (size_t i = 0; i < nr; i += LOCATIONS_OF_READER)
		read_run_apart(trace, callbacks, i,
			nr - i < LOCATIONS_OF_READER ? nr : i + LOCATIONS_OF_READER, missing);
}

/* Local definition files are optional for the format, but readers complain without. */
static void read_all_local(struct measure_trace *trace)
{
	OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
	struct missing_files missing = {0, 0};

	if (!callbacks)
		return;
	OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
	OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
	read_all_runs(trace, callbacks, &missing);
	if (missing.nr)
		measure_report(trace->findings, MEASURE_CHECK_LOCAL_DEFINITIONS_MISSING,
			(struct measure_place){missing.last, 0, 0},
			"%u of %zu locations have no local definitions", missing.nr,
			trace->definitions.nr_locations);
	OTF2_DefReaderCallbacks_Delete(callbacks);
}

/* Stable counting sort by location group; locations without a group come last. */
static void make_reading_order(struct measure_trace *trace)
{
	const struct measure_definitions *definitions = &trace->definitions;
	size_t nr_groups = definitions->nr_location_groups;
	uint32_t *next = measure_zeroed(nr_groups + 2, sizeof(*next));

	for (size_t i = 0; i < definitions->nr_locations; i++) {
		uint32_t group = definitions->locations[i].group;

		next[(group == MEASURE_NONE ? nr_groups : group) + 1]++;
	}
	for (size_t group = 0; group < nr_groups; group++)
		next[group + 1] += next[group];
	trace->reading_order = measure_zeroed(definitions->nr_locations, sizeof(uint32_t));
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		uint32_t group = definitions->locations[i].group;

		trace->reading_order[next[group == MEASURE_NONE ? nr_groups : group]++] = i;
	}
	measure_free(next);
}

/* What the anchor promises against what the definitions hold. */
static void compare_with_anchor(struct measure_trace *trace)
{
	uint64_t nr_locations = 0, nr_definitions = 0;

	OTF2_Reader_GetNumberOfLocations(trace->reader, &nr_locations);
	OTF2_Reader_GetNumberOfGlobalDefinitions(trace->reader, &nr_definitions);
	if (nr_locations != trace->definitions.nr_locations)
		measure_report(trace->findings, MEASURE_CHECK_ANCHOR_COUNTS, measure_nowhere,
			"the anchor states %llu locations, but %zu are defined",
			(unsigned long long)nr_locations, trace->definitions.nr_locations);
	if (nr_definitions != trace->definitions.nr_read)
		measure_report(trace->findings, MEASURE_CHECK_ANCHOR_COUNTS, measure_nowhere,
			"the anchor states %llu definitions, but there are %llu",
			(unsigned long long)nr_definitions,
			(unsigned long long)trace->definitions.nr_read);
}

static measure_status_t read_definitions(struct measure_trace *trace)
{
	struct measure_definitions *definitions = &trace->definitions;

	const uint64_t nr_whole = measure_trace_nr_intact_global(trace);

	if (measure_definitions_read(definitions, trace->reader, nr_whole, trace->findings) !=
			OTF2_SUCCESS ||
		definitions->nr_read >= nr_whole) {
		measure_error_set("%s: cannot read its definitions (%.*s.def): %s; copy the "
				  "archive again or run measure-repair",
			trace->anchor, (int)(strlen(trace->anchor) - strlen(".otf2")),
			trace->anchor, measure_error_cause());
		return MEASURE_ERROR_FORMAT;
	}
	trace->offsets = measure_zeroed(definitions->nr_locations, sizeof(*trace->offsets));
	trace->mappings = measure_zeroed(definitions->nr_locations, sizeof(*trace->mappings));
	if (is_read_at_once(trace))
		select_run(trace, trace->reader, 0, definitions->nr_locations);
	compare_with_anchor(trace);
	make_reading_order(trace);
	read_all_local(trace);
	return MEASURE_OK;
}

/* Event files may be in SION files or compressed; not every library can read these. */
static const char *remedy(const char *cause)
{
	if (strstr(cause, "file substrate") || strstr(cause, "ompression"))
		return "use an OTF2 library that supports its file format";
	return "copy the archive again or run measure-repair";
}

static void ask_for_format(struct measure_trace *trace)
{
	OTF2_Compression compression = OTF2_COMPRESSION_UNDEFINED;
	OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
	uint64_t definitions;

	OTF2_Reader_GetCompression(trace->reader, &compression);
	OTF2_Reader_GetFileSubstrate(trace->reader, &substrate);
	trace->is_foreign = compression != OTF2_COMPRESSION_NONE ||
			    substrate != OTF2_SUBSTRATE_POSIX ||
			    OTF2_Reader_GetChunkSize(trace->reader, &trace->chunk_size,
				    &definitions) != OTF2_SUCCESS;
}

static measure_status_t open_reader(struct measure_trace *trace)
{
	if (measure_anchor_is_plausible(trace->anchor))
		trace->reader = OTF2_Reader_Open(trace->anchor);
	if (trace->reader &&
		OTF2_Reader_SetSerialCollectiveCallbacks(trace->reader) == OTF2_SUCCESS) {
		if (OTF2_Reader_GetCreator(trace->reader, &trace->creator) != OTF2_SUCCESS)
			trace->creator = NULL;
		ask_for_format(trace);
		return MEASURE_OK;
	}
	measure_error_set("%s: not a readable OTF2 archive: %s; %s", trace->anchor,
		measure_error_cause(), remedy(measure_error_cause()));
	return MEASURE_ERROR_FORMAT;
}

/* --keep has dropped its first events; what is kept may have been aligned. */
static void find_lost(const struct measure_trace *trace, struct measure_findings *findings)
{
	struct measure_trace_properties properties;
	const char *kept, *nr, *nr_recorded;

	measure_trace_properties_read(trace, &properties);
	kept = measure_trace_property(&properties, MEASURE_KEPT_PROPERTY);
	nr = measure_trace_property(&properties, "MEASURE::EVENTS");
	nr_recorded = measure_trace_property(&properties, "MEASURE::EVENTS_RECORDED");
	findings->has_lost_begins = kept && strcmp(kept, MEASURE_KEPT_LAST_ONES) == 0 && nr &&
				    nr_recorded && strcmp(nr, nr_recorded) != 0;
	findings->has_lost_partners =
		findings->has_lost_begins &&
		!measure_trace_property(&properties, MEASURE_ALIGNED_PROPERTY);
	measure_trace_properties_free(&properties);
}

measure_status_t measure_trace_open(
	const char *path, struct measure_findings *findings, struct measure_trace **result)
{
	struct measure_trace *trace = measure_zeroed(1, sizeof(*trace));
	measure_status_t status;

	measure_error_start();
	trace->findings = findings;
	status = measure_anchor_find(path, &trace->anchor);
	if (status == MEASURE_OK)
		status = open_reader(trace);
	if (status == MEASURE_OK)
		status = read_definitions(trace);
	if (status == MEASURE_OK)
		find_lost(trace, findings);
	if (status == MEASURE_OK && OTF2_Reader_OpenEvtFiles(trace->reader) != OTF2_SUCCESS) {
		measure_error_set("%s: cannot open its event files: %s; make them readable",
			trace->anchor, measure_error_cause());
		status = MEASURE_ERROR_IO;
	}
	if (status == MEASURE_OK)
		*result = trace;
	else
		measure_trace_close(trace);
	return status;
}

void measure_trace_close(struct measure_trace *trace)
{
	if (!trace)
		return;
	if (trace->reader)
		OTF2_Reader_Close(trace->reader);
	for (size_t i = 0; trace->offsets && i < trace->definitions.nr_locations; i++)
		measure_free(trace->offsets[i].items);
	measure_free(trace->offsets);
	free_mappings(trace);
	measure_free(trace->reading_order);
	measure_definitions_free(&trace->definitions);
	measure_free(trace->creator);
	measure_free(trace->anchor);
	measure_free(trace);
}

/* Mapping tables are in the local definitions; the library keeps them for each reader. */
static void read_mappings(struct measure_trace *reader, size_t first, size_t end)
{
	const struct measure_definitions *definitions = &reader->definitions;

	if (OTF2_Reader_OpenDefFiles(reader->reader) != OTF2_SUCCESS)
		return;
	for (size_t i = first; i < end; i++) {
		uint64_t id = definitions->locations[reader->reading_order[i]].id, nr_read;
		OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader->reader, id);

		if (!local)
			continue;
		OTF2_Reader_ReadAllLocalDefinitions(reader->reader, local, &nr_read);
		OTF2_Reader_CloseDefReader(reader->reader, local);
	}
	OTF2_Reader_CloseDefFiles(reader->reader);
}

measure_status_t measure_trace_open_reader(const struct measure_trace *trace, size_t first,
	size_t end, struct measure_findings *findings, struct measure_trace *reader)
{
	measure_error_start();
	*reader = *trace;
	findings->has_lost_begins = trace->findings->has_lost_begins;
	findings->has_lost_partners = trace->findings->has_lost_partners;
	reader->findings = findings;
	reader->reader = NULL;
	if (!trace->is_foreign)
		return MEASURE_OK; /* its files are all that it needs */
	reader->reader = OTF2_Reader_Open(trace->anchor);
	if (!reader->reader ||
		OTF2_Reader_SetSerialCollectiveCallbacks(reader->reader) != OTF2_SUCCESS)
		goto undo_open;
	for (size_t i = first; i < end; i++)
		OTF2_Reader_SelectLocation(
			reader->reader, trace->definitions.locations[trace->reading_order[i]].id);
	read_mappings(reader, first, end);
	if (OTF2_Reader_OpenEvtFiles(reader->reader) == OTF2_SUCCESS)
		return MEASURE_OK;
undo_open:
	measure_error_set(
		"%s: cannot reopen: %s; use fewer threads", trace->anchor, measure_error_cause());
	measure_trace_close_reader(reader);
	return MEASURE_ERROR_IO;
}

void measure_trace_close_reader(struct measure_trace *reader)
{
	if (reader->reader)
		OTF2_Reader_Close(reader->reader);
	reader->reader = NULL;
}

double measure_trace_span(const struct measure_trace *trace, uint64_t ticks)
{
	uint64_t resolution = trace->definitions.clock.resolution;

	return resolution ? (double)ticks / (double)resolution : (double)ticks;
}

double measure_trace_seconds(const struct measure_trace *trace, uint64_t time)
{
	uint64_t start = trace->definitions.clock.offset;

	return time >= start ? measure_trace_span(trace, time - start)
			     : -measure_trace_span(trace, start - time);
}
