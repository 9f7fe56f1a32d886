/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that parts of an MPI library make by the names that are meant for programs: ROMIO as a
 * component of Open MPI sets statuses and asks for sizes so. They are not the program's. */
#ifndef MEASURE_MPI_INNER_H
#define MEASURE_MPI_INNER_H

#include "calls.h"

/* Whether the call that will return to `site` is made by a component of the MPI library.
 * Thread-safe; looks up symbols at the first call from a site. */
bool measure_inner_calls(const void *site);

static inline bool measure_outer_before(enum measure_call call, const void *site)
{
	return measure_call_is_on(call) && !measure_inner_calls(site) && measure_plain_before(call);
}

#endif
