/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slices of small archives: how they are made and read. */
#include "config.h"

#include "t_slice.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../analysis/t_otf2.h"
#include "base/file.h"
#include "export/slice/slice.h"
#include "sync/write/slicing.h"
#include "trace/archive/trace_properties.h"
#include "trace/common/trace_error.h"

#define T_TEXT 65536

static char slice[] = "/tmp/measure-slice-XXXXXX", again[] = "/tmp/measure-slice-XXXXXX";
static char said[T_TEXT], property[64];

static void make_empty(char *directory)
{
	if (strchr(directory, 'X') == NULL)
		measure_file_remove_tree(AT_FDCWD, directory);
	strcpy(directory + strlen("/tmp/measure-slice-"), "XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
}

/* ---------------------------------------------------------------------------- reading --- */

static bool is_made_up(const struct measure_trace *trace, const struct measure_record *record)
{
	const struct measure_definitions *definitions = &trace->definitions;

	for (uint32_t i = 0; i < record->nr_attributes; i++) {
		const uint32_t index = measure_definition_index(
			definitions, MEASURE_KIND_ATTRIBUTE, record->attributes[i].id);

		if (index != MEASURE_NONE &&
			!strcmp(measure_text(definitions, definitions->attributes[index].name),
				MEASURE_ATTRIBUTE_SYNTHETIC))
			return true;
	}
	return false;
}

static void say(const struct measure_trace *trace, const struct measure_record *record)
{
	const struct measure_record_format *format = &measure_record_formats[record->kind];
	size_t length = strlen(said);

	length += (size_t)snprintf(said + length, T_TEXT - length, "%s%" PRIu64 "%s %s",
		length ? "; " : "", record->time - T_START, is_made_up(trace, record) ? "*" : "",
		measure_event_names[record->kind]);
	for (uint8_t i = 0; i < format->nr_fields; i++) {
		const uint64_t value = format->fields[i].type == MEASURE_FIELD_TIME
					       ? record->values[i] - T_START
					       : record->values[i];

		length += (size_t)snprintf(said + length, T_TEXT - length, " %" PRId64,
			(int64_t)(format->fields[i].type == MEASURE_FIELD_VALUES ? record->items[0]
										 : value));
	}
}

static void read_directory(const char *directory, uint32_t location)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	const struct measure_record *record;
	struct measure_trace_properties properties;
	struct measure_stream stream;
	struct measure_trace *trace;
	const char *text;
	uint64_t nr_read;

	said[0] = '\0';
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &findings, &trace), MEASURE_OK);
	measure_trace_properties_read(trace, &properties);
	text = measure_trace_property(&properties, MEASURE_PROPERTY_SLICE);
	snprintf(property, sizeof(property), "%s", text ? text : "");
	measure_trace_properties_free(&properties);
	measure_stream_open(&stream, trace, location);
	while ((record = measure_event_decoder_next(&stream.decoder)))
		say(trace, record);
	CU_ASSERT_EQUAL(measure_stream_close(&stream, &nr_read), MEASURE_OK);
	CU_ASSERT_EQUAL(trace->definitions.locations[location].nr_events, nr_read);
	measure_trace_close(trace);
	measure_findings_free(&findings);
}

bool t_says(uint32_t location, const char *expected)
{
	read_directory(slice, location);
	if (strcmp(said, expected) == 0)
		return true;
	fprintf(stderr, "location %u: expected: %s\nfound: %s\n", location, expected, said);
	return false;
}

const char *t_property(void)
{
	read_directory(slice, 0);
	return property;
}

/* ---------------------------------------------------------------------------- slicing --- */

static void slice_directory(const char *from, char *to, struct measure_slice_options options)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_slice_result result;
	struct measure_trace *trace;

	make_empty(to);
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(from, &findings, &trace), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_slice_write(trace, &options, to, &result), MEASURE_OK);
	measure_trace_close(trace);
	measure_findings_free(&findings);
}

static void compare(const char *left, const char *right)
{
	static char text[T_TEXT];

	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
		read_directory(left, i);
		strcpy(text, said);
		read_directory(right, i);
		CU_ASSERT_STRING_EQUAL(text, said);
	}
}

static void slice_and_compare(struct measure_slice_options options)
{
	t_read();
	slice_directory(t_otf2_directory(), again,
		(struct measure_slice_options){T_START, T_START + T_END, NULL});
	compare(t_otf2_directory(), again);
	slice_directory(t_otf2_directory(), slice, options);
	options.locations = NULL;
	slice_directory(slice, again, options);
	compare(slice, again);
}

void t_slice(uint64_t from, uint64_t until)
{
	slice_and_compare((struct measure_slice_options){T_START + from, T_START + until, NULL});
}

void t_slice_location(uint64_t from, uint64_t until, uint32_t location)
{
	bool locations[T_NR_LOCATIONS] = {[0] = location == 0};

	locations[location] = true;
	slice_and_compare(
		(struct measure_slice_options){T_START + from, T_START + until, locations});
}

void t_slice_end(void)
{
	measure_file_remove_tree(AT_FDCWD, slice);
	measure_file_remove_tree(AT_FDCWD, again);
	t_end();
}
