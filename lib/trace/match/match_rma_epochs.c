/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Win_post and MPI_Win_wait of a target, MPI_Win_start and MPI_Win_complete of an origin.
 * Between two processes the k-th of each on a window belong together. They all record an
 * RmaGroupSync; only the call that it lies in tells them apart. */
#include "config.h"

#include <stdlib.h>

#include "match_internal.h"

void epochs_enter(struct measure_match *match, const struct measure_event *event, uint8_t call)
{
	match->epochs.call = call;
	match->epochs.enter = point_of(match, event);
}

uint32_t epochs_lane_of(struct epochs *epochs, struct epoch_lane lane)
{
	struct measure_key key = {lane.window, (uint64_t)lane.origin << 32 | lane.target};
	uint32_t index = measure_map_intern(&epochs->ids, key, epochs->nr_lanes);

	if (index != epochs->nr_lanes)
		return index;
	*measure_append(epochs, lanes) = lane;
	return index;
}

static void rma_epochs_add(struct measure_match *match, struct epoch_halves *halves,
	const struct measure_point *end, uint32_t window, uint32_t peer)
{
	struct epochs *epochs = &match->epochs;
	bool is_origin = halves == &epochs->completes;
	struct epoch_lane lane = {
		window, is_origin ? match->process : peer, is_origin ? peer : match->process};

	*measure_append_item(halves) = (struct epoch_half){
		.posting = {end->time, end->position, end->location, epochs_lane_of(epochs, lane)},
		.begin = mark_of(match, &epochs->enter),
		.end = mark_of(match, end),
	};
}

static struct epoch_halves *halves_of(struct epochs *epochs)
{
	switch (epochs->call) {
	case REGION_WIN_POST:
		return &epochs->posts;
	case REGION_WIN_COMPLETE:
		return &epochs->completes;
	case REGION_WIN_WAIT:
		return &epochs->waits;
	default:
		return NULL; /* MPI_Win_start waits for nobody; other calls are not MPI's */
	}
}

void epochs_sync(struct measure_match *match, const struct measure_event *event)
{
	const struct measure_definitions *definitions = match->definitions;
	struct epoch_halves *halves = halves_of(&match->epochs);
	struct measure_point end = point_of(match, event);
	const uint32_t group = (uint32_t)event->number;

	match->epochs.call = REGION_PLAIN;
	if (!halves || event->ref == MEASURE_NONE || group == MEASURE_NONE)
		return;
	for (uint32_t i = 0; i < definitions->groups[group].nr_members; i++) {
		uint32_t rank = measure_group_rank(&definitions->groups[group], i);
		uint32_t location = measure_group_location(definitions, group, rank);

		if (location != MEASURE_NONE &&
			definitions->locations[location].group != MEASURE_NONE)
			rma_epochs_add(match, halves, &end, event->ref,
				definitions->locations[location].group);
	}
}

static void rma_epochs_join(struct epochs *epochs, struct epoch_halves *halves,
	const struct epochs *others, const struct epoch_halves *from, uint32_t base)
{
	for (size_t i = 0; i < from->nr; i++) {
		struct epoch_half half = from->items[i];

		half.begin += base;
		half.end += base;
		half.posting.lane = epochs_lane_of(epochs, others->lanes[half.posting.lane]);
		*measure_append_item(halves) = half;
	}
}

void epochs_join(struct epochs *epochs, struct epochs *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr_lanes; i++)
		epochs_lane_of(epochs, others->lanes[i]);
	rma_epochs_join(epochs, &epochs->posts, others, &others->posts, base);
	rma_epochs_join(epochs, &epochs->completes, others, &others->completes, base);
	rma_epochs_join(epochs, &epochs->waits, others, &others->waits, base);
}

/* ---------------------------------------------------------------------- matching --- */

static void sort(const struct epochs *epochs, struct epoch_halves *halves)
{
	halves->order = lanes_sort(halves->items, halves->nr, sizeof(*halves->items),
		epochs->nr_lanes, &halves->starts);
}

/* The k-th of a lane; NULL: it has no more. */
static const struct epoch_half *at(const struct epoch_halves *halves, size_t lane, size_t k)
{
	size_t index = halves->starts[lane] + k;

	return index < halves->starts[lane + 1] ? &halves->items[halves->order[index]] : NULL;
}

