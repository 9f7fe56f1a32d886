/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with threads: teams of OpenMP, of any size and nested, their barriers and locks,
 * and messages from inside of them. Each process does its own, one process after the other. */
#include "config.h"

#include "gen_teams.h"

#include <stdlib.h>

enum { TAG_AMBIGUOUS = 999, TAG_THREAD };

/* Teams of a process: the first 1, 2, ... threads; then the inner teams of threads 0 and 1. */
uint32_t gen_nr_teams(const struct gen *gen)
{
	if (gen->options.nr_threads < 2)
		return 0;
	return gen->has_pthreads ? 1 : (uint32_t)gen->options.nr_threads + 2;
}

uint32_t gen_team_members(const struct gen *gen, uint32_t team, uint32_t threads[])
{
	const uint32_t nr = (uint32_t)gen->options.nr_threads;
	const uint32_t nr_members = gen->has_pthreads ? nr : team + 1;

	if (team < nr) {
		for (uint32_t i = 0; i < nr_members; i++)
			threads[i] = i;
		return nr_members;
	}
	threads[0] = team - nr;
	threads[1] = team - nr + 2;
	return nr >= 4 ? 2 : 1;
}

uint32_t gen_team_comm(const struct gen *gen, uint32_t process, uint32_t team)
{
	return GEN_COMM_TEAMS + process * gen_nr_teams(gen) + team;
}

struct gen_team gen_team_of(const struct gen *gen, uint32_t process, uint32_t index, uint32_t region)
{
	struct gen_team team = {
		.process = process, .comm = gen_team_comm(gen, process, index), .region = region};

	team.nr = gen_team_members(gen, index, team.threads);
	return team;
}

struct gen_location *gen_team_thread(const struct gen *gen, const struct gen_team *team, uint32_t rank)
{
	return gen_thread(gen, team->process, team->threads[rank]);
}

void gen_latest(uint64_t *last, uint64_t time)
{
	if (time > *last)
		*last = time;
}

/* -------------------------------------------------------------------------- teams --- */

void gen_begin_team(struct gen *gen, struct gen_team *team)
{
	struct gen_location *master = gen_team_thread(gen, team, 0);
	struct gen_moment forked;
	uint64_t fork;

	gen_pass(gen, master);
	fork = master->now;
	OTF2_EvtWriter_ThreadFork(
		master->writer, NULL, gen_stamp(gen, master), OTF2_PARADIGM_OPENMP, team->nr);
	forked = gen_in_none(gen, master);
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		if (i == 0)
			gen_pass(gen, location);
		else
			gen_await(gen, location, team->process, forked);
		if (i > 0)
			gen_wait(gen, location, fork, gen->options.lmin_thread);
		OTF2_EvtWriter_ThreadTeamBegin(
			location->writer, NULL, gen_stamp(gen, location), team->comm);
		gen_enter(gen, location, team->region);
	}
}

struct gen_moment gen_enter_barrier(struct gen *gen, struct gen_team *team, uint32_t region)
{
	struct gen_moment last = {.time = 0};

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		gen_pass(gen, location);
		gen_enter(gen, location, region);
		location->arrived = gen_entered(gen, location);
		gen_later(gen, &last, location->arrived);
	}
	return last;
}

void gen_await_team(struct gen *gen, const struct gen_team *team, uint32_t rank)
{
	struct gen_location *location = gen_team_thread(gen, team, rank);

	for (uint32_t i = 0; gen->options.is_exact && i < team->nr; i++)
		if (i != rank)
			gen_await(gen, location, team->process,
				gen_team_thread(gen, team, i)->arrived);
}

void gen_leave_barrier_after(struct gen *gen, struct gen_team *team, uint32_t region,
	struct gen_moment last, uint64_t time)
{
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		gen_await_team(gen, team, i);
		gen_wait(gen, location, time, gen->options.lmin_thread);
		gen_expect(gen, location,
			region == GEN_BARRIER ? "openmp_barrier" : "openmp_implicit_barrier", last);
		gen_leave(gen, location, region);
	}
}

