/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers and regions of all wrapped calls, and the two brackets every wrapper writes:
 * one that enters before the PMPI call, one that leaves after it.
 *
 * What mpi.h of Open MPI declares is weak in this adapter (module.am, constants.c). */
#ifndef MEASURE_MPI_CALLS_H
#define MEASURE_MPI_CALLS_H

#include <mpi.h>
#include <stdatomic.h>

#include "adapter.h"

enum measure_call {
#define ENTRY(name, group, role, parameters, arguments)    CALL_##name,
#define ENTRY_OF(type, name, group, parameters, arguments) CALL_##name,
#define ENTRY_BY_HAND(name, group)                         CALL_##name,
#include "mpi_calls.def"
	NR_CALLS
};

/* True from the start of MPI_Init to the end of MPI_Finalize where this process records
 * and runs the MPI library this adapter was built for. Where false, every wrapper only
 * passes the call through and looks at none of its arguments. */
extern bool measure_mpi_is_on;

/* MEASURE_UNDEFINED: the call's group is off. CALL_UNUSED: it was not called yet. */
extern _Atomic measure_region_t measure_call_regions[NR_CALLS];
#define CALL_UNUSED (MEASURE_UNDEFINED - 1)

static inline measure_region_t measure_call_region(enum measure_call call)
{
	return atomic_load_explicit(&measure_call_regions[call], memory_order_relaxed);
}

/* Switches the calls on whose groups are on; `groups`: the option's text. */
void measure_call_choose(const char *groups);

/* Its name: "MPI_Send". */
const char *measure_call_name(enum measure_call call);

/* First use of a call: defines its region. Several threads may come at once. */
void measure_call_define_region(enum measure_call call);

static inline bool measure_call_is_on(enum measure_call call)
{
	return measure_mpi_is_on && measure_call_region(call) != MEASURE_UNDEFINED;
}

/* Opens the bracket before the PMPI call. NULL: this call is not recorded. */
static inline struct measure_location *measure_call_enter(enum measure_call call)
{
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return NULL;
	if (__builtin_expect(measure_call_region(call) == CALL_UNUSED, 0))
		measure_call_define_region(call);
	location = measure_record_begin();
	if (location)
		measure_write_enter(location, measure_call_region(call));
	return location;
}

/* Opens the bracket after the PMPI call: the clock is read before anything else is done.
 * NULL: this call is not recorded. */
static inline struct measure_location *measure_call_return(bool is_recorded)
{
	return is_recorded ? measure_record_begin() : NULL;
}

/* Closes the bracket after the PMPI call. */
static inline void measure_call_leave(struct measure_location *location, enum measure_call call)
{
	measure_write_leave(location, measure_call_region(call));
	measure_record_end(location);
}

/* The same of a call that polls: only where it has found something it is always recorded. */
static inline void measure_poll_leave(
	struct measure_location *location, enum measure_call call, bool has_found)
{
	if (has_found)
		measure_write_leave(location, measure_call_region(call));
	else
		measure_write_poll_leave(location, measure_call_region(call));
	measure_record_end(location);
}

/* Roles of a call that has no more than its two brackets. */
static inline bool measure_plain_before(enum measure_call call)
{
	struct measure_location *location = measure_call_enter(call);

	if (location)
		measure_record_end(location);
	return location != NULL;
}

static inline void measure_plain_after(enum measure_call call, bool is_recorded)
{
	struct measure_location *location = measure_call_return(is_recorded);

	if (location)
		measure_call_leave(location, call);
}

/* The same where it polls. */
static inline void measure_plain_poll_after(
	enum measure_call call, bool is_recorded, int result, const int *flag)
{
	struct measure_location *location = measure_call_return(is_recorded);

	if (location)
		measure_poll_leave(location, call, result != MPI_SUCCESS || *flag);
}

#endif
