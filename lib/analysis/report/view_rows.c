/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of a view: sums of call paths by region, path, paradigm, process, location or phase. */
#include "config.h"

#include "view_rows.h"

#include <string.h>

/* ---------------------------------------------------------------------------- tree --- */

void measure_path_walk_start(struct measure_path_walk *walk, const struct measure_profile *profile,
	const uint32_t *paths, size_t nr)
{
	const size_t nr_paths = profile->nr_paths;

	*walk = (struct measure_path_walk){.profile = profile};
	walk->first = measure_uncleared(nr_paths, sizeof(*walk->first));
	walk->next = measure_uncleared(nr_paths, sizeof(*walk->next));
	memset(walk->first, 0xff, nr_paths * sizeof(*walk->first));
	memset(walk->next, 0xff, nr_paths * sizeof(*walk->next));
	for (size_t i = nr; i-- > 0;) {
		const uint32_t path = paths ? paths[i] : (uint32_t)i;
		const uint32_t parent = profile->paths[path].parent;

		if (parent == MEASURE_NONE)
			continue;
		walk->next[path] = walk->first[parent];
		walk->first[parent] = path;
	}
}

bool measure_path_walk_next(struct measure_path_walk *walk)
{
	const uint32_t path = walk->path;

	if (!walk->has_begun)
		return walk->has_begun = true;
	if (!walk->is_leaving && walk->first[path] != MEASURE_NONE) {
		walk->path = walk->first[path];
		walk->depth++;
	} else if (!walk->is_leaving) {
		walk->is_leaving = true;
	} else if (path == 0) {
		return false;
	} else if (walk->next[path] != MEASURE_NONE) {
		walk->path = walk->next[path];
		walk->is_leaving = false;
	} else {
		walk->path = walk->profile->paths[path].parent;
		walk->depth--;
	}
	return true;
}

void measure_path_walk_end(struct measure_path_walk *walk)
{
	measure_free(walk->first);
	measure_free(walk->next);
}

/* By path: no path above it has its region. To be freed. */
static bool *find_outermost(const struct measure_profile *profile)
{
	const size_t nr_regions = profile->trace->definitions.nr_regions;
	bool *is_outermost = measure_zeroed(profile->nr_paths, sizeof(*is_outermost));
	uint32_t *open = measure_zeroed(nr_regions + 1, sizeof(*open));
	struct measure_path_walk walk;

	measure_path_walk_start(&walk, profile, NULL, profile->nr_paths);
	while (measure_path_walk_next(&walk)) {
		const uint32_t region = profile->paths[walk.path].region;
		uint32_t *depth = &open[region < nr_regions ? region : nr_regions];

		if (walk.is_leaving)
			--*depth;
		else
			is_outermost[walk.path] = (*depth)++ == 0 || region >= nr_regions;
	}
	measure_path_walk_end(&walk);
	measure_free(open);
	return is_outermost;
}

/* ---------------------------------------------------------------------------- rows --- */

static struct measure_view_row *view_add(struct measure_view *view, uint32_t subject)
{
	view->rows = measure_grow(view->rows, view->nr_rows, &view->room_rows, sizeof(*view->rows));
	view->rows[view->nr_rows] =
		(struct measure_view_row){.subject = subject, .min = UINT64_MAX};
	return &view->rows[view->nr_rows++];
}

static uint64_t cut_value(const struct measure_profile *profile, uint32_t path, size_t column)
{
	const uint64_t *row = measure_profile_table_find(&profile->tables[MEASURE_TABLE_VALUES],
		MEASURE_TABLE_VALUES, measure_key_pair(path, 0));

	return row ? row[column - MEASURE_FIRST_OF_VALUES] : 0;
}

static void add_calls(
	struct measure_view_row *row, const struct measure_profile *profile, uint32_t path)
{
	const struct measure_profile_path *from = &profile->paths[path];

