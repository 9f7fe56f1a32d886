/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a program waited, and its critical path. Works on the result of measure_waits_read(), in one
 * process; the result is the same for any number of threads. */
#ifndef MEASURE_ANALYSIS_CAUSES_ROOT_CAUSES_H
#define MEASURE_ANALYSIS_CAUSES_ROOT_CAUSES_H

#include <stdio.h>

#include "critical_path.h"
#include "delays.h"

struct measure_root_causes {
	struct measure_timelines timelines;
	struct measure_critical_path critical;
	struct measure_delays delays;
};

/* Adds call paths to the profile: to be called first where others read the profile while root
 * causes are found. */
void measure_root_causes_prepare(struct measure_waits *waits);

/* Sets waits->root_causes, which measure_waits_free() frees. Takes the segments of the call tables.
 */
void measure_root_causes_find(struct measure_waits *waits, unsigned nr_threads);
void measure_root_causes_free(struct measure_root_causes *causes);

/* Waiting time, delays and critical path by call path: sets waits->profile.waits. */
void measure_root_causes_sum_paths(struct measure_waits *waits);

/* nr_most: rows of each table; 0: all. Nothing, unless they have been found. */
void measure_root_causes_print_text(const struct measure_waits *waits, size_t nr_most, FILE *out);

/* Members of an object, each with a comma before it. */
void measure_root_causes_print_json(const struct measure_waits *waits, FILE *out);
/* The same, of a row of waits. */
void measure_root_causes_print_wait_json(const struct measure_waits *waits, size_t row, FILE *out);

#endif
