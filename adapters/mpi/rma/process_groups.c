/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups by their handles, as looking at the members takes MPI long in a large world, and by a
 * hash of their members. */
#include "config.h"

#include "../core/handles.h"
#include "../comm/identity.h"
#include "windows.h"

struct process_group {
	struct measure_handle handle; /* of MPI, or the hash */
	measure_group_t id;
};

static struct measure_handles by_members = MEASURE_HANDLES(struct process_group);
static struct measure_handles by_handle = MEASURE_HANDLES(struct process_group);

static uint64_t group_handle(MPI_Group group)
{
	return (uint64_t)(uintptr_t)group;
}

/* Two threads may come with a new group at once: the second one finds that of the first. */
static measure_group_t group_define(uint64_t hash, const struct measure_members *members)
{
	struct process_group group = {.id = MEASURE_UNDEFINED};
	const struct process_group *found;

	measure_handles_lock(&by_members);
	found = (const struct process_group *)measure_handle_find_locked(&by_members, hash);
	if (found) {
		group.id = found->id;
	} else {
		group.id = measure_group_define(members->nr, members->ranks);
		measure_handle_add_locked(&by_members, &group.handle, hash);
	}
	measure_handles_unlock(&by_members);
	return group.id;
}

static measure_group_t group_find_by_members(MPI_Group group)
{
	const struct process_group *found;
	struct measure_members members;
	measure_group_t id;
	uint64_t hash;

	if (measure_members_of_group(group, &members) != MEASURE_OK)
		return MEASURE_UNDEFINED;
	hash = measure_identity_kinship(&members, 0);
	found = (const struct process_group *)measure_handle_lookup(&by_members, hash);
	id = found ? found->id : group_define(hash, &members);
	measure_members_free(&members);
	return id;
}

static void group_keep(MPI_Group group, measure_group_t id)
{
	const struct process_group kept = {.id = id};

	measure_handles_lock(&by_handle);
	if (!measure_handle_find_locked(&by_handle, group_handle(group)))
		measure_handle_add_locked(&by_handle, &kept.handle, group_handle(group));
	measure_handles_unlock(&by_handle);
}

measure_group_t measure_process_group_find(MPI_Group group)
{
	const struct process_group *found = (const struct process_group *)measure_handle_lookup(
		&by_handle, group_handle(group));
	measure_group_t id;

	if (found)
		return found->id;
	id = group_find_by_members(group);
	if (id != MEASURE_UNDEFINED)
		group_keep(group, id);
	return id;
}

void measure_process_group_forget(MPI_Group group)
{
	struct measure_handle *handle;

	measure_handles_lock(&by_handle);
	handle = measure_handle_find_locked(&by_handle, group_handle(group));
	if (handle)
		measure_handle_remove_locked(&by_handle, handle);
	measure_handles_unlock(&by_handle);
}
