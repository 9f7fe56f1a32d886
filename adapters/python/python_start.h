/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the two ways of recording have in common: when they begin, and what happens beside the
 * events. */
#ifndef MEASURE_PYTHON_START_H
#define MEASURE_PYTHON_START_H

#include <stdbool.h>

#include "adapter.h"
#include "python_api.h"

#pragma GCC visibility push(hidden)
/* Of this thread: the region and 1 of the function of C that it is in, if that has called nothing
 * else since; 0: none. Other values have a meaning below Python 3.12 only. */
extern __thread uint64_t measure_python_innermost __attribute__((tls_model("initial-exec")));

/* A forked child that is recorded has to enter the functions that it is in. */
extern bool measure_python_is_in_new_child;

/* Does it. `is_entry`: at the entry of a function, which is recorded then. `returning`: a function
 * of C that returns, or MEASURE_UNDEFINED. */
void measure_python_child_begin(bool is_entry, measure_region_t returning);

/* Below Python 3.12: by a profile function. `event`: an audit event, in any thread. */
void measure_python_profile_start(void);
void measure_python_profile_audit(const char *event);
void measure_python_profile_new_thread(void);

/* From Python 3.12 on: by sys.monitoring. False: another tool of the program has taken all numbers.
 */
bool measure_python_monitoring_start(void);
#pragma GCC visibility pop

#endif
