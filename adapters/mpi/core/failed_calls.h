/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that MPI returns from with an error. What was recorded at their beginning, a message or
 * the begin of a collective, did not happen then: the attribute "Refused" of their Leave says so,
 * with the class of the error. It is defined when it is first needed, outside of transactions. A
 * message that was longer than its buffer is an error, but it was received. */
#ifndef MEASURE_MPI_FAILED_CALLS_H
#define MEASURE_MPI_FAILED_CALLS_H

#include "../calls/calls.h"

/* MPI_Error_class() may lock: it is asked before a transaction, and in the transaction the same
 * thread gets its answer. */
void measure_error_learn(int error);
int measure_error_class(int error);

void measure_failure_define(void);
void measure_failure_write(struct measure_location *location, int result);

/* As measure_call_return() and measure_call_leave(), of a call that may have failed. */
static inline struct measure_location *measure_failure_return(measure_region_t region, int result)
{
	if (__builtin_expect(result != MPI_SUCCESS, 0) && region != MEASURE_UNDEFINED) {
		measure_failure_define();
		measure_error_learn(result);
	}
	return measure_call_return(region);
}

static inline void measure_failure_leave(
	struct measure_location *location, measure_region_t region, int result)
{
	if (__builtin_expect(result != MPI_SUCCESS, 0))
		measure_failure_write(location, result);
	measure_call_leave(location, region);
}

/* A message that is longer than its buffer is an error, but received: the status tells of it. So
 * is one of a collective, which has taken place then. */
static inline bool measure_has_received(int result)
{
	return __builtin_expect(result == MPI_SUCCESS, 1) ||
	       measure_error_class(result) == MPI_ERR_TRUNCATE;
}

#endif
