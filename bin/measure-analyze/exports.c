/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, writes and names what measure-analyze writes; see exports.h. */
#include "config.h"

#include "exports.h"

#include <unistd.h>

#include "cli/cli.h"
#include "export/waits_copy.h"

void exports_start(struct analyze_exports *exports)
{
	*exports = (struct analyze_exports){
		.nr_markers = MEASURE_WAITS_MARKERS, .target = {.lock = -1}};
}

bool exports_are_possible(struct analyze_exports *exports, const char *input, bool is_first)
{
	if (!exports->directory)
		return true;
	if (access(exports->directory, F_OK) != 0)
		return !is_first || sync_target_make(&exports->target, input, exports->directory,
					    "--save", false);
	if (is_first)
		measure_cli_say(
			"--save: %s: exists already; choose a new directory", exports->directory);
	return false;
}

bool exports_write(const struct analyze_exports *exports, const struct corrected_waits *corrected)
{
	if (!exports->directory)
		return true;
	if (measure_waits_copy(&corrected->waits, corrected->times.by_location, exports->nr_markers,
		    exports->target.making) == MEASURE_OK)
		return sync_target_take_name(&exports->target);
	measure_cli_say("%s", measure_trace_error());
	return false;
}

void exports_end(struct analyze_exports *exports)
{
	sync_target_free(&exports->target);
}
