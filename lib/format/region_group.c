/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of regions, from the rows of region_groups.def: the first one that fits. */
#include "config.h"

#include "region_group.h"

#include <stdbool.h>

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

const char *const measure_group_words[MEASURE_NR_GROUPS] = {
#define REGION_GROUP(NAME, text, condition) text,
#include "region_groups.def"
#undef REGION_GROUP
	"measure", "idle", "outside"};

enum measure_region_group measure_region_group(uint32_t paradigm, uint32_t role)
{
#define REGION_GROUP(NAME, text, condition)                                                        \
	if (condition)                                                                             \
		return MEASURE_GROUP_##NAME;
#include "region_groups.def"
#undef REGION_GROUP
}
