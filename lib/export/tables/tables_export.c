/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exports to tables: everything that is to know of an archive, in the order in which it becomes
 * known. The output gets its name when it is complete. */
#include "config.h"

#include "tables_export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/causes/root_causes.h"
#include "base/printable.h"
#include "export/conversion/output_file.h"
#include "trace/common/trace_error.h"

bool tables_is_whole(const struct tables_export *export)
{
	const struct measure_conversion *conversion = export->conversion;

	return !conversion->has_window && !conversion->options->filter &&
	       conversion->nr_locations == conversion->definitions->nr_locations;
}

uint32_t tables_path(const struct tables_export *export, uint32_t path)
{
	const struct measure_profile_path *paths = export->conversion->waits->profile.paths;

	if (path == 0)
		return 0;
	return measure_profile_child(&export->conversion->profile,
		tables_path(export, paths[path].parent), paths[path].region);
}

static int compare_locations(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static void export_start(struct tables_export *export)
{
	const struct measure_conversion *conversion = export->conversion;
	const size_t nr = conversion->nr_locations;

	export->per_location = measure_zeroed(
		conversion->definitions->nr_locations, sizeof(*export->per_location));
	export->locations = measure_zeroed(nr + 1, sizeof(*export->locations));
	if (nr > 0) {
		memcpy(export->locations, conversion->locations, nr * sizeof(*export->locations));
		qsort(export->locations, nr, sizeof(*export->locations), compare_locations);
	}
}

static void export_free(struct tables_export *export)
{
	for (size_t i = 0; i < export->conversion->definitions->nr_locations; i++)
		measure_free(export->per_location[i].traffic);
	measure_free(export->per_location);
	measure_free(export->locations);
	sorted_messages_free(&export->messages);
	measure_free(export->collectives);
	measure_free(export->members);
}

static void find_causes(struct tables_export *export)
{
	struct measure_waits *waits = export->conversion->waits;

	if (!tables_is_whole(export) || waits->profile.nr_events == 0)
		return;
	measure_root_causes_prepare(waits);
	measure_root_causes_find(waits, 1);
}

static measure_status_t write_tables(struct tables_export *export)
{
	measure_status_t found, read;

	export_start(export);
	/* before root causes, which take what it looks at */
	tables_write_efficiencies(export);
	read = tables_write_calls(export);
	tables_write_waits(export);
	found = tables_find_matches(export);
	tables_write_matches(export);
	find_causes(export);
	tables_write_causes(export);
	tables_write_profile(export);
	tables_write_definitions(export);
	export_free(export);
	return read == MEASURE_OK ? found : read;
}

/* ------------------------------------------------------------------------- output --- */

static measure_status_t export_refuse(const char *path, const char *why)
{
	measure_error_set("%s: cannot write: %s", MEASURE_PRINTABLE(path), why);
	return MEASURE_ERROR_IO;
}

/* Closes the writer. MEASURE_ERROR_IO: `error` says why. */
static measure_status_t write_all(struct measure_conversion *conversion,
	struct tables_writer *writer, char error[TABLES_ERROR])
{
	struct tables_export export = {.conversion = conversion, .writer = writer};
	const measure_status_t status = write_tables(&export);

	return tables_close(writer, error) ? status : MEASURE_ERROR_IO;
}

#ifdef HAVE_SQLITE
measure_status_t measure_export_sqlite(struct measure_conversion *conversion, const char *path)
{
	char *making = measure_output_file_name(path), error[TABLES_ERROR] = "";
	struct tables_writer *writer;
	measure_status_t status = MEASURE_ERROR_IO;

	if (measure_output_is_special(path)) { /* which no file may replace */
		measure_free(making);
		return export_refuse(path, "it is a device, a directory or a link, and no file");
	}
	unlink(making); /* of a process of the same number */
	writer = tables_open_sqlite(making);
	if (writer)
		status = write_all(conversion, writer, error);
	if (status != MEASURE_ERROR_IO && rename(making, path) != 0)
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_ERROR_IO) {
		export_refuse(path, *error ? error : strerror(errno));
		unlink(making);
	}
	measure_free(making);
	return status;
}
#endif

static void remove_tables(const char *directory)
{
	char *path = measure_zeroed(strlen(directory) + 64, 1);

	for (size_t i = 0; i < TABLES_NR; i++) {
		sprintf(path, "%s/%s.csv", directory, tables_infos[i].word);
		unlink(path);
	}
	rmdir(directory);
	measure_free(path);
}

measure_status_t measure_export_csv(struct measure_conversion *conversion, const char *path)
{
	char *making = measure_output_file_name(path), error[TABLES_ERROR] = "";
	struct tables_writer *writer = NULL;
	measure_status_t status = MEASURE_ERROR_IO;

	/* an empty directory may be there: nothing of anybody's is overwritten */
	if ((rmdir(path) == 0 || errno == ENOENT) && mkdir(making, 0777) == 0)
		writer = tables_open_csv(making);
	if (writer)
		status = write_all(conversion, writer, error);
	if (status != MEASURE_ERROR_IO && rename(making, path) != 0)
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_ERROR_IO) {
		export_refuse(path, *error ? error : strerror(errno));
		remove_tables(making);
	}
	measure_free(making);
	return status;
}
