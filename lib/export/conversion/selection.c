/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is converted: a window of time, and locations. */
#include "config.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "conversion.h"
#include "sync/write/archive_filter.h"
#include "trace/common/trace_error.h"

/* ---------------------------------------------------------------------- locations --- */

static const char rank_word[] = "rank:";

struct wanted_locations {
	const struct measure_definitions *definitions;
	const uint32_t *ranks; /* by process */
	bool *is_selected;     /* by location */
};

/* "3" or "0-3". */
static bool parse_range(const char *text, unsigned long *first, unsigned long *last)
{
	char *end;

	errno = 0;
	*first = *last = strtoul(text, &end, 10);
	if (end == text || text[0] < '0' || text[0] > '9')
		return false;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*last = strtoul(end + 1, &end, 10);
	return *end == '\0' && errno == 0;
}

static bool matches_name(
	const struct measure_definitions *definitions, uint32_t location, const char *pattern)
{
	const struct measure_location_definition *definition = &definitions->locations[location];

	if (fnmatch(pattern, measure_text(definitions, definition->name), 0) == 0)
		return true;
	return definition->group < definitions->nr_location_groups &&
	       fnmatch(pattern,
		       measure_text(
			       definitions, definitions->location_groups[definition->group].name),
		       0) == 0;
}

/* False: there is no such location. */
static bool select_word(struct wanted_locations *wanted, const char *word)
{
	const bool is_rank = strncmp(word, rank_word, strlen(rank_word)) == 0;
	unsigned long first = 0, last = 0;
	const bool is_range = parse_range(is_rank ? word + strlen(rank_word) : word, &first, &last);
	bool is_found = false;

	for (uint32_t i = 0; i < wanted->definitions->nr_locations; i++) {
		const uint32_t process = wanted->definitions->locations[i].group;
		uint32_t number = i;

		if (is_rank && process == MEASURE_NONE)
			continue;
		if (is_rank)
			number = wanted->ranks[process];
		if (is_range ? number < first || number > last
			     : is_rank || !matches_name(wanted->definitions, i, word))
			continue;
		wanted->is_selected[i] = is_found = true;
	}
	return is_found;
}

static measure_status_t select_words(struct wanted_locations *wanted, const char *words)
{
	char *copy = measure_copy_text(words), *rest = copy, *word;
	measure_status_t status = MEASURE_OK;

	while (status == MEASURE_OK && (word = strsep(&rest, ",")))
		if (*word && !select_word(wanted, word)) {
			measure_error_set(
				"--locations: no location is '%s': give numbers like 0-3, ranks "
				"like rank:0-3, or names",
				MEASURE_PRINTABLE(word));
			status = MEASURE_ERROR_USAGE;
		}
	measure_free(copy);
	return status;
}

uint32_t *measure_conversion_ranks(const struct measure_definitions *definitions)
{
	struct measure_sync_region_filter regions;

	measure_sync_region_filter_start(&regions, NULL, definitions);
	measure_free(regions.regions);
	return regions.ranks;
}

static measure_status_t select_locations(struct measure_conversion *conversion)
{
	const struct measure_definitions *definitions = conversion->definitions;
	const size_t nr = definitions->nr_locations;
	uint32_t *ranks = measure_conversion_ranks(definitions);
	struct wanted_locations wanted = {
		definitions, ranks, conversion->is_selected = measure_zeroed(nr, sizeof(bool))};
	measure_status_t status = MEASURE_OK;

	if (conversion->options->locations)
		status = select_words(&wanted, conversion->options->locations);
	else
		memset(conversion->is_selected, true, nr);
	conversion->locations = measure_zeroed(nr, sizeof(*conversion->locations));
	for (size_t i = 0; i < nr; i++) {
		const uint32_t location = conversion->trace->reading_order[i];

		if (conversion->is_selected[location])
			conversion->locations[conversion->nr_locations++] = location;
	}
	measure_free(ranks);
	return status;
}

/* ------------------------------------------------------------------------- window --- */

static uint64_t find_time_bound(const struct measure_conversion *conversion,
	const struct measure_time_bound *bound, uint64_t otherwise)
{
	const struct measure_clock *clock = &conversion->definitions->clock;
	const uint64_t length =
		clock->is_defined ? clock->length : measure_waits_run_ticks(conversion->waits);
	const uint64_t ticks = measure_time_bound_ticks(bound, length, conversion->resolution);

	if (!bound->is_given)
		return otherwise;
	return ticks > UINT64_MAX - conversion->start ? UINT64_MAX : conversion->start + ticks;
}

