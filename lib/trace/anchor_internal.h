/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the anchor file of an archive. */
#ifndef MEASURE_TRACE_ANCHOR_INTERNAL_H
#define MEASURE_TRACE_ANCHOR_INTERNAL_H

#include "status.h"

/* *anchor: the .otf2 file that `path` names or contains; the caller frees it. On failure the
 * error line is set. */
measure_status_t measure_anchor_find(const char *path, char **anchor);

#endif
