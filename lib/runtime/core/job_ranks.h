/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which ranks of a job are recorded, for adapters: measure_ranks_join() in adapter.h. */
#ifndef MEASURE_RUNTIME_CORE_JOB_RANKS_H
#define MEASURE_RUNTIME_CORE_JOB_RANKS_H

#include "config/settings.h"

/* Recording has started in this process. */
void measure_job_ranks_start(const struct measure_settings *settings);

#endif
