/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a profile as an archive: event files, then definitions, then the anchor. */
#include "config.h"

#include "profile_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive_writing.h"
#include "base/file.h"
#include "trace/common/trace_error.h"

#define ARCHIVE_NAME "traces"

/* Rows of a location in the profile, from `first` to before `end`. */
struct archive_run {
	size_t first, end;
};

/* --------------------------------------------------------------------------- rows --- */

static void write_values(
	struct archive_writing *writing, enum archive_class_name name, const uint64_t *values)
{
	const struct archive_class *class = &writing->classes[name];
	OTF2_MetricValue bits[ARCHIVE_MOST_FIELDS];
	OTF2_Type types[ARCHIVE_MOST_FIELDS];

	for (uint8_t i = 0; i < class->nr_fields; i++) {
		bits[i].unsigned_int = values[i];
		types[i] = archive_field_type(&class->fields[i]);
	}
	writing->location_sum =
		archive_sum_row(writing->location_sum, name, class->nr_fields, values);
	writing->nr_rows[writing->location]++;
	archive_note(writing,
		OTF2_EvtWriter_Metric(writing->events, NULL, writing->time,
			writing->first_class + (uint32_t)name, class->nr_fields, types, bits));
}

static void write_row(
	struct archive_writing *writing, enum archive_class_name name, const void *row)
{
	uint64_t values[ARCHIVE_MOST_FIELDS];

	archive_row_encode(&writing->classes[name], row, writing->first_context, values);
	write_values(writing, name, values);
}

static void write_histogram(
	struct archive_writing *writing, uint32_t path, struct measure_histogram *histogram)
{
	for (uint32_t page = 0; page < MEASURE_HISTOGRAM_PAGES; page++) {
		const uint32_t place = histogram->pages[page];

		for (uint32_t i = 0; place > 0 && i < MEASURE_HISTOGRAM_PAGE_SIZE; i++) {
			const struct archive_bucket bucket = {path,
				page * MEASURE_HISTOGRAM_PAGE_SIZE + i,
				histogram->counts[place - 1][i]};

			if (bucket.count > 0)
				write_row(writing, ARCHIVE_BUCKETS, &bucket);
		}
	}
}

static void write_table(struct archive_writing *writing, enum measure_table_name name)
{
	const struct measure_profile_table *table = &writing->profile->tables[name];
	const uint32_t width = measure_profile_table_width(name);
	uint64_t values[ARCHIVE_MOST_FIELDS];

	for (size_t i = 0; i < table->nr; i++) {
		archive_key_encode(name, table->keys[i], writing->first_context, values);
		memcpy(values + archive_key_width(name), &table->values[i * width],
			width * sizeof(*values));
		write_values(writing, (enum archive_class_name)(ARCHIVE_TABLES + name), values);
	}
}

/* What is of all locations together. */
static void write_merged(struct archive_writing *writing)
{
	const struct measure_profile *profile = writing->profile;

	write_row(writing, ARCHIVE_WHOLE, profile);
	for (size_t i = 0; i < profile->nr_paths; i++) {
		const struct archive_path path = {(uint32_t)i, profile->paths[i]};

		write_row(writing, ARCHIVE_PATHS, &path);
	}
	for (size_t i = 0; i < profile->nr_paths; i++)
		if (profile->paths[i].calls)
			write_histogram(writing, (uint32_t)i, profile->paths[i].calls);
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		write_table(writing, (enum measure_table_name)name);
}

static void write_location(struct archive_writing *writing, uint32_t location, bool has_merged,
	struct archive_run rows, struct archive_run metrics)
{
	const struct measure_profile *profile = writing->profile;
	const OTF2_LocationRef id = writing->of_trace->locations[location].id;
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writing->archive, id);

	writing->events = OTF2_Archive_GetEvtWriter(writing->archive, id);
	writing->location = location;
	writing->location_sum = archive_sum_start(id);
	if (!local || !writing->events) {
		archive_note(writing, OTF2_ERROR_FILE_INTERACTION);
		return;
	}
	if (has_merged)
		write_merged(writing);
	for (size_t i = rows.first; i < rows.end; i++)
		write_row(writing, ARCHIVE_ROWS, &profile->rows[i]);
	for (size_t i = metrics.first; i < metrics.end; i++)
		write_row(writing, ARCHIVE_METRICS, &profile->metrics[i]);
	writing->sum += writing->location_sum;
	archive_note(writing, OTF2_Archive_CloseDefWriter(writing->archive, local));
	archive_note(writing, OTF2_Archive_CloseEvtWriter(writing->archive, writing->events));
}

