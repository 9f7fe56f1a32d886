/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of a run that is named by calls: "solve", "step#3", "step#3-5". */
#ifndef MEASURE_ANALYSIS_PYRAMID_NAMED_CALLS_H
#define MEASURE_ANALYSIS_PYRAMID_NAMED_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/profile/profile.h"

/* Calls of the regions with a name, among them phases and iterations; on each location they count
 * from 1 in the order in which they begin, nested ones too. */
struct measure_named_calls {
	const char *name; /* NULL: none are given */
	size_t length;    /* of the name */
	unsigned long first, last;
};

/* "NAME", which means all of its calls, "NAME#N" or "NAME#N-M"; a name may have a # itself, with no
 * digit behind it. False: it is none of these. `text` must live as long as `calls`. */
bool measure_named_calls_parse(const char *text, struct measure_named_calls *calls);

/* From the begin of the first one to the end of the last one, on whatever location, in the times
 * that the trace has now. `profile` is one of the whole archive. False: measure_trace_error() says
 * what there is instead, to a user who has given option --phase. */
bool measure_named_calls_find(const struct measure_named_calls *calls,
	const struct measure_profile *profile, uint64_t *from, uint64_t *until);

#endif
