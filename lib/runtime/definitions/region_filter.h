/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the filter says of the regions of this process. Under the definition lock, but for the
 * start and the description. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_REGION_FILTER_H
#define MEASURE_RUNTIME_DEFINITIONS_REGION_FILTER_H

#include <stdint.h>

#include "adapter.h"
#include "filter/filter.h"

struct measure_segment;

/* Reads the filter where there is one; once, before the gate opens. `rank`: by the launcher, 0
 * where there is none. */
void measure_region_filter_start(const struct measure_segment *segment, uint32_t rank);

/* In a forked child, which has a segment of its own: its parent's filter holds. */
void measure_region_filter_restart(const struct measure_segment *segment);

/* For the next recording of this process, which may have another filter. Regions that adapters and
 * the program have defined keep what the first one decided. */
void measure_region_filter_again(const struct measure_segment *segment, uint32_t own_rank);

/* Puts the filter into the archive's properties; behind the process's own record. */
void measure_region_filter_describe(void);

/* Journals what the filter says of a new region, by its name or as a construct is known while
 * recording. Returns its id, with MEASURE_CODE_OFF where it is left out, with
 * MEASURE_CODE_ASK where that depends on the call. (Functions are decided by
 * way of measure_code_verdict.) */
uint32_t measure_region_filter_region(uint32_t region, const struct measure_region_info *info);

/* The id of a region that is not left out, with MEASURE_CODE_ASK as above. */
uint32_t measure_region_filter_mark(uint32_t region);

/* Of regions that depend on the call, as matched, with the data for decisions; otherwise all zero.
 * Anybody at any time. */
const struct measure_filter_outcome *measure_filter_outcome(uint32_t region);
const struct measure_filter *measure_region_filter_filter(void);

/* By region, how many calls were left out; see format/filter_area.h. Where there is a filter. */
_Atomic uint64_t *measure_region_filter_counters(uint32_t row);

#endif
