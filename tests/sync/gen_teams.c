/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with threads: teams of OpenMP, of any size and nested, their barriers, tasks and locks,
 * and messages from inside of them. Each process does its own, one process after the other. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

enum { TAG_AMBIGUOUS = 999, TAG_THREAD, MAX_TEAM = 256 };

/* A team while it is simulated. */
struct team {
	uint32_t process;
	uint32_t comm;
	uint32_t nr;
	uint32_t threads[MAX_TEAM];
	uint32_t region;
};

typedef void (*body_fn)(struct gen *gen, struct team *team);

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

static struct team team_of(const struct gen *gen, uint32_t process, uint32_t index, uint32_t region)
{
	struct team team = {
		.process = process, .comm = gen_team_comm(gen, process, index), .region = region};

	team.nr = gen_team_members(gen, index, team.threads);
	return team;
}

static struct gen_location *thread_of(const struct gen *gen, const struct team *team, uint32_t rank)
{
	return gen_thread(gen, team->process, team->threads[rank]);
}

static void latest(uint64_t *last, uint64_t time)
{
	if (time > *last)
		*last = time;
}

/* -------------------------------------------------------------------------- teams --- */

static void begin_team(struct gen *gen, struct team *team)
{
	struct gen_location *master = thread_of(gen, team, 0);
	uint64_t fork;

	gen_pass(gen, master);
	fork = master->now;
	OTF2_EvtWriter_ThreadFork(
		master->writer, NULL, gen_stamp(gen, master), OTF2_PARADIGM_OPENMP, team->nr);
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, i);

		if (i == 0)
			gen_pass(gen, location);
		else
			gen_wait(gen, location, fork, gen->options.lmin_thread);
		OTF2_EvtWriter_ThreadTeamBegin(
			location->writer, NULL, gen_stamp(gen, location), team->comm);
		gen_enter(gen, location, team->region);
	}
}

static uint64_t enter_barrier(struct gen *gen, struct team *team, uint32_t region)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, i);

		gen_pass(gen, location);
		gen_enter(gen, location, region);
		latest(&last, location->now);
	}
	return last;
}

static void leave_barrier(struct gen *gen, struct team *team, uint32_t region, uint64_t last)
{
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, i);

		gen_wait(gen, location, last, gen->options.lmin_thread);
		gen_leave(gen, location, region);
	}
}

static void end_team(struct gen *gen, struct team *team)
{
	struct gen_location *master = thread_of(gen, team, 0);
	uint64_t last = 0;

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, i);

		gen_leave(gen, location, team->region);
		OTF2_EvtWriter_ThreadTeamEnd(
			location->writer, NULL, gen_stamp(gen, location), team->comm);
		latest(&last, location->now);
	}
	gen_wait(gen, master, last, gen->options.lmin_thread);
	OTF2_EvtWriter_ThreadJoin(
		master->writer, NULL, gen_stamp(gen, master), OTF2_PARADIGM_OPENMP);
}

static void do_work(struct gen *gen, struct team *team)
{
	for (uint32_t i = 0; i < team->nr; i++)
		gen_work(gen, thread_of(gen, team, i), gen->options.work);
}

static void end_with_barrier(struct gen *gen, struct team *team)
{
	leave_barrier(
		gen, team, GEN_IMPLICIT_BARRIER, enter_barrier(gen, team, GEN_IMPLICIT_BARRIER));
	end_team(gen, team);
}

/* A team of two threads to all of them. */
static void run_teams(struct gen *gen, body_fn body)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		const uint32_t index = 1 + gen_below(&gen->random, gen->options.nr_threads - 1);
		struct team team = team_of(gen, process, index, GEN_PARALLEL);

		gen_work(gen, thread_of(gen, &team, 0), gen->options.work);
		begin_team(gen, &team);
		body(gen, &team);
	}
}

static void hybrid(struct gen *gen, struct team *team)
{
	do_work(gen, team);
	if (gen_below(&gen->random, 2)) {
		leave_barrier(gen, team, GEN_BARRIER, enter_barrier(gen, team, GEN_BARRIER));
		do_work(gen, team);
	}
	end_with_barrier(gen, team);
}

void gen_hybrid(struct gen *gen)
{
	run_teams(gen, hybrid);
}

