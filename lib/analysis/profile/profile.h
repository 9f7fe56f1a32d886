/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The profile of a program: how often and how long each call path was visited, by location, and
 * tables of messages, collectives, locks, files and so on. The profile of one location (fold.h) and
 * that of all are the same structure; measure_profile_merge() makes one of two.
 *
 * All numbers are integers, so that the result does not depend on who has added up what: not on the
 * number of threads and of processes. Times are in ticks, 64 bits: at 2 GHz 290 years of all
 * locations together. */
#ifndef MEASURE_ANALYSIS_PROFILE_PROFILE_H
#define MEASURE_ANALYSIS_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"
#include "profile_table.h"
#include "status.h"
#include "trace/archive/trace.h"

/* Above all indices of regions. */
enum measure_pseudo_region {
	MEASURE_PSEUDO_BEFORE = UINT32_MAX - 64,
#define PSEUDO_REGION(NAME, text) MEASURE_PSEUDO_##NAME,
#include "pseudo_regions.def"
#undef PSEUDO_REGION
	MEASURE_PSEUDO_END
};

/* A node of the tree of call paths. Times are those of its calls: inclusive ones without tasks that
 * ran inside of them. */
struct measure_profile_path {
	uint32_t parent; /* before it in the array; of the root MEASURE_NONE */
	uint32_t region; /* its index, or an enum measure_pseudo_region */
	uint32_t last;   /* child that was found last; 0: none */
	uint32_t follow; /* sibling that was found after this one, the last time */
	uint64_t visits; /* Enters */
	uint64_t inclusive;
	uint64_t bytes; /* of Enters and Leaves, and of the values of metrics that come with them */
	uint64_t min, max;               /* of single, complete calls: those in the histogram */
	struct measure_histogram *calls; /* NULL: none */
};

/* What of it was on one location. The exclusive time is the inclusive time without that of the
 * path's children but (running tasks). */
struct measure_profile_row {
	uint32_t path, location;
	uint64_t visits, inclusive;
	uint64_t exclusive;
};

/* A member of a metric class on a call path of one location. A counter has the sum of its
 * differences, a gauge the integral of its values over the exclusive time of the path. */
struct measure_profile_metric {
	uint32_t path, location, member;
	bool is_spread;  /* shared out by time between the paths that were visited since the value
			    before */
	uint64_t count;  /* values */
	uint64_t ticks;  /* of gauges: the time they are known for */
	int64_t integer; /* sum of counters of an integer type */
	double real;     /* sum of other counters, integral of gauges */
	double min, max; /* of gauges */
};

/* Events that were not as they should be. */
struct measure_profile_faults {
	uint64_t unopened; /* Leaves of regions that were not open: ignored */
	uint64_t repaired; /* Leaves of regions that were not the innermost ones */
	uint64_t cut;      /* regions that were still open at the end */
	uint64_t backward; /* events with a time before that of the event before: moved there */
};

/* What calls of a path have waited, made others wait (delays), and had of the critical path; ticks.
 * lib/analysis/waits and causes find it. */
#define MEASURE_PATH_WAITS(X)                                                                      \
	X(waiting, "waiting_ns")                                                                   \
	X(delay_short, "delay_short_ns") X(delay_long, "delay_long_ns") X(critical, "critical_ns")

struct measure_path_waits {
#define PATH_WAITS(name, word) uint64_t name;
	MEASURE_PATH_WAITS(PATH_WAITS)
#undef PATH_WAITS
};

static inline bool measure_path_has_waits(const struct measure_path_waits *waits)
{
#define PATH_WAITS(name, word) || waits->name > 0
	return false MEASURE_PATH_WAITS(PATH_WAITS);
#undef PATH_WAITS
}

struct measure_profile {
	const struct measure_trace *trace;
	/* by region: the first one that is the same by name, file, line, paradigm and role, which
	 * stands for it in paths; NULL: each stands for itself */
	uint32_t *same_regions;
	struct measure_profile_path *paths; /* [0] is the root */
	size_t nr_paths, room_paths;
	struct measure_map children;      /* (path, region) -> path */
	struct measure_profile_row *rows; /* those of a location together */
	size_t nr_rows, room_rows;
	struct measure_profile_metric *metrics; /* those of a location together */
	size_t nr_metrics, room_metrics;
	struct measure_profile_table tables[MEASURE_NR_TABLES];
	struct measure_profile_faults faults;
	uint64_t nr_events;                 /* that were read */
	uint64_t nr_chunks, nr_chunks_read; /* of event files */
	bool is_sampled;                    /* only some were meant to be read: see most_bytes */
	uint64_t nr_tasks_created, nr_tasks_completed;
	uint64_t first,
		last; /* times of the first and the last event; first > last: there are none */
	uint32_t nr_locations; /* with events */
	uint32_t nr_broken;    /* with event files that could not be read to their ends */
	struct measure_path_waits *waits; /* by path; NULL: it has not been asked for */
};

struct measure_sync_job;

/* How an archive is read. */
struct measure_profile_options {
	unsigned nr_threads;
	/* NULL, or the processes that read it together; the first one gets all */
	const struct measure_sync_job *job;
	bool has_window;
	uint64_t from, until; /* corrected time; what is outside does not count */
	/* of event files; 0: all. Of more, only every n-th chunk is read: times and visits are
	 * those of the calls that lie in it as a whole */
	uint64_t most_bytes;
	void (*progress)(double share);
};

/* An empty one. */
void measure_profile_start(struct measure_profile *profile, const struct measure_trace *trace);
void measure_profile_free(struct measure_profile *profile);

/* From now on regions that some tools define once for each process are one. */
void measure_profile_unify_regions(struct measure_profile *profile);

/* The call path of a region that is called in another one; made if need be. */
uint32_t measure_profile_child_slowly(
	struct measure_profile *profile, uint32_t parent, uint32_t region);

/* Calls of a path are mostly those that were called there before, in the same order. */
static inline uint32_t measure_profile_child(
	struct measure_profile *profile, uint32_t parent, uint32_t region)
{
	const struct measure_profile_path *paths = profile->paths;
	uint32_t child = paths[parent].last;

	if (likely(child != 0)) {
		if (paths[child].region == region)
			return child;
		child = paths[child].follow;
		if (likely(child != 0 && paths[child].region == region)) {
			profile->paths[parent].last = child;
			return child;
		}
	}
	return measure_profile_child_slowly(profile, parent, region);
}

struct measure_translation;

/* Adds what is in `part`, which is freed. Where parts are added in the reading order of their
 * locations, call paths are numbered as if one had read them all. `translation`: `part` is in the
 * words of a process; NULL: it is not. */
void measure_profile_merge(struct measure_profile *profile, struct measure_profile *part,
	const struct measure_translation *translation);

/* Collective in a job. Reads the events of an archive. MEASURE_ERROR_FORMAT: not all of them could
 * be read; what could counts, and measure_trace_error() has the first reason. Others: the archive
 * holds a profile (profile_archive.h) that cannot be read, or not so; the result is empty. */
measure_status_t measure_profile_read(struct measure_trace *trace,
	const struct measure_profile_options *options, struct measure_profile *profile);

/* Name of a region or pseudo region, to print. */
const char *measure_profile_region_name(const struct measure_profile *profile, uint32_t region);

/* The definition of a region; NULL: it is a pseudo region. */
const struct measure_region *measure_profile_region(
	const struct measure_profile *profile, uint32_t region);

#endif
