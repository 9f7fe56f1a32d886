/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes small OTF2 archives for tests: a sound one of two ranks, the first with two threads,
 * as plain data that a test edits before it is written. */
#ifndef TESTS_UNIT_TRACE_ARCHIVE_H
#define TESTS_UNIT_TRACE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "trace/stream/stream.h"

/* Locations, by index. */
enum { T_RANK0, T_THREAD, T_RANK1, T_NR_LOCATIONS };

/* Ids of definitions in the archive. */
enum {
	T_MAIN,
	T_INIT,
	T_SEND,
	T_RECEIVE,
	T_WAIT,
	T_COLLECTIVE,
	T_FINALIZE,
	T_PARALLEL,
	T_BARRIER,
	T_WIN_POST,
	T_WIN_COMPLETE,
	T_WIN_WAIT,
	T_NR_REGIONS
};
enum { T_WORLD, T_SELF, T_TEAM, T_INTER, T_NR_COMMS };
enum { T_WINDOW, T_WINDOW_BEFORE, T_NR_WINDOWS }; /* the second was made before recording */
enum { T_FILE, T_STANDARD_FILE, T_FILE_TOGETHER, T_NR_FILES }; /* handles */
enum {
	T_MPI_LOCATIONS,
	T_WORLD_GROUP,
	T_SELF_GROUP,
	T_OMP_LOCATIONS,
	T_TEAM_GROUP,
	T_ONLY_RANK0,
	T_ONLY_RANK1,
	T_NR_GROUPS
};
#define T_EMPTY_STRING 0
#define T_NAME         1 /* a string that is there */
#define T_METRIC       0 /* a class with one member */
#define T_ATTRIBUTE    0 /* of type UINT64 */
#define T_REFUSED      1 /* likewise, on the Leave of a refused call */

/* event.ref is a definition id here; raw, position are not used. */
struct t_event {
	uint32_t location;
	struct measure_event event;
};

struct t_offset {
	uint32_t location;
	uint64_t time;
	int64_t offset;
};

struct t_archive {
	struct t_event *events; /* in order within each location */
	size_t nr_events, room_events;
	struct t_offset offsets[16];
	size_t nr_offsets;
	uint64_t wrong_counts[T_NR_LOCATIONS]; /* added to the event counts */
	uint64_t clock_offset, clock_length, realtime;
	const char *creator, *string_zero;
	bool is_rank1_created; /* by rank 0 */
	bool has_no_clock, has_attribute, has_many_metric_values;
	uint32_t mpi_location_of_rank1;
	uint32_t local_definitions; /* bit per location */
	uint32_t metric_locations;  /* the same: for metrics only */
	/* Called when the other global definitions are written. */
	void (*define_more)(OTF2_GlobalDefWriter *writer);
};

/* The sound archive. */
void t_archive_make(struct t_archive *archive);
void t_archive_free(struct t_archive *archive);

/* Writes it to `directory` (must not exist yet). False: OTF2 refused. */
bool t_archive_write(const struct t_archive *archive, const char *directory);

/* The nth (from 0) event of a kind on a location. Ends the test where there is none. */
struct measure_event *t_find(
	struct t_archive *archive, uint32_t location, enum measure_event_kind kind, size_t nth);
void t_drop(struct t_archive *archive, uint32_t location, enum measure_event_kind kind, size_t nth);

/* Drops all events of a location. */
void t_drop_all(struct t_archive *archive, uint32_t location);

/* A new event behind those of the location that are not later. The pointer is good until the
 * next one is added. */
struct measure_event *t_add(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t ref);

/* A barrier on T_WINDOW_BEFORE, of OTF2_RmaSyncLevel `level`. */
void t_fence(
	struct t_archive *archive, uint32_t location, uint64_t begin, uint64_t end, uint32_t level);

/* A call of region T_WIN_POST, T_WIN_COMPLETE or T_WIN_WAIT on T_WINDOW_BEFORE that records
 * the other side's group. */
void t_epoch(struct t_archive *archive, uint32_t location, uint32_t region, uint64_t begin,
	uint64_t end, uint32_t group);

/* An operation of rank 0 on T_STANDARD_FILE, which is always open, without its end. */
void t_file_begin(struct t_archive *archive, uint64_t time, uint32_t flags);

/* One about lock 1. */
void t_add_lock(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint64_t order);

/* A fresh directory name under the test's own directory, which t_clean removes. Static. */
const char *t_directory(void);
void t_clean(void);

#endif
