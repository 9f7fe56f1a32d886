/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions defined by name. */
#include "config.h"

#include "define.h"

#include <stdatomic.h>

#include "adapter.h"
#include "define.h"
#include "region_filter.h"
#include "runtime/gate/gate.h"

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
	region = measure_region_filter_region(def.id, info);
	measure_define_unlock(&saved);
	return region;
}

/* Of regions with higher ids nobody is told. */
#define MOST_UNBALANCED 16384

void measure_region_unbalanced(uint32_t region, enum measure_unbalanced how)
{
	static _Atomic uint8_t told[MOST_UNBALANCED]; /* bits: 1 << how */
	const struct measure_def_unbalanced def = {region, how};
	const uint8_t bit = (uint8_t)(1u << how);

	if (region >= MOST_UNBALANCED || measure_define_is_locked_here() ||
		atomic_fetch_or(&told[region], bit) & bit)
		return;
	MEASURE_JOURNAL_ALONE(unbalanced, &def);
}