void gen_leave_barrier(
	struct gen *gen, struct gen_team *team, uint32_t region, struct gen_moment last)
{
	gen_leave_barrier_after(gen, team, region, last, last.time);
}

void gen_end_team(struct gen *gen, struct gen_team *team)
{
	struct gen_location *master = gen_team_thread(gen, team, 0);
	uint64_t last = 0;

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		gen_leave(gen, location, team->region);
		OTF2_EvtWriter_ThreadTeamEnd(
			location->writer, NULL, gen_stamp(gen, location), team->comm);
		location->arrived = gen_in_none(gen, location);
		gen_latest(&last, location->now);
	}
	gen_await_team(gen, team, 0);
	gen_wait(gen, master, last, gen->options.lmin_thread);
	OTF2_EvtWriter_ThreadJoin(
		master->writer, NULL, gen_stamp(gen, master), OTF2_PARADIGM_OPENMP);
}

static void do_work(struct gen *gen, struct gen_team *team)
{
	for (uint32_t i = 0; i < team->nr; i++)
		gen_work(gen, gen_team_thread(gen, team, i), gen->options.work);
}

static void end_with_barrier(struct gen *gen, struct gen_team *team)
{
	gen_leave_barrier(
		gen, team, GEN_IMPLICIT_BARRIER, gen_enter_barrier(gen, team, GEN_IMPLICIT_BARRIER));
	gen_end_team(gen, team);
}

/* A team of two threads to all of them. */
void gen_run_teams(struct gen *gen, gen_body_fn body)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		const uint32_t index = 1 + gen_below(&gen->random, gen->options.nr_threads - 1);
		struct gen_team team = gen_team_of(gen, process, index, GEN_PARALLEL);

		gen_work(gen, gen_team_thread(gen, &team, 0), gen->options.work);
		gen_begin_team(gen, &team);
		body(gen, &team);
	}
}

static void hybrid(struct gen *gen, struct gen_team *team)
{
	do_work(gen, team);
	if (gen_below(&gen->random, 2)) {
		gen_leave_barrier(gen, team, GEN_BARRIER, gen_enter_barrier(gen, team, GEN_BARRIER));
		do_work(gen, team);
	}
	end_with_barrier(gen, team);
}

void gen_hybrid(struct gen *gen)
{
	gen_run_teams(gen, hybrid);
}

static void nested(struct gen *gen, struct gen_team *team)
{
	do_work(gen, team);
	for (uint32_t thread = 0; thread < 2; thread++) {
		struct gen_team inner = gen_team_of(
			gen, team->process, (uint32_t)gen->options.nr_threads + thread, GEN_NESTED);

		gen_begin_team(gen, &inner);
		do_work(gen, &inner);
		end_with_barrier(gen, &inner);
	}
	end_with_barrier(gen, team);
}

/* The outer team has two threads: the others are free for the inner ones. */
void gen_nested(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct gen_team team = gen_team_of(gen, process, 1, GEN_PARALLEL);

		gen_begin_team(gen, &team);
		nested(gen, &team);
	}
}

/* -------------------------------------------------------------------------- locks --- */

/* The one of these threads that comes first, of those that are not done. */
uint32_t gen_first_of(const struct gen *gen, const struct gen_team *team, const bool is_done[])
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 0; i < team->nr; i++)
		if (!is_done[i] &&
			(first == UINT32_MAX ||
				gen_team_thread(gen, team, i)->now < gen_team_thread(gen, team, first)->now))
			first = i;
	return first;
}

/* pattern: waiting for it. */
static void hold(struct gen *gen, struct gen_location *location, uint32_t id,
	OTF2_Paradigm paradigm, const char *pattern)
{
	struct gen_lock *lock = &gen->processes[location->process].locks[id];

	if (lock->last && lock->last != location)
		gen_await(gen, location, location->process, lock->released);
	if (lock->last && lock->last != location)
		gen_wait(gen, location, lock->free_at, gen->options.lmin_thread);
	else
		gen_pass(gen, location);
	if (lock->last)
		gen_expect(gen, location, pattern, lock->released);
	lock->last = location;
	OTF2_EvtWriter_ThreadAcquireLock(location->writer, NULL, gen_stamp(gen, location), paradigm,
		id + 1, ++lock->nr_acquired);
}

