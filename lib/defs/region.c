/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions defined by name. */
#include "config.h"

#include "defs/region.h"

#include "adapter.h"
#include "defs/define.h"
#include "defs/judge.h"
#include "event/gate.h"

static uint32_t nr_regions;

uint32_t measure_region_next_id(void)
{
	return nr_regions++;
}

measure_region_t measure_region_define(const struct measure_region_info *info)
{
	struct measure_def_region def = {MEASURE_UNDEFINED, info->name,
		info->canonical_name ? info->canonical_name : info->name, info->file,
		info->begin_line, info->end_line, info->role, info->paradigm, info->flags};
	struct measure_signals saved;
	measure_region_t region;

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	measure_define_lock(&saved);
	def.id = measure_region_next_id();
	MEASURE_JOURNAL(region, &def);
	region = measure_judge_region(def.id, info);
	measure_define_unlock(&saved);
	return region;
}
