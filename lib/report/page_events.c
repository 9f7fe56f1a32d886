/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What names times of the whole run: phases with their iterations, and markers. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/json_text.h"
#include "page_run.h"

#define MOST_PHASES  10000
#define MOST_MARKERS 10000

/* -------------------------------------------------------------------------- phases --- */

/* From the first begin to the last end of an instance, over all locations. */
struct page_phase {
	uint64_t from, until;
	uint32_t region;
	uint32_t number; /* of its region on each location, from 0 */
};

struct page_phases {
	struct measure_map index; /* (region, number) -> phase */
	MEASURE_GROWING_ITEMS(struct page_phase);
};

static void phases_add(struct page_phases *phases, uint32_t region, uint32_t number,
	const struct measure_phase *phase)
{
	const uint32_t index = measure_map_intern(
		&phases->index, measure_key_pair(region, number), (uint32_t)phases->nr);
	struct page_phase *item;

	if (index == phases->nr)
		*measure_append_item(phases) =
			(struct page_phase){phase->enter, phase->leave, region, number};
	item = &phases->items[index];
	item->from = phase->enter < item->from ? phase->enter : item->from;
	item->until = phase->leave > item->until ? phase->leave : item->until;
}

static void phases_take_location(struct page_phases *phases, const struct measure_profile *profile,
	const struct measure_call_table *table)
{
	struct measure_map numbers = {.nr_slots = 0}; /* of the next one, by region */

	for (size_t i = 0; i < table->nr_phases; i++) {
		const uint32_t region = profile->paths[table->phases[i].path].region;
		const uint32_t number = measure_map_intern(&numbers, measure_key_of(region), 0);

		phases_add(phases, region, number, &table->phases[i]);
		measure_map_set(&numbers, measure_key_of(region), number + 1);
	}
	measure_map_free(&numbers);
}

static int compare_phases(const void *left, const void *right)
{
	const struct page_phase *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->until != b->until)
		return a->until > b->until ? -1 : 1; /* the outer one first */
	return a->region != b->region ? (a->region < b->region ? -1 : 1)
				      : (a->number > b->number) - (a->number < b->number);
}

void measure_page_print_phases(const struct measure_page_run *run, FILE *out)
{
	struct page_phases phases = {.nr = 0};

	for (size_t i = 0; run->waits && i < run->waits->dependencies.nr_locations; i++)
		phases_take_location(&phases, run->profile, &run->waits->dependencies.tables[i]);
	if (phases.nr > 0)
		qsort(phases.items, phases.nr, sizeof(*phases.items), compare_phases);
	fprintf(out, ",\n\"phases_total\": %zu, \"phases\": [", phases.nr);
	for (size_t i = 0; i < phases.nr && i < MOST_PHASES; i++) {
		const struct page_phase *phase = &phases.items[i];

		fprintf(out, "%s\n {\"name\": ", i > 0 ? "," : "");
		measure_json_text(out, measure_profile_region_name(run->profile, phase->region));
		fprintf(out, ", \"iteration\": %u, \"start\": %llu, \"end\": %llu}", phase->number,
			(unsigned long long)measure_page_time(run, phase->from),
			(unsigned long long)measure_page_time(run, phase->until));
	}
	fputc(']', out);
	measure_map_free(&phases.index);
	measure_free(phases.items);
}

/* ------------------------------------------------------------------------- markers --- */

struct page_marker {
	uint64_t time;
	uint32_t row; /* of its location, or MEASURE_NONE */
	char *text;
};

struct page_markers {
	const struct measure_page_run *run;
	struct measure_map categories; /* by id: one more than the index in names */
	MEASURE_GROWING(char *, names);
	MEASURE_GROWING_ITEMS(struct page_marker);
	size_t nr_all;
};

static OTF2_CallbackCode on_DefMarker(void *data, OTF2_MarkerRef self, const char *group,
	const char *category, OTF2_MarkerSeverity severity)
{
	struct page_markers *markers = data;

	(void)group;
	(void)severity;
	measure_map_set(&markers->categories, measure_key_of(self), (uint32_t)markers->nr_names);
	*measure_append(markers, names) = measure_copy_text(category ? category : "");
	return OTF2_CALLBACK_SUCCESS;
}

