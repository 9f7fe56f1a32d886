/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the anchor file of an archive and looks at it. */
#ifndef MEASURE_TRACE_ARCHIVE_ANCHOR_H
#define MEASURE_TRACE_ARCHIVE_ANCHOR_H

#include <stdbool.h>

#include "status.h"

/* *anchor: the .otf2 file that `path` names or contains; the caller frees it. On failure the
 * error line is set. */
measure_status_t measure_anchor_find(const char *path, char **anchor);

/* False where the anchor file announces more properties than it can hold: the OTF2 library
 * would allocate and walk that many. The library checks all other contents. */
bool measure_anchor_is_plausible(const char *anchor);

#endif
