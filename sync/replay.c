/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each domain is a cursor that goes on until a receive lacks a send, and goes on later where it
 * stopped; no thread ever waits for a domain. The network of domains is deterministic: what each
 * reads does not depend on when it runs. Where all that are not through lack something, the
 * events contradict each other, and one receive is let go of: the same one whatever the threads
 * did, since the set of those that are stuck does not depend on it either. */
#include "config.h"

#include "sync/replay.h"

#include <pthread.h>
#include <stdlib.h>

#include "sync/bounds.h"
#include "sync/circle.h"
#include "sync/workers.h"
#include "trace/store.h"

/* Instances, or records, that one worker takes at a time in the backward exchange. */
#define PER_SHARE 16384

/* Prefixes share locks, so that they need none of their own. */
#define NR_PREFIX_LOCKS 64

struct cursor {
	size_t next; /* record */
	int64_t time, shift; /* of the last receive that was put forward */
};

struct replay {
	struct measure_sync_graph *graph;
	const struct measure_sync_rate *rate;
	struct measure_sync_relaxed *relaxed;
	struct cursor *cursors; /* by domain */
	pthread_mutex_t lock;
	pthread_cond_t is_changed;
	/* under the lock: domains that can go on, a ring */
	uint32_t *ready;
	size_t first_ready, nr_ready;
	size_t nr_running, nr_finished;
	pthread_mutex_t prefix_locks[NR_PREFIX_LOCKS];
	struct measure_sync_circle circle;
	bool is_given_up; /* some domains are no clocks */
};

static void make_ready(struct replay *replay, uint32_t domain)
{
	size_t nr = replay->graph->nr_domains;

	pthread_mutex_lock(&replay->lock);
	replay->ready[(replay->first_ready + replay->nr_ready++) % nr] = domain;
	pthread_cond_signal(&replay->is_changed);
	pthread_mutex_unlock(&replay->lock);
}

/* ------------------------------------------------------------------- one domain --- */

/* What a receive waited for is there: `value` is its bound, or what has to be known for it. Relaxing
 * happens while nobody runs. */
static void tell(struct replay *replay, uint32_t receive)
{
	struct measure_sync_graph *graph = replay->graph;

	/* Pairs with the exchange in is_known: who comes second sees the other. */
	if (atomic_exchange_explicit(&graph->states[receive], MEASURE_SYNC_DONE,
		    memory_order_acq_rel) == MEASURE_SYNC_PARKED)
		make_ready(replay, graph->domains[graph->records[receive].location]);
}

static bool is_relaxed(const struct measure_sync_graph *graph, uint32_t receive)
{
	return atomic_load_explicit(&graph->states[receive], memory_order_relaxed) ==
	       MEASURE_SYNC_RELAXED;
}

static void tell_bound(
	struct replay *replay, const struct measure_sync_bounds *bounds, uint32_t receive)
{
	struct measure_sync_graph *graph = replay->graph;

	if (is_relaxed(graph, receive))
		return;
	graph->values[receive] =
		measure_sync_bound(bounds, graph->records[receive].location);
	tell(replay, receive);
}

/* All sends are there: tells the receives their bounds, and wakes those who wait. */
static void complete(struct replay *replay, struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance)
{
	const uint32_t *receives = measure_sync_receives(replay->graph, instance);

	measure_sync_bounds_take_sends(bounds, instance);
	for (uint32_t i = 0; i < instance->nr_receives; i++)
		tell_bound(replay, bounds, receives[i]);
}

/* Sends of a prefix are done in the order of ranks: whoever closes the gap does those behind it. */
static void go_on_prefix(struct replay *replay, struct measure_sync_bounds *bounds,
	struct measure_sync_instance *instance, uint32_t send)
{
	const struct measure_sync_graph *graph = replay->graph;
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);
	pthread_mutex_t *lock =
		&replay->prefix_locks[(size_t)(instance - graph->instances) % NR_PREFIX_LOCKS];
	uint32_t first, end, r = 0;

	pthread_mutex_lock(lock);
	atomic_store_explicit(
		&replay->graph->states[send], MEASURE_SYNC_DONE, memory_order_relaxed);
	first = end = instance->nr_sends - instance->nr_missing;
	while (end < instance->nr_sends && atomic_load_explicit(&graph->states[sends[end]],
						   memory_order_relaxed) == MEASURE_SYNC_DONE)
		end++;
	instance->nr_missing = instance->nr_sends - end;
	measure_sync_bounds_clear(bounds);
	for (uint32_t i = 0; end > first && i < end; i++) {
		measure_sync_bounds_add_send(bounds, sends[i]);
		for (; r < instance->nr_receives &&
			measure_sync_nr_awaited(graph, instance, r) <= i + 1;
			r++)
			if (measure_sync_nr_awaited(graph, instance, r) > first)
				tell_bound(replay, bounds, receives[r]);
	}
	pthread_mutex_unlock(lock);
}

