/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the markers of an archive, in the order of time. No clock offset applies to their times. */
#include "config.h"

#include "archive_markers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static OTF2_CallbackCode on_category(void *data, OTF2_MarkerRef id, const char *group,
	const char *category, OTF2_MarkerSeverity severity)
{
	struct archive_markers *markers = data;

	(void)group;
	(void)severity;
	*measure_append(markers, categories) =
		(struct archive_marker_category){id, measure_copy_text(category ? category : "")};
	return OTF2_CALLBACK_SUCCESS;
}

static const char *category_name(const struct archive_markers *markers, OTF2_MarkerRef id)
{
	for (size_t i = 0; i < markers->nr_categories; i++)
		if (markers->categories[i].id == id)
			return markers->categories[i].name;
	return "";
}

static OTF2_CallbackCode on_marker(void *data, OTF2_TimeStamp time, OTF2_TimeStamp duration,
	OTF2_MarkerRef id, OTF2_MarkerScope scope, uint64_t subject, const char *text)
{
	struct archive_markers *markers = data;
	const struct measure_conversion *conversion = markers->conversion;
	uint32_t location = MEASURE_NONE;

	(void)duration;
	if (scope == OTF2_MARKER_SCOPE_LOCATION)
		location = measure_definition_index(
			conversion->definitions, MEASURE_KIND_LOCATION, subject);
	if (location != MEASURE_NONE && !conversion->is_selected[location])
		return OTF2_CALLBACK_SUCCESS;
	if (time < conversion->from || time > conversion->until)
		return OTF2_CALLBACK_SUCCESS;
	*measure_append(markers, items) =
		(struct archive_marker){.ns = measure_conversion_ns(conversion, time),
			.location = location,
			.number = markers->nr_items,
			.category = measure_copy_text(category_name(markers, id)),
			.text = measure_copy_text(text ? text : "")};
	return OTF2_CALLBACK_SUCCESS;
}

static int marker_compare(const void *left, const void *right)
{
	const struct archive_marker *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	if (a->location != b->location) /* those of none first */
		return a->location + 1 < b->location + 1 ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool has_markers(const struct measure_trace *trace)
{
	const size_t length = strlen(trace->anchor), end = strlen(".otf2");
	char *path = measure_zeroed(length + sizeof(".marker"), 1);
	bool is_there;

	sprintf(path, "%.*s.marker", (int)(length > end ? length - end : 0), trace->anchor);
	is_there = access(path, R_OK) == 0;
	measure_free(path);
	return is_there;
}

void archive_markers_read(
	struct archive_markers *markers, const struct measure_conversion *conversion)
{
	OTF2_Reader *reader = conversion->trace->reader;
	OTF2_MarkerReaderCallbacks *callbacks;
	OTF2_MarkerReader *file;
	uint64_t nr_read;

	*markers = (struct archive_markers){.conversion = conversion};
	file = has_markers(conversion->trace) ? OTF2_Reader_GetMarkerReader(reader) : NULL;
	if (!file)
		return;
	callbacks = OTF2_MarkerReaderCallbacks_New();
	OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_category);
	OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_marker);
	OTF2_Reader_RegisterMarkerCallbacks(reader, file, callbacks, markers);
	OTF2_MarkerReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllMarkers(reader, file, &nr_read);
	OTF2_Reader_CloseMarkerReader(reader, file);
	if (markers->nr_items > 0)
		qsort(markers->items, markers->nr_items, sizeof(*markers->items), marker_compare);
}

void archive_markers_free(struct archive_markers *markers)
{
	for (size_t i = 0; i < markers->nr_items; i++) {
		measure_free(markers->items[i].category);
		measure_free(markers->items[i].text);
	}
	for (size_t i = 0; i < markers->nr_categories; i++)
		measure_free(markers->categories[i].name);
	measure_free(markers->items);
	measure_free(markers->categories);
}
