/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Forked children: those that are followed become processes of their own in the archive, others
 * are kept from writing into what their parent records. */
#ifndef MEASURE_RUNTIME_CORE_FORK_H
#define MEASURE_RUNTIME_CORE_FORK_H

#include "format/segment.h"

/* Recording has started in this process, and follow.h knows whom to follow. */
void measure_fork_start(const struct measure_segment *segment);

#endif
