/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open operations of a window. Those that are alone lie in one array, in a list for each target;
 * targets that have something open are listed too, so that completing all costs no more than there
 * is. */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "pages.h"

#include "../core/requests.h"
#include "rma_pending.h"

#define NONE     UINT32_MAX
#define NR_FIRST 32u
#define NR_KEPT  4096u /* places that an idle window keeps */

struct pending_alone {
	uint64_t number; /* UINT64_MAX: unused */
	uint64_t order;  /* of its adding; see the horizon */
	uint32_t before; /* in the list of the target */
	uint32_t after;  /* the same, or the next unused one */
	uint32_t target;
	bool is_local_done;
	bool returns_data;
};

struct pending_target {
	uint64_t number; /* that operations share; 0: none yet */
	uint32_t first, last;
	uint32_t next_listed;
	bool is_listed;
	bool has_local;  /* with the shared number: not complete locally */
	bool has_remote; /* the same remotely, of those that return no data */
};

struct measure_pending {
	atomic_flag lock;
	measure_window_t window;
	_Atomic uint64_t nr_added;
	uint32_t first_listed;
	struct pending_alone *alone;
	uint32_t nr_alone;
	uint32_t unused;
	struct measure_epoch_groups groups;
	struct pending_target targets[];
};

struct measure_pending *measure_pending_new(measure_window_t window, uint32_t nr_targets)
{
	struct measure_pending *pending =
		calloc(1, sizeof(*pending) + nr_targets * sizeof(pending->targets[0]));

	if (!pending)
		return NULL;
	atomic_flag_clear(&pending->lock);
	pending->window = window;
	pending->first_listed = NONE;
	pending->unused = NONE;
	pending->groups.access = pending->groups.exposure = MEASURE_UNDEFINED;
	return pending;
}

static void pending_give_back(struct measure_pending *pending)
{
	measure_pages_return(pending->alone, pending->nr_alone * sizeof(*pending->alone));
	pending->alone = NULL;
	pending->nr_alone = 0;
	pending->unused = NONE;
}

void measure_pending_free(struct measure_pending *pending)
{
	if (pending)
		pending_give_back(pending);
	free(pending);
}

struct measure_epoch_groups *measure_pending_groups(struct measure_pending *pending)
{
	return &pending->groups;
}

/* ----------------------------------------------------------------------- adding --- */

/* A target that is not listed has nothing open: its lists are empty, whatever they say. */
static struct pending_target *pending_list_target(struct measure_pending *pending, uint32_t index)
{
	struct pending_target *target = &pending->targets[index];

	if (target->is_listed)
		return target;
	target->is_listed = true;
	target->first = target->last = NONE;
	target->next_listed = pending->first_listed;
	pending->first_listed = index;
	return target;
}

/* Numbers are those of requests and one more: 0 is none. */
uint64_t measure_pending_number(struct measure_pending *pending, uint32_t target)
{
	uint64_t number;

	measure_mpi_lock(&pending->lock);
	number = pending->targets[target].number;
	if (number == 0)
		number = pending->targets[target].number = measure_request_new_id() + 1;
	measure_mpi_unlock(&pending->lock);
	return number - 1;
}

void measure_pending_add(struct measure_pending *pending, uint32_t index, bool returns_data)
{
	struct pending_target *target;

	measure_mpi_lock(&pending->lock);
	target = pending_list_target(pending, index);
	target->has_local = true;
	target->has_remote |= !returns_data;
	measure_mpi_unlock(&pending->lock);
}

/* In a transaction. None is unused. */
static bool pending_grow(struct measure_pending *pending)
{
	const uint32_t begin = pending->nr_alone;

	if (!measure_pages_grow((void **)&pending->alone, &pending->nr_alone, NR_FIRST,
		    sizeof(*pending->alone)))
		return false;
	for (uint32_t i = begin; i < pending->nr_alone; i++)
		pending->alone[i] = (struct pending_alone){.number = UINT64_MAX, .after = i + 1};
	pending->alone[pending->nr_alone - 1].after = NONE;
	pending->unused = begin;
	return true;
}

static uint32_t pending_add_alone(
	struct measure_pending *pending, uint32_t index, const struct pending_alone *filled)
{
	struct pending_target *target;
	uint32_t place;

	if (pending->unused == NONE && !pending_grow(pending))
		return MEASURE_UNDEFINED;
	target = pending_list_target(pending, index);
	place = pending->unused;
	pending->unused = pending->alone[place].after;
	pending->alone[place] = *filled;
	pending->alone[place].before = target->last;
	pending->alone[place].after = NONE;
	if (target->last == NONE)
		target->first = place;
	else
		pending->alone[target->last].after = place;
	target->last = place;
	return place;
}

uint32_t measure_pending_add_alone(
	struct measure_pending *pending, uint32_t target, uint64_t number, bool returns_data)
{
	struct pending_alone filled = {
		.number = number, .target = target, .returns_data = returns_data};
	uint32_t place;

