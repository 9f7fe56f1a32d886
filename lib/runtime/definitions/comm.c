/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and thread teams: ids and journal records; names and topologies. */
#include "config.h"

#include <stdatomic.h>

#include "adapter.h"
#include "define.h"

/* So many members, or one more, list all members of a communicator that is larger. */
#define MANY_MEMBERS 4096
#define NR_TELLING   16

static _Atomic uint32_t nr_comms;
static _Atomic uint32_t world_rank;

measure_comm_t measure_comm_reserve(void)
{
	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	return atomic_fetch_add(&nr_comms, 1);
}

void measure_comm_note_world_rank(uint32_t rank)
{
	atomic_store_explicit(&world_rank, rank, memory_order_relaxed);
}

static uint32_t index_of_rank(const struct measure_comm_info *info, uint32_t rank)
{
	for (uint32_t i = 0; i < info->nr_members; i++)
		if (info->members[i] == rank)
			return i;
	return 0;
}

/* Whether this process lists the members. Ranks at equal distances take a few bytes, however many
 * they are. Of others all members would write as much as their number squared. */
static bool tells_members(const struct measure_comm_info *info)
{
	const uint32_t rank = atomic_load_explicit(&world_rank, memory_order_relaxed);

	if (info->kind != MEASURE_COMM_GROUP || info->is_relative ||
		info->nr_members <= MANY_MEMBERS ||
		measure_count_runs(info->nr_members, info->members) < MANY_MEMBERS)
		return true;
	return index_of_rank(info, rank) % (info->nr_members / NR_TELLING) == 0;
}

void measure_comm_describe(measure_comm_t comm, const struct measure_comm_info *info)
{
	struct measure_def_comm def = {comm, info->kind, info->name, info->key.high, info->key.low,
		info->parent, info->paradigm, {info->nr_members, info->members}, info->has_events,
		{info->others ? info->nr_others : 0, info->others}, info->side, info->nr_others,
		info->is_relative};

	if (comm == MEASURE_UNDEFINED || !measure_is_recording())
		return;
	if (!tells_members(info))
		def.members.nr = 0;
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