	row->visits += from->visits;
	if (!from->calls)
		return;
	row->min = from->min < row->min ? from->min : row->min;
	row->max = from->max > row->max ? from->max : row->max;
	row->complete += measure_histogram_total(from->calls);
	row->complete_ticks +=
		from->inclusive - cut_value(profile, path, MEASURE_COLUMN_VALUES_CUT_TICKS);
	measure_histogram_merge(&row->calls, from->calls);
}

/* What rows a path and a location count for. */
static uint32_t subject_of(const struct measure_view *view, uint32_t path)
{
	const struct measure_profile *profile = view->profile;
	const uint32_t region = profile->paths[path].region;
	const struct measure_region *definition = measure_profile_region(profile, region);

	switch (view->by) {
	case MEASURE_BY_REGION:
		return region;
	case MEASURE_BY_PARADIGM:
		return definition ? definition->paradigm : region;
	default:
		return path;
	}
}

/* The row of each path; to be freed. (running tasks) has none: it is no time of its own. */
static uint32_t *make_rows(struct measure_view *view)
{
	const struct measure_profile *profile = view->profile;
	uint32_t *rows = measure_zeroed(profile->nr_paths, sizeof(*rows));
	struct measure_map subjects = {.nr_used = 0};

	for (uint32_t i = 0; i < profile->nr_paths; i++) {
		const uint32_t subject = subject_of(view, i);

		rows[i] = MEASURE_NONE;
		if (profile->paths[i].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		rows[i] = measure_map_intern(
			&subjects, measure_key_of(subject), (uint32_t)view->nr_rows);
		if (rows[i] == view->nr_rows)
			view_add(view, subject);
	}
	measure_map_free(&subjects);
	return rows;
}

/* Locations that visited a row, and the most that one of them has of it: `rows` of profile->rows
 * are those of one location after the other. */
static void add_locations(struct measure_view *view, const uint32_t *rows)
{
	const struct measure_profile *profile = view->profile;
	uint64_t *sums = measure_zeroed(view->nr_rows, sizeof(*sums));
	bool *was_there = measure_zeroed(view->nr_rows, sizeof(*was_there));

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *from = &profile->rows[i];
		const uint32_t row = rows[from->path];

		if (row != MEASURE_NONE) {
			sums[row] += from->exclusive;
			was_there[row] |= from->visits > 0 || from->exclusive > 0;
		}
		if (i + 1 < profile->nr_rows && profile->rows[i + 1].location == from->location)
			continue;
		for (size_t r = 0; r < view->nr_rows; r++) {
			measure_cell_raise(&view->rows[r].most_exclusive, sums[r]);
			view->rows[r].locations += was_there[r];
			sums[r] = 0;
			was_there[r] = false;
		}
	}
	measure_free(sums);
	measure_free(was_there);
}

static void add_waits(
	struct measure_view_row *row, const struct measure_profile *profile, uint32_t path)
{
	if (!profile->waits)
		return;
#define PATH_WAITS(name, word) row->waits.name += profile->waits[path].name;
	MEASURE_PATH_WAITS(PATH_WAITS)
#undef PATH_WAITS
}

static void make_call_rows(struct measure_view *view)
{
	const struct measure_profile *profile = view->profile;
	uint64_t *exclusive = measure_profile_exclusive(profile);
	bool *is_outermost = find_outermost(profile);
	uint32_t *rows = make_rows(view);

	for (uint32_t i = 0; i < profile->nr_paths; i++) {
		if (rows[i] == MEASURE_NONE)
			continue;
		struct measure_view_row *row = &view->rows[rows[i]];
		row->exclusive += exclusive[i];
		view->all += exclusive[i];
		add_calls(row, profile, i);
		add_waits(row, profile, i);
		if (view->by == MEASURE_BY_PATH ||
			(view->by == MEASURE_BY_REGION && is_outermost[i]))
			row->inclusive += profile->paths[i].inclusive;
		if (view->by == MEASURE_BY_PARADIGM)
			row->inclusive = row->exclusive;
	}
	add_locations(view, rows);
	measure_free(is_outermost);
	measure_free(exclusive);
	measure_free(rows);
}

