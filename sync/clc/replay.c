/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each domain is a cursor that goes on until a receive lacks a send, and goes on later where it
 * stopped; no thread ever waits for a domain. The network of domains is deterministic: what each
 * reads does not depend on when it runs. Where all that are not through lack something, the
 * events contradict each other, and one receive is let go of: the same one whatever the threads
 * did, since the set of those that are stuck does not depend on it either.
 *
 * Where several ranks share the work, the thread that came here talks with the others: sends whose
 * receives are there go out, and those that come in are done as if they were from here. When it has
 * nothing to do it asks whether all have; then all ranks settle together what is next. */
#include "config.h"

#include "replay.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "sync/graph/bounds.h"
#include "sync/graph/cycle.h"
#include "sync/parallel/exchange.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Prefixes share locks, so that they need none of their own. */
#define NR_PREFIX_LOCKS 64

/* After so many records others get a turn, and messages are looked for. */
#define RECORDS_PER_TURN 16384

/* Where nothing comes: so often at once, then in intervals of so many nanoseconds. */
#define NR_QUICK_TURNS 200
#define SLOW_TURN      50000

struct replay {
	struct measure_sync_graph *graph;
	const struct measure_sync_policy *policy;
	struct measure_sync_relaxed *relaxed;
	size_t *next; /* record, by domain */
	pthread_mutex_t lock;
	pthread_cond_t is_changed;
	/* under the lock: domains that can go on, a ring */
	uint32_t *ready;
	size_t first_ready, nr_ready;
	size_t nr_running, nr_finished;
	uint32_t nr_own; /* domains */
	bool is_over;
	pthread_mutex_t prefix_locks[NR_PREFIX_LOCKS];
	struct measure_sync_cycle circle;
	bool is_given_up; /* some domains are no clocks */
	struct measure_exchange exchange;
	pthread_t talker; /* the thread that came here */
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

/* What a receive waited for is there: `value` is its bound, or what has to be known for it.
 * Relaxing happens while nobody runs. */
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
	graph->values[receive] = measure_sync_bound(bounds, graph->records[receive].location);
	tell(replay, receive);
}

