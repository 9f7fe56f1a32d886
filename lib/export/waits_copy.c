/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits as values of a metric class, and as markers.
 *
 * The metrics are accumulated: all waiting time of the location, and of each pattern that occurs.
 * Each call that has waited has a value at its Enter and one at its Leave, so that the difference
 * is what the call has waited, with the calls inside of it, and nothing is added between calls.
 * RELATIVE_LAST with a value at the Leave would be shorter, but stands for the time since the value
 * before: readers would spread it over what the location did since its last wait. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/report/profile_report.h"
#include "base/figures.h"
#include "waits_copy.h"

struct waits_copying {
	const struct measure_waits *waits;
	/* all, then each pattern that occurs */
	struct measure_added_member members[MEASURE_NR_WAIT_PATTERNS + 1];
	char names[MEASURE_NR_WAIT_PATTERNS][64];
	uint8_t nr_members;
	uint8_t of[MEASURE_NR_WAIT_PATTERNS]; /* by pattern: its member */
};

/* ------------------------------------------------------------------------- metrics --- */

static void add_member(struct waits_copying *copying, uint32_t pattern)
{
	char *name = copying->names[pattern];

	snprintf(name, sizeof(copying->names[pattern]), "waiting time: %s",
		measure_wait_patterns[pattern].title);
	copying->of[pattern] = copying->nr_members;
	copying->members[copying->nr_members++] =
		(struct measure_added_member){name, "part of the waiting time", "ns"};
}

static void find_members(struct waits_copying *copying)
{
	const struct measure_waits *waits = copying->waits;

	copying->members[copying->nr_members++] = (struct measure_added_member){
		"waiting time", "time in which calls could not go on, by measure-analyze", "ns"};
	for (size_t i = 0; i < waits->nr_rows; i++) {
		const uint32_t pattern = waits->rows[i].pattern;

		if (measure_wait_patterns[pattern].part == MEASURE_WAIT_ADDED &&
			copying->of[pattern] == 0)
			add_member(copying, pattern);
	}
}

static bool is_added(const struct measure_wait_state *wait)
{
	return measure_wait_patterns[wait->pattern].part == MEASURE_WAIT_ADDED;
}

/* A change at an event: of nothing at an Enter. */
struct wait_change {
	uint64_t position, ticks;
	uint32_t pattern;
};

static int compare_changes(const void *left, const void *right)
{
	const struct wait_change *a = left, *b = right;

	return (a->position > b->position) - (a->position < b->position);
}

static struct wait_change *make_changes(
	const struct measure_dependencies *dependencies, uint32_t location, size_t *nr)
{
	const size_t first = dependencies->first_waits[location];
	const size_t end = dependencies->first_waits[location + 1];
	const struct measure_sync_call *calls = dependencies->tables[location].calls;
	struct wait_change *changes = measure_zeroed(2 * (end - first), sizeof(*changes));

	*nr = 0;
	for (size_t i = first; i < end; i++) {
		const struct measure_wait_state *wait = &dependencies->waits[i];
		const struct measure_sync_call *call = &calls[wait->call];

		if (!is_added(wait))
			continue;
		changes[(*nr)++] = (struct wait_change){call->first, 0, wait->pattern};
		changes[(*nr)++] = (struct wait_change){call->last, wait->ticks, wait->pattern};
	}
	if (*nr > 1)
		qsort(changes, *nr, sizeof(*changes), compare_changes);
	return changes;
}

/* Of sums of ticks: what is rounded is never more than one nanosecond. */
static void find_values(void *data, uint32_t location, struct measure_added_values *values)
{
	const struct waits_copying *copying = data;
	const struct measure_profile *profile = &copying->waits->profile;
	uint64_t totals[MEASURE_NR_WAIT_PATTERNS + 1] = {0};
	size_t nr;
	struct wait_change *changes = make_changes(&copying->waits->dependencies, location, &nr);

	values->items = measure_zeroed(2 * nr, sizeof(*values->items));
	for (size_t i = 0; i < nr; i++) {
		const uint32_t members[] = {0, copying->of[changes[i].pattern]};

		for (size_t k = 0; k < 2; k++) {
			totals[members[k]] += changes[i].ticks;
			values->items[values->nr++] =
				(struct measure_added_value){changes[i].position, members[k],
					measure_profile_ns(profile, totals[members[k]])};
		}
	}
	measure_free(changes);
}

/* ------------------------------------------------------------------------- markers --- */

