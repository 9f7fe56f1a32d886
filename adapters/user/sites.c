/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sites; see sites.h. Defining is done without a lock of ours: who comes second throws its own
 * definition away, which nobody uses. */
#include "config.h"

#include "sites.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "user_start.h"

uint32_t measure_site_define_slow(struct measure_site *site, measure_site_define_fn define)
{
	uint32_t known = 0, made;
	int saved = errno;

	if (!measure_user_is_on())
		return 0;
	made = define(site) + 1;
	errno = saved;
	if (made == 0 || __atomic_compare_exchange_n(&site->id, &known, made, false,
				 __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		return made;
	return known;
}

static const struct {
	uint8_t role;
	uint8_t flags;
} kinds[] = {
	[MEASURE_SITE_REGION] = {OTF2_REGION_ROLE_CODE, OTF2_REGION_FLAG_NONE},
	[MEASURE_SITE_FUNCTION] = {OTF2_REGION_ROLE_FUNCTION, OTF2_REGION_FLAG_NONE},
	[MEASURE_SITE_PHASE] = {OTF2_REGION_ROLE_CODE, OTF2_REGION_FLAG_PHASE},
	[MEASURE_SITE_LOOP] = {OTF2_REGION_ROLE_LOOP, OTF2_REGION_FLAG_DYNAMIC},
	[MEASURE_SITE_TASK] = {OTF2_REGION_ROLE_TASK, OTF2_REGION_FLAG_NONE},
};

static uint32_t site_define_region(struct measure_site *site)
{
	const uint32_t kind = site->kind <= MEASURE_SITE_TASK ? site->kind : MEASURE_SITE_REGION;
	const struct measure_region_info info = {
		.name = site->name ? site->name : "",
		.canonical_name = site->text,
		.file = site->file,
		.begin_line = site->line,
		.role = kinds[kind].role,
		.paradigm = OTF2_PARADIGM_USER,
		.flags = kinds[kind].flags,
	};

	return measure_region_define(&info);
}

measure_region_t measure_site_region(struct measure_site *site)
{
	return measure_site_id(site, site_define_region) - 1;
}
