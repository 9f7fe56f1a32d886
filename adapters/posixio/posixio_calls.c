/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of the calls; see posixio_calls.h. */
#include "config.h"

#include "posixio_calls.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/caller_filter.h"

enum {
#define GROUP(name, when) GROUP_##name,
#include "groups_io.def"
#undef GROUP
	NR_GROUPS
};

static const struct measure_call_group items[NR_GROUPS] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_io.def"
#undef GROUP
};
const struct measure_call_groups measure_call_groups = {items, NR_GROUPS};

const uint8_t measure_calls_paradigm = OTF2_PARADIGM_NONE;

struct measure_call_row measure_call_rows[NR_CALLS] = {
#define ROW(type, name, group, role, parameters) {#name, OTF2_REGION_ROLE_##role, GROUP_##group, 0},
#include "posixio_calls.def"
};

const char *const measure_callers_silent[] = {
#define SILENT(beginning) beginning,
#include "silent.def"
#undef SILENT
	NULL,
};