static void let_go(
	struct gen *gen, struct gen_location *location, uint32_t id, OTF2_Paradigm paradigm)
{
	struct gen_lock *lock = &gen->processes[location->process].locks[id];

	OTF2_EvtWriter_ThreadReleaseLock(location->writer, NULL, gen_stamp(gen, location), paradigm,
		id + 1, lock->nr_acquired);
	lock->free_at = location->now;
	lock->released = gen_in_call(gen, location);
}

static void go_through_critical(struct gen *gen, struct gen_location *location)
{
	gen_enter(gen, location, GEN_CRITICAL);
	hold(gen, location, 0, OTF2_PARADIGM_OPENMP, "openmp_critical");
	gen_enter(gen, location, GEN_CRITICAL_SBLOCK);
	gen_work(gen, location, gen->options.work / 4);
	gen_leave(gen, location, GEN_CRITICAL_SBLOCK);
	let_go(gen, location, 0, OTF2_PARADIGM_OPENMP);
	gen_leave(gen, location, GEN_CRITICAL);
}

static void go_through_lock(struct gen *gen, struct gen_location *location, uint32_t set,
	uint32_t unset, OTF2_Paradigm paradigm)
{
	gen_enter(gen, location, set);
	hold(gen, location, 1, paradigm, set == GEN_MUTEX_LOCK ? "mutex" : "openmp_lock");
	gen_leave(gen, location, set);
	gen_work(gen, location, gen->options.work / 4);
	gen_enter(gen, location, unset);
	let_go(gen, location, 1, paradigm);
	gen_leave(gen, location, unset);
}

static void locks(struct gen *gen, struct gen_team *team)
{
	bool is_done[GEN_MAX_TEAM] = {false};
	const bool is_critical = gen_below(&gen->random, 2);

	do_work(gen, team);
	for (uint32_t i = 0; i < team->nr; i++) {
		const uint32_t next = gen_first_of(gen, team, is_done);

		is_done[next] = true;
		if (is_critical)
			go_through_critical(gen, gen_team_thread(gen, team, next));
		else
			go_through_lock(gen, gen_team_thread(gen, team, next), GEN_SET_LOCK,
				GEN_UNSET_LOCK, OTF2_PARADIGM_OPENMP);
	}
	end_with_barrier(gen, team);
}

void gen_locks(struct gen *gen)
{
	gen_run_teams(gen, locks);
}

/* An ordered region: one thread after the other. */
static void in_order(struct gen *gen, struct gen_team *team)
{
	do_work(gen, team);
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		gen_enter(gen, location, GEN_ORDERED);
		hold(gen, location, 2, OTF2_PARADIGM_OPENMP, "openmp_ordered");
		gen_work(gen, location, gen->options.work / 4);
		let_go(gen, location, 2, OTF2_PARADIGM_OPENMP);
		gen_leave(gen, location, GEN_ORDERED);
	}
	end_with_barrier(gen, team);
}

void gen_ordered(struct gen *gen)
{
	gen_run_teams(gen, in_order);
}

/* ------------------------------------------------------------------- messages inside --- */

static void send_from_thread(struct gen *gen, struct gen_location *location)
{
	const uint32_t right = (location->process + 1) % (uint32_t)gen->options.nr_ranks;

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_SEND);
	location->begun[0] = gen_entered(gen, location);
	gen_latest(&gen->processes[location->process].begin, location->now);
	gen_send(gen, location, right, 0, TAG_THREAD + location->thread);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_SEND);
}

static void receive_in_thread(struct gen *gen, struct gen_location *location)
{
	const uint32_t nr = (uint32_t)gen->options.nr_ranks;
	const uint32_t left = (location->process + nr - 1) % nr;

	gen_pass(gen, location);
	gen_enter(gen, location, GEN_RECV);
	gen_await(gen, location, left, gen_thread(gen, left, location->thread)->begun[0]);
	gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, location->process));
	gen_arrive(gen, location, gen_thread(gen, left, location->thread)->begun[0]);
	gen_receive(gen, location, left, 0, TAG_THREAD + location->thread);
	gen_leave(gen, location, GEN_RECV);
}

