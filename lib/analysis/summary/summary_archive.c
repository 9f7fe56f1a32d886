/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The archive of a run that was recorded as a profile: as it is assembled, it has no events, and
 * the profiles lie beside the event files. */
#include "config.h"

#include "summary_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "base/file.h"
#include "format/run_layout.h"

#define NEW_NAME MEASURE_REPLACEMENT_NAME ".new"

static bool is_to_be_replaced(const struct measure_summary *summary)
{
	const char *kept = summary_text(summary, MEASURE_KEPT_PROPERTY);

	const char *unfinished = summary_text(summary, "MEASURE::UNFINISHED_PARTS");

	/* unfinished ones: their archive is made anew, of the files of this one */
	return kept && strcmp(kept, MEASURE_KEPT_NOTHING) == 0 &&
	       (!unfinished || strcmp(unfinished, "0") == 0) &&
	       !measure_profile_archive_is_one(summary->trace);
}

measure_status_t summary_replace_trace(const struct measure_summary *summary, int directory)
{
	measure_status_t status;
	char path[PATH_MAX];

	if (!is_to_be_replaced(summary))
		return MEASURE_OK;
	snprintf(path, sizeof(path), "%s/" NEW_NAME, summary->directory);
	status = measure_file_remove_tree(directory, NEW_NAME);
	if (status == MEASURE_OK)
		status = measure_profile_archive_write(&summary->profile, path);
	if (status == MEASURE_OK &&
		renameat(directory, NEW_NAME, directory, MEASURE_REPLACEMENT_NAME) != 0)
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_OK)
		status = measure_profile_archive_put(directory);
	if (status == MEASURE_OK && faccessat(directory, MEASURE_PARTS_NAME, F_OK, 0) != 0)
		measure_file_remove_tree(directory, MEASURE_REPLACEMENT_NAME);
	return status;
}
