/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of what the others refer to: locations, regions, call paths, communicators, metrics; and
 * facts about the export, markers. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/pyramid/state_classes.h"
#include "analysis/report/profile_view.h"
#include "export/conversion/archive_markers.h"
#include "tables_export.h"

#define WORD_OF(words, value)                                                                      \
	((size_t)(value) < sizeof(words) / sizeof(*(words)) ? (words)[value] : NULL)

/* ---------------------------------------------------------------------------- facts --- */

static void write_fact(struct tables_export *export, const char *key, const char *value)
{
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, META, KEY) = tables_text(key);
	TABLES_CELL(row, META, VALUE) = tables_text(value);
	tables_add(export->writer, TABLES_META, row);
}

static void write_number(struct tables_export *export, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	write_fact(export, key, text);
}

/* In the order of the alphabet. */
static void write_facts(struct tables_export *export)
{
	const struct measure_conversion *conversion = export->conversion;

	write_fact(export, "archive", conversion->options->input);
	write_fact(export, "creator", conversion->trace->creator);
	write_number(export, "from_ns", conversion->from_ns);
	write_fact(export, "measure", PACKAGE_VERSION);
	write_number(export, "schema", TABLES_SCHEMA);
	write_number(export, "ticks_per_second", conversion->resolution);
	write_number(export, "until_ns", conversion->until_ns);
}

/* ------------------------------------------------------------------------ locations --- */

static const char *const location_types[] = {
	[OTF2_LOCATION_TYPE_UNKNOWN] = "unknown",
	[OTF2_LOCATION_TYPE_CPU_THREAD] = "cpu_thread",
	[OTF2_LOCATION_TYPE_ACCELERATOR_STREAM] = "accelerator_stream",
	[OTF2_LOCATION_TYPE_METRIC] = "metric",
};

/* By location: its number in its process, in the order of definitions. */
static uint32_t *find_threads(const struct measure_definitions *definitions)
{
	uint32_t *threads = measure_zeroed(definitions->nr_locations, sizeof(*threads));
	uint32_t *nr = measure_zeroed(definitions->nr_location_groups, sizeof(*nr));

	for (size_t i = 0; i < definitions->nr_locations; i++)
		if (definitions->locations[i].group != MEASURE_NONE)
			threads[i] = nr[definitions->locations[i].group]++;
	measure_free(nr);
	return threads;
}

/* By process, as MPI numbers them; MEASURE_NONE: it is no process of MPI. To be freed. */
static uint32_t *find_ranks(const struct measure_definitions *definitions)
{
	const uint32_t all = definitions->comm_locations[OTF2_PARADIGM_MPI];
	const size_t nr = definitions->nr_location_groups;
	uint32_t *ranks = measure_zeroed(nr + 1, sizeof(*ranks));

	for (size_t i = 0; i < nr; i++)
		ranks[i] = MEASURE_NONE;
	for (uint32_t i = 0; all != MEASURE_NONE && i < definitions->groups[all].nr_members; i++) {
		const uint64_t location = definitions->groups[all].members[i];

		if (location < definitions->nr_locations &&
			definitions->locations[location].group != MEASURE_NONE)
			ranks[definitions->locations[location].group] = i;
	}
	return ranks;
}

static void write_times(struct tables_export *export, uint32_t location, tables_row_t row)
{
	const struct measure_conversion *conversion = export->conversion;
	const struct measure_call_table *table = &conversion->waits->dependencies.tables[location];
	const uint64_t first = measure_later(table->begin, conversion->from);
	const uint64_t last = measure_earlier(table->end, conversion->until);

	TABLES_CELL(row, LOCATIONS, EVENTS) =
		tables_integer(export->per_location[location].nr_events);
	if (first > last)
		return;
	TABLES_CELL(row, LOCATIONS, FIRST_NS) = tables_time(export, first);
	TABLES_CELL(row, LOCATIONS, LAST_NS) = tables_time(export, last);
}

