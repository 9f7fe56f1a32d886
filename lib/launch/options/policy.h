/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Policy for what is not as the user requested. A mistake of the user, visible before the program
 * starts: nothing runs, unless --lenient. Trouble with this machine: the program runs, unless
 * --strict. Each is reported in one line. */
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
