/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a profile out of its archive: call paths from the definitions, then the rows. Nothing is
 * taken on trust: what is damaged must not become a profile. */
#include "config.h"

#include "profile_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive_rows.h"
#include "sync/parallel/sync_ranks.h"
#include "trace/archive/trace_properties.h"
#include "trace/common/trace_error.h"
#include "trace/stream/stream.h"

struct archive_reading {
	struct measure_trace *trace;
	struct measure_profile *profile;
	uint32_t first_context, first_class;
	struct archive_class classes[ARCHIVE_NR_CLASSES];
	uint64_t nr_whole; /* rows of this class */
	uint64_t sum;
	const char *fault; /* the first one */
	/* the location being read */
	uint32_t location;
	uint64_t location_sum;
};

static bool fail(struct archive_reading *reading, const char *fault)
{
	if (!reading->fault)
		reading->fault = fault;
	return false;
}

/* -------------------------------------------------------------------- definitions --- */

static bool is_pseudo_region(const struct measure_definitions *definitions, uint32_t region)
{
	return region < definitions->nr_regions &&
	       strcmp(measure_text(definitions, definitions->regions[region].description),
		       ARCHIVE_PSEUDO_REGION) == 0;
}

/* MEASURE_NONE: there is no such pseudo region. */
static uint32_t region_of_path(const struct archive_reading *reading, uint32_t region)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const char *name;

	if (!is_pseudo_region(definitions, region))
		return region < definitions->nr_regions ? region : MEASURE_NONE;
	name = measure_name_of_region(definitions, region);
	for (uint32_t i = MEASURE_PSEUDO_BEFORE + 1; i < MEASURE_PSEUDO_END; i++)
		if (strcmp(name, measure_profile_region_name(reading->profile, i)) == 0)
			return i;
	return MEASURE_NONE;
}

static bool read_path(struct archive_reading *reading, uint32_t path)
{
	const struct measure_calling_context *context =
		&reading->trace->definitions.calling_contexts[reading->first_context + path];
	const uint32_t region = region_of_path(reading, context->region);
	const uint32_t parent = context->parent - reading->first_context;

	return region != MEASURE_NONE && context->parent != MEASURE_NONE && parent < path &&
	       measure_profile_child_slowly(reading->profile, parent, region) == path;
}

/* The root is the first that has a pseudo region; all behind it are paths. */
static bool read_paths(struct archive_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const uint32_t nr = (uint32_t)definitions->nr_calling_contexts;
	uint32_t root = 0;

	while (root < nr &&
		!is_pseudo_region(definitions, definitions->calling_contexts[root].region))
		root++;
	if (root == nr)
		return fail(reading, "there are no call paths");
	reading->first_context = root;
	for (uint32_t path = 1; path < nr - root; path++)
		if (!read_path(reading, path))
			return fail(reading, "its call paths are no tree");
	return true;
}

static bool is_class(const struct archive_reading *reading, const struct archive_class *class,
	const struct measure_metric *metric)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	char name[ARCHIVE_NAME_SIZE];

	if (metric->instance_of != MEASURE_NONE || metric->nr_members != class->nr_fields)
		return false;
	for (uint8_t i = 0; i < class->nr_fields; i++) {
		const uint32_t member = measure_definition_index(
			definitions, MEASURE_KIND_METRIC_MEMBER, metric->members[i]);

		archive_member_name(class, i, name);
		if (member == MEASURE_NONE ||
			strcmp(measure_text(definitions, definitions->metric_members[member].name),
				name) != 0)
			return false;
	}
	return true;
}

/* They are the last metric classes, in order. */
static bool read_classes(struct archive_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;

	if (definitions->nr_metrics < ARCHIVE_NR_CLASSES)
		return fail(reading, "metric classes are missing");
	reading->first_class = (uint32_t)definitions->nr_metrics - ARCHIVE_NR_CLASSES;
	for (uint32_t i = 0; i < ARCHIVE_NR_CLASSES; i++) {
		archive_class_describe((enum archive_class_name)i, &reading->classes[i]);
		if (!is_class(reading, &reading->classes[i],
			    &definitions->metrics[reading->first_class + i]))
			return fail(reading, "its metric classes are others");
	}
	return true;
}

/* --------------------------------------------------------------------------- rows --- */

static void add_path(struct measure_profile *profile, const struct archive_path *row)
{
	struct measure_profile_path *path = &profile->paths[row->path];

	path->visits = row->values.visits;
	path->inclusive = row->values.inclusive;
	path->bytes = row->values.bytes;
	path->min = row->values.min;
	path->max = row->values.max;
}

