/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as people look at it: one table of rows by region, call path, paradigm, process,
 * location, phase or file; and how such a table is sorted, cut and printed. */
#ifndef MEASURE_ANALYSIS_REPORT_PROFILE_VIEW_H
#define MEASURE_ANALYSIS_REPORT_PROFILE_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/profile/profile.h"
#include "format/region_group.h"

enum measure_view_by {
	MEASURE_BY_REGION,
	MEASURE_BY_PATH,
	MEASURE_BY_PARADIGM,
	MEASURE_BY_PROCESS,
	MEASURE_BY_LOCATION,
	MEASURE_BY_PHASE,
	MEASURE_BY_FILE,
	MEASURE_NR_VIEWS
};

enum measure_view_sort {
	MEASURE_SORT_EXCLUSIVE,
	MEASURE_SORT_INCLUSIVE,
	MEASURE_SORT_VISITS,
	MEASURE_SORT_MEAN,
	MEASURE_SORT_MAX,
	MEASURE_SORT_IMBALANCE,
	MEASURE_SORT_WAITING,
	MEASURE_SORT_NAME,
	MEASURE_NR_SORTS
};

extern const char *const measure_view_words[MEASURE_NR_VIEWS];
extern const char *const measure_sort_words[MEASURE_NR_SORTS];

/* Times in ticks. */
struct measure_view_row {
	uint32_t subject; /* region, path, paradigm, process, location, path of a phase */
	uint32_t depth;   /* in a tree */
	uint64_t visits, inclusive, exclusive;
	uint64_t min, max; /* of complete calls, if there are any */
	uint64_t complete, complete_ticks;
	struct measure_histogram calls;
	uint64_t locations;      /* that visited it */
	uint64_t most_exclusive; /* of one of them */
	struct measure_path_waits waits; /* of regions and call paths, if the profile has them */
	uint64_t
		groups[MEASURE_NR_GROUPS]; /* exclusive times: of processes, locations and phases */
};

struct measure_view {
	const struct measure_profile *profile;
	enum measure_view_by by;
	bool is_tree;
	struct measure_view_row *rows;
	size_t nr_rows, room_rows;
	size_t nr_more; /* rows that were left out because there are too many */
	uint64_t all; /* exclusive time of all rows, before some were left out */
	uint64_t groups[MEASURE_NR_GROUPS]; /* of processes, locations and phases: the same by group
					     */
};

struct measure_view_options {
	enum measure_view_by by;
	enum measure_view_sort sort;
	bool is_tree;   /* of call paths */
	size_t nr_most; /* rows; 0: all */
	double least;   /* share of the time that a row must have to be shown */
	bool has_empty; /* rows without visits and time are shown, too */
	/* NULL, or which regions are shown */
	bool (*is_shown)(void *data, const struct measure_profile *profile, uint32_t region);
	void *data;
};

/* Exclusive time of each path, over all locations; to be freed by measure_free(). */
uint64_t *measure_profile_exclusive(const struct measure_profile *profile);

void measure_view_make(struct measure_view *view, const struct measure_profile *profile,
	const struct measure_view_options *options);
void measure_view_free(struct measure_view *view);

/* Values of a row that are worked out. Quantiles lie between min and max. */
uint64_t measure_view_quantile(const struct measure_view_row *row, double share);
double measure_view_mean(const struct measure_view_row *row);
/* (most - mean) / most of the exclusive time of locations: 0, all the same, to 1. */
double measure_view_imbalance(const struct measure_view_row *row);

/* Name of a row; in the buffer if it has to be put together. */
const char *measure_view_name(const struct measure_view *view, const struct measure_view_row *row,
	char *buffer, size_t size);

enum measure_region_group measure_group_of(const struct measure_profile *profile, uint32_t region);
const char *measure_paradigm_word(OTF2_Paradigm paradigm);

/* Nanoseconds, rounded down. */
uint64_t measure_profile_ns(const struct measure_profile *profile, uint64_t ticks);
double measure_profile_seconds(const struct measure_profile *profile, uint64_t ticks);

#endif
