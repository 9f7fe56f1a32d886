/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From chosen adapters to the value of LD_PRELOAD; measure_preload_environment() in preload.h hands
 * it to the program. */
#ifndef MEASURE_LAUNCH_PLAN_PRELOAD_LIST_H
#define MEASURE_LAUNCH_PLAN_PRELOAD_LIST_H

#include "preload.h"

#define MEASURE_CORE "libmeasure.so"

/* Fills `list`. Says what the loader cannot preload; then nothing can be recorded. */
measure_status_t measure_preload_make_list(struct measure_preload *preload);

#endif
