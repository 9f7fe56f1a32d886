/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `measure`, or we for a program that is followed, put into the environment, and taking it
 * out again. */
#ifndef MEASURE_RUNTIME_CORE_ENVIRONMENT_H
#define MEASURE_RUNTIME_CORE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#define MEASURE_PART_VARIABLE    "MEASURE_PART="
#define MEASURE_PRELOAD_VARIABLE "LD_PRELOAD="

/* Copies MEASURE_PART to `part` and removes it; removes our objects (libmeasure*.so) from
 * LD_PRELOAD, and the variable if nothing else is left. So the program and its children see
 * the environment that `measure` was given. False: there is no MEASURE_PART. */
bool measure_environment_take(char **environment, char *part, size_t size);

#endif
