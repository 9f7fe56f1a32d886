/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks: the master makes them, some make others, some go on elsewhere; whoever waits in the
 * barrier runs them, or the master in a taskwait or at the end of a taskgroup. */
#include "config.h"

#include "gen_teams.h"

enum { MAX_TASKS = 5 * GEN_MAX_TEAM };
enum wait { WAIT_BARRIER, WAIT_TASKWAIT, WAIT_TASKGROUP, NR_WAITS };

/* A task that is not complete, or has been. */
struct task {
	uint32_t creator, number; /* rank in the team; of the process */
	uint32_t nr_pieces;       /* left to be run: two for a task that goes on elsewhere */
	bool is_of_master, is_parent, is_in_group;
	const struct gen_location *at; /* where it was made or left */
	uint64_t since;
	struct gen_moment left; /* the same, as the record tells */
};

struct performance {
	struct gen *gen;
	struct gen_team *team;
	enum wait wait;
	struct task tasks[MAX_TASKS]; /* those from `next` on are not complete */
	uint32_t nr_tasks, next;
	uint64_t last, last_of_master; /* completion */
	/* last ones by others than who waits for them: each rank; the master, for its own tasks or
	 * for those of a group */
	struct gen_moment completed[GEN_MAX_TEAM], completed_of_master, completed_in_group;
};

static struct gen_location *member(const struct performance *performance, uint32_t rank)
{
	return gen_team_thread(performance->gen, performance->team, rank);
}

static void write_fact(
	struct gen *gen, struct gen_location *location, uint32_t parameter, uint64_t value)
{
	OTF2_EvtWriter_ParameterUnsignedInt(
		location->writer, NULL, gen_stamp(gen, location), parameter, value);
}

/* The first task of each team uses the data of those of the teams before, and names the last one of
 * them. Fork and join order these anyway. */
static void write_dependences(struct performance *performance, struct gen_location *location)
{
	struct gen *gen = performance->gen;
	const struct gen_process *process = &gen->processes[performance->team->process];

	if (process->last_task == 0)
		write_fact(gen, location, GEN_DATA_REGISTER, 1);
	write_fact(gen, location, GEN_TASK_ACCESS, 1);
	if (process->last_task != 0 && process->last_tasks_comm == performance->team->comm)
		write_fact(gen, location, GEN_TASK_DEPENDENCE, process->last_task);
}

static void make_task(
	struct performance *performance, uint32_t rank, bool is_of_master, bool is_in_group)
{
	struct gen *gen = performance->gen;
	struct gen_location *location = member(performance, rank);
	struct task *task = &performance->tasks[performance->nr_tasks++];

	*task = (struct task){.creator = rank,
		.number = ++gen->processes[performance->team->process].nr_tasks,
		.nr_pieces = 1 + (gen_below(&gen->random, 3) == 0),
		.is_of_master = is_of_master,
		.is_parent = is_of_master && gen_below(&gen->random, 3) == 0,
		.is_in_group = is_in_group,
		.at = location};
	gen_pass(gen, location);
	gen_enter(gen, location, GEN_TASK_CREATE);
	OTF2_EvtWriter_ThreadTaskCreate(location->writer, NULL, gen_stamp(gen, location),
		performance->team->comm, rank, task->number);
	if (performance->nr_tasks == 1)
		write_dependences(performance, location);
	write_fact(gen, location, GEN_TASK_READY, (uint64_t)rank << 32 | task->number);
	gen_leave(gen, location, GEN_TASK_CREATE);
	task->since = location->now;
	task->left = gen_in_none(gen, location);
}

static void switch_to(struct performance *performance, struct gen_location *location, uint32_t rank,
	uint32_t number)
{
	OTF2_EvtWriter_ThreadTaskSwitch(location->writer, NULL,
		gen_stamp(performance->gen, location), performance->team->comm, rank, number);
}

static void complete(
	struct performance *performance, struct gen_location *location, const struct task *task)
{
	OTF2_EvtWriter_ThreadTaskComplete(location->writer, NULL,
		gen_stamp(performance->gen, location), performance->team->comm, task->creator,
		task->number);
	gen_latest(&performance->last, location->now);
	for (uint32_t i = 0; i < performance->team->nr; i++)
		if (location != member(performance, i))
			gen_later(performance->gen, &performance->completed[i],
				gen_in_none(performance->gen, location));
	if (task->is_of_master)
		gen_latest(&performance->last_of_master, location->now);
	if (task->is_of_master && location != member(performance, 0))
		gen_later(performance->gen, &performance->completed_of_master,
			gen_in_none(performance->gen, location));
	if (task->is_in_group && location != member(performance, 0))
		gen_later(performance->gen, &performance->completed_in_group,
			gen_in_none(performance->gen, location));
}

