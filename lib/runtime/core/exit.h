/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exit status and processor time of a process, in its own words: nobody but its parent is told
 * of them for certain, and a forked child's parent is not ours. */
#ifndef MEASURE_RUNTIME_CORE_EXIT_H
#define MEASURE_RUNTIME_CORE_EXIT_H

#include "format/segment.h"

/* The process that has this segment says there how it ends. */
void measure_exit_watch(const struct measure_segment *segment);

#endif
