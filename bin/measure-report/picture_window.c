/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From seconds, per cent or calls of a region to corrected times; see picture_window.h. */
#include "config.h"

#include "picture_window.h"

#include "cli/cli.h"
#include "trace/common/trace_error.h"

static uint64_t time_of(const struct measure_time_bound *bound,
	const struct measure_profile *profile, uint64_t otherwise)
{
	const struct measure_clock *clock = &profile->trace->definitions.clock;
	const uint64_t ticks = measure_time_bound_ticks(bound, clock->length, clock->resolution);

	if (!bound->is_given)
		return otherwise;
	return clock->offset + (ticks < clock->length ? ticks : clock->length);
}

static bool find_bounds(const struct picture_options *options,
	const struct measure_profile *profile, struct measure_picture_options *picture)
{
	picture->from = time_of(&options->from, profile, profile->first);
	picture->until = time_of(&options->until, profile, profile->last);
	if (picture->from < picture->until)
		return true;
	measure_cli_say("--from, --until: nothing of the run lies between them: it takes %.9g s",
		measure_trace_seconds(profile->trace, profile->last));
	return false;
}

static bool find_calls(const struct picture_options *options, const struct measure_waits *waits,
	struct measure_picture_options *picture)
{
	if (!measure_named_calls_find(
		    &options->phase, &waits->profile, &picture->from, &picture->until)) {
		measure_cli_say("%s", measure_trace_error());
		return false;
	}
	if (picture->from == picture->until) /* something is to be seen of it */
		picture->until++;
	return true;
}

bool picture_window_find(const struct picture_options *options, const struct measure_waits *waits,
	struct measure_picture_options *picture)
{
	if (!options->phase.name && !options->from.is_given && !options->until.is_given)
		return true;
	picture->has_window = true;
	return options->phase.name ? find_calls(options, waits, picture)
				   : find_bounds(options, &waits->profile, picture);
}
