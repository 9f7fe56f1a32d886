/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a small archive event by event, with the OTF2 library, and reads it into a profile. Its
 * clock has a tick per nanosecond. Locations 0 and 1 are threads of process 0, location 2 is
 * process 1; they are ranks 0 and 1 of T_WORLD. */
#ifndef TESTS_UNIT_ANALYSIS_T_PROFILE_H
#define TESTS_UNIT_ANALYSIS_T_PROFILE_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "analysis/profile/profile.h"
#include "trace/stream/record.h"

#define T_NR_LOCATIONS 3

/* Regions: T_G_AGAIN is defined as T_G is. T_PHASE is one. */
enum {
	T_MAIN,
	T_F,
	T_G,
	T_G_AGAIN,
	T_PARALLEL,
	T_BARRIER,
	T_TASK,
	T_SEND,
	T_WAIT,
	T_LOCK,
	T_PHASE,
	T_NR_REGIONS
};
enum { T_WORLD, T_TEAM, T_INNER_TEAM };
enum { T_DATA, T_STANDARD }; /* handles: of the file "data", and of none */
enum {
	T_COUNTERS,
	T_FIELDS,
	T_STRICT_GAUGES
};                    /* metric classes with one member; T_FIELDS has a counter and a gauge */
enum { T_ITERATION, T_SIGNED_ITERATION }; /* parameters */
enum { T_CONTEXT_MAIN, T_CONTEXT_F };
enum { T_ALLOCATION_SIZE, T_DEALLOCATION_SIZE, T_REFUSED }; /* attributes, of type UINT64 */

extern OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
extern struct measure_profile t_profile;
extern struct measure_trace *t_trace;

/* A new archive; events are written to t_on[]. */
void t_begin(void);
/* What follows is in a part of time only. */
void t_set_window(uint64_t from, uint64_t until);
/* Definitions say that each location has so many events. */
void t_say_events(uint64_t nr_events);
/* A clock offset of a location. */
void t_add_offset(uint32_t location, uint64_t time, int64_t offset);
/* Reads it into t_profile with `threads` threads. */
measure_status_t t_read_with(unsigned threads);
void t_read(void);
/* Removes all. */
void t_end(void);

/* The directory of the archive, once it is written. */
const char *t_directory(void);
void t_write(void);

/* A call path by its names, "main/f"; ends the test where there is none. "": the root. */
uint32_t t_path(const char *names);
bool t_has_path(const char *names);
uint64_t t_exclusive(const char *names);
/* Of all paths but (running tasks): what was between the first and the last event of locations. */
uint64_t t_sum(void);

#define T_FIND(names) (&t_profile.paths[t_path(names)])

/* Visits, inclusive and exclusive ticks of a path. */
#define T_TIMES(names, nr, with, without)                                                          \
	do {                                                                                       \
		CU_ASSERT_EQUAL(T_FIND(names)->visits, nr);                                        \
		CU_ASSERT_EQUAL(T_FIND(names)->inclusive, with);                                   \
		CU_ASSERT_EQUAL(t_exclusive(names), without);                                      \
	} while (0)

/* A cell of a table; 0: there is no such row. */
#define T_CELL(TABLE, COLUMN, first, second)                                                       \
	t_cell(MEASURE_TABLE_##TABLE, first, second,                                               \
		MEASURE_COLUMN_##TABLE##_##COLUMN - MEASURE_FIRST_OF_##TABLE)
#define T_VALUE(COLUMN, names) T_CELL(VALUES, COLUMN, t_path(names), 0)

uint64_t t_cell(enum measure_table_name name, uint64_t first, uint64_t second, size_t column);

/* Shorthands for events. */
#define T_ENTER(location, time, region)                                                            \
	CU_ASSERT_EQUAL(OTF2_EvtWriter_Enter(t_on[location], NULL, time, region), OTF2_SUCCESS)
#define T_LEAVE(location, time, region)                                                            \
	CU_ASSERT_EQUAL(OTF2_EvtWriter_Leave(t_on[location], NULL, time, region), OTF2_SUCCESS)
#define T_EVENT(Name, location, ...)                                                               \
	CU_ASSERT_EQUAL(OTF2_EvtWriter_##Name(t_on[location], NULL, __VA_ARGS__), OTF2_SUCCESS)

#endif
