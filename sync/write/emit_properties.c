/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of the archive (doc/properties.md). With a filter or additions, those that count what
 * is in the event files are left out or counted anew. */
#include "config.h"

#include "emit_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/common/containers.h"

#define EVENTS         "MEASURE::EVENTS"
#define COMPENSATED    MEASURE_PROPERTY_COMPENSATED
#define CALLS_LEFT_OUT "MEASURE::CALLS_LEFT_OUT"
#define LEFT_OUT       "MEASURE::LEFT_OUT::"

/* Of these all that begin so; first those that additions change, too. */
static const char *const stale[] = {"MEASURE::EVENT_BYTES", "MEASURE::COUNTED",
	"MEASURE::RECORDS::", "MEASURE::TOP_REGION::", "MEASURE::SUGGESTED_FILTER::",
	CALLS_LEFT_OUT, LEFT_OUT};
#define NR_STALE_BY_ADDITIONS 3

/* "REGION CALLS", which go to what the filter has left out. */
static void add_filtered(struct emitting *emitting, const char *value)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	uint64_t id, calls;
	uint32_t region;

	if (sscanf(value, "%" SCNu64 " %" SCNu64, &id, &calls) != 2)
		return;
	region = measure_definition_index(definitions, MEASURE_KIND_REGION, id);
	if (region != MEASURE_NONE)
		measure_sync_filter_counts(emitting->filter)[region] += calls;
}

/* True: it does not hold any more. What was left out before counts on the first rank. */
static bool is_stale(struct emitting *emitting, const char *name, const char *value)
{
	const size_t nr_stale =
		emitting->filter ? sizeof(stale) / sizeof(*stale) : NR_STALE_BY_ADDITIONS;

	if (!emit_has_other_events(emitting))
		return false;
	if (emitting->filter && strncmp(name, LEFT_OUT, strlen(LEFT_OUT)) == 0 &&
		emitting->emission->graph->job->rank == 0)
		add_filtered(emitting, value);
	emitting->is_counted |= strcmp(name, EVENTS) == 0;
	for (size_t i = 0; i < nr_stale; i++)
		if (strncmp(name, stale[i], strlen(stale[i])) == 0)
			return true;
	return false;
}

/* How, and how much of all locations. */
static void write_compensation(struct emitting *emitting)
{
	const struct measure_compensation *compensation = emitting->emission->compensation;
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	uint64_t removed = 0;
	char value[64];

	for (size_t i = 0; i < definitions->nr_locations; i++)
		removed += compensation->locations[i].removed;
	snprintf(value, sizeof(value), "%.9f",
		measure_trace_span(emitting->emission->graph->trace, removed));
	emit_note(emitting, OTF2_Archive_SetProperty(emitting->archive, COMPENSATED,
				    measure_compensation_word(compensation->list.method), true));
	emit_note(emitting,
		OTF2_Archive_SetProperty(emitting->archive, COMPENSATED "::REMOVED", value, true));
	emit_note(emitting, OTF2_Archive_SetProperty(emitting->archive, COMPENSATED "::COSTS",
				    compensation->list.costs->processor, true));
}

void emit_properties(struct emitting *emitting)
{
	uint32_t nr = 0;
	char **names = NULL;

	emit_note_input(emitting, OTF2_Reader_GetPropertyNames(emitting->reader, &nr, &names));
	for (uint32_t i = 0; i < nr; i++) {
		char *value = NULL;

		emit_note_input(
			emitting, OTF2_Reader_GetProperty(emitting->reader, names[i], &value));
		if (value && !is_stale(emitting, names[i], value))
			emit_note(emitting,
				OTF2_Archive_SetProperty(emitting->archive, names[i], value, true));
		measure_free(value);
	}
	measure_free(names);
	if (emitting->emission->compensation)
		write_compensation(emitting);
}

/* ------------------------------------------------------------- with other events --- */

struct filtered_region {
	uint32_t region;
	uint64_t calls;
};

static int properties_compare(const void *left, const void *right)
{
	const struct filtered_region *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

static void write_number(struct emitting *emitting, const char *name, uint64_t number)
{
	char value[32];

	snprintf(value, sizeof(value), "%" PRIu64, number);
	if (number)
		emit_note(emitting, OTF2_Archive_SetProperty(emitting->archive, name, value, true));
}

static void write_filtered(struct emitting *emitting, const struct filtered_region *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char name[64], value[64];

		snprintf(name, sizeof(name), LEFT_OUT "%zu", i + 1);
		snprintf(value, sizeof(value), "%" PRIu32 " %" PRIu64, list[i].region,
			list[i].calls);
		emit_note(emitting, OTF2_Archive_SetProperty(emitting->archive, name, value, true));
	}
}

static void write_properties_of_filter(struct emitting *emitting)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	const uint64_t *nr_filtered = measure_sync_filter_counts(emitting->filter);
	struct filtered_region *list = measure_zeroed(definitions->nr_regions, sizeof(*list));
	uint64_t nr_calls = 0;
	size_t nr = 0;

	for (size_t i = 0; i < definitions->nr_regions; i++) {
		if (nr_filtered[i] == 0)
			continue;
		list[nr].region = (uint32_t)measure_new_id(
			&emitting->numbering, MEASURE_KIND_REGION, definitions->regions[i].id);
		list[nr++].calls = nr_filtered[i];
		nr_calls += nr_filtered[i];
	}
	measure_sort(list, nr, properties_compare);
	write_number(emitting, CALLS_LEFT_OUT, nr_calls);
	write_filtered(emitting, list, nr);
	measure_free(list);
}

void emit_changed_properties(struct emitting *emitting)
{
	uint64_t nr_events = 0;

	for (size_t i = 0; i < emit_definitions_of(emitting)->nr_locations; i++)
		nr_events += emitting->nr_written[i];
	if (emitting->is_counted)
		write_number(emitting, EVENTS, nr_events);
	if (emitting->filter)
		write_properties_of_filter(emitting);
	if (emitting->emission->slicing)
		emit_slice_property(emitting);
}
