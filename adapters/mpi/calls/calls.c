/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of calls: which are recorded (the option --mpi-groups), and the region of each. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../core/mpix.h"
#include "calls.h"

#include "call_groups.h"

/* What a row's group may be with. */
#define IS_TRACKED           0x80
#define IS_ALWAYS            0x40
#define GROUP_TRACKED(group) (IS_TRACKED | GROUP_##group)
#define GROUP_ALWAYS(group)  (IS_TRACKED | IS_ALWAYS | GROUP_##group)
#define GROUP_OF(entry)      ((entry)->group & ~(IS_TRACKED | IS_ALWAYS))

struct call_entry {
	const char *name;
	uint8_t group;
	uint8_t role; /* OTF2_RegionRole */
};

static const struct call_entry entries[NR_CALLS] = {
#define ENTRY(name, group, region, role, parameters, arguments)                                    \
	{TEXT(MPI_##name), GROUP_##group, OTF2_REGION_ROLE_##region},
#include "mpi_calls.def"
};

#define STATE_BEFORE(group) ((group)&IS_ALWAYS ? CALL_TRACKED : CALL_OFF)
_Atomic measure_region_t measure_call_states[NR_CALLS] = {
#define ENTRY(name, group, region, role, parameters, arguments) STATE_BEFORE(GROUP_##group),
#include "mpi_calls.def"
};
bool measure_mpi_is_on;

static const struct measure_call_group group_items[NR_GROUPS] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_mpi.def"
#undef GROUP
};
static const struct measure_call_groups groups = {group_items, NR_GROUPS};

#define BIT(group)    (1u << GROUP_##group)
#define WITH_REQUESTS (BIT(p2p) | BIT(coll) | BIT(comm) | BIT(rma) | BIT(io) | BIT(ext))

uint32_t measure_call_groups_parse(const char *text)
{
	uint32_t chosen = measure_groups_choose(&groups, text);

	if (chosen & WITH_REQUESTS)
		chosen |= BIT(req);
	return chosen;
}

const char *measure_call_name(enum measure_call call)
{
	return entries[call].name;
}

/* Of a call that is not recorded. */
static measure_region_t call_state_unrecorded(enum measure_call call)
{
	return entries[call].group & IS_TRACKED ? CALL_TRACKED : CALL_OFF;
}

static void call_set_state(int call, measure_region_t state)
{
	atomic_store_explicit(&measure_call_states[call], state, memory_order_relaxed);
}

void measure_calls_switch_on(const char *text)
{
	const uint32_t chosen = measure_call_groups_parse(text ? text : "auto");

	for (int call = 0; call < NR_CALLS; call++)
		call_set_state(call, chosen & 1u << GROUP_OF(&entries[call])
					     ? CALL_UNUSED
					     : call_state_unrecorded(call));
	measure_mpi_is_on = true;
}

void measure_calls_switch_off(void)
{
	measure_mpi_is_on = false;
	for (int call = 0; call < NR_CALLS; call++)
		call_set_state(call, STATE_BEFORE(entries[call].group));
}

measure_region_t measure_call_first_region(enum measure_call call)
{
	const struct measure_region_info info = {
		.name = entries[call].name,
		.role = entries[call].role,
		.paradigm = OTF2_PARADIGM_MPI,
	};
	_Atomic measure_region_t *place = &measure_call_states[call];
	measure_region_t state = atomic_load_explicit(place, memory_order_relaxed);
	measure_region_t region;

	if (state == CALL_UNUSED) {
		region = measure_region_define(&info);
		if (region == MEASURE_UNDEFINED) /* recording is over */
			region = call_state_unrecorded(call);
		/* The first one stays: another thread may be inside it by now. */
		if (atomic_compare_exchange_strong_explicit(
			    place, &state, region, memory_order_relaxed, memory_order_relaxed))
			state = region;
	}
	return state < CALL_UNUSED ? state : MEASURE_UNDEFINED;
}
