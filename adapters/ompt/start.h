/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What start.c asks of the other files. */
#ifndef MEASURE_OMPT_START_H
#define MEASURE_OMPT_START_H

#include <stdbool.h>

/* Defines the regions of the lock functions. */
void measure_ompt_mutex_start(void);

/* The library answers the calls of GCC's. */
bool measure_ompt_is_for_gcc(void);

#endif
