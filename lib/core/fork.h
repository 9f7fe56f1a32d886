/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Forked children: those that are followed become processes of their own in the archive, others
 * are kept from writing into what their parent records. */
#ifndef MEASURE_CORE_FORK_H
#define MEASURE_CORE_FORK_H

#include <stdbool.h>

#include "memory/segment.h"

/* Recording has started in this process. `part`: path of its part's directory. */
void measure_fork_start(const struct measure_segment *segment, const char *part, bool is_followed);

#endif
