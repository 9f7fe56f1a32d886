/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the clocks of an archive agree, judged by its waits, and how the reports say so. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_CLOCKS_H
#define MEASURE_ANALYSIS_WAITS_WAITS_CLOCKS_H

#include <stdio.h>

#include "waits.h"

/* Violations in an archive as it was read. */
struct measure_waits_clocks measure_waits_clocks_find(const struct measure_waits *waits);

void measure_waits_clocks_print_text(const struct measure_waits *waits, FILE *out);

/* A member of an object, with the comma before it. */
void measure_waits_clocks_print_json(const struct measure_waits *waits, FILE *out);

/* One line: what to do about violations that are left. */
const char *measure_waits_clocks_remedy(const struct measure_waits *waits);

#endif
