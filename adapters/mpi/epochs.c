/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open operations of a window. Those that are alone lie in one array, in a list for each target;
 * targets that have something open are listed too, so that completing all costs no more than there
 * is. */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "epochs.h"
#include "pages.h"
#include "requests.h"
#include "spin.h"

#define NONE     UINT32_MAX
#define NR_FIRST 32u
#define NR_KEPT  4096u /* places that an idle window keeps */

struct alone {
	uint64_t number; /* UINT64_MAX: unused */
	uint64_t order;  /* of its adding; see the horizon */
	uint32_t before; /* in the list of the target */
	uint32_t after;	 /* the same, or the next unused one */
	uint32_t target;
	bool is_local_done;
	bool returns_data;
};

struct target {
	uint64_t number; /* that operations share; 0: none yet */
	uint32_t first, last;
	uint32_t next_listed;
	bool is_listed;
	bool has_local;	 /* with the shared number: not complete locally */
	bool has_remote; /* the same remotely, of those that return no data */
};

struct measure_epochs {
	atomic_flag lock;
	measure_window_t window;
	_Atomic uint64_t nr_added;
	uint32_t first_listed;
	struct alone *alone;
	uint32_t nr_alone;
	uint32_t unused;
	struct measure_epoch_groups groups;
	struct target targets[];
};

struct measure_epochs *measure_epochs_new(measure_window_t window, uint32_t nr_targets)
{
	struct measure_epochs *epochs =
		calloc(1, sizeof(*epochs) + nr_targets * sizeof(epochs->targets[0]));

	if (!epochs)
		return NULL;
	atomic_flag_clear(&epochs->lock);
	epochs->window = window;
	epochs->first_listed = NONE;
	epochs->unused = NONE;
	epochs->groups.access = epochs->groups.exposure = MEASURE_UNDEFINED;
	return epochs;
}

static void give_back(struct measure_epochs *epochs)
{
	measure_pages_return(epochs->alone, epochs->nr_alone * sizeof(*epochs->alone));
	epochs->alone = NULL;
	epochs->nr_alone = 0;
	epochs->unused = NONE;
}

void measure_epochs_free(struct measure_epochs *epochs)
{
	if (epochs)
		give_back(epochs);
	free(epochs);
}

struct measure_epoch_groups *measure_epochs_groups(struct measure_epochs *epochs)
{
	return &epochs->groups;
}

/* ----------------------------------------------------------------------- adding --- */

/* A target that is not listed has nothing open: its lists are empty, whatever they say. */
static struct target *list_target(struct measure_epochs *epochs, uint32_t index)
{
	struct target *target = &epochs->targets[index];

	if (target->is_listed)
		return target;
	target->is_listed = true;
	target->first = target->last = NONE;
	target->next_listed = epochs->first_listed;
	epochs->first_listed = index;
	return target;
}

/* Numbers are those of requests and one more: 0 is none. */
uint64_t measure_epochs_number(struct measure_epochs *epochs, uint32_t target)
{
	uint64_t number;

	measure_spin_lock(&epochs->lock);
	number = epochs->targets[target].number;
	if (number == 0)
		number = epochs->targets[target].number = measure_request_new_id() + 1;
	measure_spin_unlock(&epochs->lock);
	return number - 1;
}

void measure_epochs_add(struct measure_epochs *epochs, uint32_t index, bool returns_data)
{
	struct target *target;

	measure_spin_lock(&epochs->lock);
	target = list_target(epochs, index);
	target->has_local = true;
	target->has_remote |= !returns_data;
	measure_spin_unlock(&epochs->lock);
}

/* In a bracket. None is unused. */
static bool grow(struct measure_epochs *epochs)
{
	const uint32_t begin = epochs->nr_alone;

	if (!measure_pages_grow((void **)&epochs->alone, &epochs->nr_alone, NR_FIRST,
		    sizeof(*epochs->alone)))
		return false;
	for (uint32_t i = begin; i < epochs->nr_alone; i++)
		epochs->alone[i] = (struct alone){.number = UINT64_MAX, .after = i + 1};
	epochs->alone[epochs->nr_alone - 1].after = NONE;
	epochs->unused = begin;
	return true;
}

static uint32_t add_alone_locked(struct measure_epochs *epochs, uint32_t index,
	const struct alone *filled)
{
	struct target *target;
	uint32_t place;

	if (epochs->unused == NONE && !grow(epochs))
		return MEASURE_UNDEFINED;
	target = list_target(epochs, index);
	place = epochs->unused;
	epochs->unused = epochs->alone[place].after;
	epochs->alone[place] = *filled;
	epochs->alone[place].before = target->last;
	epochs->alone[place].after = NONE;
	if (target->last == NONE)
		target->first = place;
	else
		epochs->alone[target->last].after = place;
	target->last = place;
	return place;
}

uint32_t measure_epochs_add_alone(
	struct measure_epochs *epochs, uint32_t target, uint64_t number, bool returns_data)
{
	struct alone filled = {.number = number, .target = target, .returns_data = returns_data};
	uint32_t place;

