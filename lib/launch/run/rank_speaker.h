/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses one process of a job to print messages that are the same on all ranks. */
#ifndef MEASURE_LAUNCH_RUN_RANK_SPEAKER_H
#define MEASURE_LAUNCH_RUN_RANK_SPEAKER_H

#include <stdbool.h>

#include "config/settings.h"

/* Is it rank 0, or no job? */
bool measure_is_speaker(const struct measure_settings *settings);

/* From now on lines of other ranks are kept back ... */
void measure_speaker_begin(void);

/* ... until here; what has been kept back is forgotten. */
void measure_speaker_end(void);

/* Nothing will be run: returns when the job's line has been said, once, by one of its processes. */
void measure_speaker_refuse(void);

#endif
