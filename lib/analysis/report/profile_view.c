/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of a profile: rows by region, path, paradigm, process, location or phase. */
#include "config.h"

#include "view_rows.h"

#include <stdlib.h>
#include <string.h>

const char *const measure_view_words[MEASURE_NR_VIEWS] = {
	"region", "path", "paradigm", "process", "location", "phase", "file"};
const char *const measure_sort_words[MEASURE_NR_SORTS] = {
	"exclusive", "inclusive", "visits", "mean", "max", "imbalance", "waiting", "name"};

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

	return definition ? measure_region_group(definition->paradigm, definition->role)
			  : group_of_pseudo(region);
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
	case MEASURE_SORT_WAITING:
		return (double)row->waits.waiting;
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
	struct measure_path_walk walk;
	size_t nr_put = 0;

	for (uint32_t i = 0; i < nr; i++) {
		paths[i] = view->rows[i].subject;
		of_path[paths[i]] = i;
	}
	measure_path_walk_start(&walk, view->profile, paths, nr);
	while (measure_path_walk_next(&walk)) {
		if (walk.is_leaving)
			continue;
		rows[nr_put] = view->rows[of_path[walk.path]];
		rows[nr_put++].depth = walk.depth;
	}
	measure_path_walk_end(&walk);
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

	if (row->visits == 0 && row->exclusive == 0 && row->inclusive == 0 &&
		!measure_path_has_waits(&row->waits) && !options->has_empty)
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

		const bool is_row_wanted = is_wanted(view, row, options);

		if (is_row_wanted && (options->nr_most == 0 || nr < options->nr_most)) {
			view->rows[nr++] = *row;
			continue;
		}
		view->nr_more += is_row_wanted;
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
	measure_view_make_rows(view);
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
