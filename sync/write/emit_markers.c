/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What archives have beside events: markers and thumbnails. Readers do not apply clock offsets to
 * markers: their times are those that the events have for a reader, and get corrected like these.
 * Thumbnails have no times, but ids. */
#include "config.h"

#include "emit_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace/common/containers.h"

/* --------------------------------------------------------------------- markers --- */

struct marker_copy {
	struct emitting *emitting;
	OTF2_MarkerWriter *writer;
	uint32_t next; /* id after those that are there */
	uint32_t own;  /* that of an analysis before this one, or MEASURE_NONE */
};

static bool is_below(const struct measure_definitions *definitions, uint32_t group, uint32_t node)
{
	uint32_t at = definitions->location_groups[group].tree_node;

	for (size_t i = 0; at != MEASURE_NONE && i <= definitions->nr_tree_nodes; i++) {
		if (at == node)
			return true;
		at = definitions->tree_nodes[at].parent;
	}
	return false;
}

static bool is_member(
	const struct measure_definitions *definitions, uint32_t group, uint32_t location)
{
	const struct measure_group *members =
		group == MEASURE_NONE ? NULL : &definitions->groups[group];
	const uint32_t all =
		members ? definitions->comm_locations[members->paradigm] : MEASURE_NONE;

	for (uint32_t i = 0; members && i < members->nr_members; i++) {
		uint64_t member = members->members[i];

		if (members->type == OTF2_GROUP_TYPE_COMM_GROUP && all != MEASURE_NONE &&
			member < definitions->groups[all].nr_members)
			member = definitions->groups[all].members[member];
		if (member == location)
			return true;
	}
	return false;
}

/* `index`: of what the scope refers to, in the definitions. */
static bool is_in_scope(const struct measure_definitions *definitions, uint32_t location,
	OTF2_MarkerScope scope, uint32_t index)
{
	const uint32_t group = definitions->locations[location].group;

	if (index == MEASURE_NONE)
		return scope == OTF2_MARKER_SCOPE_GLOBAL;
	switch (scope) {
	case OTF2_MARKER_SCOPE_LOCATION:
		return location == index;
	case OTF2_MARKER_SCOPE_LOCATION_GROUP:
		return group == index;
	case OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE:
		return group != MEASURE_NONE && is_below(definitions, group, index);
	case OTF2_MARKER_SCOPE_GROUP:
		return is_member(definitions, index, location);
	case OTF2_MARKER_SCOPE_COMM:
		return is_member(definitions, definitions->comms[index].groups[0], location);
	default:
		return true;
	}
}

static enum measure_kind kind_of_scope(OTF2_MarkerScope scope)
{
	static const enum measure_kind kinds[] = {
		[OTF2_MARKER_SCOPE_GLOBAL] = MEASURE_NR_KINDS,
		[OTF2_MARKER_SCOPE_LOCATION] = MEASURE_KIND_LOCATION,
		[OTF2_MARKER_SCOPE_LOCATION_GROUP] = MEASURE_KIND_LOCATION_GROUP,
		[OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE] = MEASURE_KIND_SYSTEM_TREE_NODE,
		[OTF2_MARKER_SCOPE_GROUP] = MEASURE_KIND_GROUP,
		[OTF2_MARKER_SCOPE_COMM] = MEASURE_KIND_COMM,
	};

	return scope < sizeof(kinds) / sizeof(*kinds) ? kinds[scope] : MEASURE_NR_KINDS;
}

/* Clocks of a scope are corrected by different amounts: the mean of them. */
static uint64_t correct(
	struct emitting *emitting, uint64_t time, OTF2_MarkerScope scope, uint64_t id)
{
	const struct measure_definitions *definitions = emit_definitions_of(emitting);
	const enum measure_kind kind = kind_of_scope(scope);
	const uint32_t index = kind == MEASURE_NR_KINDS
				       ? MEASURE_NONE
				       : measure_definition_index(definitions, kind, id);
	measure_wide_t sum = 0;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		if (is_in_scope(definitions, i, scope, index)) {
			struct emit_clock clock = {.last = 0};

			sum += (int64_t)(emit_correct(emitting, i, &clock, time) - time);
			nr++;
		}
	return nr ? time + (uint64_t)(int64_t)(sum / nr) : time;
}

static bool is_replaced(
	const struct measure_additions *additions, const char *group, const char *category)
{
	return additions && additions->nr_markers > 0 && !strcmp(group, additions->group) &&
	       !strcmp(category, additions->category);
}

static OTF2_CallbackCode on_DefMarker(void *data, OTF2_MarkerRef self, const char *group,
	const char *category, OTF2_MarkerSeverity severity)
{
	struct marker_copy *copy = data;

	if (self >= copy->next && self < MEASURE_NONE)
		copy->next = self + 1;
	if (is_replaced(copy->emitting->emission->additions, group, category)) {
		copy->own = self;
		return OTF2_CALLBACK_SUCCESS;
	}
	emit_note_record(copy->emitting,
		OTF2_MarkerWriter_WriteDefMarker(copy->writer, self, group, category, severity));
	return OTF2_CALLBACK_SUCCESS;
}

