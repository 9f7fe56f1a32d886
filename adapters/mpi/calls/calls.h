/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All wrapped calls: their numbers and states, and the two transactions every wrapper writes, one
 * that enters before the PMPI call and one that leaves after it.
 *
 * What mpi.h of Open MPI declares is weak in this adapter (module.am, core/constants.c). */
#ifndef MEASURE_MPI_CALLS_H
#define MEASURE_MPI_CALLS_H

#include <mpi.h>
#include <stdatomic.h>

#include "adapter.h"

enum measure_call {
#define ENTRY(name, group, region, role, parameters, arguments) CALL_##name,
#include "mpi_calls.def"
	NR_CALLS
};

enum measure_mpi_group {
#define GROUP(name, when) GROUP_##name,
#include "groups_mpi.def"
#undef GROUP
	NR_GROUPS
};

/* What the wrapper of a call does, in one word: the region of its records, or one of these. */
#define CALL_OFF     MEASURE_UNDEFINED       /* only passes the call through, with any arguments */
#define CALL_TRACKED (MEASURE_UNDEFINED - 1) /* acts, but records nothing */
#define CALL_UNUSED                                                                                \
	(MEASURE_UNDEFINED - 2) /* records, from the first call on: it was not called yet */
extern _Atomic measure_region_t measure_call_states[NR_CALLS];

/* True from the start of MPI_Init to the end of MPI_Finalize (or as long as there are sessions)
 * where this process records and runs the MPI library this adapter was built for. */
extern bool measure_mpi_is_on;

/* Switches calls on whose groups are on, and all off. `groups`: the option's text, NULL: auto. */
void measure_calls_switch_on(const char *groups);
void measure_calls_switch_off(void);

/* The groups as bits, from the option's text: names with commas, "auto", "all"; where the first
 * has a sign, auto is changed. Words that are no group mean nothing: `measure` has
 * refused them. */
uint32_t measure_call_groups_parse(const char *text);

/* Its name: "MPI_Send". */
const char *measure_call_name(enum measure_call call);

/* The region of a call whose state is none yet: defined at its first use. MEASURE_UNDEFINED: it is
 * not recorded. Several threads may come at once. */
measure_region_t measure_call_first_region(enum measure_call call);

/* The one question of every wrapper. */
static inline bool measure_call_is_on(enum measure_call call)
{
	return atomic_load_explicit(&measure_call_states[call], memory_order_relaxed) != CALL_OFF;
}

/* Whether it would be recorded now: for calls whose wrapper acts anyway. */
static inline bool measure_call_is_recorded(enum measure_call call)
{
	return atomic_load_explicit(&measure_call_states[call], memory_order_relaxed) <=
	       CALL_UNUSED;
}

/* Opens the transaction before the PMPI call. `region` is for the transaction after it. NULL, and
 * MEASURE_UNDEFINED: this call is not recorded. */
static inline struct measure_location *measure_call_enter(
	enum measure_call call, measure_region_t *region)
{
	measure_region_t state =
		atomic_load_explicit(&measure_call_states[call], memory_order_relaxed);
	struct measure_location *location = NULL;

	if (__builtin_expect(state >= CALL_UNUSED, 0))
		state = measure_call_first_region(call);
	if (state != MEASURE_UNDEFINED)
		location = measure_record_begin();
	*region = location ? state : MEASURE_UNDEFINED;
	if (location)
		measure_write_enter(location, state);
	return location;
}

/* Opens the transaction after the PMPI call: the clock is read before anything else is done.
 * NULL: this call is not recorded. */
static inline struct measure_location *measure_call_return(measure_region_t region)
{
	return region != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
}

/* Closes the transaction after the PMPI call. */
static inline void measure_call_leave(struct measure_location *location, measure_region_t region)
{
	measure_write_leave(location, region);
	measure_record_end(location);
}

/* The same of a call that polls: only where it has found something it is always recorded. */
static inline void measure_poll_leave(
	struct measure_location *location, measure_region_t region, bool has_found)
{
	if (has_found)
		measure_write_leave(location, region);
	else
		measure_write_poll_leave(location, region);
	measure_record_end(location);
}

/* Roles of a call that has no more than its two transactions. */
static inline measure_region_t measure_plain_before(enum measure_call call)
{
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (location)
		measure_record_end(location);
	return region;
}

static inline void measure_plain_after(measure_region_t region)
{
	struct measure_location *location = measure_call_return(region);

	if (location)
		measure_call_leave(location, region);
}

/* The same where it polls. */
static inline void measure_plain_poll_after(measure_region_t region, int result, const int *flag)
{
	struct measure_location *location = measure_call_return(region);

	if (location)
		measure_poll_leave(location, region, result != MPI_SUCCESS || *flag);
}

#endif
