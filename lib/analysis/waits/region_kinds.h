/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the regions of an archive are to the analysis of waits; see region_kinds.def. */
#ifndef MEASURE_ANALYSIS_WAITS_REGION_KINDS_H
#define MEASURE_ANALYSIS_WAITS_REGION_KINDS_H

#include <stdint.h>

#include "trace/archive/definitions.h"

enum measure_region_kind {
#define REGION_KIND(NAME, class) MEASURE_REGION_KIND_##NAME,
#include "region_kinds.def"
#undef REGION_KIND
	MEASURE_NR_REGION_KINDS
};

enum measure_region_class {
	MEASURE_REGION_CLASS_USEFUL,
	MEASURE_REGION_CLASS_SYNC,
	MEASURE_REGION_CLASS_IO,
	MEASURE_REGION_CLASS_REMOVED
};

extern const uint8_t measure_region_classes[MEASURE_NR_REGION_KINDS];

/* By region; to be freed. */
uint8_t *measure_region_kinds_find(const struct measure_definitions *definitions);

#endif
