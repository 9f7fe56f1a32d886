/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts the archive of a profile in the place of one that was assembled. The anchor is the first to
 * go, and the last to come: nobody takes a mixture for an archive. What has been moved already is
 * not touched again. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "profile_archive.h"

static const char *const names[] = {"traces", "traces.def", MEASURE_ANCHOR_NAME};

#define NR_NAMES (sizeof(names) / sizeof(*names))

static bool is_waiting(int directory, const char *name, char path[64])
{
	snprintf(path, 64, MEASURE_REPLACEMENT_NAME "/%s", name);
	return faccessat(directory, path, F_OK, 0) == 0;
}

measure_status_t measure_profile_archive_put(int directory)
{
	measure_status_t status = MEASURE_OK;
	char path[64];

	if (faccessat(directory, MEASURE_REPLACEMENT_NAME, F_OK, 0) != 0)
		return MEASURE_ERROR_NOT_FOUND;
	for (size_t i = NR_NAMES; i-- > 0 && status == MEASURE_OK;)
		if (is_waiting(directory, names[i], path))
			status = measure_file_remove_tree(directory, names[i]);
	for (size_t i = 0; i < NR_NAMES && status == MEASURE_OK; i++)
		if (is_waiting(directory, names[i], path) &&
			renameat(directory, path, directory, names[i]) != 0)
			status = MEASURE_ERROR_IO;
	return status;
}
