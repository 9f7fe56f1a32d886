/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --snapshot-if: looks how long calls of a phase or iterations of a loop take, and asks for an
 * archive of now when one took longer than it should. */
#ifndef MEASURE_USER_SLOW_CALLS_H
#define MEASURE_USER_SLOW_CALLS_H

#include <stdbool.h>

#include "user_start.h"

/* Only then the functions below are to be called. */
extern bool measure_slow_calls_are_watched __attribute__((visibility("hidden")));

void measure_slow_calls_start(void);

/* In a forked child. */
void measure_slow_calls_restart(void);

/* Behind the Enter and the Leave of each call of a site. */
void measure_slow_call_begin(const struct measure_site *site);
void measure_slow_call_end(const struct measure_site *site);

#endif