/* The next piece of a task, on that member. */
static void run_piece(struct performance *performance, struct task task, uint32_t rank)
{
	struct gen *gen = performance->gen;
	struct gen_location *location = member(performance, rank);
	uint32_t region = task.nr_pieces > 1 ? GEN_UNTIED_TASK : GEN_TASK;
	uint64_t start;

	if (location == task.at)
		gen_pass(gen, location);
	else
		gen_await(gen, location, performance->team->process, task.left);
	if (location != task.at)
		gen_wait(gen, location, task.since, gen->options.lmin_thread);
	start = location->now;
	switch_to(performance, location, task.creator, task.number);
	gen_enter(gen, location, region);
	gen_work(gen, location, gen->options.work / 2);
	if (task.is_parent)
		make_task(performance, rank, false, task.is_in_group);
	gen_leave(gen, location, region);
	task.nr_pieces--;
	task.is_parent = false;
	if (task.nr_pieces == 0)
		complete(performance, location, &task);
	switch_to(performance, location, rank, 0);
	gen_ran_task(gen, location, start);
	task.at = location;
	task.since = location->now;
	task.left = gen_in_none(gen, location);
	if (task.nr_pieces > 0)
		performance->tasks[performance->nr_tasks++] = task;
}

static void run_all(struct performance *performance)
{
	static const bool nobody_is_done[GEN_MAX_TEAM];

	for (; performance->next < performance->nr_tasks; performance->next++)
		run_piece(performance, performance->tasks[performance->next],
			gen_first_of(performance->gen, performance->team, nobody_is_done));
}

/* All but the master come to the barrier first: they have nothing else to do. */
static void wait_for_tasks(struct performance *performance)
{
	static const uint32_t regions[] = {GEN_IMPLICIT_BARRIER, GEN_TASKWAIT, GEN_TASKGROUP_WAIT};
	struct gen *gen = performance->gen;
	struct gen_location *master = member(performance, 0);
	const uint64_t *last = performance->wait == WAIT_TASKWAIT ? &performance->last_of_master
								  : &performance->last;

	for (uint32_t i = 1; i < performance->team->nr; i++) {
		gen_pass(gen, member(performance, i));
		gen_enter(gen, member(performance, i), GEN_IMPLICIT_BARRIER);
		member(performance, i)->arrived = gen_entered(gen, member(performance, i));
	}
	gen_pass(gen, master);
	gen_enter(gen, master, regions[performance->wait]);
	master->arrived =
		gen_entered(gen, master); /* in the barrier, if it is in none of the others */
	run_all(performance);
	if (performance->wait == WAIT_BARRIER)
		return;
	gen_await(gen, master, performance->team->process,
		performance->wait == WAIT_TASKWAIT ? performance->completed_of_master
						   : performance->completed_in_group);
	gen_wait(gen, master, *last, gen->options.lmin_thread);
	if (performance->wait == WAIT_TASKWAIT)
		gen_expect(gen, master, "taskwait", performance->completed_of_master);
	else
		gen_expect(gen, master, "taskgroup", performance->completed_in_group);
	gen_leave(gen, master, regions[performance->wait]);
	if (performance->wait == WAIT_TASKGROUP)
		gen_leave(gen, master, GEN_TASKGROUP);
	gen_pass(gen, master);
	gen_enter(gen, master, GEN_IMPLICIT_BARRIER);
	master->arrived = gen_entered(gen, master);
}

static void tasks(struct gen *gen, struct gen_team *team)
{
	struct performance performance = {
		.gen = gen, .team = team, .wait = gen_below(&gen->random, NR_WAITS)};
	const uint32_t nr = 1 + gen_below(&gen->random, team->nr);
	const bool is_group = performance.wait == WAIT_TASKGROUP;
	struct gen_moment entered = {.time = 0};
	uint64_t last = 0;

	if (gen_below(&gen->random, 2))
		make_task(&performance, 0, true, false);
	if (is_group)
		gen_enter(gen, member(&performance, 0), GEN_TASKGROUP);
	for (uint32_t i = 0; i < nr; i++)
		make_task(&performance, 0, true, is_group);
	wait_for_tasks(&performance);
	for (uint32_t i = 0; i < team->nr; i++)
		gen_latest(&last, member(&performance, i)->now);
	for (uint32_t i = 0; i < team->nr; i++)
		gen_later(gen, &entered, gen_entered(gen, member(&performance, i)));
	for (uint32_t i = 0; i < team->nr; i++)
		gen_expect(
			gen, member(&performance, i), "task_starvation", performance.completed[i]);
	for (uint32_t i = 0; i < team->nr; i++)
		gen_await(gen, member(&performance, i), team->process, performance.completed[i]);
	gen_leave_barrier_after(gen, team, GEN_IMPLICIT_BARRIER, entered, last);
	gen_end_team(gen, team);
	gen->processes[team->process].last_task =
		(uint64_t)performance.tasks[performance.nr_tasks - 1].creator << 32 |
		performance.tasks[performance.nr_tasks - 1].number;
	gen->processes[team->process].last_tasks_comm = team->comm;
}

void gen_tasks(struct gen *gen)
{
	gen_run_teams(gen, tasks);
}
