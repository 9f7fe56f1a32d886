/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a small archive event by event, with the OTF2 library, and reads its waits. Its clock has
 * a tick per nanosecond, and what is recorded at time t is at T_START + t. Locations 0 to 3 are
 * ranks of T_WORLD, with a process each; 4 to 7 are threads of one more process, of which T_TEAM
 * has the first two and T_BIG_TEAM all. */
#ifndef TESTS_UNIT_WAITS_T_WAITS_H
#define TESTS_UNIT_WAITS_T_WAITS_H

#include <CUnit/CUnit.h>
#include <otf2/otf2.h>
#include <stdint.h>

#include "analysis/efficiency/efficiency.h"
#include "analysis/waits/waits.h"

#define T_START 1000

enum { T_A = 4, T_B = 5, T_NR_LOCATIONS = 8 };

enum {
#define REGION(NAME, text, role, paradigm) T_##NAME,
#include "t_regions.def"
#undef REGION
	T_NR_REGIONS
};
enum { T_WORLD, T_TEAM, T_BIG_TEAM, T_NR_COMMS };
enum { T_WINDOW, T_MADE_WINDOW }; /* of the second one creation and release are recorded */
enum { T_FILE, T_PIPE_READ, T_PIPE_WRITE, T_OWN_FILE };
enum { T_METRIC };
enum { T_CONTEXT_MAIN, T_CONTEXT_WORK }; /* the second one is called by the first */
enum { T_ALONE = 5 }; /* groups of one rank each of T_WORLD */

extern OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
extern struct measure_waits t_waits;
extern struct measure_efficiency t_efficiency;

/* A new archive; events are written to t_on[]. */
void t_begin(void);
/* Reads it into t_waits with `threads` threads; the first time, closes it before. */
void t_read_with(unsigned threads);
void t_read(void);
/* Efficiencies of what has been read, with other options. */
void t_find_efficiency(const struct measure_efficiency_options *options);
/* The same; sends of `bytes` and more wait for their receives. */
void t_read_declared(uint64_t bytes);
/* Removes all. */
void t_end(void);

/* Ticks and waits of a pattern on a location, of all paths. */
uint64_t t_ticks(enum measure_wait_pattern pattern, uint32_t location);
uint64_t t_count(enum measure_wait_pattern pattern, uint32_t location);
/* All that is added, of all locations. */
uint64_t t_total(void);
/* The row of a pattern on a location; ends the test where there is not one. */
const struct measure_wait_row *t_row(enum measure_wait_pattern pattern, uint32_t location);

/* Shorthands. */
#define T_EVENT(Name, location, time, ...)                                                         \
	CU_ASSERT_EQUAL(                                                                           \
		OTF2_EvtWriter_##Name(t_on[location], NULL, T_START + (time), __VA_ARGS__),        \
		OTF2_SUCCESS)
#define T_ENTER(location, time, region) T_EVENT(Enter, location, time, region)
#define T_LEAVE(location, time, region) T_EVENT(Leave, location, time, region)
#define T_WAITED(PATTERN, location, expected)                                                      \
	CU_ASSERT_EQUAL(t_ticks(MEASURE_WAIT_##PATTERN, location), expected)

/* A call of MPI_Send or MPI_Recv, with its record. */
void t_send(uint32_t location, uint64_t enter, uint64_t record, uint64_t leave, uint32_t receiver);
void t_receive(uint32_t location, uint64_t enter, uint64_t record, uint64_t leave, uint32_t sender);

/* A call of a collective on T_WORLD. */
void t_collective(uint32_t location, uint64_t enter, uint64_t leave, uint32_t region,
	OTF2_CollectiveOp op, uint32_t root, uint64_t sent, uint64_t received);

#endif
