/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data handles: numbers that are never used again in the process, in place of addresses that are.
 */
#ifndef MEASURE_STARPU_HANDLES_H
#define MEASURE_STARPU_HANDLES_H

#include <stdint.h>

#include "starpu_start.h"

#pragma GCC visibility push(hidden)

/* The number of a handle; one that is not known yet is recorded as registered now. 0: it cannot be
 * recorded. Not in a transaction. */
uint64_t measure_starpu_data_number(starpu_data_handle_t handle);

/* The same of one that is known, 0 of others. */
uint64_t measure_starpu_data_known(starpu_data_handle_t handle);

/* A fact about a handle that becomes known later. */
void measure_starpu_data_fact(
	starpu_data_handle_t handle, enum measure_data_fact fact, uint64_t value);

#pragma GCC visibility pop

#endif
