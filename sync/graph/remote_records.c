/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sides on other ranks: what is known of them, and bringing their values all at once. The forward
 * pass brings them one by one (sync/clc/replay.c). */
#include "config.h"

#include "remote_records.h"

#include "bounds.h"
#include "graph.h"
#include "trace/common/containers.h"

static void start_side(struct measure_sync_remote_side *side, uint32_t nr_ranks)
{
	side->out = measure_zeroed(nr_ranks, sizeof(*side->out));
	side->in = measure_zeroed(nr_ranks, sizeof(*side->in));
}

static void free_side(struct measure_sync_remote_side *side, uint32_t nr_ranks)
{
	for (uint32_t r = 0; r < nr_ranks; r++) {
		measure_free(side->in[r].items);
		measure_free(side->out[r].items);
	}
	measure_free(side->in);
	measure_free(side->out);
	measure_free(side->groups);
	measure_free(side->members.items);
	measure_free(side->targets);
	measure_free(side->ranks.items);
}

void measure_sync_remote_start(struct measure_sync_graph *graph)
{
	start_side(&graph->far.sends, graph->job->size);
	start_side(&graph->far.receives, graph->job->size);
}

void measure_sync_remote_free(struct measure_sync_graph *graph)
{
	if (!graph->job)
		return; /* never started */
	free_side(&graph->far.sends, graph->job->size);
	free_side(&graph->far.receives, graph->job->size);
	measure_free(graph->far.group_of);
	measure_free(graph->far.near_sends);
	measure_free(graph->far.near_receives);
}

/* ----------------------------------------------------------------------- reducing --- */

static bool is_same_place(const struct measure_sync_graph *graph, uint32_t one, uint32_t other)
{
	return graph->ranks[one] == graph->ranks[other] && graph->hosts[one] == graph->hosts[other];
}

/* Another rank's points of one host lie near each other: the last that was kept is looked at
 * first. */
static bool is_stood_for(const struct measure_sync_graph *graph, const struct measure_point *kept,
	size_t nr_kept, uint32_t location)
{
	for (size_t i = nr_kept; i-- > 0;)
		if (is_same_place(graph, kept[i].location, location))
			return true;
	return false;
}

/* Those of others come to the front for the moment, so that only they are looked through. Order is
 * that of the points in the end: own ones and others' are told apart by everybody anyway. */
static size_t reduce(const struct measure_sync_graph *graph, const struct measure_point *points,
	size_t nr, struct measure_point *to)
{
	size_t nr_kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (!measure_sync_is_mine(graph, points[i].location) &&
			!is_stood_for(graph, to, nr_kept, points[i].location))
			to[nr_kept++] = points[i];
	for (size_t i = 0; i < nr; i++)
		if (measure_sync_is_mine(graph, points[i].location))
			to[nr_kept++] = points[i];
	return nr_kept;
}

static size_t count_own(
	const struct measure_sync_graph *graph, const struct measure_point *points, size_t nr)
{
	size_t nr_own = 0;

	for (size_t i = 0; i < nr; i++)
		nr_own += measure_sync_is_mine(graph, points[i].location);
	return nr_own;
}

static struct measure_point *remote_records_make_room(
	struct measure_point *points, size_t nr, size_t *room)
{
	if (*room >= nr)
		return points;
	measure_free(points);
	*room = nr;
	return measure_uncleared(nr, sizeof(*points));
}

bool measure_sync_remote_reduce(struct measure_sync_graph *graph,
	const struct measure_instance *instance, struct measure_instance *reduced)
{
	struct measure_sync_remote *far = &graph->far;
	size_t nr_own;

	*reduced = *instance;
	if (graph->job->size == 1)
		return true;
	nr_own = count_own(graph, instance->sends, instance->nr_sends) +
		 count_own(graph, instance->receives, instance->nr_receives);
	if (nr_own == 0)
		return false;
	/* Inside processes several threads come here. */
	if (nr_own == instance->nr_sends + instance->nr_receives)
		return true;
	if (far->is_whole ||
		measure_relations[instance->relation].pattern == MEASURE_PATTERN_PREFIX)
		return true;
	far->near_sends =
		remote_records_make_room(far->near_sends, instance->nr_sends, &far->room_sends);
	far->near_receives = remote_records_make_room(
		far->near_receives, instance->nr_receives, &far->room_receives);
	reduced->nr_sends = reduce(graph, instance->sends, instance->nr_sends, far->near_sends);
	reduced->nr_receives =
		reduce(graph, instance->receives, instance->nr_receives, far->near_receives);
	reduced->sends = far->near_sends;
	reduced->receives = far->near_receives;
	return true;
}

/* ------------------------------------------------------------------------- noting --- */