/* False: the domain is parked at this receive. */
static bool is_known(struct measure_sync_graph *graph, uint32_t receive)
{
	uint8_t state = atomic_load_explicit(&graph->states[receive], memory_order_acquire);

	if (state == MEASURE_SYNC_DONE || state == MEASURE_SYNC_RELAXED)
		return true;
	/* Pairs with the exchange in tell. */
	return !atomic_compare_exchange_strong_explicit(&graph->states[receive], &state,
		       MEASURE_SYNC_PARKED, memory_order_acq_rel, memory_order_acquire) &&
	       state != MEASURE_SYNC_PARKED;
}

static bool is_inner(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record)
{
	return record->is_pair ? record->nearness <= MEASURE_SYNC_SAME_DOMAIN
			       : graph->instances[record->link].is_inner;
}

static void send(struct replay *replay, struct measure_sync_bounds *bounds,
	const struct measure_sync_record *record, int64_t time)
{
	struct measure_sync_graph *graph = replay->graph;
	struct measure_sync_instance *instance;
	const uint32_t index = measure_sync_index(graph, record);

	graph->values[index] = time;
	if (is_inner(graph, record))
		return;
	if (record->is_pair) {
		if (!is_relaxed(graph, record->link))
			tell(replay, record->link);
		return;
	}
	instance = &graph->instances[record->link];
	if (instance->is_prefix)
		go_on_prefix(replay, bounds, instance, index);
	/* The last one sees the values of all others. */
	else if (atomic_fetch_sub_explicit(&instance->nr_missing, 1, memory_order_acq_rel) == 1)
		complete(replay, bounds, instance);
}

/* What a receive that is known must not be before. */
static int64_t bound_of(const struct measure_sync_graph *graph,
	const struct measure_sync_bounds *bounds, const struct measure_sync_record *record)
{
	const uint32_t index = measure_sync_index(graph, record);

	if (is_inner(graph, record) || is_relaxed(graph, index))
		return MEASURE_SYNC_NO_BOUND;
	return record->is_pair ? measure_sync_bound_of_pair(bounds, record) : graph->values[index];
}

/* True: through; false: parked. */
static bool advance(struct replay *replay, struct measure_sync_bounds *bounds, uint32_t domain)
{
	struct measure_sync_graph *graph = replay->graph;
	struct measure_sync_domain_records *of = &graph->of[domain];
	struct cursor *cursor = &replay->cursors[domain];

	for (; cursor->next < of->nr; cursor->next++) {
		struct measure_sync_record *record = &of->records[cursor->next];
		const uint32_t index = measure_sync_index(graph, record);
		int64_t bound, time = record->time + measure_sync_decayed(cursor->shift,
							     record->time - cursor->time,
							     replay->rate);

		if (record->is_send) {
			send(replay, bounds, record, time);
			continue;
		}
		if (!is_inner(graph, record) && !is_known(graph, index))
			return false;
		bound = bound_of(graph, bounds, record);
		if (bound > time) {
			time = bound;
			record->is_jump = true;
			cursor->time = record->time;
			cursor->shift = time - record->time;
		}
		graph->values[index] = time;
	}
	return true;
}

/* ---------------------------------------------------------------- contradictions --- */

static const struct measure_sync_record *head_of(const struct replay *replay, uint32_t domain)
{
	const struct measure_sync_domain_records *of = &replay->graph->of[domain];
	size_t next = replay->cursors[domain].next;

	return next < of->nr ? &of->records[next] : NULL;
}

static bool is_certain(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record)
{
	return measure_relations[measure_sync_relation_of(graph, record)].is_certain;
}

/* Relations that need not hold go first, then the earliest. */
static bool is_before(const struct measure_sync_graph *graph, const struct measure_sync_record *a,
	const struct measure_sync_record *b)
{
	bool is_a_certain = is_certain(graph, a), is_b_certain = is_certain(graph, b);

	if (is_a_certain != is_b_certain)
		return is_b_certain;
	if (a->time != b->time)
		return a->time < b->time;
	return a->location < b->location;
}

/* Marks domains that cannot be one clock. */
static bool find_circles(struct replay *replay)
{
	const struct measure_sync_graph *graph = replay->graph;
	size_t *next = measure_zeroed(graph->nr_domains, sizeof(*next));
	bool is_found;

	for (uint32_t i = 0; i < graph->nr_domains; i++)
		next[i] = replay->cursors[i].next;
	replay->circle.next = next;
	is_found = measure_sync_circle_mark(&replay->circle);
	free(next);
	return is_found;
}

/* Nobody runs, nobody can. Under the lock. */
static void relax_one(struct replay *replay)
{
	struct measure_sync_graph *graph = replay->graph;
	const struct measure_sync_record *chosen = NULL;

	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		const struct measure_sync_record *head = head_of(replay, i);

		if (head && (!chosen || is_before(graph, head, chosen)))
			chosen = head;
	}
	atomic_store_explicit(&graph->states[measure_sync_index(graph, chosen)],
		MEASURE_SYNC_RELAXED, memory_order_relaxed);
	replay->relaxed->nr[measure_sync_relation_of(graph, chosen)]++;
	replay->ready[replay->first_ready] = graph->domains[chosen->location];
	replay->nr_ready = 1;
}

/* ----------------------------------------------------------------------- workers --- */