static void rma_epochs_report(struct measure_match *match, const struct epoch_lane *lane,
	const struct epoch_half *half, const char *what)
{
	bool is_excused = measure_match_is_cut(match, lane->origin) ||
			  measure_match_is_cut(match, lane->target);

	measure_report_excused(match->findings, MEASURE_CHECK_RMA_GROUP, is_excused,
		place_of_mark(match, half->end), "%s on %s%s", what,
		match->definitions->windows[lane->window].label,
		is_excused ? "; a process was cut short" : "");
}

static void hand_out(struct measure_match *match, const struct epoch_lane *lane,
	enum measure_relation relation, const struct epoch_half *send,
	const struct epoch_half *receive, uint64_t ordinal)
{
	const struct measure_point begin = point_of_mark(match, send->begin, 0);
	const struct measure_point end = point_of_mark(match, receive->end, 0);

	instance_add_send(match, &begin);
	instance_add_receive(match, &end);
	instance_hand_out(
		match, relation, match->definitions->windows[lane->window].comm, 0, ordinal);
}

/* One epoch between two processes. False: there are no more. */
static bool match_epoch(struct measure_match *match, size_t index, size_t k)
{
	const struct epochs *epochs = &match->epochs;
	const struct epoch_lane *lane = &epochs->lanes[index];
	const struct epoch_half *post = at(&epochs->posts, index, k);
	const struct epoch_half *complete = at(&epochs->completes, index, k);
	const struct epoch_half *wait = at(&epochs->waits, index, k);

	if (post && complete)
		hand_out(match, lane, MEASURE_RELATION_RMA_POST, post, complete, k);
	else if (post || complete)
		rma_epochs_report(match, lane, post ? post : complete,
			post ? "MPI_Win_post without MPI_Win_complete of its origin"
			     : "MPI_Win_complete without MPI_Win_post of its target");
	if (complete && wait)
		hand_out(match, lane, MEASURE_RELATION_RMA_COMPLETE, complete, wait, k);
	else if (wait)
		rma_epochs_report(
			match, lane, wait, "MPI_Win_wait without MPI_Win_complete of its origin");
	else if (complete && post)
		rma_epochs_report(match, lane, complete,
			"MPI_Win_complete without MPI_Win_wait of its target");
	return post || complete || wait;
}

static void free_halves(struct epoch_halves *halves)
{
	measure_free(halves->order);
	measure_free(halves->starts);
	measure_free(halves->items);
}

static int compare_lanes(const void *left, const void *right, void *data)
{
	const struct epoch_lane *lanes = data;
	const struct epoch_lane *a = &lanes[*(const uint32_t *)left];
	const struct epoch_lane *b = &lanes[*(const uint32_t *)right];

	if (a->window != b->window)
		return a->window < b->window ? -1 : 1;
	if (a->origin != b->origin)
		return a->origin < b->origin ? -1 : 1;
	return (a->target > b->target) - (a->target < b->target);
}

/* In an order that does not depend on who has read what: ranks of a job have to agree on it. */
void epochs_finish(struct measure_match *match)
{
	struct epochs *epochs = &match->epochs;
	uint32_t *lanes = measure_zeroed(epochs->nr_lanes, sizeof(*lanes));

	sort(epochs, &epochs->posts);
	sort(epochs, &epochs->completes);
	sort(epochs, &epochs->waits);
	for (size_t i = 0; i < epochs->nr_lanes; i++)
		lanes[i] = (uint32_t)i;
	qsort_r(lanes, epochs->nr_lanes, sizeof(*lanes), compare_lanes, epochs->lanes);
	for (size_t i = 0; i < epochs->nr_lanes; i++)
		for (size_t k = 0; match_epoch(match, lanes[i], k); k++)
			;
	measure_free(lanes);
}

void epochs_free(struct epochs *epochs)
{
	measure_map_free(&epochs->ids);
	measure_free(epochs->lanes);
	free_halves(&epochs->posts);
	free_halves(&epochs->completes);
	free_halves(&epochs->waits);
}
