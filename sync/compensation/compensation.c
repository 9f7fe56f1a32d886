/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The passes: what receives waited for as it was measured, steps of each location
 * (compensation_steps.c), and the replay. */
#include "config.h"

#include "compensation.h"

#include <string.h>

#include "sync/graph/bounds.h"
#include "sync/parallel/status_reduction.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Instances, or records, that one worker takes at a time. */
#define PER_SHARE 16384

/* ------------------------------------------------------------- what was waited for --- */

struct compensation_share {
	struct measure_compensation *compensation;
	struct measure_sync_bounds bounds;
	uint64_t nr_relaxed;
};

/* As it was recorded: from then on, what is sent leaves only when it is recorded. */
static void see_relaxed(void *data, uint32_t receive)
{
	struct compensation_share *share = data;
	const struct measure_sync_graph *graph = share->compensation->graph;

	if (measure_sync_bound_of(&share->bounds, receive) <= graph->values[receive])
		return;
	atomic_store_explicit(&graph->states[receive], MEASURE_SYNC_RELAXED, memory_order_relaxed);
	share->nr_relaxed++;
}

/* A bound goes where the rest will be. */
static void see_bound(void *data, uint32_t receive)
{
	const struct compensation_share *share = data;

	share->compensation->steps[receive].rest = measure_sync_bound_of(&share->bounds, receive);
}

static void share_see(
	struct measure_compensation *compensation, size_t index, measure_sync_receive_fn see)
{
	const struct measure_sync_graph *graph = compensation->graph;
	struct compensation_share share = {.compensation = compensation};

	measure_sync_bounds_start(&share.bounds, graph, &graph->latencies, true);
	measure_sync_bounds_part(&share.bounds, &graph->latencies);
	measure_sync_bounds_each(
		&share.bounds, index * PER_SHARE, (index + 1) * PER_SHARE, see, &share);
	measure_sync_bounds_end(&share.bounds);
	__atomic_fetch_add(&compensation->nr_relaxed, share.nr_relaxed, __ATOMIC_RELAXED);
}

static void share_find_relaxed(void *data, size_t index)
{
	share_see(data, index, see_relaxed);
}

static void share_find_bounds(void *data, size_t index)
{
	share_see(data, index, see_bound);
}

static size_t nr_shares_of(const struct measure_sync_graph *graph)
{
	return (graph->nr_records + PER_SHARE - 1) / PER_SHARE;
}

/* ------------------------------------------------------------------------ records --- */

/* By location, of this rank, in the order of their clock. */
static void sort_records(struct measure_compensation *compensation)
{
	const struct measure_sync_graph *graph = compensation->graph;

	for (uint32_t i = 0; i < graph->nr_domains; i++)
		for (size_t k = 0; measure_sync_is_my_domain(graph, i) && k < graph->of[i].nr; k++)
			compensation->locations[graph->of[i].records[k].location].nr++;
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		struct measure_compensation_location *location = &compensation->locations[i];

		location->records = measure_uncleared(location->nr, sizeof(*location->records));
		location->nr = 0;
	}
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		for (size_t k = 0; measure_sync_is_my_domain(graph, i) && k < graph->of[i].nr;
			k++) {
			const struct measure_sync_record *record = &graph->of[i].records[k];
			struct measure_compensation_location *location =
				&compensation->locations[record->location];

			location->records[location->nr++] = measure_sync_index(graph, record);
		}
}

/* Where metrics are sampled there are no calls: time goes as in the thread that has most of them.
 */
static void find_leaders(struct measure_compensation *compensation)
{
	const struct measure_definitions *definitions = &compensation->graph->trace->definitions;

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];
		uint32_t leader = MEASURE_NONE;

		for (uint32_t k = 0;
			location->type == OTF2_LOCATION_TYPE_METRIC &&
			compensation->locations[i].nr == 0 && k < definitions->nr_locations;
			k++)
			if (definitions->locations[k].group == location->group && k != i &&
				(leader == MEASURE_NONE ||
					compensation->locations[k].nr >
						compensation->locations[leader].nr))
				leader = k;
		compensation->locations[i].leader = leader;
	}
}

