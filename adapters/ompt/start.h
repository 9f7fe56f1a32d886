/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What start.c asks of the other files. */
#ifndef MEASURE_OMPT_START_H
#define MEASURE_OMPT_START_H

/* Defines the regions of the lock functions. */
void measure_ompt_mutex_start(void);

#endif
