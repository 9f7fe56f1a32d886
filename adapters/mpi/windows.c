/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of windows. */
#include "config.h"

#include "communicators.h"
#include "windows.h"

static struct measure_handles table = MEASURE_HANDLES(struct measure_window);

static uint64_t handle_of(MPI_Win win)
{
	return (uint64_t)(uintptr_t)win;
}

const struct measure_window *measure_window_find(MPI_Win win)
{
	return (const struct measure_window *)measure_handle_lookup(&table, handle_of(win));
}

static struct measure_window *find_locked(MPI_Win win)
{
	return (struct measure_window *)measure_handle_find_locked(&table, handle_of(win));
}

static const struct measure_window *publish(MPI_Win win, const struct measure_window *filled)
{
	struct measure_window *stale;
	struct measure_handle *handle;

	measure_handles_lock(&table);
	stale = find_locked(win);
	if (stale) { /* freed by a call that we did not see */
		measure_epochs_free(stale->epochs);
		measure_handle_remove_locked(&table, &stale->handle);
	}
	handle = measure_handle_add_locked(&table, &filled->handle, handle_of(win));
	measure_handles_unlock(&table);
	return (const struct measure_window *)handle;
}

const struct measure_window *measure_window_add(
	MPI_Comm comm, MPI_Win win, bool has_memory, bool has_events)
{
	const struct measure_communicator *members = measure_communicator_find(comm);
	struct measure_window window = {.has_memory = has_memory};
	const struct measure_window *added;
	struct measure_comm_key key;

	if (!members || !measure_communicator_name_thing(comm, MEASURE_THING_WINDOW, &key))
		return NULL;
	window.id = measure_window_define(members->id, key, has_events);
	if (window.id == MEASURE_UNDEFINED)
		return NULL;
	window.rank = members->rank;
	window.size = members->size;
	window.epochs = measure_epochs_new(window.id, members->size);
	added = window.epochs ? publish(win, &window) : NULL;
	if (!added)
		measure_epochs_free(window.epochs);
	return added;
}

bool measure_window_take_out(MPI_Win win, struct measure_window *window)
{
	struct measure_window *entry;

	measure_handles_lock(&table);
	entry = find_locked(win);
	if (entry) {
		window->id = entry->id;
		window->rank = entry->rank;
		window->size = entry->size;
		window->has_memory = entry->has_memory;
		window->epochs = entry->epochs;
		measure_handle_remove_locked(&table, &entry->handle);
	}
	measure_handles_unlock(&table);
	return entry != NULL;
}

void measure_window_put_back(MPI_Win win, const struct measure_window *window)
{
	if (!publish(win, window))
		measure_epochs_free(window->epochs);
}

void measure_window_discard(struct measure_window *window)
{
	measure_epochs_free(window->epochs);
}
