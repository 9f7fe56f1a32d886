/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and thread teams: ids and journal records; names and topologies. */
#include "config.h"

#include <stdatomic.h>

#include "adapter.h"
#include "define.h"

static _Atomic uint32_t nr_comms;

measure_comm_t measure_comm_reserve(void)
{
	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	return atomic_fetch_add(&nr_comms, 1);
}

void measure_comm_describe(measure_comm_t comm, const struct measure_comm_info *info)
{
	struct measure_def_comm def = {comm, info->kind, info->name, info->key.high, info->key.low,
		info->parent, info->paradigm, {info->nr_members, info->members}, info->has_events,
		{info->others ? info->nr_others : 0, info->others}, info->side, info->nr_others,
		info->is_relative};

	if (comm == MEASURE_UNDEFINED || !measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(comm, &def);
}

measure_comm_t measure_comm_define(const struct measure_comm_info *info)
{
	measure_comm_t comm = measure_comm_reserve();

	measure_comm_describe(comm, info);
	return comm;
}

void measure_comm_name(measure_comm_t comm, const char *name)
{
	struct measure_def_comm_name def = {comm, name};

	if (comm == MEASURE_UNDEFINED || !measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(comm_name, &def);
}

void measure_cart_define(measure_comm_t comm, const struct measure_cart_info *info)
{
	const uint32_t nr = info->nr_dimensions;
	struct measure_def_cart def = {comm, info->rank, {nr, info->sizes},
		{nr, info->are_periodic}, {nr, info->coordinates}};

	if (comm == MEASURE_UNDEFINED || !measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(cart, &def);
}
