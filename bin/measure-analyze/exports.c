/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes, writes and names what measure-analyze writes; see exports.h. */
#include "config.h"

#include "exports.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "export/waits_copy.h"
#include "export/waits_cube.h"

void exports_start(struct analyze_exports *exports)
{
	*exports = (struct analyze_exports){
		.nr_markers = MEASURE_WAITS_MARKERS, .target = {.lock = -1}};
}

/* False: it is there already. */
static bool is_new(const char *option, const char *path, bool is_first)
{
	if (!path || access(path, F_OK) != 0)
		return true;
	if (is_first)
		measure_cli_say("%s: %s: exists already; choose a new name", option, path);
	return false;
}

bool exports_are_possible(struct analyze_exports *exports, const char *input, bool is_first)
{
	if (!is_new("--save", exports->directory, is_first) ||
		!is_new("--cube", exports->cube, is_first))
		return false;
	return !is_first || !exports->directory ||
	       sync_target_make(&exports->target, input, exports->directory, "--save", false);
}

static bool write_copy(
	const struct analyze_exports *exports, const struct corrected_waits *corrected)
{
	if (!exports->directory)
		return true;
	if (measure_waits_copy(&corrected->waits, corrected->times.by_location, exports->nr_markers,
		    exports->target.making) == MEASURE_OK)
		return sync_target_take_name(&exports->target);
	measure_cli_say("%s", measure_trace_error());
	return false;
}

static bool write_cube(const struct analyze_exports *exports, const struct measure_waits *waits)
{
	if (!exports->cube || measure_waits_write_cube(waits, exports->cube) == MEASURE_OK)
		return true;
	measure_cli_say("--cube: %s: %s", exports->cube, strerror(errno));
	return false;
}

bool exports_write(const struct analyze_exports *exports, const struct corrected_waits *corrected)
{
	const bool is_copied = write_copy(exports, corrected);

	return write_cube(exports, &corrected->waits) && is_copied;
}

void exports_end(struct analyze_exports *exports)
{
	sync_target_free(&exports->target);
}
