/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes wait states as a file of Cube, the browser of Scalasca. */
#ifndef MEASURE_EXPORT_WAITS_CUBE_H
#define MEASURE_EXPORT_WAITS_CUBE_H

#include "analysis/waits/waits.h"

/* Makes the file `path`. Root causes have been found. On any other status than MEASURE_OK errno
 * says why, and there is no file. */
measure_status_t measure_waits_write_cube(const struct measure_waits *waits, const char *path);

#endif