/* The run of each location; those of a location are together. */
#define FIND_RUNS(rows, nr, runs)                                                                  \
	for (size_t i_ = 0; i_ < (nr); i_++) {                                                     \
		struct archive_run *run_ = &(runs)[(rows)[i_].location];                           \
                                                                                                   \
		run_->first = run_->end == i_ && i_ > 0 ? run_->first : i_;                        \
		run_->end = i_ + 1;                                                                \
	}

static void write_locations(struct archive_writing *writing)
{
	const struct measure_profile *profile = writing->profile;
	const size_t nr = writing->of_trace->nr_locations;
	struct archive_run *rows = measure_zeroed(nr, sizeof(*rows));
	struct archive_run *metrics = measure_zeroed(nr, sizeof(*metrics));

	FIND_RUNS(profile->rows, profile->nr_rows, rows)
	FIND_RUNS(profile->metrics, profile->nr_metrics, metrics)
	archive_note(writing, OTF2_Archive_OpenDefFiles(writing->archive));
	archive_note(writing, OTF2_Archive_OpenEvtFiles(writing->archive));
	for (size_t i = 0; i < nr && writing->code == OTF2_SUCCESS; i++) {
		const uint32_t location = profile->trace->reading_order[i];

		write_location(writing, location, i == 0, rows[location], metrics[location]);
	}
	archive_note(writing, OTF2_Archive_CloseEvtFiles(writing->archive));
	archive_note(writing, OTF2_Archive_CloseDefFiles(writing->archive));
	measure_free(rows);
	measure_free(metrics);
}

/* --------------------------------------------------------------------- the archive --- */

static OTF2_FlushType always_flush(
	void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)context, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {always_flush, NULL};

static void copy_text(struct archive_writing *writing,
	OTF2_ErrorCode (*get)(OTF2_Reader *, char **),
	OTF2_ErrorCode (*set)(OTF2_Archive *, const char *))
{
	char *text = NULL;

	if (get(writing->reader, &text) == OTF2_SUCCESS && text)
		archive_note(writing, set(writing->archive, text));
	measure_free(text);
}

static void copy_properties(struct archive_writing *writing)
{
	uint32_t nr = 0;
	char **names = NULL;

	archive_note_input(writing, OTF2_Reader_GetPropertyNames(writing->reader, &nr, &names));
	for (uint32_t i = 0; i < nr; i++) {
		char *value = NULL;

		archive_note_input(
			writing, OTF2_Reader_GetProperty(writing->reader, names[i], &value));
		if (value)
			archive_note(writing,
				OTF2_Archive_SetProperty(writing->archive, names[i], value, true));
		measure_free(value);
	}
	measure_free(names);
}

static void write_properties(struct archive_writing *writing)
{
	char sum[32];

	snprintf(sum, sizeof(sum), "%016" PRIx64,
		writing->sum + archive_sum_paths(writing->profile));
	archive_note(writing, OTF2_Archive_SetProperty(
				      writing->archive, ARCHIVE_PROPERTY, ARCHIVE_VERSION, true));
	archive_note(
		writing, OTF2_Archive_SetProperty(writing->archive, ARCHIVE_CHECKSUM, sum, true));
}

static bool open_trace(struct archive_writing *writing)
{
	writing->reader = OTF2_Reader_Open(writing->profile->trace->anchor);
	if (!writing->reader) {
		archive_note_input(writing, OTF2_ERROR_FILE_INTERACTION);
		return false;
	}
	archive_note_input(writing, OTF2_Reader_SetSerialCollectiveCallbacks(writing->reader));
	writing->numbering.is_first_only = true;
	archive_note_input(
		writing, measure_id_remapping_read(&writing->numbering, writing->reader));
	if (writing->code == OTF2_SUCCESS && !archive_find_places(writing))
		archive_note_input(writing, OTF2_ERROR_INTEGRITY_FAULT);
	return writing->code == OTF2_SUCCESS;
}