static void nested(struct gen *gen, struct team *team)
{
	do_work(gen, team);
	for (uint32_t thread = 0; thread < 2; thread++) {
		struct team inner = team_of(
			gen, team->process, (uint32_t)gen->options.nr_threads + thread, GEN_NESTED);

		begin_team(gen, &inner);
		do_work(gen, &inner);
		end_with_barrier(gen, &inner);
	}
	end_with_barrier(gen, team);
}

/* The outer team has two threads: the others are free for the inner ones. */
void gen_nested(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct team team = team_of(gen, process, 1, GEN_PARALLEL);

		begin_team(gen, &team);
		nested(gen, &team);
	}
}

/* -------------------------------------------------------------------------- locks --- */

/* The one of these threads that comes first, of those that are not done. */
static uint32_t first_of(const struct gen *gen, const struct team *team, const bool is_done[])
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = 0; i < team->nr; i++)
		if (!is_done[i] &&
			(first == UINT32_MAX ||
				thread_of(gen, team, i)->now < thread_of(gen, team, first)->now))
			first = i;
	return first;
}

static void hold(
	struct gen *gen, struct gen_location *location, uint32_t id, OTF2_Paradigm paradigm)
{
	struct gen_lock *lock = &gen->processes[location->process].locks[id];

	if (lock->last && lock->last != location)
		gen_wait(gen, location, lock->free_at, gen->options.lmin_thread);
	else
		gen_pass(gen, location);
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
}

static void go_through_critical(struct gen *gen, struct gen_location *location)
{
	gen_enter(gen, location, GEN_CRITICAL);
	hold(gen, location, 0, OTF2_PARADIGM_OPENMP);
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
	hold(gen, location, 1, paradigm);
	gen_leave(gen, location, set);
	gen_work(gen, location, gen->options.work / 4);
	gen_enter(gen, location, unset);
	let_go(gen, location, 1, paradigm);
	gen_leave(gen, location, unset);
}

static void locks(struct gen *gen, struct team *team)
{
	bool is_done[MAX_TEAM] = {false};
	const bool is_critical = gen_below(&gen->random, 2);

	do_work(gen, team);
	for (uint32_t i = 0; i < team->nr; i++) {
		const uint32_t next = first_of(gen, team, is_done);

		is_done[next] = true;
		if (is_critical)
			go_through_critical(gen, thread_of(gen, team, next));
		else
			go_through_lock(gen, thread_of(gen, team, next), GEN_SET_LOCK,
				GEN_UNSET_LOCK, OTF2_PARADIGM_OPENMP);
	}
	end_with_barrier(gen, team);
}

void gen_locks(struct gen *gen)
{
	run_teams(gen, locks);
}

/* -------------------------------------------------------------------------- tasks --- */

static void run_task(
	struct gen *gen, const struct team *team, uint32_t rank, uint32_t number, uint64_t created)
{
	struct gen_location *location = thread_of(gen, team, rank);

	if (rank == 0)
		gen_pass(gen, location);
	else
		gen_wait(gen, location, created, gen->options.lmin_thread);
	OTF2_EvtWriter_ThreadTaskSwitch(
		location->writer, NULL, gen_stamp(gen, location), team->comm, 0, number);
	gen_enter(gen, location, GEN_TASK);
	gen_work(gen, location, gen->options.work / 2);
	gen_leave(gen, location, GEN_TASK);
	OTF2_EvtWriter_ThreadTaskComplete(
		location->writer, NULL, gen_stamp(gen, location), team->comm, 0, number);
	OTF2_EvtWriter_ThreadTaskSwitch(
		location->writer, NULL, gen_stamp(gen, location), team->comm, rank, 0);
}

