/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the rows of a view are made, for profile_view.c, which puts them in order. */
#ifndef MEASURE_ANALYSIS_REPORT_VIEW_ROWS_H
#define MEASURE_ANALYSIS_REPORT_VIEW_ROWS_H

#include "profile_view.h"

/* All rows, in order of the call paths or locations. */
void measure_view_make_rows(struct measure_view *view);

/* Goes through the tree of paths, into each and out of it again: recursive programs have paths of
 * any depth. */
struct measure_path_walk {
	const struct measure_profile *profile;
	uint32_t *first, *next; /* child and sibling of each path */
	uint32_t path, depth;
	bool is_leaving, has_begun;
};

/* `paths`: all, or some with their parents, in the order in which children of a path come; NULL: as
 * they are numbered. */
void measure_path_walk_start(struct measure_path_walk *walk, const struct measure_profile *profile,
	const uint32_t *paths, size_t nr);
/* False: it is over. */
bool measure_path_walk_next(struct measure_path_walk *walk);
void measure_path_walk_end(struct measure_path_walk *walk);

#endif