/* The next domain that can go on, or MEASURE_NONE when all are through. Under the lock. */
static uint32_t take_ready(struct replay *replay)
{
	size_t nr = replay->graph->nr_domains;
	uint32_t domain;

	while (replay->nr_ready == 0 && replay->nr_running > 0)
		pthread_cond_wait(&replay->is_changed, &replay->lock);
	if (replay->nr_ready == 0 && replay->nr_finished < nr && !replay->is_given_up)
		replay->is_given_up = find_circles(replay);
	if (replay->nr_finished == nr || replay->is_given_up)
		return MEASURE_NONE;
	if (replay->nr_ready == 0)
		relax_one(replay);
	domain = replay->ready[replay->first_ready];
	replay->first_ready = (replay->first_ready + 1) % nr;
	replay->nr_ready--;
	replay->nr_running++;
	return domain;
}

static void work(void *data, size_t index)
{
	struct replay *replay = data;
	struct measure_sync_bounds bounds;

	(void)index;
	measure_sync_bounds_start(&bounds, replay->graph, &replay->graph->latencies, false);
	pthread_mutex_lock(&replay->lock);
	for (uint32_t domain; (domain = take_ready(replay)) != MEASURE_NONE;) {
		bool is_through;

		pthread_mutex_unlock(&replay->lock);
		is_through = advance(replay, &bounds, domain);
		pthread_mutex_lock(&replay->lock);
		replay->nr_running--;
		replay->nr_finished += is_through;
		if (replay->nr_running == 0)
			pthread_cond_broadcast(&replay->is_changed);
	}
	pthread_cond_broadcast(&replay->is_changed);
	pthread_mutex_unlock(&replay->lock);
	measure_sync_bounds_end(&bounds);
}

bool measure_sync_forward(struct measure_sync_graph *graph, const struct measure_sync_rate *rate,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed)
{
	struct replay replay = {.graph = graph,
		.circle.graph = graph,
		.rate = rate,
		.relaxed = relaxed,
		.cursors = measure_zeroed(graph->nr_domains, sizeof(struct cursor)),
		.ready = measure_zeroed(graph->nr_domains + 1, sizeof(uint32_t)),
		.nr_ready = graph->nr_domains};

	*relaxed = (struct measure_sync_relaxed){{0}};
	pthread_mutex_init(&replay.lock, NULL);
	pthread_cond_init(&replay.is_changed, NULL);
	for (int i = 0; i < NR_PREFIX_LOCKS; i++)
		pthread_mutex_init(&replay.prefix_locks[i], NULL);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		replay.ready[i] = i;
	if (graph->nr_domains)
		measure_workers_share(nr_threads, nr_threads, work, &replay);
	pthread_cond_destroy(&replay.is_changed);
	pthread_mutex_destroy(&replay.lock);
	for (int i = 0; i < NR_PREFIX_LOCKS; i++)
		pthread_mutex_destroy(&replay.prefix_locks[i]);
	free(replay.cursors);
	free(replay.ready);
	return !replay.is_given_up;
}

/* ---------------------------------------------------------------------- backward --- */

/* Those of higher ranks, from the last one down. */
static void limit_prefix(struct measure_sync_graph *graph, struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance)
{
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);
	uint32_t r = instance->nr_receives;

	measure_sync_bounds_clear(bounds);
	for (uint32_t i = instance->nr_sends; i-- > 0;) {
		for (; r > 0 && measure_sync_nr_awaited(graph, instance, r - 1) > i; r--)
			measure_sync_bounds_add_receive(bounds, receives[r - 1]);
		graph->values[sends[i]] =
			measure_sync_limit(bounds, graph->records[sends[i]].location);
	}
}

static void limit_instance(struct measure_sync_graph *graph, struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance)
{
	const uint32_t *sends = measure_sync_sends(graph, instance);

	if (instance->is_prefix) {
		limit_prefix(graph, bounds, instance);
		return;
	}
	measure_sync_bounds_take_receives(bounds, instance);
	for (uint32_t i = 0; i < instance->nr_sends; i++)
		graph->values[sends[i]] =
			measure_sync_limit(bounds, graph->records[sends[i]].location);
}

/* So many records and as many instances. */
static void limit_share(void *data, size_t index)
{
	struct measure_sync_graph *graph = data;
	struct measure_sync_bounds bounds;
	size_t from = index * PER_SHARE, to = from + PER_SHARE;

	measure_sync_bounds_start(&bounds, graph, &graph->latencies, false);
	for (size_t i = from; i < to && i < graph->nr_records; i++)
		if (graph->records[i].is_pair && graph->records[i].is_send)
			graph->values[i] = measure_sync_limit_of_pair(&bounds, &graph->records[i]);
	for (size_t i = from; i < to && i < graph->nr_instances; i++)
		limit_instance(graph, &bounds, &graph->instances[i]);
	measure_sync_bounds_end(&bounds);
}

void measure_sync_backward(struct measure_sync_graph *graph, unsigned nr_threads)
{
	/* No fewer records than instances. */
	measure_workers_share(
		nr_threads, (graph->nr_records + PER_SHARE - 1) / PER_SHARE, limit_share, graph);
}
