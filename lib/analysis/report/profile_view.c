/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of a profile: rows by region, path, paradigm, process, location or phase. */
#include "config.h"

#include "profile_view.h"

#include <stdlib.h>
#include <string.h>

const char *const measure_view_words[MEASURE_NR_VIEWS] = {
	"region", "path", "paradigm", "process", "location", "phase", "file"};
const char *const measure_sort_words[MEASURE_NR_SORTS] = {
	"exclusive", "inclusive", "visits", "mean", "max", "imbalance", "name"};

const char *const measure_group_words[MEASURE_NR_GROUPS] = {
#define REGION_GROUP(NAME, text, condition) text,
#include "region_groups.def"
#undef REGION_GROUP
	"measure", "idle", "outside"};

/* ------------------------------------------------------------------------- regions --- */

static enum measure_region_group group_of_pseudo(uint32_t region)
{
	switch (region) {
	case MEASURE_PSEUDO_RECORDING_OFF:
	case MEASURE_PSEUDO_BUFFER_FLUSH:
		return MEASURE_GROUP_MEASUREMENT;
	case MEASURE_PSEUDO_IDLE:
		return MEASURE_GROUP_IDLE;
	case MEASURE_PSEUDO_NO_REGION:
		return MEASURE_GROUP_OUTSIDE;
	default:
		return MEASURE_GROUP_COMPUTATION;
	}
}

enum measure_region_group measure_group_of(const struct measure_profile *profile, uint32_t region)
{
	const struct measure_region *definition = measure_profile_region(profile, region);
	OTF2_Paradigm paradigm;
	OTF2_RegionRole role;

	if (!definition)
		return group_of_pseudo(region);
	paradigm = definition->paradigm;
	role = definition->role;
#define REGION_GROUP(NAME, text, condition)                                                        \
	if (condition)                                                                             \
		return MEASURE_GROUP_##NAME;
#include "region_groups.def"
#undef REGION_GROUP
}

const char *measure_paradigm_word(OTF2_Paradigm paradigm)
{
	static const char *const words[] = {
#define PARADIGM(NAME) [OTF2_PARADIGM_##NAME] = #NAME
		PARADIGM(UNKNOWN), PARADIGM(USER), PARADIGM(COMPILER), PARADIGM(OPENMP),
		PARADIGM(MPI), PARADIGM(CUDA), PARADIGM(MEASUREMENT_SYSTEM), PARADIGM(PTHREAD),
		PARADIGM(HMPP), PARADIGM(OMPSS), PARADIGM(HARDWARE), PARADIGM(GASPI), PARADIGM(UPC),
		PARADIGM(SHMEM), PARADIGM(WINTHREAD), PARADIGM(QTTHREAD), PARADIGM(ACETHREAD),
		PARADIGM(TBBTHREAD), PARADIGM(OPENACC), PARADIGM(OPENCL), PARADIGM(MTAPI),
		PARADIGM(SAMPLING), PARADIGM(NONE), PARADIGM(HIP), PARADIGM(KOKKOS)
#undef PARADIGM
	};

	return paradigm < sizeof(words) / sizeof(*words) && words[paradigm] ? words[paradigm]
									    : "UNKNOWN";
}

/* --------------------------------------------------------------------------- time --- */

uint64_t measure_profile_ns(const struct measure_profile *profile, uint64_t ticks)
{
	const uint64_t resolution = profile->trace->definitions.clock.resolution;

	return resolution ? (uint64_t)((unsigned __int128)ticks * 1000000000 / resolution) : ticks;
}

double measure_profile_seconds(const struct measure_profile *profile, uint64_t ticks)
{
	const uint64_t resolution = profile->trace->definitions.clock.resolution;

	return (double)ticks / (resolution ? (double)resolution : 1e9);
}

uint64_t *measure_profile_exclusive(const struct measure_profile *profile)
{
	uint64_t *exclusive = measure_zeroed(profile->nr_paths, sizeof(*exclusive));

	for (size_t i = 0; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];

		exclusive[i] += path->inclusive;
		if (i > 0 && path->region != MEASURE_PSEUDO_RUNNING_TASKS)
			exclusive[path->parent] -= path->inclusive;
	}
	return exclusive;
}

uint64_t measure_view_quantile(const struct measure_view_row *row, double share)
{
	const uint64_t value = measure_histogram_quantile(&row->calls, share);

	if (row->complete == 0)
		return 0;
	return value < row->min ? row->min : value > row->max ? row->max : value;
}

double measure_view_mean(const struct measure_view_row *row)
{
	return row->complete ? (double)row->complete_ticks / (double)row->complete : 0;
}