static bool add_bucket(struct measure_profile *profile, const struct archive_bucket *row)
{
	struct measure_profile_path *path = &profile->paths[row->path];

	if (row->bucket >= MEASURE_HISTOGRAM_BUCKETS)
		return false;
	if (!path->calls)
		path->calls = measure_zeroed(1, sizeof(*path->calls));
	*measure_histogram_count(path->calls, row->bucket) = row->count;
	return true;
}

static bool add_metric(struct archive_reading *reading, const struct measure_profile_metric *metric)
{
	struct measure_profile *profile = reading->profile;

	if (metric->member >= reading->trace->definitions.nr_metric_members)
		return false;
	profile->metrics = measure_grow(profile->metrics, profile->nr_metrics,
		&profile->room_metrics, sizeof(*profile->metrics));
	profile->metrics[profile->nr_metrics] = *metric;
	profile->metrics[profile->nr_metrics++].location = reading->location;
	return true;
}

static void add_row(struct archive_reading *reading, const struct measure_profile_row *row)
{
	struct measure_profile *profile = reading->profile;

	profile->rows = measure_grow(
		profile->rows, profile->nr_rows, &profile->room_rows, sizeof(*profile->rows));
	profile->rows[profile->nr_rows] = *row;
	profile->rows[profile->nr_rows++].location = reading->location;
}

static bool add_to_table(
	struct archive_reading *reading, enum measure_table_name name, const uint64_t *values)
{
	struct measure_profile *profile = reading->profile;
	struct measure_key key;

	if (!archive_key_decode(name, values, profile, reading->first_context, &key))
		return false;
	measure_profile_table_add(
		&profile->tables[name], name, key, values + archive_key_width(name));
	return true;
}

static bool add_values(
	struct archive_reading *reading, enum archive_class_name name, const uint64_t *values)
{
	const struct archive_class *class = &reading->classes[name];
	union {
		struct archive_path path;
		struct archive_bucket bucket;
		struct measure_profile_row row;
		struct measure_profile_metric metric;
	} row;
	/* the whole is the profile itself */
	void *place = name == ARCHIVE_WHOLE ? (void *)reading->profile : &row;

	if (name >= ARCHIVE_TABLES)
		return add_to_table(
			reading, (enum measure_table_name)(name - ARCHIVE_TABLES), values);
	memset(&row, 0, sizeof(row));
	if (!archive_row_decode(class, values, reading->profile, reading->first_context, place))
		return false;
	switch (name) {
	case ARCHIVE_WHOLE:
		reading->nr_whole++;
		return true;
	case ARCHIVE_PATHS:
		add_path(reading->profile, &row.path);
		return true;
	case ARCHIVE_BUCKETS:
		return add_bucket(reading->profile, &row.bucket);
	case ARCHIVE_ROWS:
		add_row(reading, &row.row);
		return true;
	default:
		return add_metric(reading, &row.metric);
	}
}

static bool read_event(struct archive_reading *reading, const struct measure_event *event,
	const struct measure_record *record)
{
	const uint32_t index = event->ref - reading->first_class;

	if (event->kind != MEASURE_EVENT_METRIC || event->ref < reading->first_class ||
		index >= ARCHIVE_NR_CLASSES || event->peer != reading->classes[index].nr_fields)
		return fail(reading, "an event is none of a profile");
	for (uint8_t i = 0; i < reading->classes[index].nr_fields; i++)
		if (record->types[i] != archive_field_type(&reading->classes[index].fields[i]))
			return fail(reading, "a value is of another type");
	reading->location_sum = archive_sum_row(reading->location_sum,
		(enum archive_class_name)index, reading->classes[index].nr_fields, record->items);
	return add_values(reading, (enum archive_class_name)index, record->items) ||
	       fail(reading, "a value is out of range");
}

static bool read_rows_of(
	struct archive_reading *reading, struct measure_trace *reader, uint32_t location)
{
	const struct measure_location_definition *definition =
		&reading->trace->definitions.locations[location];
	const struct measure_event *event;
	struct measure_stream stream;
	uint64_t nr_read;
	bool is_good = true;

	reading->location = location;
	reading->location_sum = archive_sum_start(definition->id);
	measure_stream_open(&stream, reader, location);
	while (is_good && (event = measure_stream_next(&stream)))
		is_good = read_event(reading, event, stream.record);
	if (measure_stream_close(&stream, &nr_read) != MEASURE_OK)
		return fail(reading, "an event file breaks off");
	reading->sum += reading->location_sum;
	return is_good && (nr_read == definition->nr_events ||
				  fail(reading, "there are other numbers of events"));
}

