/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The region of every wrapped call. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "calls.h"
#include "groups.h"
#include "mpix.h"
#include "roles.h"

struct call_info {
	const char *name;
	uint8_t group;
	uint8_t role; /* OTF2_RegionRole */
};

static const struct call_info calls[NR_CALLS] = {
#define INFO(name, group, region)                          {TEXT(MPI_##name), GROUP_##group, region},
#define ENTRY(name, group, role, parameters, arguments)    INFO(name, group, REGION_##role)
#define ENTRY_OF(type, name, group, parameters, arguments) INFO(name, group, REGION_PLAIN)
#define ENTRY_BY_HAND(name, group)                         INFO(name, group, REGION_PLAIN)
#include "mpi_calls.def"
#undef INFO
};

bool measure_mpi_is_on;
_Atomic measure_region_t measure_call_regions[NR_CALLS];

const char *measure_call_name(enum measure_call call)
{
	return calls[call].name;
}

void measure_call_choose(const char *groups)
{
	const uint32_t chosen = measure_groups_parse(groups);

	for (int call = 0; call < NR_CALLS; call++)
		atomic_init(&measure_call_regions[call],
			chosen & 1u << calls[call].group ? CALL_UNUSED : MEASURE_UNDEFINED);
}

void measure_call_define_region(enum measure_call call)
{
	const struct measure_region_info info = {
		.name = calls[call].name,
		.role = calls[call].role,
		.paradigm = OTF2_PARADIGM_MPI,
	};

	const measure_region_t region = measure_region_define(&info);
	measure_region_t unused = CALL_UNUSED;

	/* The first one stays: another thread may be inside it by now. */
	atomic_compare_exchange_strong_explicit(&measure_call_regions[call], &unused, region,
		memory_order_relaxed, memory_order_relaxed);
}
