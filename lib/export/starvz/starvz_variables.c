/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values over time for StarVZ: each is a sum of what tasks, messages and transfers add while they
 * last, written as intervals in which it does not change. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "starvz.h"
#include "trace/common/containers.h"

/* A change of one of several values of the same kind. */
struct starvz_step {
	uint64_t time;
	double change;
	uint32_t series; /* process, worker, or place of a memory node */
};

struct starvz_steps {
	MEASURE_GROWING(struct starvz_step, steps);
};

typedef void (*starvz_name_fn)(
	const struct starvz *starvz, uint32_t series, char name[STARVZ_NAME]);

static void steps_add(
	struct starvz_steps *steps, uint32_t series, uint64_t from, uint64_t until, double value)
{
	if (from == MEASURE_TASK_NO_TIME)
		return;
	*measure_append(steps, steps) = (struct starvz_step){from, value, series};
	if (until != MEASURE_TASK_NO_TIME)
		*measure_append(steps, steps) =
			(struct starvz_step){until > from ? until : from, -value, series};
}

static int step_compare(const void *a, const void *b)
{
	const struct starvz_step *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->change > y->change) - (x->change < y->change);
}

/* Each series ends with the trace. `steps` is empty then. */
static void steps_write(const struct starvz *starvz, struct starvz_steps *steps, const char *type,
	starvz_name_fn name_of)
{
	const struct starvz_step *all = steps->steps;
	double value = 0;
	char name[STARVZ_NAME];

	qsort(steps->steps, steps->nr_steps, sizeof(*steps->steps), step_compare);
	for (size_t i = 0; i < steps->nr_steps; i++) {
		const bool is_first = i == 0 || all[i - 1].series != all[i].series;
		const bool is_last = i + 1 == steps->nr_steps || all[i + 1].series != all[i].series;
		const uint64_t until = is_last ? starvz->tasks.length : all[i + 1].time;

		value = (is_first ? 0 : value) + all[i].change;
		if (until <= all[i].time)
			continue;
		name_of(starvz, all[i].series, name);
		gzprintf(starvz_file(starvz, STARVZ_VARIABLE),
			"Variable, %s, %s, %.6f, %.6f, %.6f, %.6f\n", name, type,
			starvz_ms(starvz, all[i].time), starvz_ms(starvz, until),
			starvz_ms(starvz, until - all[i].time), value);
	}
	measure_free(steps->steps);
	*steps = (struct starvz_steps){.steps = NULL};
}

/* --------------------------------------------------------------------------- tasks --- */

static void name_scheduler(const struct starvz *starvz, uint32_t process, char name[STARVZ_NAME])
{
	snprintf(name, STARVZ_NAME, "%u_scheduler", starvz->numbers[process]);
}

static void name_worker(const struct starvz *starvz, uint32_t worker, char name[STARVZ_NAME])
{
	starvz_resource(starvz, worker, name);
}

static void write_counts(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	struct starvz_steps ready = {.steps = NULL}, submitted = {.steps = NULL};

	for (size_t i = 0; i < tasks->nr_created; i++) {
		const struct measure_task *task = &tasks->tasks[i];

		if (task->start != MEASURE_TASK_NO_TIME)
			steps_add(&ready, task->process, task->ready, task->start, 1);
		steps_add(&submitted, task->process, task->create, task->end, 1);
	}
	steps_write(starvz, &ready, "Number of Ready Tasks", name_scheduler);
	steps_write(starvz, &submitted, "Number of Submitted Uncompleted Tasks", name_scheduler);
}

/* Of all workers, also where no task has any: by their names StarVZ knows that there are several
 * processes. */
static void write_gflops(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	struct starvz_steps steps = {.steps = NULL};

	for (uint32_t i = 0; i < tasks->nr_workers; i++)
		steps_add(&steps, i, 0, MEASURE_TASK_NO_TIME, 0);
	for (size_t i = 0; tasks->flops && i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];
		const double ms = measure_task_is_executed(task)
					  ? starvz_ms(starvz, task->end - task->start)
					  : 0;

		if (tasks->flops[i] > 0 && ms > 0)
			steps_add(&steps, task->worker, task->start, task->end,
				tasks->flops[i] / ms / 1e6);
	}
	steps_write(starvz, &steps, "GFlops", name_worker);
}

/* ----------------------------------------------------------------------- bandwidth --- */

static void name_communication(
	const struct starvz *starvz, uint32_t process, char name[STARVZ_NAME])
{
	snprintf(name, STARVZ_NAME, "%u_mpict", starvz->numbers[process]);
}

#define MOST_MEMORY_NODES 1024 /* of a process */

static uint32_t memory_place(uint32_t process, uint32_t node)
{
	return process * MOST_MEMORY_NODES + node % MOST_MEMORY_NODES;
}

static void name_memory(const struct starvz *starvz, uint32_t place, char name[STARVZ_NAME])
{
	snprintf(name, STARVZ_NAME, "%u_MEMMANAGER%u", starvz->numbers[place / MOST_MEMORY_NODES],
		place % MOST_MEMORY_NODES);
}

/* MB/s. */
static double bandwidth(const struct starvz *starvz, uint64_t bytes, uint64_t ticks)
{
	return ticks > 0 ? (double)bytes / starvz_ms(starvz, ticks) / 1e3 : 0;
}

static void write_bandwidth(const struct starvz *starvz, struct starvz_steps *in,
	struct starvz_steps *out, starvz_name_fn name_of)
{
	steps_write(starvz, in, "Bandwidth In (MB/s)", name_of);
	steps_write(starvz, out, "Bandwidth Out (MB/s)", name_of);
}

static void write_messages(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	struct starvz_steps in = {.steps = NULL}, out = {.steps = NULL};

	for (size_t i = 0; i < tasks->nr_hops; i++) {
		const struct measure_task_hop *hop = &tasks->hops[i];
		const uint64_t end = tasks->tasks[hop->receive].end;
		const uint64_t ticks = measure_tasks_hop_ticks(tasks, hop);
		const double rate = bandwidth(starvz, starvz_task_bytes(starvz, hop->send), ticks);

		if (end == MEASURE_TASK_NO_TIME || !(rate > 0))
			continue;
		steps_add(&out, tasks->tasks[hop->send].process, end - ticks, end, rate);
		steps_add(&in, tasks->tasks[hop->receive].process, end - ticks, end, rate);
	}
	write_bandwidth(starvz, &in, &out, name_communication);
}

static void write_transfers(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	struct starvz_steps in = {.steps = NULL}, out = {.steps = NULL};

	for (size_t i = 0; i < tasks->nr_transfers; i++) {
		const struct measure_task_transfer *transfer = &tasks->transfers[i];
		double rate;

		if (transfer->end == MEASURE_TASK_NO_TIME)
			continue;
		rate = bandwidth(starvz, transfer->bytes, transfer->end - transfer->start);
		steps_add(&out, memory_place(transfer->process, transfer->from), transfer->start,
			transfer->end, rate);
		steps_add(&in, memory_place(transfer->process, transfer->to), transfer->start,
			transfer->end, rate);
	}
	write_bandwidth(starvz, &in, &out, name_memory);
}

void starvz_write_variables(const struct starvz *starvz)
{
	write_counts(starvz);
	write_gflops(starvz);
	write_messages(starvz);
	write_transfers(starvz);
}
