/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table of windows. */
#include "config.h"

#include "../comm/communicators.h"
#include "windows.h"

static struct measure_handles table = MEASURE_HANDLES(struct measure_rma_window);

static uint64_t window_handle(MPI_Win win)
{
	return (uint64_t)(uintptr_t)win;
}

const struct measure_rma_window *measure_window_find(MPI_Win win)
{
	return (const struct measure_rma_window *)measure_handle_lookup(&table, window_handle(win));
}

static struct measure_rma_window *window_find_locked(MPI_Win win)
{
	return (struct measure_rma_window *)measure_handle_find_locked(&table, window_handle(win));
}

static const struct measure_rma_window *window_publish(
	MPI_Win win, const struct measure_rma_window *filled)
{
	struct measure_rma_window *stale;
	struct measure_handle *handle;

	measure_handles_lock(&table);
	stale = window_find_locked(win);
	if (stale) { /* freed by a call that we did not see */
		measure_pending_free(stale->pending);
		measure_handle_remove_locked(&table, &stale->handle);
	}
	handle = measure_handle_add_locked(&table, &filled->handle, window_handle(win));
	measure_handles_unlock(&table);
	return (const struct measure_rma_window *)handle;
}

const struct measure_rma_window *measure_window_add(
	MPI_Comm comm, MPI_Win win, bool has_memory, bool has_events)
{
	const struct measure_communicator *members = measure_communicator_find(comm);
	struct measure_rma_window window = {.has_memory = has_memory};
	const struct measure_rma_window *added;
	struct measure_comm_key key;

	if (!members || !measure_communicator_name_object(comm, MEASURE_OBJECT_WINDOW, &key))
		return NULL;
	window.id = measure_window_define(members->id, key, has_events);
	if (window.id == MEASURE_UNDEFINED)
		return NULL;
	window.rank = members->rank;
	window.size = members->size;
	window.pending = measure_pending_new(window.id, members->size);
	added = window.pending ? window_publish(win, &window) : NULL;
	if (!added)
		measure_pending_free(window.pending);
	return added;
}

bool measure_window_take_out(MPI_Win win, struct measure_rma_window *window)
{
	struct measure_rma_window *entry;

	measure_handles_lock(&table);
	entry = window_find_locked(win);
	if (entry) {
		window->id = entry->id;
		window->rank = entry->rank;
		window->size = entry->size;
		window->has_memory = entry->has_memory;
		window->pending = entry->pending;
		measure_handle_remove_locked(&table, &entry->handle);
	}
	measure_handles_unlock(&table);
	return entry != NULL;
}

void measure_window_put_back(MPI_Win win, const struct measure_rma_window *window)
{
	if (!window_publish(win, window))
		measure_pending_free(window->pending);
}

void measure_window_discard(struct measure_rma_window *window)
{
	measure_pending_free(window->pending);
}