static void write_locations(struct tables_export *export)
{
	const struct measure_conversion *conversion = export->conversion;
	const struct measure_definitions *definitions = conversion->definitions;
	uint32_t *threads = find_threads(definitions);
	uint32_t *ranks = find_ranks(definitions);

	for (size_t i = 0; i < conversion->nr_locations; i++) {
		const uint32_t index = export->locations[i];
		const struct measure_location_definition *location = &definitions->locations[index];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, LOCATIONS, ID) = tables_index(index);
		TABLES_CELL(row, LOCATIONS, NAME) =
			tables_text(measure_text(definitions, location->name));
		TABLES_CELL(row, LOCATIONS, TYPE) =
			tables_text(WORD_OF(location_types, location->type));
		if (location->group != MEASURE_NONE) {
			const struct measure_location_group *process =
				&definitions->location_groups[location->group];

			TABLES_CELL(row, LOCATIONS, PROCESS) = tables_index(location->group);
			TABLES_CELL(row, LOCATIONS, PROCESS_NAME) =
				tables_text(measure_text(definitions, process->name));
			TABLES_CELL(row, LOCATIONS, RANK) = tables_index(ranks[location->group]);
			TABLES_CELL(row, LOCATIONS, THREAD) = tables_index(threads[index]);
			if (process->host != MEASURE_NONE)
				TABLES_CELL(row, LOCATIONS, HOST) = tables_text(
					measure_name_of_host(definitions, process->host));
		}
		write_times(export, index, row);
		tables_add(export->writer, TABLES_LOCATIONS, row);
	}
	measure_free(ranks);
	measure_free(threads);
}

/* -------------------------------------------------------------------------- regions --- */

static const char *const region_roles[] = {
#define ROLE(NAME, word) [OTF2_REGION_ROLE_##NAME] = word
	ROLE(UNKNOWN, "unknown"),
	ROLE(FUNCTION, "function"),
	ROLE(WRAPPER, "wrapper"),
	ROLE(LOOP, "loop"),
	ROLE(CODE, "code"),
	ROLE(PARALLEL, "parallel"),
	ROLE(SECTIONS, "sections"),
	ROLE(SECTION, "section"),
	ROLE(WORKSHARE, "workshare"),
	ROLE(SINGLE, "single"),
	ROLE(SINGLE_SBLOCK, "single_sblock"),
	ROLE(MASTER, "master"),
	ROLE(CRITICAL, "critical"),
	ROLE(CRITICAL_SBLOCK, "critical_sblock"),
	ROLE(ATOMIC, "atomic"),
	ROLE(BARRIER, "barrier"),
	ROLE(IMPLICIT_BARRIER, "implicit_barrier"),
	ROLE(FLUSH, "flush"),
	ROLE(ORDERED, "ordered"),
	ROLE(ORDERED_SBLOCK, "ordered_sblock"),
	ROLE(TASK, "task"),
	ROLE(TASK_CREATE, "task_create"),
	ROLE(TASK_WAIT, "task_wait"),
	ROLE(COLL_ONE2ALL, "coll_one2all"),
	ROLE(COLL_ALL2ONE, "coll_all2one"),
	ROLE(COLL_ALL2ALL, "coll_all2all"),
	ROLE(COLL_OTHER, "coll_other"),
	ROLE(FILE_IO, "file_io"),
	ROLE(POINT2POINT, "point2point"),
	ROLE(RMA, "rma"),
	ROLE(DATA_TRANSFER, "data_transfer"),
	ROLE(ARTIFICIAL, "artificial"),
	ROLE(THREAD_CREATE, "thread_create"),
	ROLE(THREAD_WAIT, "thread_wait"),
	ROLE(TASK_UNTIED, "task_untied"),
	ROLE(ALLOCATE, "allocate"),
	ROLE(DEALLOCATE, "deallocate"),
	ROLE(REALLOCATE, "reallocate"),
	ROLE(FILE_IO_METADATA, "file_io_metadata"),
#undef ROLE
};

