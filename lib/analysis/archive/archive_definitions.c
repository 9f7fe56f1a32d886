/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The global definitions of an archive that holds a profile: a copy of those of the trace, and
 * behind them pseudo regions, a calling context for each call path, and a metric class for each
 * kind of rows. */
#include "config.h"

#include "archive_writing.h"
#include "profile_archive.h"
#include "trace/archive/definition_copy.h"

/* Indices of the trace are ids of the archive. */
bool archive_find_places(struct archive_writing *writing)
{
	const struct measure_definitions *definitions = writing->of_trace;
	const struct measure_id_numbers *of = writing->numbering.of;

	writing->next_string = measure_definitions_next_string(&writing->numbering);
	writing->first_region = (uint32_t)of[MEASURE_KIND_REGION].nr;
	writing->first_context = (uint32_t)of[MEASURE_KIND_CALLING_CONTEXT].nr;
	writing->first_member = (uint32_t)of[MEASURE_KIND_METRIC_MEMBER].nr;
	writing->first_class = (uint32_t)of[MEASURE_KIND_METRIC].nr;
	return writing->next_string < MEASURE_NONE / 2 &&
	       writing->first_region == definitions->nr_regions &&
	       writing->first_context == definitions->nr_calling_contexts &&
	       writing->first_member == definitions->nr_metric_members &&
	       writing->first_class == definitions->nr_metrics;
}

static OTF2_StringRef write_string(struct archive_writing *writing, const char *text)
{
	const OTF2_StringRef id = writing->next_string++;

	archive_note(writing, OTF2_GlobalDefWriter_WriteString(writing->definitions, id, text));
	return id;
}

static uint64_t nr_rows_of(void *data, uint64_t id, uint64_t nr_said)
{
	const struct archive_writing *writing = data;
	const uint32_t index =
		measure_definition_index(writing->of_trace, MEASURE_KIND_LOCATION, id);

	return index == MEASURE_NONE ? nr_said : writing->nr_rows[index];
}

static void note_record(void *data, OTF2_ErrorCode code)
{
	struct archive_writing *writing = data;

	if (code == OTF2_ERROR_INVALID_ARGUMENT || code == OTF2_ERROR_INVALID_DATA ||
		code == OTF2_ERROR_INTEGRITY_FAULT || code == OTF2_ERROR_INVALID_ATTRIBUTE_TYPE)
		archive_note_input(writing, code);
	else
		archive_note(writing, code);
}

static void write_pseudo_regions(struct archive_writing *writing)
{
	const OTF2_StringRef description = write_string(writing, ARCHIVE_PSEUDO_REGION);

	for (uint32_t region = MEASURE_PSEUDO_BEFORE + 1; region < MEASURE_PSEUDO_END; region++) {
		const OTF2_StringRef name = write_string(
			writing, measure_profile_region_name(writing->profile, region));

		archive_note(
			writing, OTF2_GlobalDefWriter_WriteRegion(writing->definitions,
					 writing->first_region + region - MEASURE_PSEUDO_BEFORE - 1,
					 name, name, description, OTF2_REGION_ROLE_ARTIFICIAL,
					 OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_FLAG_NONE,
					 OTF2_UNDEFINED_STRING, 0, 0));
	}
}

static void write_paths(struct archive_writing *writing)
{
	const struct measure_profile *profile = writing->profile;

	for (size_t i = 0; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];
		const uint32_t region =
			measure_profile_region(profile, path->region)
				? path->region
				: writing->first_region + path->region - MEASURE_PSEUDO_BEFORE - 1;

		archive_note(writing, OTF2_GlobalDefWriter_WriteCallingContext(writing->definitions,
					      writing->first_context + (uint32_t)i, region,
					      OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
					      i == 0 ? OTF2_UNDEFINED_CALLING_CONTEXT
						     : writing->first_context + path->parent));
	}
}

static void write_classes(struct archive_writing *writing)
{
	const OTF2_StringRef units[] = {[MEASURE_UNIT_NUMBER] = write_string(writing, "#"),
		[MEASURE_UNIT_BYTES] = write_string(writing, "bytes"),
		[MEASURE_UNIT_TICKS] = write_string(writing, "ticks")};
	OTF2_MetricMemberRef member = writing->first_member, members[ARCHIVE_MOST_FIELDS];
	char name[ARCHIVE_NAME_SIZE];

	for (uint32_t i = 0; i < ARCHIVE_NR_CLASSES; i++) {
		const struct archive_class *class = &writing->classes[i];

		for (uint8_t k = 0; k < class->nr_fields; k++) {
			members[k] = member++;
			archive_member_name(class, k, name);
			archive_note(writing,
				OTF2_GlobalDefWriter_WriteMetricMember(writing->definitions,
					members[k], write_string(writing, name),
					OTF2_UNDEFINED_STRING, OTF2_METRIC_TYPE_OTHER,
					OTF2_METRIC_ABSOLUTE_POINT,
					archive_field_type(&class->fields[k]), OTF2_BASE_DECIMAL, 0,
					units[class->fields[k].unit]));
		}
		archive_note(
			writing, OTF2_GlobalDefWriter_WriteMetricClass(writing->definitions,
					 writing->first_class + i, class->nr_fields, members,
					 OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT));
	}
}

static void write_event_files(struct archive_writing *writing)
{
	struct measure_event_file_size *files =
		measure_profile_event_files(writing->profile->trace);
	const OTF2_StringRef names[] = {
		write_string(writing, ARCHIVE_EVENTS), write_string(writing, ARCHIVE_EVENT_BYTES)};

	for (size_t i = 0; i < writing->of_trace->nr_locations; i++) {
		const OTF2_AttributeValue values[] = {
			{.uint64 = files[i].nr_events}, {.uint64 = files[i].nr_bytes}};

		for (int k = 0; k < 2; k++)
			archive_note(writing,
				OTF2_GlobalDefWriter_WriteLocationProperty(writing->definitions,
					writing->of_trace->locations[i].id, names[k],
					OTF2_TYPE_UINT64, values[k]));
	}
	measure_free(files);
}

void archive_write_definitions(struct archive_writing *writing)
{
	const struct measure_clock *clock = &writing->of_trace->clock;
	const struct measure_definition_copying copying = {
		&writing->numbering, writing->definitions, nr_rows_of, note_record, writing};

	if (clock->is_defined)
		archive_note(writing,
			OTF2_GlobalDefWriter_WriteClockProperties(writing->definitions,
				clock->resolution, clock->offset, clock->length, clock->realtime));
	archive_note_input(writing, measure_definitions_copy(&copying, writing->reader));
	write_pseudo_regions(writing);
	write_paths(writing);
	write_classes(writing);
	write_event_files(writing);
	archive_note(
		writing, OTF2_Archive_CloseGlobalDefWriter(writing->archive, writing->definitions));
}