static void add_record(struct measure_sync_remote_records *records, uint32_t record)
{
	*measure_append_item(records) = record;
}

/* Ends of one side. */
struct ends {
	const struct measure_sync_graph *graph;
	const struct measure_sync_points *marks;
	const uint32_t *items;
	size_t nr;
};

static uint32_t location_of(const struct ends *ends, size_t i)
{
	return measure_mark_at(ends->marks, ends->items[i])->location;
}

static bool is_own(const struct ends *ends, size_t i)
{
	return measure_sync_is_mine(ends->graph, location_of(ends, i));
}

/* The other ranks that have some of the ends. */
static void find_ranks(const struct ends *ends, struct measure_sync_remote_records *ranks)
{
	ranks->nr = 0;
	for (size_t i = 0; i < ends->nr; i++) {
		const uint32_t rank = ends->graph->ranks[location_of(ends, i)];
		size_t k = 0;

		while (k < ranks->nr && ranks->items[k] != rank)
			k++;
		if (k == ranks->nr && !is_own(ends, i))
			add_record(ranks, rank);
	}
}

/* Sends a group to them. */
static void add_targets(struct measure_sync_remote_side *side,
	struct measure_sync_remote_group *group, const struct measure_sync_remote_records *ranks)
{
	group->first_target = (uint32_t)side->nr_targets;
	group->nr_targets = (uint32_t)ranks->nr;
	for (size_t i = 0; i < ranks->nr; i++) {
		*measure_append(side, targets) = (struct measure_sync_remote_target){
			ranks->items[i], (uint32_t)side->out[ranks->items[i]].nr};
		add_record(&side->out[ranks->items[i]], (uint32_t)side->nr_groups);
	}
}

/* The own ends of one host, from the first one on. */
static void add_members(struct measure_sync_remote_side *side,
	struct measure_sync_remote_group *group, const struct ends *ends, size_t first,
	bool is_single)
{
	group->first_member = (uint32_t)side->members.nr;
	for (size_t i = first; i < (is_single ? first + 1 : ends->nr); i++)
		if (is_same_place(ends->graph, location_of(ends, i), location_of(ends, first)))
			add_record(&side->members, ends->items[i]);
	group->nr_members = (uint32_t)side->members.nr - group->first_member;
}

static bool is_first_of_host(const struct ends *ends, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_place(ends->graph, location_of(ends, k), location_of(ends, i)))
			return false;
	return true;
}

static void note_side(struct measure_sync_remote_side *side, const struct ends *ends,
	const struct ends *others, bool is_single)
{
	bool are_others_own = false;

	find_ranks(others, &side->ranks);
	for (size_t i = 0; i < others->nr; i++)
		are_others_own |= is_own(others, i);
	for (size_t i = 0; i < ends->nr; i++) {
		struct measure_sync_remote_group group = {.nr_members = 0};

		if (!is_own(ends, i) && are_others_own)
			add_record(&side->in[ends->graph->ranks[location_of(ends, i)]],
				ends->items[i]);
		if (!is_own(ends, i) || side->ranks.nr == 0 ||
			(!is_single && !is_first_of_host(ends, i)))
			continue;
		add_members(side, &group, ends, i, is_single);
		add_targets(side, &group, &side->ranks);
		*measure_append(side, groups) = group;
	}
}

void measure_sync_remote_note(struct measure_sync_graph *graph,
	const struct measure_sync_points *marks, const uint32_t *ends, size_t nr_sends,
	size_t nr_receives, bool is_single)
{
	const struct ends sends = {graph, marks, ends, nr_sends};
	const struct ends receives = {graph, marks, ends + nr_sends, nr_receives};
	const struct ends all = {graph, marks, ends, nr_sends + nr_receives};
	size_t nr_own = 0;

	is_single |= graph->far.is_whole;
	for (size_t i = 0; i < all.nr && graph->job->size > 1; i++)
		nr_own += is_own(&all, i);
	if (nr_own == all.nr || graph->job->size == 1)
		return;
	note_side(&graph->far.sends, &sends, &receives, is_single);
	note_side(&graph->far.receives, &receives, &sends, is_single);
}

void measure_sync_remote_note_pairs(struct measure_sync_graph *graph,
	const struct measure_sync_points *marks, const struct measure_pairs *pairs)
{
	for (size_t k = 0; k < pairs->nr && graph->job->size > 1; k++) {
		const uint32_t ends[2] = {pairs->sends[k], pairs->receives[k]};

		measure_sync_remote_note(graph, marks, ends, 1, 1, true);
	}
}

/* ------------------------------------------------------------------------- naming --- */

static void name_records(struct measure_sync_remote_records *records, const uint32_t *names)
{
	for (size_t i = 0; i < records->nr; i++)
		records->items[i] = names[records->items[i]];
}