static bool open_archive(struct archive_writing *writing, const char *directory)
{
	writing->archive = OTF2_Archive_Open(directory, ARCHIVE_NAME, OTF2_FILEMODE_WRITE,
		OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
		OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!writing->archive) {
		archive_note(writing, OTF2_ERROR_FILE_INTERACTION);
		return false;
	}
	archive_note(
		writing, OTF2_Archive_SetFlushCallbacks(writing->archive, &flush_callbacks, NULL));
	archive_note(writing, OTF2_Archive_SetSerialCollectiveCallbacks(writing->archive));
	copy_text(writing, OTF2_Reader_GetCreator, OTF2_Archive_SetCreator);
	copy_text(writing, OTF2_Reader_GetDescription, OTF2_Archive_SetDescription);
	copy_text(writing, OTF2_Reader_GetMachineName, OTF2_Archive_SetMachineName);
	copy_properties(writing);
	return writing->code == OTF2_SUCCESS;
}

/* The end of the trace: the numbers are those of all that was before it. */
static uint64_t time_of_rows(const struct measure_profile *profile)
{
	const struct measure_clock *clock = &profile->trace->definitions.clock;
	const uint64_t end = clock->offset + clock->length;

	if (!clock->is_defined || end < clock->offset)
		return profile->last;
	return profile->last < clock->offset ? clock->offset
	       : profile->last > end         ? end
					     : profile->last;
}

static void write_archive(struct archive_writing *writing, const char *directory)
{
	if (!open_trace(writing) || !open_archive(writing, directory))
		return;
	for (uint32_t i = 0; i < ARCHIVE_NR_CLASSES; i++)
		archive_class_describe((enum archive_class_name)i, &writing->classes[i]);
	writing->time = time_of_rows(writing->profile);
	write_locations(writing);
	writing->definitions = OTF2_Archive_GetGlobalDefWriter(writing->archive);
	if (!writing->definitions)
		archive_note(writing, OTF2_ERROR_FILE_INTERACTION);
	if (writing->code == OTF2_SUCCESS)
		archive_write_definitions(writing);
	write_properties(writing);
}

static void close_archive(struct archive_writing *writing)
{
	if (writing->archive)
		archive_note(writing, OTF2_Archive_Close(writing->archive));
	if (writing->reader)
		OTF2_Reader_Close(writing->reader);
	measure_id_remapping_free(&writing->numbering);
	measure_free(writing->nr_rows);
}

static void set_error(const struct archive_writing *writing, const char *directory)
{
	if (writing->is_unreadable)
		measure_error_set("%s: cannot copy its definitions: %s; copy the archive again or "
				  "use a newer OTF2",
			writing->profile->trace->anchor, measure_error_cause());
	else
		measure_error_set("%s: cannot write: %s; is the disk full?", directory,
			measure_error_cause());
}

/* What Measure knows of the run, for summaries; not every trace has it. */
static void copy_configuration(const struct measure_trace *trace, const char *directory)
{
	char *from = measure_copy_text(trace->anchor);
	char *slash = strrchr(from, '/');
	const int to_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int from_fd;

	if (slash)
		*slash = '\0';
	from_fd = open(slash ? from : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to_fd >= 0 && from_fd >= 0)
		measure_file_copy(from_fd, "measure.cfg", to_fd, "measure.cfg");
	if (to_fd >= 0)
		close(to_fd);
	if (from_fd >= 0)
		close(from_fd);
	measure_free(from);
}

static measure_status_t make_directory(const struct measure_trace *trace, const char *directory)
{
	if (measure_profile_archive_is_one(trace)) {
		measure_error_set("%s: holds a profile already; copy its directory", trace->anchor);
		return MEASURE_ERROR_UNSUPPORTED;
	}
	if (mkdir(directory, 0777) == 0)
		return MEASURE_OK;
	if (errno == EEXIST) {
		measure_error_set("%s: exists already; choose a new directory", directory);
		return MEASURE_ERROR_EXISTS;
	}
	measure_error_set("%s: cannot make the directory: %s", directory, strerror(errno));
	return MEASURE_ERROR_IO;
}

measure_status_t measure_profile_archive_write(
	const struct measure_profile *profile, const char *directory)
{
	struct archive_writing writing = {
		.profile = profile, .of_trace = &profile->trace->definitions};
	const measure_status_t status = make_directory(profile->trace, directory);

	if (status != MEASURE_OK)
		return status;
	measure_error_start();
	writing.nr_rows = measure_zeroed(writing.of_trace->nr_locations, sizeof(*writing.nr_rows));
	write_archive(&writing, directory);
	close_archive(&writing);
	if (writing.code == OTF2_SUCCESS) {
		copy_configuration(profile->trace, directory);
		return MEASURE_OK;
	}
	set_error(&writing, directory);
	measure_file_remove_tree(AT_FDCWD, directory);
	return MEASURE_ERROR_IO;
}