/* All threads of all processes: the same number of each, else one would wait forever. */
void gen_multiple(struct gen *gen)
{
	const uint32_t nr_threads = (uint32_t)gen->options.nr_threads;

	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct gen_team team = gen_team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

		gen->processes[process].begin = 0;
		gen_begin_team(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++)
			send_from_thread(gen, gen_team_thread(gen, &team, i));
	}
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct gen_team team = gen_team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

		for (uint32_t i = 0; i < team.nr; i++)
			receive_in_thread(gen, gen_team_thread(gen, &team, i));
		end_with_barrier(gen, &team);
	}
}

/* -------------------------------------------------------- messages that nothing tells apart --- */

/* When MPI took something: the i-th to be taken, and by which thread. */
struct taking {
	uint64_t time;
	uint32_t rank;
};

static int compare_takings(const void *left, const void *right)
{
	const struct taking *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Somewhere in the call: calls that overlap may be taken in any order. */
static void send_ambiguous(struct gen *gen, struct gen_location *location, struct taking *taking)
{
	const uint32_t right = (location->process + 1) % (uint32_t)gen->options.nr_ranks;
	const uint64_t length = 1 + gen_below(&gen->random, gen->options.work);

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_SEND);
	gen_send(gen, location, right, 0, TAG_AMBIGUOUS);
	taking->time = location->now + gen_below(&gen->random, length);
	location->now += length;
	gen_leave(gen, location, GEN_SEND);
}

/* The i-th message to be sent goes to the i-th call to receive one. */
static void receive_ambiguous(struct gen *gen, struct gen_team *team, const struct taking sent[])
{
	const uint32_t nr = (uint32_t)gen->options.nr_ranks;
	const uint32_t left = (team->process + nr - 1) % nr;
	struct taking received[GEN_MAX_TEAM];

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, i);

		gen_work(gen, location, gen->options.work);
		gen_enter(gen, location, GEN_RECV);
		received[i] = (struct taking){location->now, i};
	}
	qsort(received, team->nr, sizeof(*received), compare_takings);
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = gen_team_thread(gen, team, received[i].rank);

		gen_wait(gen, location, sent[i].time, gen_lmin(gen, left, team->process));
		gen_receive(gen, location, left, 0, TAG_AMBIGUOUS);
		gen_leave(gen, location, GEN_RECV);
	}
}

void gen_ambiguous(struct gen *gen)
{
	const uint32_t nr = (uint32_t)gen->options.nr_ranks;
	const uint32_t nr_threads = (uint32_t)gen->options.nr_threads;
	struct taking *sent = gen_zeroed((size_t)nr * nr_threads, sizeof(*sent));

	for (uint32_t process = 0; process < nr; process++) {
		struct gen_team team = gen_team_of(gen, process, nr_threads - 1, GEN_PARALLEL);
		struct taking *ours = &sent[process * nr_threads];

		gen_begin_team(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++)
			send_ambiguous(gen, gen_team_thread(gen, &team, i), &ours[i]);
		qsort(ours, team.nr, sizeof(*ours), compare_takings);
	}
	for (uint32_t process = 0; process < nr; process++) {
		struct gen_team team = gen_team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

		receive_ambiguous(gen, &team, &sent[(process + nr - 1) % nr * nr_threads]);
		end_with_barrier(gen, &team);
	}
	free(sent);
}

/* ------------------------------------------------------------------------- pthreads --- */

