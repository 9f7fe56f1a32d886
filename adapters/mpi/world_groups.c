/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups by their handles, as looking at the members takes MPI long in a large world, and by a
 * hash of their members. */
#include "config.h"

#include "handles.h"
#include "identity.h"
#include "world_groups.h"

struct world_group {
	struct measure_handle handle; /* of MPI, or the hash */
	measure_group_t id;
};

static struct measure_handles by_members = MEASURE_HANDLES(struct world_group);
static struct measure_handles by_handle = MEASURE_HANDLES(struct world_group);

static uint64_t handle_of(MPI_Group group)
{
	return (uint64_t)(uintptr_t)group;
}

/* Two threads may come with a new group at once: the second one finds that of the first. */
static measure_group_t define(uint64_t hash, const struct measure_members *members)
{
	struct world_group group = {.id = MEASURE_UNDEFINED};
	const struct world_group *found;

	measure_handles_lock(&by_members);
	found = (const struct world_group *)measure_handle_find_locked(&by_members, hash);
	if (found) {
		group.id = found->id;
	} else {
		group.id = measure_group_define(members->nr, members->ranks);
		measure_handle_add_locked(&by_members, &group.handle, hash);
	}
	measure_handles_unlock(&by_members);
	return group.id;
}

static measure_group_t find_by_members(MPI_Group group)
{
	const struct world_group *found;
	struct measure_members members;
	measure_group_t id;
	uint64_t hash;

	if (measure_members_of_group(group, &members) != MEASURE_OK)
		return MEASURE_UNDEFINED;
	hash = measure_identity_kinship(&members, 0);
	found = (const struct world_group *)measure_handle_lookup(&by_members, hash);
	id = found ? found->id : define(hash, &members);
	measure_members_free(&members);
	return id;
}

static void keep(MPI_Group group, measure_group_t id)
{
	const struct world_group kept = {.id = id};

	measure_handles_lock(&by_handle);
	if (!measure_handle_find_locked(&by_handle, handle_of(group)))
		measure_handle_add_locked(&by_handle, &kept.handle, handle_of(group));
	measure_handles_unlock(&by_handle);
}

measure_group_t measure_world_group(MPI_Group group)
{
	const struct world_group *found =
		(const struct world_group *)measure_handle_lookup(&by_handle, handle_of(group));
	measure_group_t id;

	if (found)
		return found->id;
	id = find_by_members(group);
	if (id != MEASURE_UNDEFINED)
		keep(group, id);
	return id;
}

void measure_world_group_forget(MPI_Group group)
{
	struct measure_handle *handle;

	measure_handles_lock(&by_handle);
	handle = measure_handle_find_locked(&by_handle, handle_of(group));
	if (handle)
		measure_handle_remove_locked(&by_handle, handle);
	measure_handles_unlock(&by_handle);
}
