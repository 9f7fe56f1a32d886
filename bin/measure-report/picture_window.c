/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From seconds, per cent or calls of a region to corrected times; see picture_window.h. */
#include "config.h"

#include "picture_window.h"

#include <string.h>

#include "analysis/pyramid/location_segments.h"
#include "cli/cli.h"

/* -------------------------------------------------------------------------------- bounds --- */

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

/* --------------------------------------------------------------------------------- calls --- */

/* Of the calls of a location. */
struct call_search {
	const struct measure_profile *profile;
	const struct picture_calls *calls;
	unsigned long nr; /* that have begun */
	uint32_t open;    /* path of the call that is open, or MEASURE_NONE */
	uint64_t from, until;
	bool is_found; /* the first one */
};

static bool path_is_inside(const struct measure_profile *profile, uint32_t path, uint32_t outer)
{
	while (path != MEASURE_NONE && path != outer)
		path = profile->paths[path].parent;
	return path == outer;
}

static bool search_is_of(const struct call_search *search, uint32_t path)
{
	const char *name =
		measure_profile_region_name(search->profile, search->profile->paths[path].region);

	return path > 0 && strlen(name) == search->calls->length &&
	       memcmp(name, search->calls->name, search->calls->length) == 0;
}

static bool search_take(void *data, const struct measure_location_segment *segment)
{
	struct call_search *search = data;

	if (search->open != MEASURE_NONE &&
		(!path_is_inside(search->profile, segment->path, search->open) ||
			(segment->is_call && segment->path == search->open))) {
		search->open = MEASURE_NONE;
		search->until = segment->start;
		if (search->nr >= search->calls->last)
			return false;
	}
	if (search->open == MEASURE_NONE && segment->is_call &&
		search_is_of(search, segment->path)) {
		search->open = segment->path;
		if (++search->nr == search->calls->first) {
			search->from = segment->start;
			search->is_found = true;
		}
	}
	return true;
}

/* On the first location that has a call of it. */
static bool find_calls(const struct picture_options *options, const struct measure_waits *waits,
	struct measure_picture_options *picture)
{
	const struct measure_profile *profile = &waits->profile;
	struct call_search search = {
		.profile = profile, .calls = &options->phase, .open = MEASURE_NONE};
	struct measure_location_segments_end end;

	for (uint32_t i = 0; i < waits->dependencies.nr_locations && search.nr == 0; i++) {
		search.open = MEASURE_NONE;
		measure_location_segments_read(profile->trace, profile, profile->trace->findings, i,
			0, UINT64_MAX, search_take, &search, &end);
		if (search.open != MEASURE_NONE)
			search.until = end.last;
	}
	picture->from = search.from;
	picture->until = search.until;
	if (search.is_found && search.from < search.until)
		return true;
	if (search.nr == 0)
		measure_cli_say("--phase: '%s': not found: nothing of this name is called",
			options->phase.name);
	else
		measure_cli_say("--phase: '%s': not found: the first thread that calls it has %lu "
				"such calls",
			options->phase.name, search.nr);
	return false;
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
