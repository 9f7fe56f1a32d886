/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that MPI refuses. What was recorded at their beginning, a message or the begin of a
 * collective, did not happen then: the attribute "Refused" of their Leave says so, with the class
 * of the error. It is defined when it is first needed, outside of brackets. A message that was
 * longer than its buffer is an error, but no refusal. */
#ifndef MEASURE_MPI_REFUSAL_H
#define MEASURE_MPI_REFUSAL_H

#include "calls.h"

void measure_refusal_define(void);

/* MPI_Error_class() may lock: it is asked before a bracket, and in the bracket the same thread gets
 * its answer. */
void measure_error_learn(int error);
int measure_error_class(int error);

void measure_refusal_write(struct measure_location *location, int result);

/* As measure_call_return() and measure_call_leave(), of a call that may have been refused. */
static inline struct measure_location *measure_refusal_return(bool is_recorded, int result)
{
	if (__builtin_expect(result != MPI_SUCCESS, 0) && is_recorded) {
		measure_refusal_define();
		measure_error_learn(result);
	}
	return measure_call_return(is_recorded);
}

static inline void measure_refusal_leave(
	struct measure_location *location, enum measure_call call, int result)
{
	if (__builtin_expect(result != MPI_SUCCESS, 0))
		measure_refusal_write(location, result);
	measure_call_leave(location, call);
}

#endif
