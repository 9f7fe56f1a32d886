/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When this adapter is there, and what it knows of the job. */
#ifndef MEASURE_USER_LIFE_H
#define MEASURE_USER_LIFE_H

#include <stdbool.h>
#include <stdint.h>

/* The calls of measure.h as this adapter defines them. */
#define MEASURE_USER_CALLS_ONLY
#include "measure.h"

/* This process records. Sites may be used before our constructor: starts recording then. */
bool measure_user_is_on(void);

/* Between MPI_Init and MPI_Finalize: the rank in the world. */
bool measure_user_has_rank(uint32_t *rank);

#endif