	measure_mpi_lock(&pending->lock);
	filled.order = atomic_fetch_add_explicit(&pending->nr_added, 1, memory_order_relaxed);
	place = pending_add_alone(pending, target, &filled);
	measure_mpi_unlock(&pending->lock);
	return place;
}

/* ------------------------------------------------------------------- completing --- */

uint64_t measure_pending_horizon(const struct measure_pending *pending)
{
	return atomic_load_explicit(&pending->nr_added, memory_order_relaxed);
}

static void pending_write_local(struct measure_pending *pending, struct measure_location *location,
	uint64_t number, bool is_remote_too)
{
	measure_write_rma_op_complete_non_blocking(location, pending->window, number);
	if (is_remote_too)
		measure_write_rma_op_complete_remote(location, pending->window, number);
}

static void pending_remove_alone(struct measure_pending *pending, uint32_t place)
{
	struct pending_alone *gone = &pending->alone[place];
	struct pending_target *target = &pending->targets[gone->target];

	if (gone->before == NONE)
		target->first = gone->after;
	else
		pending->alone[gone->before].after = gone->after;
	if (gone->after == NONE)
		target->last = gone->before;
	else
		pending->alone[gone->after].before = gone->before;
	gone->number = UINT64_MAX;
	gone->after = pending->unused;
	pending->unused = place;
}

static void pending_complete_alone(struct measure_pending *pending,
	struct measure_location *location, uint32_t place, bool is_remote)
{
	struct pending_alone *alone = &pending->alone[place];
	const bool is_over = is_remote || alone->returns_data;

	if (!alone->is_local_done)
		pending_write_local(pending, location, alone->number, is_over);
	else if (is_over)
		measure_write_rma_op_complete_remote(location, pending->window, alone->number);
	alone->is_local_done = true;
	if (is_over)
		pending_remove_alone(pending, place);
}

static void pending_complete_shared(struct measure_pending *pending,
	struct measure_location *location, struct pending_target *target, bool is_remote)
{
	const bool is_over = is_remote || !target->has_remote;

	if (target->has_local)
		pending_write_local(pending, location, target->number - 1, is_over);
	else if (target->has_remote && is_remote)
		measure_write_rma_op_complete_remote(location, pending->window, target->number - 1);
	target->has_local = false;
	if (!is_over)
		return;
	target->has_remote = false;
	target->number = 0;
}

static void pending_complete_target(struct measure_pending *pending,
	struct measure_location *location, uint32_t index, uint64_t horizon, bool is_remote)
{
	struct pending_target *target = &pending->targets[index];
	uint32_t after;

	if (!target->is_listed)
		return;
	pending_complete_shared(pending, location, target, is_remote);
	for (uint32_t place = target->first; place != NONE; place = after) {
		after = pending->alone[place].after;
		if (pending->alone[place].order < horizon)
			pending_complete_alone(pending, location, place, is_remote);
	}
}

/* Targets with nothing open leave the list. */
static void pending_complete_all(struct measure_pending *pending, struct measure_location *location,
	uint64_t horizon, bool is_remote)
{
	uint32_t *link = &pending->first_listed;

	while (*link != NONE) {
		struct pending_target *target = &pending->targets[*link];

		pending_complete_target(pending, location, *link, horizon, is_remote);
		target->is_listed =
			target->has_local || target->has_remote || target->first != NONE;
		if (target->is_listed)
			link = &target->next_listed;
		else
			*link = target->next_listed;
	}
	if (pending->first_listed == NONE && pending->nr_alone > NR_KEPT)
		pending_give_back(pending);
}

void measure_pending_complete(struct measure_pending *pending, struct measure_location *location,
	uint32_t target, uint64_t horizon, bool is_remote)
{
	measure_mpi_lock(&pending->lock);
	if (target == MEASURE_ALL_TARGETS)
		pending_complete_all(pending, location, horizon, is_remote);
	else
		pending_complete_target(pending, location, target, horizon, is_remote);
	measure_mpi_unlock(&pending->lock);
}

/* A flush may have completed it, and its place may be another's by now. */
void measure_pending_complete_alone(struct measure_pending *pending,
	struct measure_location *location, uint32_t place, uint64_t number)
{
	measure_mpi_lock(&pending->lock);
	if (place < pending->nr_alone && pending->alone[place].number == number &&
		!pending->alone[place].is_local_done)
		pending_complete_alone(pending, location, place, false);
	measure_mpi_unlock(&pending->lock);
}

void measure_pending_cancel(struct measure_pending *pending, struct measure_location *location,
	uint32_t index, uint64_t number)
{
	struct pending_target *target = &pending->targets[index];
	bool has_company = false;

	measure_mpi_lock(&pending->lock);
	if (target->number == number + 1) {
		has_company = target->has_local || target->has_remote;
		target->has_local = has_company;
		target->number = has_company ? target->number : 0;
	}
	measure_mpi_unlock(&pending->lock);
	if (!has_company)
		measure_write_rma_op_complete_blocking(location, pending->window, number);
}
