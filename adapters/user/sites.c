/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sites; see sites.h. */
#include "config.h"

#include "sites.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/texts.h"
#include "user_start.h"

bool measure_sites_are_on(void)
{
	return measure_user_is_on();
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

struct measure_site *measure_user_find(const char *name, uint32_t kind)
{
	struct measure_text *entry;

	if (!name || kind == MEASURE_TEXT_VALUE || !measure_user_is_on())
		return NULL;
	entry = measure_text_find(name, kind);
	return entry ? &entry->site : NULL;
}