/* ------------------------------------------------------------------------- replay --- */

/* Of a location. */
struct compensation_state {
	int64_t time;        /* of its last record */
	int64_t ready, rest; /* where it began to wait, or what it waited for was there */
};

struct compensating {
	const struct measure_compensation *compensation;
	struct compensation_state *states;
};

static int64_t time_of_receive(struct compensation_state *state,
	const struct measure_compensation_step *step, int64_t bound)
{
	if (step->local != MEASURE_STEP_TOGETHER) {
		state->ready = step->local == MEASURE_STEP_BEGUN ? MEASURE_SYNC_NO_BOUND
								 : state->time + step->local;
		state->rest = step->rest == -1 ? 0 : compensation_rest_of(step);
	}
	if (bound > state->ready)
		state->ready = bound;
	return state->ready + state->rest;
}

static int64_t compensation_time_of(
	void *data, uint32_t domain, struct measure_sync_record *record, int64_t bound)
{
	const struct compensating *compensating = data;
	const struct measure_compensation *compensation = compensating->compensation;
	struct compensation_state *state = &compensating->states[record->location];
	const struct measure_compensation_step *step =
		&compensation->steps[measure_sync_index(compensation->graph, record)];

	(void)domain;
	state->time =
		record->is_send ? state->time + step->local : time_of_receive(state, step, bound);
	return state->time;
}

static void replay(struct measure_compensation *compensation, unsigned nr_threads)
{
	struct measure_sync_graph *graph = compensation->graph;
	struct compensating compensating = {
		compensation, measure_zeroed(graph->trace->definitions.nr_locations,
				      sizeof(*compensating.states))};
	const struct measure_sync_policy policy = {.time_of = compensation_time_of,
		.data = &compensating,
		.are_neighbours_asked = true};
	struct measure_sync_relaxed relaxed;

	measure_sync_replay_again(graph);
	measure_sync_replay(graph, &policy, nr_threads, &relaxed);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		compensation->nr_relaxed += relaxed.nr[i];
	measure_free(compensating.states);
}

/* All that came at one tick was waited for, so that each has the time of the last; nothing was sent
 * in between. */
static void join_receives(void *data, size_t index)
{
	struct measure_compensation *compensation = data;
	const struct measure_compensation_location *location = &compensation->locations[index];
	int64_t *values = compensation->graph->values;

	for (size_t i = location->nr; i-- > 1;)
		if (compensation->steps[location->records[i]].local == MEASURE_STEP_TOGETHER)
			values[location->records[i - 1]] = values[location->records[i]];
}

/* ------------------------------------------------------------------------ together --- */

/* Collective. */
static void share_counts(struct measure_compensation *compensation)
{
	const struct measure_sync_job_ops *ops = compensation->graph->job->ops;
	uint64_t nr[2 * MEASURE_NR_RELATIONS];

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		nr[2 * i] = compensation->counts.relations[i].nr;
		nr[2 * i + 1] = compensation->counts.relations[i].nr_violated;
	}
	ops->combine(nr, sizeof(nr) / sizeof(*nr), MEASURE_SYNC_JOB_SUM);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		compensation->counts.relations[i].nr = nr[2 * i];
		compensation->counts.relations[i].nr_violated = nr[2 * i + 1];
	}
}