static void write_regions(struct tables_export *export)
{
	const struct measure_profile *profile = &export->conversion->profile;
	const struct measure_definitions *definitions = export->conversion->definitions;
	uint8_t *classes = measure_state_classes_find(definitions);

	for (uint32_t i = 0; i < definitions->nr_regions; i++) {
		const struct measure_region *region = &definitions->regions[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		if (profile->same_regions && profile->same_regions[i] != i)
			continue;
		TABLES_CELL(row, REGIONS, ID) = tables_index(i);
		TABLES_CELL(row, REGIONS, NAME) =
			tables_text(measure_profile_region_name(profile, i));
		if (*measure_text(definitions, region->file))
			TABLES_CELL(row, REGIONS, FILE) =
				tables_text(measure_text(definitions, region->file));
		if (region->begin_line > 0)
			TABLES_CELL(row, REGIONS, LINE) = tables_index(region->begin_line);
		TABLES_CELL(row, REGIONS, PARADIGM) =
			tables_text(measure_paradigm_word(region->paradigm));
		TABLES_CELL(row, REGIONS, ROLE) = tables_text(WORD_OF(region_roles, region->role));
		TABLES_CELL(row, REGIONS, CLASS) = tables_text(
			measure_state_classes[measure_state_class_of(classes, definitions, i)]
				.word);
		tables_add(export->writer, TABLES_REGIONS, row);
	}
	measure_free(classes);
}

/* ---------------------------------------------------------------------------- paths --- */

/* Names of the regions from the root on; to be freed. */
static char *path_text(const struct measure_profile *profile, uint32_t path, uint32_t *depth)
{
	const struct measure_profile_path *paths = profile->paths;
	size_t length = 1, end;
	char *text;

	*depth = 0;
	for (uint32_t i = path; i != 0; i = paths[i].parent, ++*depth)
		length += strlen(measure_profile_region_name(profile, paths[i].region)) + 1;
	text = measure_zeroed(length, 1);
	end = length - 1;
	for (uint32_t i = path; i != 0; i = paths[i].parent) {
		const char *name = measure_profile_region_name(profile, paths[i].region);

		end -= strlen(name);
		memcpy(text + end, name, strlen(name));
		if (end > 0)
			text[--end] = '/';
	}
	/* the last slash stands before the outermost region */
	memmove(text, text + (length > 1), length - (length > 1));
	return text;
}

static struct tables_value quantile(
	const struct tables_export *export, const struct measure_profile_path *path, double share)
{
	const uint64_t ticks = measure_histogram_quantile(path->calls, share);

	return tables_length(export, measure_later(path->min, measure_earlier(path->max, ticks)));
}

static void write_path(struct tables_export *export, uint32_t number)
{
	const struct measure_profile *profile = &export->conversion->profile;
	const struct measure_profile_path *path = &profile->paths[number];
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};
	uint32_t depth;
	char *text = path_text(profile, number, &depth);

	TABLES_CELL(row, PATHS, ID) = tables_index(number);
	TABLES_CELL(row, PATHS, PARENT) = tables_index(path->parent);
	if (path->region < profile->trace->definitions.nr_regions)
		TABLES_CELL(row, PATHS, REGION) = tables_index(path->region);
	TABLES_CELL(row, PATHS, DEPTH) = tables_index(depth);
	TABLES_CELL(row, PATHS, TEXT) = tables_text(text);
	TABLES_CELL(row, PATHS, VISITS) = tables_integer(path->visits);
	TABLES_CELL(row, PATHS, INCLUSIVE_NS) = tables_length(export, path->inclusive);
	if (path->calls && measure_histogram_total(path->calls) > 0) {
		TABLES_CELL(row, PATHS, MIN_NS) = tables_length(export, path->min);
		TABLES_CELL(row, PATHS, MAX_NS) = tables_length(export, path->max);
		TABLES_CELL(row, PATHS, P50_NS) = quantile(export, path, 0.5);
		TABLES_CELL(row, PATHS, P95_NS) = quantile(export, path, 0.95);
		TABLES_CELL(row, PATHS, P99_NS) = quantile(export, path, 0.99);
	}
	tables_add(export->writer, TABLES_PATHS, row);
	measure_free(text);
}