double measure_view_imbalance(const struct measure_view_row *row)
{
	if (row->most_exclusive == 0 || row->locations == 0)
		return 0;
	return 1 - (double)row->exclusive / (double)row->locations / (double)row->most_exclusive;
}

/* ---------------------------------------------------------------------------- tree --- */

/* Goes through the tree of paths, into each and out of it again: recursive programs have paths of
 * any depth. */
struct path_walk {
	const struct measure_profile *profile;
	uint32_t *first, *next; /* child and sibling of each path */
	uint32_t path, depth;
	bool is_leaving, has_begun;
};

/* `paths`: all, or some with their parents, in the order in which children of a path come; NULL: as
 * they are numbered. */
static void walk_start(struct path_walk *walk, const struct measure_profile *profile,
	const uint32_t *paths, size_t nr)
{
	const size_t nr_paths = profile->nr_paths;

	*walk = (struct path_walk){.profile = profile};
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

static bool walk_next(struct path_walk *walk)
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

static void walk_end(struct path_walk *walk)
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
	struct path_walk walk;

	walk_start(&walk, profile, NULL, profile->nr_paths);
	while (walk_next(&walk)) {
		const uint32_t region = profile->paths[walk.path].region;
		uint32_t *depth = &open[region < nr_regions ? region : nr_regions];

		if (walk.is_leaving)
			--*depth;
		else
			is_outermost[walk.path] = (*depth)++ == 0 || region >= nr_regions;
	}
	walk_end(&walk);
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

/* Phases and iterations: what was done in each of their call paths, all iterations together. */
static void make_phase_rows(struct measure_view *view)
{
	const struct measure_profile *profile = view->profile;
	uint64_t *exclusive = measure_profile_exclusive(profile);
	struct measure_map phases = {.nr_used = 0};

	for (uint32_t i = 1; i < profile->nr_paths; i++) {
		if (profile->paths[i].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		if (is_phase(profile, i)) {
			measure_map_set(&phases, measure_key_of(i), (uint32_t)view->nr_rows);
			struct measure_view_row *row = view_add(view, i);
			row->inclusive = profile->paths[i].inclusive;
			add_calls(row, profile, i);
			view->all += row->inclusive;
		}
		for (uint32_t at = i; view->nr_rows > 0 && at != MEASURE_NONE;
			at = profile->paths[at].parent) {
			const uint32_t row = measure_map_get(&phases, measure_key_of(at));
			if (row != MEASURE_NONE)
				add_share(view, &view->rows[row], i, 0, exclusive[i]);
		}
	}
	measure_map_free(&phases);
	measure_free(exclusive);
}

/* -------------------------------------------------------------------------- order --- */

static double sort_value(const struct measure_view_row *row, enum measure_view_sort sort)
{
	switch (sort) {
	case MEASURE_SORT_INCLUSIVE:
		return (double)row->inclusive;
	case MEASURE_SORT_VISITS:
		return (double)row->visits;
	case MEASURE_SORT_MEAN:
		return measure_view_mean(row);
	case MEASURE_SORT_MAX:
		return (double)row->max;
	case MEASURE_SORT_IMBALANCE:
		return measure_view_imbalance(row) * (double)row->exclusive;
	default:
		return (double)row->exclusive;
	}
}

struct sorting {
	const struct measure_view *view;
	enum measure_view_sort sort;
};

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct measure_view_row *a = left, *b = right;
	const struct sorting *sorting = data;
	char first[256], second[256];
	int order = 0;

	if (sorting->sort == MEASURE_SORT_NAME) {
		order = strcmp(measure_view_name(sorting->view, a, first, sizeof(first)),
			measure_view_name(sorting->view, b, second, sizeof(second)));
	} else {
		const double x = sort_value(a, sorting->sort), y = sort_value(b, sorting->sort);
		order = (x < y) - (x > y);
	}
	return order ? order : (a->subject > b->subject) - (a->subject < b->subject);
}

/* The rows are in order of value: those of a tree are put behind their parents, in that order. */
static void arrange_tree(struct measure_view *view)
{
	const size_t nr = view->nr_rows;
	uint32_t *paths = measure_zeroed(nr, sizeof(*paths));
	uint32_t *of_path = measure_zeroed(view->profile->nr_paths, sizeof(*of_path));
	struct measure_view_row *rows = measure_zeroed(nr, sizeof(*rows));
	struct path_walk walk;
	size_t nr_put = 0;

	for (uint32_t i = 0; i < nr; i++) {
		paths[i] = view->rows[i].subject;
		of_path[paths[i]] = i;
	}
	walk_start(&walk, view->profile, paths, nr);
	while (walk_next(&walk)) {
		if (walk.is_leaving)
			continue;
		rows[nr_put] = view->rows[of_path[walk.path]];
		rows[nr_put++].depth = walk.depth;
	}
	walk_end(&walk);
	measure_free(view->rows);
	view->rows = rows;
	view->nr_rows = view->room_rows = nr_put;
	measure_free(paths);
	measure_free(of_path);
}

/* ------------------------------------------------------------------------ the view --- */

/* In a tree, the time below a row counts. */
static bool is_wanted(const struct measure_view *view, const struct measure_view_row *row,
	const struct measure_view_options *options)
{
	const uint64_t time = view->is_tree || options->sort == MEASURE_SORT_INCLUSIVE
				      ? row->inclusive
				      : row->exclusive;
	const bool has_region = view->by == MEASURE_BY_REGION || view->by == MEASURE_BY_PATH;

	if (row->visits == 0 && row->exclusive == 0 && row->inclusive == 0)
		return false;
	if (options->least > 0 && (double)time < options->least * (double)view->all)
		return false;
	if (!options->is_shown || !has_region)
		return true;
	return options->is_shown(options->data, view->profile,
		view->by == MEASURE_BY_REGION ? row->subject
					      : view->profile->paths[row->subject].region);
}

static void leave_out(struct measure_view *view, const struct measure_view_options *options)
{
	size_t nr = 0;

	for (size_t i = 0; i < view->nr_rows; i++) {
		struct measure_view_row *row = &view->rows[i];

		if (is_wanted(view, row, options) &&
			(options->nr_most == 0 || nr < options->nr_most))
			view->rows[nr++] = *row;
		else
			measure_histogram_free(&row->calls);
	}
	view->nr_rows = nr;
}

void measure_view_make(struct measure_view *view, const struct measure_profile *profile,
	const struct measure_view_options *options)
{
	struct sorting sorting = {view, options->sort};

	*view = (struct measure_view){.profile = profile,
		.by = options->is_tree ? MEASURE_BY_PATH : options->by,
		.is_tree = options->is_tree};
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
	if (view->nr_rows > 0)
		qsort_r(view->rows, view->nr_rows, sizeof(*view->rows), compare_rows, &sorting);
	if (view->is_tree)
		arrange_tree(view);
	leave_out(view, options);
}

void measure_view_free(struct measure_view *view)
{
	for (size_t i = 0; i < view->nr_rows; i++)
		measure_histogram_free(&view->rows[i].calls);
	measure_free(view->rows);
}

/* -------------------------------------------------------------------------- names --- */

/* "main/solve/MPI_Send"; of a long one the end. */
static const char *path_name(
	const struct measure_profile *profile, uint32_t path, char *buffer, size_t size)
{
	size_t at = size - 1;

	buffer[at] = '\0';
	for (; path != MEASURE_NONE && path != 0; path = profile->paths[path].parent) {
		const char *name =
			measure_profile_region_name(profile, profile->paths[path].region);
		const size_t length = strlen(name);
		const bool is_last = buffer[at] == '\0';

		if (length + !is_last + 3 > at) {
			memcpy(&buffer[at - 3], "...", 3);
			return &buffer[at - 3];
		}
		if (!is_last)
			buffer[--at] = '/';
		at -= length;
		memcpy(&buffer[at], name, length);
	}
	return buffer[at] ? &buffer[at]
			  : measure_profile_region_name(profile, profile->paths[0].region);
}

const char *measure_view_name(const struct measure_view *view, const struct measure_view_row *row,
	char *buffer, size_t size)
{
	const struct measure_profile *profile = view->profile;
	const struct measure_definitions *definitions = &profile->trace->definitions;

	switch (view->by) {
	case MEASURE_BY_REGION:
		return measure_profile_region_name(profile, row->subject);
	case MEASURE_BY_PARADIGM:
		return row->subject < MEASURE_PSEUDO_BEFORE
			       ? measure_paradigm_word((OTF2_Paradigm)row->subject)
			       : measure_profile_region_name(profile, row->subject);
	case MEASURE_BY_PROCESS:
		return row->subject < definitions->nr_location_groups
			       ? measure_text(definitions,
					 definitions->location_groups[row->subject].name)
			       : "(no process)";
	case MEASURE_BY_LOCATION:
		return measure_name_of_location(definitions, row->subject);
	default:
		return view->is_tree ? measure_profile_region_name(
					       profile, profile->paths[row->subject].region)
				     : path_name(profile, row->subject, buffer, size);
	}
}
