/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups by a hash of their members. */
#include "config.h"

#include "handles.h"
#include "identity.h"
#include "world_groups.h"

struct world_group {
	struct measure_handle handle; /* the hash */
	measure_group_t id;
};

static struct measure_handles table = MEASURE_HANDLES(struct world_group);

/* Two threads may come with a new group at once: the second one finds that of the first. */
static const struct world_group *define(uint64_t hash, const struct measure_members *members)
{
	struct measure_handle *handle;

	measure_handles_lock(&table);
	handle = measure_handle_find_locked(&table, hash);
	if (!handle) {
		const struct world_group filled = {
			.id = measure_group_define(members->nr, members->ranks)};

		handle = measure_handle_add_locked(&table, &filled.handle, hash);
	}
	measure_handles_unlock(&table);
	return (const struct world_group *)handle;
}

measure_group_t measure_world_group(MPI_Group group)
{
	const struct world_group *found;
	struct measure_members members;
	uint64_t hash;

	if (measure_members_of_group(group, &members) != MEASURE_OK)
		return MEASURE_UNDEFINED;
	hash = measure_identity_kinship(&members, 0);
	found = (const struct world_group *)measure_handle_lookup(&table, hash);
	if (!found)
		found = define(hash, &members);
	measure_members_free(&members);
	return found ? found->id : MEASURE_UNDEFINED;
}
