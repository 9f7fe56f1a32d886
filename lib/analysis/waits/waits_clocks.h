/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the clocks of an archive agree as far as its waits tell, and words about it. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_CLOCKS_H
#define MEASURE_ANALYSIS_WAITS_WAITS_CLOCKS_H

#include <stdio.h>

#include "waits.h"

/* What has been read says: with nothing done about it. */
struct measure_waits_clocks measure_waits_clocks_find(const struct measure_waits *waits);

void measure_waits_clocks_print_text(const struct measure_waits *waits, FILE *out);

/* A member of an object, with the comma before it. */
void measure_waits_clocks_print_json(const struct measure_waits *waits, FILE *out);

/* One line: what to do about violations that are left. */
const char *measure_waits_clocks_remedy(const struct measure_waits *waits);

#endif