/* All sends are there: tells the receives their bounds, and wakes those who wait. */
static void replay_complete(struct replay *replay, struct measure_sync_bounds *bounds,
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

/* Nobody waits. */
static bool is_inner(const struct replay *replay, const struct measure_sync_record *record)
{
	if (replay->policy->are_neighbours_asked)
		return record->is_pair && record->nearness == MEASURE_SYNC_SAME_LOCATION;
	return record->is_pair ? record->nearness <= MEASURE_SYNC_SAME_DOMAIN
			       : replay->graph->instances[record->link].is_inner;
}

static void send(struct replay *replay, struct measure_sync_bounds *bounds,
	const struct measure_sync_record *record, int64_t time)
{
	struct measure_sync_graph *graph = replay->graph;
	struct measure_sync_instance *instance;
	const uint32_t index = measure_sync_index(graph, record);

	graph->values[index] = time;
	if (is_inner(replay, record))
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
		replay_complete(replay, bounds, instance);
}

/* A send of this rank: what other ranks wait for goes there when the last of its group is known. */
static void send_own(struct replay *replay, struct measure_sync_bounds *bounds,
	const struct measure_sync_record *record, int64_t time)
{
	const struct measure_sync_graph *graph = replay->graph;
	const struct measure_sync_remote *far = &graph->far;
	const uint32_t index = measure_sync_remote_group_of(far, measure_sync_index(graph, record));
	struct measure_sync_remote_group *group;
	struct measure_exchange_value value;

	send(replay, bounds, record, time);
	if (index == MEASURE_NONE)
		return;
	group = &far->sends.groups[index];
	/* The last one sees the values of all others. */
	if (atomic_fetch_sub_explicit(&group->nr_missing, 1, memory_order_acq_rel) != 1)
		return;
	value.value = measure_sync_remote_latest(graph, group);
	for (uint32_t i = 0; i < group->nr_targets; i++) {
		const struct measure_sync_remote_target *target =
			&far->sends.targets[group->first_target + i];

		value.name = (uint64_t)graph->job->rank << 32 | target->index;
		measure_exchange_put(&replay->exchange, target->rank, &value);
	}
}

/* What a receive that is known must not be before. */
static int64_t bound_of(const struct replay *replay, const struct measure_sync_bounds *bounds,
	const struct measure_sync_record *record)
{
	const struct measure_sync_graph *graph = replay->graph;
	const uint32_t index = measure_sync_index(graph, record);

	if (is_inner(replay, record) || is_relaxed(graph, index))
		return MEASURE_SYNC_NO_BOUND;
	return record->is_pair ? measure_sync_bound_of_pair(bounds, record) : graph->values[index];
}

/* An event that is a receive several times is where the last of its bounds has put it. They are
 * known now if this receive is the last one. */
static void settle_event(struct measure_sync_graph *graph,
	const struct measure_sync_domain_records *of, size_t receive)
{
	struct measure_sync_record *last = &of->records[receive], *next = last + 1;
	const int64_t time = measure_sync_value(graph, last);
	bool has_jump = last->is_jump;

	if (receive + 1 < of->nr && !next->is_send && measure_sync_is_same_event(next, last))
		return;
	while (receive-- > 0 && measure_sync_is_same_event(&of->records[receive], last)) {
		struct measure_sync_record *record = &of->records[receive];
		const bool is_jump = record->is_jump && !has_jump;

		graph->values[measure_sync_index(graph, record)] = time;
		has_jump |= is_jump;
		record->is_jump = is_jump;
	}
}

/* True: through; false: parked, or it will go on in another turn. */
static bool advance(struct replay *replay, struct measure_sync_bounds *bounds, uint32_t domain)
{
	struct measure_sync_graph *graph = replay->graph;
	const struct measure_sync_policy *policy = replay->policy;
	struct measure_sync_domain_records *of = &graph->of[domain];
	size_t *next = &replay->next[domain];
	const size_t rest = of->nr - *next;
	const size_t end = *next + (rest < RECORDS_PER_TURN ? rest : RECORDS_PER_TURN);

	for (; *next < end; ++*next) {
		struct measure_sync_record *record = &of->records[*next];
		const uint32_t index = measure_sync_index(graph, record);

		if (record->is_send) {
			send_own(replay, bounds, record,
				policy->time_of(
					policy->data, domain, record, MEASURE_SYNC_NO_BOUND));
			continue;
		}
		if (!is_inner(replay, record) && !is_known(graph, index))
			return false;
		graph->values[index] = policy->time_of(
			policy->data, domain, record, bound_of(replay, bounds, record));
		settle_event(graph, of, *next);
	}
	if (end < of->nr)
		make_ready(replay, domain);
	return end == of->nr;
}

/* ---------------------------------------------------------------- contradictions --- */

static const struct measure_sync_record *head_of(const struct replay *replay, uint32_t domain)
{
	const struct measure_sync_domain_records *of = &replay->graph->of[domain];
	size_t next = replay->next[domain];

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
	replay->circle.next = replay->next;
	return measure_sync_cycle_mark(&replay->circle);
}

/* Collective: is this rank's choice before those of all others? */
static bool is_first_of_all(
	const struct measure_sync_graph *graph, const struct measure_sync_record *chosen)
{
	const uint64_t keys[] = {chosen && is_certain(graph, chosen),
		chosen ? (uint64_t)chosen->time ^ (UINT64_C(1) << 63) : 0,
		chosen ? chosen->location : 0};
	bool is_first = chosen != NULL;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		is_first &= measure_sync_job_least(graph->job, is_first ? keys[i] : UINT64_MAX) ==
			    keys[i];
	return is_first;
}

/* Collective. Nobody runs, nobody can. Under the lock. */
static void relax_one(struct replay *replay)
{
	struct measure_sync_graph *graph = replay->graph;
	const struct measure_sync_record *chosen = NULL;

	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		const struct measure_sync_record *head =
			measure_sync_is_my_domain(graph, i) ? head_of(replay, i) : NULL;

		if (head && (!chosen || is_before(graph, head, chosen)))
			chosen = head;
	}
	if (!is_first_of_all(graph, chosen))
		return;
	atomic_store_explicit(&graph->states[measure_sync_index(graph, chosen)],
		MEASURE_SYNC_RELAXED, memory_order_relaxed);
	replay->relaxed->nr[measure_sync_relation_of(graph, chosen)]++;
	replay->ready[replay->first_ready] = graph->domains[chosen->location];
	replay->nr_ready = 1;
}

