/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of regions by what they do, for tables of processes and phases: MPI, OpenMP, I/O, ... */
#ifndef MEASURE_FORMAT_REGION_GROUP_H
#define MEASURE_FORMAT_REGION_GROUP_H

#include <stdint.h>

enum measure_region_group {
#define REGION_GROUP(NAME, text, condition) MEASURE_GROUP_##NAME,
#include "region_groups.def"
#undef REGION_GROUP
	/* of time that no region has */
	MEASURE_GROUP_MEASUREMENT,
	MEASURE_GROUP_IDLE,
	MEASURE_GROUP_OUTSIDE,
	MEASURE_NR_GROUPS
};

extern const char *const measure_group_words[MEASURE_NR_GROUPS];

/* Of a region with this OTF2_Paradigm and OTF2_RegionRole. */
enum measure_region_group measure_region_group(uint32_t paradigm, uint32_t role);

#endif
