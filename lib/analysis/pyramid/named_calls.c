/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks for calls by their name, location by location; see named_calls.h. */
#include "config.h"

#include "named_calls.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits/dependencies.h"
#include "base/printable.h"
#include "location_segments.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"

/* ------------------------------------------------------------------------------- parsing --- */

/* At most 4294967295, from 1. */
static bool take_number(const char **text, unsigned long *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number > 0 && *number <= UINT32_MAX;
}

bool measure_named_calls_parse(const char *text, struct measure_named_calls *calls)
{
	const char *mark = strrchr(text, '#'), *next = mark ? mark + 1 : "";

	*calls = (struct measure_named_calls){
		.name = text, .length = strlen(text), .first = 1, .last = ULONG_MAX};
	if (*next < '0' || *next > '9')
		return calls->length > 0;
	calls->length = (size_t)(mark - text);
	if (!take_number(&next, &calls->first))
		return false;
	calls->last = calls->first;
	if (*next == '-') {
		next++;
		if (!take_number(&next, &calls->last))
			return false;
	}
	return *next == '\0' && calls->last >= calls->first && calls->length > 0;
}

/* ------------------------------------------------------------------------------- looking --- */

struct named_call {
	uint32_t path;
	bool is_wanted;
};

struct call_search {
	const struct measure_named_calls *calls;
	const struct measure_profile *profile;
	bool *is_named; /* by path */
	uint64_t from, until;
	unsigned long most; /* calls of a location */

	/* of the location that is read */
	unsigned long nr; /* calls that have begun */
	MEASURE_GROWING(struct named_call, open);
};

/* Paths stand behind those that they are in. */
static bool path_is_inside(const struct measure_profile *profile, uint32_t path, uint32_t outer)
{
	while (path > outer)
		path = profile->paths[path].parent;
	return path == outer;
}

static void end_innermost(struct call_search *search, uint64_t time)
{
	if (search->open[--search->nr_open].is_wanted)
		search->until = measure_later(search->until, time);
}

static void begin_call(struct call_search *search, const struct measure_location_segment *segment)
{
	const struct measure_named_calls *calls = search->calls;
	const bool is_wanted = ++search->nr >= calls->first && search->nr <= calls->last;

	*measure_append(search, open) =
		(struct named_call){.path = segment->path, .is_wanted = is_wanted};
	if (is_wanted)
		search->from = measure_earlier(search->from, segment->start);
}

static bool take_segment(void *data, const struct measure_location_segment *segment)
{
	struct call_search *search = data;

	while (search->nr_open > 0) {
		const uint32_t innermost = search->open[search->nr_open - 1].path;

		if (path_is_inside(search->profile, segment->path, innermost) &&
			!(segment->is_call && segment->path == innermost))
			break;
		end_innermost(search, segment->start);
	}
	if (search->nr_open == 0 && search->nr >= search->calls->last)
		return false;
	if (segment->is_call && search->is_named[segment->path])
		begin_call(search, segment);
	return true;
}

static void search_location(struct call_search *search, uint32_t location)
{
	const struct measure_trace *trace = search->profile->trace;
	struct measure_location_segments_end end;

	search->nr = search->nr_open = 0;
	measure_location_segments_read(trace, search->profile, trace->findings, location, 0,
		UINT64_MAX, take_segment, search, &end);
	while (search->nr_open > 0)
		end_innermost(search, end.last);
	if (search->most < search->nr)
		search->most = search->nr;
}

static bool search_find_paths(struct call_search *search)
{
	const struct measure_named_calls *calls = search->calls;
	bool is_found = false;

	search->is_named = measure_zeroed(search->profile->nr_paths, sizeof(*search->is_named));
	for (size_t i = 1; i < search->profile->nr_paths; i++) {
		const char *name = measure_profile_region_name(
			search->profile, search->profile->paths[i].region);

		search->is_named[i] = strlen(name) == calls->length &&
				      memcmp(name, calls->name, calls->length) == 0;
		is_found = is_found || search->is_named[i];
	}
	return is_found;
}

bool measure_named_calls_find(const struct measure_named_calls *calls,
	const struct measure_profile *profile, uint64_t *from, uint64_t *until)
{
	struct call_search search = {.calls = calls, .profile = profile, .from = UINT64_MAX};
	const bool is_called = search_find_paths(&search);
	const size_t nr_locations = profile->trace->definitions.nr_locations;

	for (uint32_t i = 0; is_called && i < nr_locations; i++)
		search_location(&search, i);
	measure_free(search.is_named);
	measure_free(search.open);
	*from = search.from;
	*until = search.until;
	if (search.from <= search.until)
		return true;
	if (search.most == 0)
		measure_error_set("--phase: '%s': nothing of this name is called: measure-profile "
				  "lists what is",
			MEASURE_PRINTABLE(calls->name));
	else
		measure_error_set(
			"--phase: '%s': not found: no thread has more than %lu such calls",
			MEASURE_PRINTABLE(calls->name), search.most);
	return false;
}