static void name_side(struct measure_sync_graph *graph, struct measure_sync_remote_side *side,
	const uint32_t *names)
{
	name_records(&side->members, names);
	for (uint32_t r = 0; r < graph->job->size; r++) {
		name_records(&side->in[r], names);
		for (size_t i = 0; i < side->in[r].nr; i++)
			graph->far.group_of[side->in[r].items[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < side->nr_groups; i++)
		for (uint32_t k = 0; k < side->groups[i].nr_members; k++)
			graph->far.group_of[side->members.items[side->groups[i].first_member + k]] =
				(uint32_t)i;
}

void measure_sync_remote_name(struct measure_sync_graph *graph, const uint32_t *names)
{
	struct measure_sync_remote *far = &graph->far;

	if (graph->job->size == 1 || graph->nr_records == 0)
		return;
	if (!far->group_of)
		far->group_of = measure_uncleared(graph->nr_records, sizeof(*far->group_of));
	for (size_t i = 0; i < graph->nr_records; i++)
		far->group_of[i] = MEASURE_NONE;
	name_side(graph, &far->sends, names);
	name_side(graph, &far->receives, names);
}

/* ------------------------------------------------------------------------ bringing --- */

int64_t measure_sync_remote_latest(
	const struct measure_sync_graph *graph, const struct measure_sync_remote_group *group)
{
	const uint32_t *members = graph->far.sends.members.items + group->first_member;
	int64_t latest = MEASURE_SYNC_NO_BOUND;

	for (uint32_t i = 0; i < group->nr_members; i++)
		if (graph->values[members[i]] > latest)
			latest = graph->values[members[i]];
	return latest;
}

static bool is_relaxed(const struct measure_sync_graph *graph, uint32_t record)
{
	return atomic_load_explicit(&graph->states[record], memory_order_relaxed) ==
	       MEASURE_SYNC_RELAXED;
}

static int64_t earliest_of(
	const struct measure_sync_graph *graph, const struct measure_sync_remote_group *group)
{
	const uint32_t *members = graph->far.receives.members.items + group->first_member;
	int64_t earliest = MEASURE_SYNC_NO_LIMIT;

	for (uint32_t i = 0; i < group->nr_members; i++)
		if (!is_relaxed(graph, members[i]) && graph->values[members[i]] < earliest)
			earliest = graph->values[members[i]];
	return earliest;
}

static void bring(struct measure_sync_graph *graph, const struct measure_sync_remote_side *side,
	int64_t (*value_of)(
		const struct measure_sync_graph *, const struct measure_sync_remote_group *),
	void (*set)(struct measure_sync_graph *, uint32_t record, int64_t value))
{
	const uint32_t nr_ranks = graph->job->size;
	struct measure_sync_job_part *out = measure_zeroed(nr_ranks, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(nr_ranks, sizeof(*in));

	for (uint32_t r = 0; r < nr_ranks; r++) {
		out[r].size = side->out[r].nr * sizeof(int64_t);
		out[r].data = measure_uncleared(side->out[r].nr, sizeof(int64_t));
	}
	for (size_t i = 0; i < side->nr_groups; i++) {
		const struct measure_sync_remote_group *group = &side->groups[i];
		const int64_t value = value_of(graph, group);

		for (uint32_t k = 0; k < group->nr_targets; k++) {
			const struct measure_sync_remote_target *target =
				&side->targets[group->first_target + k];

			((int64_t *)out[target->rank].data)[target->index] = value;
		}
	}
	measure_sync_job_swap(graph->job, out, in);
	for (uint32_t r = 0; r < nr_ranks; r++) {
		for (size_t i = 0; i < in[r].size / sizeof(int64_t); i++)
			set(graph, side->in[r].items[i], ((const int64_t *)in[r].data)[i]);
		measure_free(in[r].data);
		measure_free(out[r].data);
	}
	measure_free(in);
	measure_free(out);
}

static void set_send(struct measure_sync_graph *graph, uint32_t record, int64_t value)
{
	graph->values[record] = value;
}

static void set_receive(struct measure_sync_graph *graph, uint32_t record, int64_t value)
{
	graph->values[record] = value;
	if (value == MEASURE_SYNC_NO_LIMIT)
		atomic_store_explicit(
			&graph->states[record], MEASURE_SYNC_RELAXED, memory_order_relaxed);
}

void measure_sync_remote_bring_sends(struct measure_sync_graph *graph)
{
	if (graph->job->size > 1)
		bring(graph, &graph->far.sends, measure_sync_remote_latest, set_send);
}

void measure_sync_remote_bring_receives(struct measure_sync_graph *graph)
{
	if (graph->job->size > 1)
		bring(graph, &graph->far.receives, earliest_of, set_receive);
}
