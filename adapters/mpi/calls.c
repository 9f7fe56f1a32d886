/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The region of every wrapped call. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "calls.h"
#include "groups.h"
#include "roles.h"

struct call_info {
	const char *name;
	uint8_t group;
	uint8_t role; /* OTF2_RegionRole */
};

static const struct call_info calls[NR_CALLS] = {
#define INFO(name, group, region)                         {"MPI_" #name, GROUP_##group, region},
#define CALL(name, group, role, parameters, arguments)    INFO(name, group, REGION_##role)
#define CALL_OF(type, name, group, parameters, arguments) INFO(name, group, REGION_PLAIN)
#define CALL_BY_HAND(name, group)                         INFO(name, group, REGION_PLAIN)
#include "mpi_calls.def"
#undef INFO
#undef CALL
#undef CALL_OF
#undef CALL_BY_HAND
};

bool measure_mpi_is_on;
measure_region_t measure_call_regions[NR_CALLS];

void measure_call_define_regions(const char *groups)
{
	const uint32_t chosen = measure_groups_parse(groups);

	for (int call = 0; call < NR_CALLS; call++) {
		const struct measure_region_info info = {
			.name = calls[call].name,
			.role = calls[call].role,
			.paradigm = OTF2_PARADIGM_MPI,
		};

		measure_call_regions[call] = chosen & 1u << calls[call].group
						     ? measure_region_define(&info)
						     : MEASURE_UNDEFINED;
	}
}