static void create_threads(struct gen *gen, uint32_t process)
{
	struct gen_location *master = gen_master(gen, process);

	for (uint32_t i = 1; i < gen->options.nr_threads; i++) {
		struct gen_location *location = gen_thread(gen, process, i);

		gen_work(gen, master, gen->options.work / 4);
		gen_enter(gen, master, GEN_THREAD_CREATE);
		OTF2_EvtWriter_ThreadCreate(master->writer, NULL, gen_stamp(gen, master),
			gen_team_comm(gen, process, 0), i);
		gen_await(gen, location, process, gen_in_none(gen, master));
		gen_wait(gen, location, master->now, gen->options.lmin_thread);
		OTF2_EvtWriter_ThreadBegin(location->writer, NULL, gen_stamp(gen, location),
			gen_team_comm(gen, process, 0), i);
		gen_pass(gen, master);
		gen_leave(gen, master, GEN_THREAD_CREATE);
	}
}

static void join_threads(struct gen *gen, uint32_t process)
{
	struct gen_location *master = gen_master(gen, process);

	for (uint32_t i = 1; i < gen->options.nr_threads; i++) {
		struct gen_location *location = gen_thread(gen, process, i);

		gen_work(gen, location, gen->options.work);
		OTF2_EvtWriter_ThreadEnd(location->writer, NULL, gen_stamp(gen, location),
			gen_team_comm(gen, process, 0), i);
		gen_pass(gen, master);
		gen_enter(gen, master, GEN_THREAD_JOIN);
		gen_await(gen, master, process, gen_in_none(gen, location));
		gen_wait(gen, master, location->now, gen->options.lmin_thread);
		gen_expect(gen, master, "thread_join", gen_in_none(gen, location));
		OTF2_EvtWriter_ThreadWait(master->writer, NULL, gen_stamp(gen, master),
			gen_team_comm(gen, process, 0), i);
		gen_leave(gen, master, GEN_THREAD_JOIN);
	}
}

void gen_pthread(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct gen_team team = {.process = process, .nr = (uint32_t)gen->options.nr_threads};
		bool is_done[GEN_MAX_TEAM] = {false};

		for (uint32_t i = 0; i < team.nr; i++)
			team.threads[i] = i;
		if (!gen->has_started_threads)
			create_threads(gen, process);
		do_work(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++) {
			const uint32_t next = gen_first_of(gen, &team, is_done);

			is_done[next] = true;
			go_through_lock(gen, gen_team_thread(gen, &team, next), GEN_MUTEX_LOCK,
				GEN_MUTEX_UNLOCK, OTF2_PARADIGM_PTHREAD);
		}
	}
	gen->has_started_threads = true;
}

/* One waits for a condition, and another one makes it true: meanwhile that has the mutex. */
static void wait_for_condition(struct gen *gen, uint32_t process)
{
	const uint32_t nr = (uint32_t)gen->options.nr_threads, first = gen_below(&gen->random, nr);
	struct gen_location *waiter = gen_thread(gen, process, first);
	struct gen_location *other =
		gen_thread(gen, process, (first + 1 + gen_below(&gen->random, nr - 1)) % nr);

	gen_work(gen, waiter, gen->options.work);
	gen_enter(gen, waiter, GEN_MUTEX_LOCK);
	hold(gen, waiter, 1, OTF2_PARADIGM_PTHREAD, "mutex");
	gen_leave(gen, waiter, GEN_MUTEX_LOCK);
	gen_enter(gen, waiter, GEN_COND_WAIT);
	let_go(gen, waiter, 1, OTF2_PARADIGM_PTHREAD);
	gen_work(gen, other, gen->options.work);
	go_through_lock(gen, other, GEN_MUTEX_LOCK, GEN_MUTEX_UNLOCK, OTF2_PARADIGM_PTHREAD);
	hold(gen, waiter, 1, OTF2_PARADIGM_PTHREAD, "condition");
	gen_leave(gen, waiter, GEN_COND_WAIT);
	gen_enter(gen, waiter, GEN_MUTEX_UNLOCK);
	let_go(gen, waiter, 1, OTF2_PARADIGM_PTHREAD);
	gen_leave(gen, waiter, GEN_MUTEX_UNLOCK);
}

void gen_condition(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		if (!gen->has_started_threads)
			create_threads(gen, process);
		wait_for_condition(gen, process);
	}
	gen->has_started_threads = true;
}

void gen_end_threads(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++)
		if (gen->has_started_threads)
			join_threads(gen, process);
}