/* Collective. What others have walked is 0 here. */
static void share_totals(struct measure_compensation *compensation)
{
	const struct measure_sync_graph *graph = compensation->graph;
	const struct measure_definitions *definitions = &graph->trace->definitions;
	const size_t nr = definitions->nr_locations;
	enum { REMOVED, HIDDEN, FIRST, LAST, POLLING, SCHEDULED, NR };
	uint64_t *totals = measure_zeroed(NR * nr, sizeof(*totals));

	for (uint32_t i = 0; i < nr; i++) {
		const struct measure_compensation_location *location = &compensation->locations[i];

		totals[REMOVED * nr + i] = location->removed;
		totals[HIDDEN * nr + i] = location->hidden;
		totals[FIRST * nr + i] = location->first;
		totals[LAST * nr + i] = location->last;
		totals[POLLING * nr + i] = location->is_polling;
		totals[SCHEDULED * nr + i] = location->is_scheduled;
	}
	graph->job->ops->combine(totals, NR * nr, MEASURE_SYNC_JOB_SUM);
	graph->job->ops->combine(
		compensation->regions, definitions->nr_regions, MEASURE_SYNC_JOB_SUM);
	compensation->nr_relaxed = measure_sync_job_sum(graph->job, compensation->nr_relaxed);
	for (uint32_t i = 0; i < nr; i++) {
		struct measure_compensation_location *location = &compensation->locations[i];

		location->removed = totals[REMOVED * nr + i];
		location->hidden = totals[HIDDEN * nr + i];
		location->is_polling = totals[POLLING * nr + i];
		location->is_scheduled = totals[SCHEDULED * nr + i];
		location->first = totals[FIRST * nr + i];
		location->last = totals[LAST * nr + i];
	}
	measure_free(totals);
}

static uint64_t find_span(const struct measure_compensation *compensation)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (uint32_t i = 0; i < compensation->list.definitions->nr_locations; i++) {
		const struct measure_compensation_location *location = &compensation->locations[i];

		if (location->last == 0)
			continue;
		first = location->first < first ? location->first : first;
		last = location->last > last ? location->last : last;
	}
	return last > first ? last - first : 0;
}

measure_status_t measure_compensation_make(struct measure_compensation *compensation,
	struct measure_sync_graph *graph, const struct measure_sync_correction *corrections,
	const struct measure_event_costs *costs, enum measure_compensation_method method,
	unsigned nr_threads)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;
	struct measure_sync_displacement displacement;
	measure_status_t status;

	*compensation = (struct measure_compensation){.graph = graph,
		.corrections = corrections,
		.steps = measure_zeroed(graph->nr_records, sizeof(*compensation->steps)),
		.locations =
			measure_zeroed(definitions->nr_locations, sizeof(*compensation->locations)),
		.regions = measure_zeroed(
			definitions->nr_regions + 1, sizeof(*compensation->regions))};
	measure_price_list_make(&compensation->list, costs, definitions, method);
	measure_sync_values_of_result(graph, corrections, nr_threads, &displacement);
	measure_workers_share(nr_threads, nr_shares_of(graph), share_find_relaxed, compensation);
	sort_records(compensation);
	find_leaders(compensation);
	status = compensation_find_departures(compensation, nr_threads);
	measure_sync_remote_bring_sends(graph);
	measure_workers_share(nr_threads, nr_shares_of(graph), share_find_bounds, compensation);
	if (status == MEASURE_OK)
		status = compensation_make_steps(compensation, nr_threads);
	status = measure_sync_job_reduce_status(graph->job, status, 0);
	if (status != MEASURE_OK)
		return status;
	replay(compensation, nr_threads);
	measure_workers_share(nr_threads, definitions->nr_locations, join_receives, compensation);
	measure_sync_remote_bring_sends(graph);
	measure_sync_count(graph, nr_threads, &compensation->counts);
	share_totals(compensation);
	compensation->span = find_span(compensation);
	share_counts(compensation);
	return MEASURE_OK;
}

void measure_compensation_free(struct measure_compensation *compensation)
{
	const size_t nr =
		compensation->locations ? compensation->graph->trace->definitions.nr_locations : 0;

	for (size_t i = 0; i < nr; i++)
		measure_free(compensation->locations[i].records);
	measure_free(compensation->locations);
	measure_free(compensation->steps);
	measure_free(compensation->regions);
	measure_price_list_free(&compensation->list);
	*compensation = (struct measure_compensation){.graph = NULL};
}
