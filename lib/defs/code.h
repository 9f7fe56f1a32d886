/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions known by a code address: the part that is not on the event path. */
#ifndef MEASURE_DEFS_CODE_H
#define MEASURE_DEFS_CODE_H

#include "status.h"

/* Makes the table of functions; once per process, before the gate opens. */
measure_status_t measure_code_start(void);

/* Something may have been unloaded: its addresses mean nothing, until it comes back. */
void measure_code_unloaded(void);

#endif
