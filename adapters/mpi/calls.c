/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The region of every wrapped call. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "calls.h"
#include "roles.h"

struct call_info {
	const char *name;
	uint8_t role; /* OTF2_RegionRole */
};

static const struct call_info calls[NR_CALLS] = {
#define CALL(name, group, role, parameters, arguments) {"MPI_" #name, REGION_##role},
#define CALL_BY_HAND(name, group)                      {"MPI_" #name, OTF2_REGION_ROLE_WRAPPER},
#include "mpi_calls.def"
#undef CALL
#undef CALL_BY_HAND
};

bool measure_mpi_is_on;
measure_region_t measure_call_regions[NR_CALLS];

void measure_call_define_regions(void)
{
	for (int call = 0; call < NR_CALLS; call++) {
		const struct measure_region_info info = {
			.name = calls[call].name,
			.role = calls[call].role,
			.paradigm = OTF2_PARADIGM_MPI,
		};

		measure_call_regions[call] = measure_region_define(&info);
	}
}
