/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One-sided communication of one process: what completes its operations, what releases its
 * locks, and whether it uses windows only while they are there. One completion stands for all
 * operations before it that have its number on its window and are not complete. */
#include "config.h"

#include "match_internal.h"

#include <stdio.h>

#define ALL_TARGETS UINT32_MAX

static const struct measure_window *window_of(
	const struct measure_match *match, const struct measure_event *event)
{
	return &match->definitions->windows[event->ref];
}

/* ------------------------------------------------------------------- windows --- */

static void report_life(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const char *what)
{
	measure_report(match->findings, MEASURE_CHECK_RMA_LIFE, place_of(point),
		"%s on %s, which %s", measure_event_names[event->kind],
		window_of(match, event)->label, what);
}

/* The end of the collective that frees a window comes after its end. */
static void check_life(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	uint8_t *life = &match->rma.lives[event->ref];
	bool is_create = event->kind == MEASURE_EVENT_RMA_WIN_CREATE;

	if (!(window_of(match, event)->flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS))
		return;
	if (is_create && *life != WINDOW_UNBORN)
		report_life(match, event, point, "it has created already");
	else if (!is_create && *life == WINDOW_UNBORN)
		report_life(match, event, point, "it has not created");
	else if (*life == WINDOW_GONE && event->kind != MEASURE_EVENT_RMA_COLLECTIVE_END)
		report_life(match, event, point, "it has freed");
	if (is_create)
		*life = WINDOW_ALIVE;
	else if (event->kind == MEASURE_EVENT_RMA_WIN_DESTROY)
		*life = WINDOW_GONE;
}

/* ---------------------------------------------------------------- operations --- */

/* NULL: nothing of it is open. */
static struct operation *rma_find(struct measure_match *match, const struct measure_event *event)
{
	uint32_t slot = measure_map_get(
		&match->rma.operation_ids, measure_key_pair(event->ref, event->number));

	return slot == MEASURE_NONE ? NULL : &match->rma.operations[slot];
}

static struct operation *take_slot(struct measure_match *match, const struct measure_event *event)
{
	struct rma *rma = &match->rma;
	uint32_t slot = rma->first_free;

	if (slot != MEASURE_NONE) {
		rma->first_free = rma->operations[slot].next_free;
	} else {
		slot = rma->nr_operations;
		(void)measure_append(rma, operations);
	}
	measure_map_set(&rma->operation_ids, measure_key_pair(event->ref, event->number), slot);
	rma->operations[slot] = (struct operation){.window = event->ref, .number = event->number};
	return &rma->operations[slot];
}

static void give_back_slot(struct rma *rma, struct operation *operation)
{
	measure_map_remove(
		&rma->operation_ids, measure_key_pair(operation->window, operation->number));
	operation->next_free = rma->first_free;
	rma->first_free = operation - rma->operations;
}

static void check_target(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	uint32_t comm = window_of(match, event)->comm;

	if (comm == MEASURE_NONE || measure_ranks_peer(&match->ranks, comm, match->process,
					    event->peer) != MEASURE_NONE)
		return;
	measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(point),
		"%s names rank %d, which does not exist in %s", measure_event_names[event->kind],
		(int)event->peer, window_of(match, event)->label);
}

static void rma_start(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct operation *operation = rma_find(match, event);

	check_target(match, event, point);
	if (!operation)
		operation = take_slot(match, event);
	if (!operation->nr_local++)
		operation->first = *point;
	operation->nr_remote++;
}

static void rma_complete(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	bool is_remote = event->kind == MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE;
	struct operation *operation = rma_find(match, event);

	if (!operation || (is_remote ? !operation->nr_remote : !operation->nr_local))
		measure_report(match->findings, MEASURE_CHECK_RMA_UNKNOWN, place_of(point),
			"%s of operation %llu on %s, of which none is open",
			measure_event_names[event->kind], (unsigned long long)event->number,
			window_of(match, event)->label);
	if (!operation)
		return;
	*(is_remote ? &operation->nr_remote : &operation->nr_local) = 0;
	if (!operation->nr_local && !operation->nr_remote)
		give_back_slot(&match->rma, operation);
}