/* The master makes them, whoever waits in the barrier runs them. */
static void tasks(struct gen *gen, struct team *team)
{
	static const bool nobody_is_done[MAX_TEAM];
	struct gen_location *master = thread_of(gen, team, 0);
	const uint32_t nr = 1 + gen_below(&gen->random, 2 * team->nr);
	uint32_t *last_number = &gen->processes[team->process].nr_tasks;
	const uint32_t first = *last_number + 1;
	uint64_t created, last = 0;

	for (uint32_t i = 0; i < nr; i++) {
		gen_pass(gen, master);
		gen_enter(gen, master, GEN_TASK_CREATE);
		OTF2_EvtWriter_ThreadTaskCreate(master->writer, NULL, gen_stamp(gen, master),
			team->comm, 0, ++*last_number);
		gen_leave(gen, master, GEN_TASK_CREATE);
	}
	created = master->now;
	enter_barrier(gen, team, GEN_IMPLICIT_BARRIER);
	for (uint32_t i = 0; i < nr; i++)
		run_task(gen, team, first_of(gen, team, nobody_is_done), first + i, created);
	for (uint32_t i = 0; i < team->nr; i++)
		latest(&last, thread_of(gen, team, i)->now);
	leave_barrier(gen, team, GEN_IMPLICIT_BARRIER, last);
	end_team(gen, team);
}

void gen_tasks(struct gen *gen)
{
	run_teams(gen, tasks);
}

/* ------------------------------------------------------------------- messages inside --- */

static void send_from_thread(struct gen *gen, struct gen_location *location)
{
	const uint32_t right = (location->process + 1) % (uint32_t)gen->options.nr_ranks;

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_SEND);
	latest(&gen->processes[location->process].begin, location->now);
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
	gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, location->process));
	gen_receive(gen, location, left, 0, TAG_THREAD + location->thread);
	gen_leave(gen, location, GEN_RECV);
}

/* All threads of all processes: the same number of each, else one would wait forever. */
void gen_multiple(struct gen *gen)
{
	const uint32_t nr_threads = (uint32_t)gen->options.nr_threads;

	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct team team = team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

		gen->processes[process].begin = 0;
		begin_team(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++)
			send_from_thread(gen, thread_of(gen, &team, i));
	}
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct team team = team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

		for (uint32_t i = 0; i < team.nr; i++)
			receive_in_thread(gen, thread_of(gen, &team, i));
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
static void receive_ambiguous(struct gen *gen, struct team *team, const struct taking sent[])
{
	const uint32_t nr = (uint32_t)gen->options.nr_ranks;
	const uint32_t left = (team->process + nr - 1) % nr;
	struct taking received[MAX_TEAM];

	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, i);

		gen_work(gen, location, gen->options.work);
		gen_enter(gen, location, GEN_RECV);
		received[i] = (struct taking){location->now, i};
	}
	qsort(received, team->nr, sizeof(*received), compare_takings);
	for (uint32_t i = 0; i < team->nr; i++) {
		struct gen_location *location = thread_of(gen, team, received[i].rank);

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
		struct team team = team_of(gen, process, nr_threads - 1, GEN_PARALLEL);
		struct taking *ours = &sent[process * nr_threads];

		begin_team(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++)
			send_ambiguous(gen, thread_of(gen, &team, i), &ours[i]);
		qsort(ours, team.nr, sizeof(*ours), compare_takings);
	}
	for (uint32_t process = 0; process < nr; process++) {
		struct team team = team_of(gen, process, nr_threads - 1, GEN_PARALLEL);

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
		gen_wait(gen, master, location->now, gen->options.lmin_thread);
		OTF2_EvtWriter_ThreadWait(master->writer, NULL, gen_stamp(gen, master),
			gen_team_comm(gen, process, 0), i);
		gen_leave(gen, master, GEN_THREAD_JOIN);
	}
}

void gen_pthread(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++) {
		struct team team = {.process = process, .nr = (uint32_t)gen->options.nr_threads};
		bool is_done[MAX_TEAM] = {false};

		for (uint32_t i = 0; i < team.nr; i++)
			team.threads[i] = i;
		if (!gen->has_started_threads)
			create_threads(gen, process);
		do_work(gen, &team);
		for (uint32_t i = 0; i < team.nr; i++) {
			const uint32_t next = first_of(gen, &team, is_done);

			is_done[next] = true;
			go_through_lock(gen, thread_of(gen, &team, next), GEN_MUTEX_LOCK,
				GEN_MUTEX_UNLOCK, OTF2_PARADIGM_PTHREAD);
		}
	}
	gen->has_started_threads = true;
}

void gen_end_threads(struct gen *gen)
{
	for (uint32_t process = 0; process < gen->options.nr_ranks; process++)
		if (gen->has_started_threads)
			join_threads(gen, process);
}