static int compare_lengths(const void *left, const void *right)
{
	const struct measure_wait_state *a = *(const struct measure_wait_state *const *)left;
	const struct measure_wait_state *b = *(const struct measure_wait_state *const *)right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return (a > b) - (a < b);
}

static int compare_times(const void *left, const void *right)
{
	const struct measure_wait_state *a = *(const struct measure_wait_state *const *)left;
	const struct measure_wait_state *b = *(const struct measure_wait_state *const *)right;

	if (a->from != b->from)
		return a->from > b->from ? 1 : -1;
	return (a > b) - (a < b);
}

/* The longest ones in the order of time; to be freed. */
static const struct measure_wait_state **find_longest(
	const struct measure_dependencies *dependencies, size_t nr_most, size_t *nr)
{
	const size_t nr_waits = dependencies->first_waits[dependencies->nr_locations];
	const struct measure_wait_state **waits = measure_zeroed(nr_waits, sizeof(*waits));

	*nr = 0;
	for (size_t i = 0; i < nr_waits; i++)
		if (is_added(&dependencies->waits[i]))
			waits[(*nr)++] = &dependencies->waits[i];
	if (*nr > 1)
		qsort(waits, *nr, sizeof(*waits), compare_lengths);
	if (nr_most > 0 && nr_most < *nr)
		*nr = nr_most;
	if (*nr > 1)
		qsort(waits, *nr, sizeof(*waits), compare_times);
	return waits;
}

/* As short as tells them apart: of the only thread of a process, the process. */
static const char *short_name(const struct measure_definitions *definitions, uint32_t location)
{
	const uint32_t group = definitions->locations[location].group;

	if (group < definitions->nr_location_groups &&
		definitions->location_groups[group].nr_locations == 1)
		return measure_text(definitions, definitions->location_groups[group].name);
	if (definitions->nr_location_groups == 1)
		return measure_text(definitions, definitions->locations[location].name);
	return measure_name_of_location(definitions, location);
}

static char *make_text(const struct measure_waits *waits, const struct measure_wait_state *wait)
{
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const uint32_t path = waits->dependencies.tables[wait->location].calls[wait->call].path;
	char time[MEASURE_FIGURE_TEXT], place[MEASURE_REPORT_NAME], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	measure_figure_seconds(measure_profile_seconds(&waits->profile, wait->ticks), time);
	fprintf(out, "%s: %s in %s: %s waits", measure_wait_patterns[wait->pattern].title, time,
		measure_key_text(&waits->profile, MEASURE_KEY_PATH, path, place, sizeof(place)),
		short_name(definitions, wait->location));
	if (wait->cause != MEASURE_NONE)
		fprintf(out, " for %s", short_name(definitions, wait->cause));
	fclose(out);
	return text;
}

static struct measure_added_marker make_marker(
	const struct measure_waits *waits, const struct measure_wait_state *wait)
{
	const struct measure_sync_call *call =
		&waits->dependencies.tables[wait->location].calls[wait->call];
	const uint64_t until = wait->until < call->leave ? wait->until : call->leave;

	return (struct measure_added_marker){.time = wait->from,
		.duration = until > wait->from ? until - wait->from : 0,
		.location = wait->location,
		.text = make_text(waits, wait)};
}

static struct measure_added_marker *make_markers(
	const struct measure_waits *waits, size_t nr_most, size_t *nr)
{
	const struct measure_wait_state **longest = find_longest(&waits->dependencies, nr_most, nr);
	struct measure_added_marker *markers = measure_zeroed(*nr, sizeof(*markers));

	for (size_t i = 0; i < *nr; i++)
		markers[i] = make_marker(waits, longest[i]);
	measure_free(longest);
	return markers;
}

/* ---------------------------------------------------------------------- an archive --- */

measure_status_t measure_waits_copy(const struct measure_waits *waits,
	const struct measure_sync_correction *corrections, size_t nr_most, const char *directory)
{
	struct waits_copying copying = {.waits = waits};
	struct measure_added_marker *markers;
	struct measure_additions additions = {.members = copying.members,
		.find_values = find_values,
		.data = &copying,
		.group = "measure-analyze",
		.category = "wait"};
	struct measure_trace trace = *waits->profile.trace; /* nothing of it is changed */
	measure_status_t status;

	find_members(&copying);
	markers = make_markers(waits, nr_most, &additions.nr_markers);
	additions.nr_members = copying.nr_members;
	additions.markers = markers;
	status = measure_sync_emit_additions(&trace, corrections, &additions, directory);
	for (size_t i = 0; i < additions.nr_markers; i++)
		free(markers[i].text);
	measure_free(markers);
	return status;
}