/* ------------------------------------------------------------------ shares of groups --- */

static void add_share(struct measure_view *view, struct measure_view_row *row, uint32_t path,
	uint64_t visits, uint64_t exclusive)
{
	const enum measure_region_group group =
		measure_group_of(view->profile, view->profile->paths[path].region);

	row->visits += visits;
	row->exclusive += exclusive;
	row->groups[group] += exclusive;
	view->groups[group] += exclusive;
}

/* Processes and locations: where their time was. */
static void make_place_rows(struct measure_view *view)
{
	const struct measure_profile *profile = view->profile;
	const struct measure_definitions *definitions = &profile->trace->definitions;
	struct measure_map places = {.nr_used = 0};

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *from = &profile->rows[i];
		const uint32_t place = view->by == MEASURE_BY_LOCATION
					       ? from->location
					       : definitions->locations[from->location].group;
		const uint32_t row =
			measure_map_intern(&places, measure_key_of(place), (uint32_t)view->nr_rows);

		if (row == view->nr_rows)
			view_add(view, place);
		if (profile->paths[from->path].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		add_share(view, &view->rows[row], from->path, from->visits, from->exclusive);
		if (from->path == 0)
			view->rows[row].inclusive += from->inclusive;
		view->all += from->exclusive;
	}
	measure_map_free(&places);
}

static bool is_phase(const struct measure_profile *profile, uint32_t path)
{
	const struct measure_region *region =
		measure_profile_region(profile, profile->paths[path].region);

	return region && (region->flags & (OTF2_REGION_FLAG_DYNAMIC | OTF2_REGION_FLAG_PHASE));
}

/* What was done in a phase was done in those around it, whose rows come first. */
static void add_inner_phases(struct measure_view *view, const uint32_t *rows)
{
	for (size_t i = view->nr_rows; i-- > 0;) {
		const struct measure_view_row *inner = &view->rows[i];
		const uint32_t around = rows[view->profile->paths[inner->subject].parent];

		if (around == MEASURE_NONE)
			continue;
		view->rows[around].exclusive += inner->exclusive;
		for (int group = 0; group < MEASURE_NR_GROUPS; group++)
			view->rows[around].groups[group] += inner->groups[group];
	}
}

/* Phases and iterations: what was done in each of their call paths, all iterations together. */
static void make_phase_rows(struct measure_view *view)
{
	const struct measure_profile *profile = view->profile;
	uint64_t *exclusive = measure_profile_exclusive(profile);
	/* by path: the row of the innermost phase that it is in, or is */
	uint32_t *rows = measure_zeroed(profile->nr_paths, sizeof(*rows));

	rows[0] = MEASURE_NONE;
	for (uint32_t i = 1; i < profile->nr_paths; i++) {
		rows[i] = rows[profile->paths[i].parent];
		if (profile->paths[i].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		if (is_phase(profile, i)) {
			rows[i] = (uint32_t)view->nr_rows;
			struct measure_view_row *row = view_add(view, i);
			row->inclusive = profile->paths[i].inclusive;
			add_calls(row, profile, i);
			view->all += row->inclusive;
		}
		if (rows[i] != MEASURE_NONE)
			add_share(view, &view->rows[rows[i]], i, 0, exclusive[i]);
	}
	add_inner_phases(view, rows);
	measure_free(rows);
	measure_free(exclusive);
}

void measure_view_make_rows(struct measure_view *view)
{
	switch (view->by) {
	case MEASURE_BY_PROCESS:
	case MEASURE_BY_LOCATION:
		make_place_rows(view);
		break;
	case MEASURE_BY_PHASE:
		make_phase_rows(view);
		break;
	default:
		make_call_rows(view);
	}
}