/* Collective: no rank can go on. Under the lock. */
static void settle(struct replay *replay)
{
	const struct measure_sync_job *job = replay->graph->job;

	if (measure_sync_job_sum(job, replay->nr_own - replay->nr_finished) == 0)
		replay->is_over = true;
	else if (!replay->policy->are_neighbours_asked && find_circles(replay))
		replay->is_over = replay->is_given_up = true;
	else
		relax_one(replay);
}

/* ----------------------------------------------------------------------- workers --- */

struct worker {
	struct replay *replay;
	struct measure_sync_bounds bounds;
	unsigned nr_turns; /* in which nothing came */
};

/* A send of another rank. */
static void arrive(void *data, const struct measure_exchange_value *value)
{
	struct worker *worker = data;
	const struct measure_sync_graph *graph = worker->replay->graph;
	const uint32_t record = graph->far.sends.in[value->name >> 32].items[(uint32_t)value->name];

	worker->nr_turns = 0;
	send(worker->replay, &worker->bounds, &graph->records[record], value->value);
}

static void pause_turn(struct worker *worker)
{
	const struct timespec interval = {0, SLOW_TURN};

	if (worker->nr_turns++ < NR_QUICK_TURNS)
		sched_yield();
	else
		nanosleep(&interval, NULL);
}

/* The talker has nothing to run: it looks for messages, and asks whether that is so everywhere.
 * Under the lock, which is given away meanwhile. */
static void talk(struct worker *worker)
{
	struct replay *replay = worker->replay;
	const bool is_idle = replay->nr_running == 0;
	bool has_come;

	if (replay->graph->job->size == 1) {
		if (!is_idle)
			pthread_cond_wait(&replay->is_changed, &replay->lock);
		else
			settle(replay);
		return;
	}
	pthread_mutex_unlock(&replay->lock);
	has_come = measure_exchange_turn(&replay->exchange, true, arrive, worker);
	if (!has_come && !is_idle)
		pause_turn(worker);
	pthread_mutex_lock(&replay->lock);
	if (has_come || !is_idle || replay->nr_ready > 0)
		return;
	if (measure_exchange_is_over(&replay->exchange)) {
		settle(replay);
		return;
	}
	pthread_mutex_unlock(&replay->lock);
	pause_turn(worker);
	pthread_mutex_lock(&replay->lock);
}

/* The next domain that can go on, or MEASURE_NONE when all are through. Under the lock. */
static uint32_t take_ready(struct worker *worker)
{
	struct replay *replay = worker->replay;
	const bool is_talker = pthread_equal(pthread_self(), replay->talker);
	uint32_t domain;

	while (replay->nr_ready == 0 && !replay->is_over) {
		if (is_talker)
			talk(worker);
		else
			pthread_cond_wait(&replay->is_changed, &replay->lock);
	}
	if (replay->is_over)
		return MEASURE_NONE;
	domain = replay->ready[replay->first_ready];
	replay->first_ready = (replay->first_ready + 1) % replay->graph->nr_domains;
	replay->nr_ready--;
	replay->nr_running++;
	return domain;
}