static bool is_sliced_off(const struct measure_slicing *slicing, uint64_t start, uint64_t end)
{
	return slicing && (start > slicing->until || end < slicing->from);
}

static OTF2_CallbackCode on_Marker(void *data, OTF2_TimeStamp time, OTF2_TimeStamp duration,
	OTF2_MarkerRef marker, OTF2_MarkerScope scope, uint64_t id, const char *text)
{
	struct marker_copy *copy = data;
	const uint64_t start = correct(copy->emitting, time, scope, id);
	const uint64_t end = correct(copy->emitting, time + duration, scope, id);

	if (marker == copy->own || is_sliced_off(copy->emitting->emission->slicing, start, end))
		return OTF2_CALLBACK_SUCCESS;
	emit_note_record(copy->emitting,
		OTF2_MarkerWriter_WriteMarker(copy->writer, start, end > start ? end - start : 0,
			marker, scope,
			measure_new_id(&copy->emitting->numbering, kind_of_scope(scope), id),
			text));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_Unknown(void *data)
{
	return emit_refuse_unknown(((struct marker_copy *)data)->emitting);
}

/* NULL: there are none. */
static OTF2_MarkerReader *open_markers(struct emitting *emitting, int from, const char *name)
{
	char *file = measure_zeroed(strlen(name) + sizeof(".marker"), 1);
	OTF2_MarkerReader *reader = NULL;

	sprintf(file, "%s.marker", name);
	if (faccessat(from, file, F_OK, 0) == 0) {
		reader = OTF2_Reader_GetMarkerReader(emitting->reader);
		emit_note_input(emitting, reader ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
	}
	measure_free(file);
	return reader;
}

static void copy_markers(struct marker_copy *copy, OTF2_MarkerReader *reader)
{
	struct emitting *emitting = copy->emitting;
	OTF2_MarkerReaderCallbacks *callbacks;
	uint64_t nr_read;

	callbacks = OTF2_MarkerReaderCallbacks_New();
	OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_DefMarker);
	OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_Marker);
	OTF2_MarkerReaderCallbacks_SetUnknownCallback(callbacks, on_Unknown);
	emit_note_input(emitting,
		OTF2_Reader_RegisterMarkerCallbacks(emitting->reader, reader, callbacks, copy));
	OTF2_MarkerReaderCallbacks_Delete(callbacks);
	emit_note_input(emitting, OTF2_Reader_ReadAllMarkers(emitting->reader, reader, &nr_read));
}

void emit_markers(struct emitting *emitting, int from, const char *name)
{
	const struct measure_additions *additions = emitting->emission->additions;
	OTF2_MarkerReader *reader = open_markers(emitting, from, name);
	struct marker_copy copy = {.emitting = emitting, .own = MEASURE_NONE};

	if (!reader && (!additions || additions->nr_markers == 0))
		return;
	copy.writer = OTF2_Archive_GetMarkerWriter(emitting->archive);
	emit_note(emitting, copy.writer ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
	if (copy.writer && reader)
		copy_markers(&copy, reader);
	if (reader)
		OTF2_Reader_CloseMarkerReader(emitting->reader, reader);
	if (copy.writer && additions && additions->nr_markers > 0)
		emit_added_markers(emitting, copy.writer, copy.next);
	if (copy.writer)
		emit_note(emitting, OTF2_Archive_CloseMarkerWriter(emitting->archive, copy.writer));
}

/* ------------------------------------------------------------------ thumbnails --- */

/* What they refer to. */
static bool has_same_ids(const struct measure_id_remapping *numbering)
{
	return !numbering->of[MEASURE_KIND_REGION].is_changed &&
	       !numbering->of[MEASURE_KIND_METRIC].is_changed &&
	       !numbering->of[MEASURE_KIND_ATTRIBUTE].is_changed;
}

/* OTF2 3.0.2 cannot read what it writes of them; files are shared as they are. */
void emit_thumbnails(struct emitting *emitting)
{
	uint32_t nr = 0;

	OTF2_Reader_GetNumberOfThumbnails(emitting->reader, &nr);
	emitting->emission->has_dropped =
		nr > 0 && (emitting->filter || emitting->emission->slicing ||
				  !has_same_ids(&emitting->numbering));
	if (emitting->emission->has_dropped)
		return;
	/* So that the anchor counts them. */
	for (uint32_t i = 0; i < nr; i++)
		if (!OTF2_Archive_GetThumbWriter(emitting->archive, "-", "-",
			    OTF2_THUMBNAIL_TYPE_REGION, 1, 1, &(uint64_t){0}))
			emit_note(emitting, OTF2_ERROR_FILE_INTERACTION);
	emitting->nr_thumbnails = nr;
}

void emit_thumbnail_files(struct emitting *emitting, int from, int to, const char *name)
{
	const size_t size = strlen(name) + sizeof(".4294967295.thumb");
	char *file = measure_zeroed(size, 1);

	for (uint32_t i = 0; i < emitting->nr_thumbnails; i++) {
		snprintf(file, size, "%s.%u.thumb", name, i);
		if ((unlinkat(to, file, 0) != 0 && errno != ENOENT) ||
			emit_share(from, file, to, file) == EMIT_FAILED)
			emit_note_file(emitting);
	}
	measure_free(file);
}