static measure_status_t select_calls(struct measure_conversion *conversion)
{
	conversion->has_window = true;
	if (!measure_named_calls_find(&conversion->options->phase, &conversion->waits->profile,
		    &conversion->from, &conversion->until))
		return MEASURE_ERROR_USAGE;
	conversion->until++; /* its Leave is in it */
	return MEASURE_OK;
}

static measure_status_t select_window(struct measure_conversion *conversion)
{
	const struct measure_conversion_options *options = conversion->options;
	const struct measure_profile *profile = &conversion->waits->profile;
	const uint64_t last = measure_later(profile->last, conversion->start);

	if (options->phase.name)
		return select_calls(conversion);
	conversion->from = find_time_bound(conversion, &options->from, 0);
	conversion->until = find_time_bound(conversion, &options->until, UINT64_MAX);
	conversion->has_window = conversion->from > 0 || conversion->until < UINT64_MAX;
	if (conversion->until < conversion->from) {
		measure_error_set("--until is before --from");
		return MEASURE_ERROR_USAGE;
	}
	if (conversion->from > last) {
		measure_error_set("--from is after the end of the trace, which has %.6f s",
			measure_trace_span(conversion->trace, last - conversion->start));
		return MEASURE_ERROR_USAGE;
	}
	return MEASURE_OK;
}

/* ------------------------------------------------------------------------- filter --- */

/* Rules on times count them from the first event of the process. */
static void find_spans(struct measure_conversion *conversion)
{
	const size_t nr = conversion->definitions->nr_locations;

	if (!conversion->options->filter)
		return;
	conversion->spans = measure_zeroed(nr, sizeof(*conversion->spans));
	for (uint32_t i = 0; i < nr; i++) {
		struct measure_stream stream;
		const struct measure_event *event;
		uint64_t nr_read;

		conversion->spans[i] = (struct measure_sync_span){UINT64_MAX, 0};
		measure_stream_open(&stream, conversion->trace, i);
		event = measure_stream_next(&stream);
		if (event) /* all that is asked for is the first one */
			conversion->spans[i] = (struct measure_sync_span){event->raw, event->raw};
		measure_stream_close(&stream, &nr_read);
	}
}

/* -------------------------------------------------------------------------- start --- */

static void start_profile(struct measure_conversion *conversion)
{
	const size_t nr = conversion->waits->profile.nr_paths;

	measure_profile_start(&conversion->profile, conversion->trace);
	measure_profile_unify_regions(&conversion->profile);
	conversion->wait_paths = measure_zeroed(nr, sizeof(*conversion->wait_paths));
	for (size_t i = 1; i < nr; i++)
		conversion->wait_paths[i] = MEASURE_NONE;
}

measure_status_t measure_conversion_start(struct measure_conversion *conversion,
	struct measure_trace *trace, struct measure_waits *waits,
	const struct measure_conversion_options *options)
{
	const struct measure_clock *clock = &trace->definitions.clock;
	measure_status_t status;

	*conversion = (struct measure_conversion){.trace = trace,
		.definitions = &trace->definitions,
		.waits = waits,
		.options = options,
		.resolution = clock->resolution ? clock->resolution : 1000000000,
		.start = clock->is_defined ? clock->offset : waits->profile.first};
	if (waits->profile.first < conversion->start)
		conversion->start = waits->profile.first;
	if (conversion->start == UINT64_MAX) /* no event */
		conversion->start = 0;
	start_profile(conversion);
	status = select_locations(conversion);
	if (status == MEASURE_OK)
		status = select_window(conversion);
	if (status != MEASURE_OK)
		return status;
	find_spans(conversion);
	conversion->from_ns = measure_conversion_ns(conversion, conversion->from);
	conversion->until_ns = measure_conversion_ns(
		conversion, measure_later(conversion->from,
				    measure_earlier(conversion->until, waits->profile.last)));
	return MEASURE_OK;
}

void measure_conversion_free(struct measure_conversion *conversion)
{
	measure_profile_free(&conversion->profile);
	measure_free(conversion->is_selected);
	measure_free(conversion->locations);
	measure_free(conversion->spans);
	measure_free(conversion->wait_paths);
	*conversion = (struct measure_conversion){.nr_locations = 0};
}

const char *measure_conversion_process_name(
	const struct measure_conversion *conversion, uint32_t process)
{
	const struct measure_definitions *definitions = conversion->definitions;

	if (process >= definitions->nr_location_groups)
		return "(no process)";
	return measure_text(definitions, definitions->location_groups[process].name);
}
