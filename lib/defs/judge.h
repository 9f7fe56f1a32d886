/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the filter says of the regions of this process. Under the definition lock, but for the
 * start and the description. */
#ifndef MEASURE_DEFS_JUDGE_H
#define MEASURE_DEFS_JUDGE_H

#include <stdint.h>

#include "adapter.h"

struct measure_segment;

/* Reads the filter where there is one; once, before the gate opens. `rank`: by the launcher, 0
 * where there is none. */
void measure_judge_start(const struct measure_segment *segment, uint32_t rank);

/* In a forked child, which has a segment of its own: its parent's filter holds. */
void measure_judge_restart(const struct measure_segment *segment);

/* Puts the filter into the archive's properties; behind the process's own record. */
void measure_judge_describe(void);

/* Journals what the filter says of a new region, by its name or as a construct is known while
 * recording. Returns its id, with MEASURE_CODE_OFF where it is left out. (Functions are judged by
 * way of measure_code_verdict.) */
uint32_t measure_judge_region(uint32_t region, const struct measure_region_info *info);

#endif