static void report_open(struct measure_match *match, const struct operation *operation)
{
	measure_report_excused(match->findings, MEASURE_CHECK_RMA_OPEN,
		measure_match_is_cut(match, match->process), place_of(&operation->first),
		"operation %llu on %s is never completed%s", (unsigned long long)operation->number,
		match->definitions->windows[operation->window].label,
		operation->nr_local > 1 ? ", nor are others with its number" : "");
}

/* --------------------------------------------------------------------- locks --- */

static struct window_lock *lock_of(struct measure_match *match, const struct measure_event *event)
{
	struct rma *rma = &match->rma;
	struct measure_key key = {(uint64_t)event->ref << 32 | event->peer, event->number};
	uint32_t index = measure_map_intern(&rma->lock_ids, key, rma->nr_locks);

	if (index != rma->nr_locks)
		return &rma->locks[index];
	*measure_append(rma, locks) =
		(struct window_lock){.window = event->ref, .target = event->peer};
	return &rma->locks[index];
}

#define TARGET_SIZE 40

/* Whom a lock is for: "rank 2", "all ranks". */
static const char *target_text(uint32_t target, char text[static TARGET_SIZE])
{
	if (target == ALL_TARGETS)
		return "all ranks";
	snprintf(text, TARGET_SIZE, "rank %u", target);
	return text;
}

static void report_lock(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const char *what)
{
	char target[TARGET_SIZE];

	measure_report(match->findings, MEASURE_CHECK_RMA_LOCK, place_of(point),
		"%s for %s on %s: %s", measure_event_names[event->kind],
		target_text(event->peer, target), window_of(match, event)->label, what);
}

/* A lock may be asked for and then acquired, or only one of the two is recorded. */
static void lock(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct window_lock *lock = lock_of(match, event);
	bool is_asked = event->kind == MEASURE_EVENT_RMA_REQUEST_LOCK;

	if (event->peer != ALL_TARGETS)
		check_target(match, event, point);
	if (lock->is_held || (is_asked && lock->is_asked))
		report_lock(match, event, point, "the process has it already");
	lock->is_asked = true;
	lock->is_held = !is_asked;
	lock->point = *point;
}

static void release(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct window_lock *lock = lock_of(match, event);

	if (!lock->is_asked)
		report_lock(match, event, point, "the process does not have it");
	lock->is_asked = lock->is_held = false;
}

static void report_held(struct measure_match *match, const struct window_lock *lock)
{
	char target[TARGET_SIZE];

	measure_report_excused(match->findings, MEASURE_CHECK_RMA_LOCK,
		measure_match_is_cut(match, match->process), place_of(&lock->point),
		"the lock for %s on %s is never released", target_text(lock->target, target),
		match->definitions->windows[lock->window].label);
}

/* ----------------------------------------------------------------------- all --- */

void rma_event(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	if (event->ref == MEASURE_NONE)
		return;
	check_life(match, event, point);
	switch (event->kind) {
	case MEASURE_EVENT_RMA_PUT:
	case MEASURE_EVENT_RMA_GET:
	case MEASURE_EVENT_RMA_ATOMIC:
		rma_start(match, event, point);
		break;
	case MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE:
		rma_complete(match, event, point);
		break;
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
	case MEASURE_EVENT_RMA_ACQUIRE_LOCK:
		lock(match, event, point);
		break;
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
		release(match, event, point);
		break;
	}
}

void rma_end_process(struct measure_match *match)
{
	struct rma *rma = &match->rma;

	for (size_t i = 0; i < rma->nr_operations; i++)
		if (rma->operations[i].nr_local)
			report_open(match, &rma->operations[i]);
	for (size_t i = 0; i < rma->nr_locks; i++)
		if (rma->locks[i].is_asked)
			report_held(match, &rma->locks[i]);
	measure_map_clear(&rma->operation_ids);
	measure_map_clear(&rma->lock_ids);
	rma->nr_operations = 0;
	rma->first_free = MEASURE_NONE;
	rma->nr_locks = 0;
	for (size_t i = 0; i < match->definitions->nr_windows; i++)
		rma->lives[i] = WINDOW_UNBORN;
}

void rma_free(struct rma *rma)
{
	measure_map_free(&rma->operation_ids);
	measure_map_free(&rma->lock_ids);
	measure_free(rma->operations);
	measure_free(rma->locks);
	measure_free(rma->lives);
}