/* All of what runs in (running tasks) is in (tasks). */
static void write_paths(struct tables_export *export)
{
	const struct measure_profile *profile = &export->conversion->profile;

	for (uint32_t i = 0; i < profile->nr_paths; i++)
		if (profile->paths[i].region != MEASURE_PSEUDO_RUNNING_TASKS)
			write_path(export, i);
}

/* ----------------------------------------------------------- communicators, metrics --- */

static void write_comms(struct tables_export *export)
{
	const struct measure_definitions *definitions = export->conversion->definitions;

	for (uint32_t i = 0; i < definitions->nr_comms; i++) {
		const struct measure_comm *comm = &definitions->comms[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, COMMS, ID) = tables_index(i);
		TABLES_CELL(row, COMMS, NAME) = tables_text(measure_text(definitions, comm->name));
		if (comm->groups[0] != MEASURE_NONE)
			TABLES_CELL(row, COMMS, SIZE) =
				tables_index(definitions->groups[comm->groups[0]].nr_members);
		tables_add(export->writer, TABLES_COMMS, row);
	}
}

static const char *const metric_modes[] = {
#define MODE(NAME, word) [OTF2_METRIC_##NAME] = word
	MODE(ACCUMULATED_START, "accumulated_start"),
	MODE(ACCUMULATED_POINT, "accumulated_point"),
	MODE(ACCUMULATED_LAST, "accumulated_last"),
	MODE(ACCUMULATED_NEXT, "accumulated_next"),
	MODE(ABSOLUTE_POINT, "absolute_point"),
	MODE(ABSOLUTE_LAST, "absolute_last"),
	MODE(ABSOLUTE_NEXT, "absolute_next"),
	MODE(RELATIVE_POINT, "relative_point"),
	MODE(RELATIVE_LAST, "relative_last"),
	MODE(RELATIVE_NEXT, "relative_next"),
#undef MODE
};

static void write_metrics(struct tables_export *export)
{
	const struct measure_definitions *definitions = export->conversion->definitions;

	for (uint32_t i = 0; i < definitions->nr_metric_members; i++) {
		const struct measure_metric_member *member = &definitions->metric_members[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, METRICS, ID) = tables_index(i);
		TABLES_CELL(row, METRICS, NAME) =
			tables_text(measure_text(definitions, member->name));
		TABLES_CELL(row, METRICS, UNIT) =
			tables_text(measure_text(definitions, member->unit));
		TABLES_CELL(row, METRICS, MODE) = tables_text(WORD_OF(metric_modes, member->mode));
		tables_add(export->writer, TABLES_METRICS, row);
	}
}

/* -------------------------------------------------------------------------- markers --- */

static void write_markers(struct tables_export *export)
{
	struct archive_markers markers;

	archive_markers_read(&markers, export->conversion);
	for (size_t i = 0; i < markers.nr_items; i++) {
		const struct archive_marker *marker = &markers.items[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, MARKERS, TIME_NS) = tables_integer(marker->ns);
		TABLES_CELL(row, MARKERS, LOCATION) = tables_index(marker->location);
		TABLES_CELL(row, MARKERS, CATEGORY) = tables_text(marker->category);
		TABLES_CELL(row, MARKERS, TEXT) = tables_text(marker->text);
		tables_add(export->writer, TABLES_MARKERS, row);
	}
	archive_markers_free(&markers);
}

void tables_write_definitions(struct tables_export *export)
{
	write_facts(export);
	write_locations(export);
	write_regions(export);
	write_paths(export);
	write_comms(export);
	write_metrics(export);
	write_markers(export);
}