static char *marker_text(
	const struct page_markers *markers, OTF2_MarkerRef marker, const char *text)
{
	const uint32_t name = measure_map_get(&markers->categories, measure_key_of(marker));
	const char *category = name == MEASURE_NONE ? "" : markers->names[name];
	char *all = measure_zeroed(strlen(category) + strlen(text) + 3, 1);

	strcpy(all, category);
	strcat(all, *category && *text ? ": " : "");
	strcat(all, text);
	return all;
}

static OTF2_CallbackCode on_Marker(void *data, OTF2_TimeStamp time, OTF2_TimeStamp duration,
	OTF2_MarkerRef marker, OTF2_MarkerScope scope, uint64_t id, const char *text)
{
	struct page_markers *markers = data;
	const struct measure_page_run *run = markers->run;
	uint32_t location = MEASURE_NONE;

	(void)duration;
	if (markers->nr_all++ >= MOST_MARKERS)
		return OTF2_CALLBACK_SUCCESS;
	if (scope == OTF2_MARKER_SCOPE_LOCATION)
		location = measure_definition_index(
			&run->trace->definitions, MEASURE_KIND_LOCATION, id);
	*measure_append_item(markers) = (struct page_marker){.time = time,
		.row = location < run->trace->definitions.nr_locations ? run->rows[location]
								       : MEASURE_NONE,
		.text = marker_text(markers, marker, text ? text : "")};
	return OTF2_CALLBACK_SUCCESS;
}

/* "DIR/traces.otf2" has them in "DIR/traces.marker". */
static bool has_markers(const struct measure_trace *trace)
{
	const size_t length = strlen(trace->anchor) - strlen(".otf2");
	char *path = measure_zeroed(length + sizeof(".marker"), 1);
	bool is_there;

	memcpy(path, trace->anchor, length);
	strcat(path, ".marker");
	is_there = access(path, R_OK) == 0;
	measure_free(path);
	return is_there;
}

/* Those that cannot be read are left out. */
static void markers_read(struct page_markers *markers)
{
	OTF2_Reader *reader = markers->run->trace->reader;
	OTF2_MarkerReader *file = OTF2_Reader_GetMarkerReader(reader);
	OTF2_MarkerReaderCallbacks *callbacks;
	uint64_t nr_read;

	if (!file)
		return;
	callbacks = OTF2_MarkerReaderCallbacks_New();
	OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_DefMarker);
	OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_Marker);
	OTF2_Reader_RegisterMarkerCallbacks(reader, file, callbacks, markers);
	OTF2_MarkerReaderCallbacks_Delete(callbacks);
	OTF2_Reader_ReadAllMarkers(reader, file, &nr_read);
	OTF2_Reader_CloseMarkerReader(reader, file);
}

void measure_page_print_markers(const struct measure_page_run *run, FILE *out)
{
	struct page_markers markers = {.run = run};

	if (has_markers(run->trace))
		markers_read(&markers);
	fprintf(out, ",\n\"markers_total\": %zu, \"markers\": [", markers.nr_all);
	for (size_t i = 0; i < markers.nr; i++) {
		const struct page_marker *marker = &markers.items[i];

		fprintf(out, "%s\n {\"time\": %llu, \"location\": ", i > 0 ? "," : "",
			(unsigned long long)measure_page_time(run, marker->time));
		if (marker->row == MEASURE_NONE)
			fputs("null", out);
		else
			fprintf(out, "%u", marker->row);
		fputs(", \"text\": ", out);
		measure_json_text(out, marker->text);
		fputc('}', out);
		measure_free(marker->text);
	}
	fputc(']', out);
	for (size_t i = 0; i < markers.nr_names; i++)
		measure_free(markers.names[i]);
	measure_free(markers.names);
	measure_free(markers.items);
	measure_map_free(&markers.categories);
}
