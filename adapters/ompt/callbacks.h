/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that the OpenMP run-time library calls, expanded from ompt_callbacks.def. Each
 * lies in the file that owns its subject. */
#ifndef MEASURE_OMPT_CALLBACKS_H
#define MEASURE_OMPT_CALLBACKS_H

#include <omp-tools.h>

#define CALLBACK(event, type, parameters) void measure_ompt_##event parameters;
#include "ompt_callbacks.def"
#undef CALLBACK

#endif
