/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What becomes of the run when something is not as the user asked for. A mistake of the user's that
 * can be seen before the start: nothing is run, unless --lenient says so. Trouble with this
 * machine: the program runs, unless --strict says otherwise. Each is one line. */
#ifndef MEASURE_LAUNCH_OPTIONS_POLICY_H
#define MEASURE_LAUNCH_OPTIONS_POLICY_H

#include <stdbool.h>

#include "status.h"

/* Before anything is looked at. Where both are set, --strict wins. */
void measure_policy_set(bool is_strict, bool is_lenient);

bool measure_policy_is_lenient(void);

/* The line; with --lenient followed by what is done `instead`. MEASURE_ERROR_USAGE, or MEASURE_OK
 * with
 * --lenient. */
measure_status_t measure_policy_mistake(const char *instead, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The line and what is done instead. MEASURE_OK, or MEASURE_ERROR_UNSUPPORTED with --strict. */
measure_status_t measure_policy_trouble(const char *instead, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