static void work(void *data, size_t index)
{
	struct replay *replay = data;
	struct worker worker = {.replay = replay};
	const bool is_talker =
		pthread_equal(pthread_self(), replay->talker) && replay->graph->job->size > 1;

	(void)index;
	measure_sync_bounds_start(&worker.bounds, replay->graph, &replay->graph->latencies,
		replay->policy->are_neighbours_asked);
	if (replay->policy->are_neighbours_asked)
		measure_sync_bounds_part(&worker.bounds, &replay->graph->latencies);
	pthread_mutex_lock(&replay->lock);
	for (uint32_t domain; (domain = take_ready(&worker)) != MEASURE_NONE;) {
		bool is_through;

		pthread_mutex_unlock(&replay->lock);
		is_through = advance(replay, &worker.bounds, domain);
		if (is_talker)
			measure_exchange_turn(&replay->exchange, false, arrive, &worker);
		pthread_mutex_lock(&replay->lock);
		replay->nr_running--;
		replay->nr_finished += is_through;
		if (replay->nr_running == 0)
			pthread_cond_broadcast(&replay->is_changed);
	}
	pthread_cond_broadcast(&replay->is_changed);
	pthread_mutex_unlock(&replay->lock);
	measure_sync_bounds_end(&worker.bounds);
}

static void start_groups(struct measure_sync_remote_side *sends)
{
	for (size_t i = 0; i < sends->nr_groups; i++)
		sends->groups[i].nr_missing = sends->groups[i].nr_members;
}

void measure_sync_replay_again(struct measure_sync_graph *graph)
{
	for (size_t i = 0; i < graph->nr_instances; i++)
		graph->instances[i].nr_missing = graph->instances[i].nr_sends;
	for (size_t i = 0; i < graph->nr_records; i++)
		if (!is_relaxed(graph, (uint32_t)i))
			graph->states[i] = MEASURE_SYNC_OPEN;
}

bool measure_sync_replay(struct measure_sync_graph *graph, const struct measure_sync_policy *policy,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed)
{
	struct replay replay = {.graph = graph,
		.circle.graph = graph,
		.policy = policy,
		.relaxed = relaxed,
		.next = measure_zeroed(graph->nr_domains, sizeof(size_t)),
		.ready = measure_zeroed(graph->nr_domains + 1, sizeof(uint32_t)),
		.talker = pthread_self()};

	*relaxed = (struct measure_sync_relaxed){{0}};
	pthread_mutex_init(&replay.lock, NULL);
	pthread_cond_init(&replay.is_changed, NULL);
	for (int i = 0; i < NR_PREFIX_LOCKS; i++)
		pthread_mutex_init(&replay.prefix_locks[i], NULL);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (measure_sync_is_my_domain(graph, i))
			replay.ready[replay.nr_ready++] = i;
	replay.nr_own = (uint32_t)replay.nr_ready;
	start_groups(&graph->far.sends);
	measure_exchange_start(&replay.exchange, graph->job);
	measure_workers_share(nr_threads, nr_threads, work, &replay);
	measure_exchange_end(&replay.exchange);
	pthread_cond_destroy(&replay.is_changed);
	pthread_mutex_destroy(&replay.lock);
	for (int i = 0; i < NR_PREFIX_LOCKS; i++)
		pthread_mutex_destroy(&replay.prefix_locks[i]);
	measure_free(replay.next);
	measure_free(replay.ready);
	return !replay.is_given_up;
}

/* ------------------------------------------------------- the controlled logical clock --- */

struct replay_clocks {
	const struct measure_sync_rate *rate;
	struct replay_shift {
		int64_t time, shift; /* of the last receive that was put forward */
	} * shifts;                  /* by domain */
};

static int64_t time_on_clock(
	void *data, uint32_t domain, struct measure_sync_record *record, int64_t bound)
{
	const struct replay_clocks *clocks = data;
	struct replay_shift *last = &clocks->shifts[domain];
	const int64_t time = record->time + measure_sync_decayed(last->shift,
						    record->time - last->time, clocks->rate);

	if (bound <= time)
		return time;
	record->is_jump = true;
	*last = (struct replay_shift){record->time, bound - record->time};
	return bound;
}

bool measure_sync_forward(struct measure_sync_graph *graph, const struct measure_sync_rate *rate,
	unsigned nr_threads, struct measure_sync_relaxed *relaxed)
{
	struct replay_clocks clocks = {
		rate, measure_zeroed(graph->nr_domains, sizeof(*clocks.shifts))};
	const struct measure_sync_policy policy = {.time_of = time_on_clock, .data = &clocks};
	const bool is_done = measure_sync_replay(graph, &policy, nr_threads, relaxed);

	measure_free(clocks.shifts);
	return is_done;
}
