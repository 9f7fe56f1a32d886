/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The archive of a run that was recorded as a profile: as it is assembled, it has no events, and
 * the profiles lie beside the event files. */
#include "config.h"

#include "summary_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "analysis/archive/profile_archive.h"
#include "base/file.h"
#include "format/run_layout.h"

#define NEW_NAME ".profile"

static bool is_to_be_replaced(const struct measure_summary *summary)
{
	const char *kept = summary_text(summary, MEASURE_KEPT_PROPERTY);

	return kept && strcmp(kept, MEASURE_KEPT_NOTHING) == 0 &&
	       !measure_profile_archive_is_one(summary->trace);
}

static measure_status_t replace_files(int directory)
{
	static const char *const names[] = {"traces", "traces.def", MEASURE_ANCHOR_NAME};
	const size_t nr = sizeof(names) / sizeof(*names);
	measure_status_t status = MEASURE_OK;
	char from[64];

	for (size_t i = nr; i-- > 0 && status == MEASURE_OK;)
		status = measure_file_remove_tree(directory, names[i]);
	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		snprintf(from, sizeof(from), NEW_NAME "/%s", names[i]);
		if (renameat(directory, from, directory, names[i]) != 0)
			status = MEASURE_ERROR_IO;
	}
	return status;
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
	if (status == MEASURE_OK)
		status = replace_files(directory);
	if (status == MEASURE_OK)
		status = measure_file_remove_tree(directory, NEW_NAME);
	return status;
}
