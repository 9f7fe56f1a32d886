/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A slice of the archive, as an archive (export/slice), without the calls that a filter leaves out.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "export/conversion/conversion.h"
#include "export/slice/slice.h"
#include "sync/write/slicing.h"
#include "trace/common/trace_error.h"

static measure_status_t write_slice(struct measure_conversion *conversion, const char *directory)
{
	const struct measure_clock *clock = &conversion->definitions->clock;
	struct measure_slice_options options = {.from = conversion->from,
		.until = conversion->until,
		.locations = conversion->options->locations ? conversion->is_selected : NULL};
	struct measure_slice_result result;

	if (options.until == UINT64_MAX && clock->is_defined)
		options.until = clock->offset + clock->length;
	if (conversion->options->is_aligned)
		measure_slice_align(conversion->trace, &options);
	return measure_slice_write(conversion->trace, &options, directory, &result);
}

/* Of the slice, as the filter counts calls in what it reads. */
static measure_status_t filter_slice(
	struct measure_conversion *conversion, const char *slice, const char *directory)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_trace *trace = NULL;
	measure_status_t status = measure_trace_open(slice, &findings, &trace);

	if (status == MEASURE_OK)
		status = measure_sync_emit_filtered(trace, conversion->options->filter, directory);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return status;
}

static measure_status_t write_filtered(struct measure_conversion *conversion, const char *directory)
{
	const size_t size = strlen(directory) + sizeof(".slice");
	char *slice = measure_zeroed(size, 1);
	measure_status_t status;

	snprintf(slice, size, "%s.slice", directory);
	if (mkdir(slice, 0777) != 0) {
		measure_error_set("%s: cannot make this directory: %s", MEASURE_PRINTABLE(slice),
			strerror(errno));
		measure_free(slice);
		return MEASURE_ERROR_IO;
	}
	status = write_slice(conversion, slice);
	if (status == MEASURE_OK)
		status = filter_slice(conversion, slice, directory);
	measure_file_remove_tree(AT_FDCWD, slice);
	measure_free(slice);
	return status;
}

measure_status_t measure_export_otf2(struct measure_conversion *conversion, const char *path)
{
	measure_status_t status;

	/* an empty directory will do */
	if (mkdir(path, 0777) != 0 &&
		(errno != EEXIST || rmdir(path) != 0 || mkdir(path, 0777) != 0)) {
		measure_error_set("%s: cannot make this directory: %s", MEASURE_PRINTABLE(path),
			strerror(errno));
		return MEASURE_ERROR_IO;
	}
	status = conversion->options->filter ? write_filtered(conversion, path)
					     : write_slice(conversion, path);
	if (status != MEASURE_OK)
		measure_file_remove_tree(AT_FDCWD, path);
	return status;
}