	measure_spin_lock(&epochs->lock);
	filled.order = atomic_fetch_add_explicit(&epochs->nr_added, 1, memory_order_relaxed);
	place = add_alone_locked(epochs, target, &filled);
	measure_spin_unlock(&epochs->lock);
	return place;
}

/* ------------------------------------------------------------------- completing --- */

uint64_t measure_epochs_horizon(const struct measure_epochs *epochs)
{
	return atomic_load_explicit(&epochs->nr_added, memory_order_relaxed);
}

static void write_local(struct measure_epochs *epochs, struct measure_location *location,
	uint64_t number, bool is_remote_too)
{
	measure_write_rma_op_complete_non_blocking(location, epochs->window, number);
	if (is_remote_too)
		measure_write_rma_op_complete_remote(location, epochs->window, number);
}

static void remove_alone(struct measure_epochs *epochs, uint32_t place)
{
	struct alone *gone = &epochs->alone[place];
	struct target *target = &epochs->targets[gone->target];

	if (gone->before == NONE)
		target->first = gone->after;
	else
		epochs->alone[gone->before].after = gone->after;
	if (gone->after == NONE)
		target->last = gone->before;
	else
		epochs->alone[gone->after].before = gone->before;
	gone->number = UINT64_MAX;
	gone->after = epochs->unused;
	epochs->unused = place;
}

static void complete_alone(struct measure_epochs *epochs, struct measure_location *location,
	uint32_t place, bool is_remote)
{
	struct alone *alone = &epochs->alone[place];
	const bool is_over = is_remote || alone->returns_data;

	if (!alone->is_local_done)
		write_local(epochs, location, alone->number, is_over);
	else if (is_over)
		measure_write_rma_op_complete_remote(location, epochs->window, alone->number);
	alone->is_local_done = true;
	if (is_over)
		remove_alone(epochs, place);
}

static void complete_shared(struct measure_epochs *epochs, struct measure_location *location,
	struct target *target, bool is_remote)
{
	const bool is_over = is_remote || !target->has_remote;

	if (target->has_local)
		write_local(epochs, location, target->number - 1, is_over);
	else if (target->has_remote && is_remote)
		measure_write_rma_op_complete_remote(location, epochs->window, target->number - 1);
	target->has_local = false;
	if (!is_over)
		return;
	target->has_remote = false;
	target->number = 0;
}

static void complete_target(struct measure_epochs *epochs, struct measure_location *location,
	uint32_t index, uint64_t horizon, bool is_remote)
{
	struct target *target = &epochs->targets[index];
	uint32_t after;

	if (!target->is_listed)
		return;
	complete_shared(epochs, location, target, is_remote);
	for (uint32_t place = target->first; place != NONE; place = after) {
		after = epochs->alone[place].after;
		if (epochs->alone[place].order < horizon)
			complete_alone(epochs, location, place, is_remote);
	}
}

/* Targets with nothing open leave the list. */
static void complete_all(struct measure_epochs *epochs, struct measure_location *location,
	uint64_t horizon, bool is_remote)
{
	uint32_t *link = &epochs->first_listed;

	while (*link != NONE) {
		struct target *target = &epochs->targets[*link];

		complete_target(epochs, location, *link, horizon, is_remote);
		target->is_listed = target->has_local || target->has_remote || target->first != NONE;
		if (target->is_listed)
			link = &target->next_listed;
		else
			*link = target->next_listed;
	}
	if (epochs->first_listed == NONE && epochs->nr_alone > NR_KEPT)
		give_back(epochs);
}

void measure_epochs_complete(struct measure_epochs *epochs, struct measure_location *location,
	uint32_t target, uint64_t horizon, bool is_remote)
{
	measure_spin_lock(&epochs->lock);
	if (target == MEASURE_ALL_TARGETS)
		complete_all(epochs, location, horizon, is_remote);
	else
		complete_target(epochs, location, target, horizon, is_remote);
	measure_spin_unlock(&epochs->lock);
}

/* A flush may have completed it, and its place may be another's by now. */
void measure_epochs_complete_alone(struct measure_epochs *epochs, struct measure_location *location,
	uint32_t place, uint64_t number)
{
	measure_spin_lock(&epochs->lock);
	if (place < epochs->nr_alone && epochs->alone[place].number == number &&
		!epochs->alone[place].is_local_done)
		complete_alone(epochs, location, place, false);
	measure_spin_unlock(&epochs->lock);
}

void measure_epochs_refuse(struct measure_epochs *epochs, struct measure_location *location,
	uint32_t index, uint64_t number)
{
	struct target *target = &epochs->targets[index];
	bool has_company = false;

	measure_spin_lock(&epochs->lock);
	if (target->number == number + 1) {
		has_company = target->has_local || target->has_remote;
		target->has_local = has_company;
		target->number = has_company ? target->number : 0;
	}
	measure_spin_unlock(&epochs->lock);
	if (!has_company)
		measure_write_rma_op_complete_blocking(location, epochs->window, number);
}