static bool read_rows(struct archive_reading *reading)
{
	struct measure_trace *trace = reading->trace;
	const size_t nr = trace->definitions.nr_locations;
	struct measure_findings findings = {0};
	struct measure_trace reader;
	bool is_good = measure_trace_open_reader(trace, 0, nr, &findings, &reader) == MEASURE_OK;

	if (!is_good)
		fail(reading, "its event files cannot be opened");
	for (size_t i = 0; i < nr && is_good; i++)
		is_good = read_rows_of(reading, &reader, trace->reading_order[i]);
	measure_trace_close_reader(&reader);
	measure_findings_free(&findings);
	return is_good;
}

/* -------------------------------------------------------------------- the archive --- */

/* NULL: the archive has no such property; measure_free() it. */
static char *property_of(const struct measure_trace *trace, const char *name)
{
	char *value = NULL;

	return OTF2_Reader_GetProperty(trace->reader, name, &value) == OTF2_SUCCESS ? value : NULL;
}

bool measure_profile_archive_is_one(const struct measure_trace *trace)
{
	char *version = property_of(trace, ARCHIVE_PROPERTY);

	measure_free(version);
	return version != NULL;
}

static bool has_version(const struct measure_trace *trace, const char *version)
{
	char *value = property_of(trace, ARCHIVE_PROPERTY);
	const bool is_same = value && strcmp(value, version) == 0;

	measure_free(value);
	return is_same;
}

/* An archive without locations has no rows. */
static bool check_sum(struct archive_reading *reading)
{
	char *text = property_of(reading->trace, ARCHIVE_CHECKSUM);
	const uint64_t expected = text ? strtoull(text, NULL, 16) : 0;

	measure_free(text);
	if (reading->nr_whole != (reading->trace->definitions.nr_locations > 0))
		return fail(reading, "its whole is missing");
	return reading->sum + archive_sum_paths(reading->profile) == expected ||
	       fail(reading, "its checksum is another one");
}

static void start_again(struct measure_profile *profile, const struct measure_trace *trace)
{
	measure_profile_free(profile);
	measure_profile_start(profile, trace);
	measure_profile_unify_regions(profile);
}

static measure_status_t refuse(const struct measure_trace *trace, bool has_window)
{
	if (has_window) {
		measure_error_set(
			"%s: a profile, it has no events for a time window; use the trace, "
			"or leave out --from and --until",
			trace->anchor);
		return MEASURE_ERROR_UNSUPPORTED;
	}
	measure_error_set(
		"%s: a profile of another version of Measure; use that version", trace->anchor);
	return MEASURE_ERROR_UNSUPPORTED;
}

measure_status_t measure_profile_archive_read(struct measure_trace *trace,
	const struct measure_profile_options *options, struct measure_profile *profile)
{
	struct archive_reading reading = {.trace = trace, .profile = profile};

	measure_profile_start(profile, trace);
	measure_profile_unify_regions(profile);
	if (options->has_window || !has_version(trace, ARCHIVE_VERSION))
		return refuse(trace, options->has_window);
	if (options->job && options->job->rank > 0)
		return MEASURE_OK;
	if (read_paths(&reading) && read_classes(&reading) && read_rows(&reading) &&
		check_sum(&reading))
		return profile->nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
	measure_error_set("%s: the profile in it is damaged: %s; copy the archive again",
		trace->anchor, reading.fault);
	start_again(profile, trace);
	return MEASURE_ERROR_IO;
}

/* -------------------------------------------------------------------- event files --- */

static uint64_t size_of_file(const struct measure_trace *trace, uint32_t location)
{
	char *path = measure_trace_file(trace, location, ".evt");
	struct stat file;
	const uint64_t size = stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;

	measure_free(path);
	return size;
}

static void take_size(const struct measure_definitions *definitions,
	const struct measure_property *property, struct measure_event_file_size *files)
{
	const char *name = measure_text(definitions, property->name);

	if (property->kind != MEASURE_KIND_LOCATION || property->type != OTF2_TYPE_UINT64 ||
		property->owner == MEASURE_NONE)
		return;
	if (strcmp(name, ARCHIVE_EVENTS) == 0)
		files[property->owner].nr_events = property->value.uint64;
	else if (strcmp(name, ARCHIVE_EVENT_BYTES) == 0)
		files[property->owner].nr_bytes = property->value.uint64;
}

struct measure_event_file_size *measure_profile_event_files(const struct measure_trace *trace)
{
	const struct measure_definitions *definitions = &trace->definitions;
	struct measure_event_file_size *files =
		measure_zeroed(definitions->nr_locations, sizeof(*files));
	const bool is_profile = measure_profile_archive_is_one(trace);

	for (size_t i = 0; is_profile && i < definitions->nr_properties; i++)
		take_size(definitions, &definitions->properties[i], files);
	for (uint32_t i = 0; !is_profile && i < definitions->nr_locations; i++)
		files[i] = (struct measure_event_file_size){
			definitions->locations[i].nr_events, size_of_file(trace, i)};
	return files;
}
