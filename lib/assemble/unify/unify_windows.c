/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of one-sided communication of all processes, which have a key that all their members
 * know, and the groups of ranks that records name. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>

#include "unify.h"

struct windows {
	struct measure_unified *unified;
	struct measure_intern keys; /* id: that of the window */
};

struct windows_key {
	uint64_t high;
	uint64_t low;
	uint64_t is_undescribed;
};

/* A name that some members gave is the name for all, and so are events that some recorded. */
static void add_to(struct measure_otf2_window *window, const struct measure_otf2_window *more)
{
	if (window->name == 0)
		window->name = more->name;
	window->flags |= more->flags;
}

static uint32_t windows_put(struct windows *windows, const struct windows_key *key,
	const struct measure_otf2_window *window)
{
	struct measure_archive_definitions *definitions = &windows->unified->definitions;
	bool is_new;
	const uint32_t id =
		measure_unify_intern(windows->unified, &windows->keys, key, sizeof(*key), &is_new);

	if (is_new)
		measure_unify_push(windows->unified, &definitions->windows, *window);
	else if (id < definitions->windows.nr)
		add_to(&definitions->windows.items[id], window);
	return id;
}

static void unify_windows(struct windows *windows, size_t process)
{
	struct measure_unified *unified = windows->unified;
	const struct measure_part *part = unified->job->processes.items[process].part;
	struct measure_local_definitions *local = &unified->locals.items[process];

	for (size_t i = 0; i < part->windows.nr; i++) {
		const struct measure_part_window *from = &part->windows.items[i];
		struct windows_key key = {
			from->def.key_high, from->def.key_low, !from->is_described};
		struct measure_otf2_window window = {
			measure_unify_string(unified, from->name ? from->name : ""),
			from->is_described && from->def.comm < local->comms.nr
				? local->comms.items[from->def.comm]
				: MEASURE_NO_ID,
			from->def.has_events ? OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS
					     : OTF2_RMA_WIN_FLAG_NONE};
		measure_unify_push(unified, &local->windows, windows_put(windows, &key, &window));
	}
}

/* Members as indices into the MPI processes of the job. */
static uint32_t unify_group(struct measure_unified *unified, const struct measure_process *process,
	const struct measure_def_group *def)
{
	MEASURE_ARRAY(uint64_t) members = {0};

	for (uint32_t i = 0; process->world != MEASURE_NO_ID && i < def->members.nr; i++) {
		const struct measure_world *world = &unified->job->worlds.items[process->world];
		if (def->members.items[i] < world->size)
			measure_unify_push(
				unified, &members, (uint64_t)world->first + def->members.items[i]);
	}
	uint32_t group = measure_unify_group(unified, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, members.items, (uint32_t)members.nr);
	free(members.items);
	return group;
}

static void unify_groups(struct measure_unified *unified, size_t process)
{
	const struct measure_process *who = &unified->job->processes.items[process];
	measure_id_map_t *map = &unified->locals.items[process].groups;

	for (size_t i = 0; i < who->part->groups.nr; i++)
		measure_unify_push(
			unified, map, unify_group(unified, who, &who->part->groups.items[i]));
}

void measure_unify_windows(struct measure_unified *unified)
{
	struct windows windows = {.unified = unified};

	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		if (!unified->job->processes.items[i].part || unified->status != MEASURE_OK)
			continue;
		unify_windows(&windows, i);
		unify_groups(unified, i);
	}
	measure_intern_free(&windows.keys);
}
