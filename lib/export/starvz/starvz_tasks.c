/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of tasks for StarVZ: what workers do, what each task is, and what it waits for. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "starvz.h"

/* Words of StarVZ, which takes any other value for a task of the application. */
static const char *const states[MEASURE_NR_WORKER_STATES] = {
	[MEASURE_WORKER_INITIALIZING] = "Initializing",
	[MEASURE_WORKER_SCHEDULING] = "Scheduling",
	[MEASURE_WORKER_FETCHING] = "FetchingInput",
	[MEASURE_WORKER_EXECUTING] = "Executing",
	[MEASURE_WORKER_PUSHING] = "PushingOutput",
	[MEASURE_WORKER_CALLBACK] = "Callback",
	[MEASURE_WORKER_SUBMITTING] = "Submitting task",
	[MEASURE_WORKER_WAITING] = "Waiting all tasks",
	[MEASURE_WORKER_IDLE] = "Idle",
	[MEASURE_WORKER_SLEEPING] = "Sleeping",
};

static const char *type_name(const struct starvz *starvz, const struct measure_task *task)
{
	return task->type == MEASURE_NONE ? "" : starvz->tasks.types[task->type].name;
}

static bool is_application(const struct starvz *starvz, const struct measure_task *task)
{
	return task->type != MEASURE_NONE && starvz->tasks.types[task->type].is_application;
}

/* ------------------------------------------------------------------ worker states --- */

/* Coordinates of the first data that the task changes: they are its place in the matrix. */
static const uint64_t *task_place(const struct starvz *starvz, size_t index)
{
	const struct measure_tasks *tasks = &starvz->tasks;

	for (uint64_t i = tasks->first_accesses[index]; i < tasks->first_accesses[index + 1]; i++) {
		const struct measure_task_data *data = &tasks->data[tasks->accesses[i].data];

		if (tasks->accesses[i].mode != MEASURE_TASK_ACCESS_R && data->nr_coordinates >= 2)
			return &tasks->coordinates[data->first_coordinate];
	}
	return NULL;
}

static void write_execution(const struct starvz *starvz, size_t index)
{
	static const uint64_t nowhere[2];
	const struct measure_tasks *tasks = &starvz->tasks;
	const struct measure_task *task = &tasks->tasks[index];
	const uint64_t *place = task_place(starvz, index);
	const gzFile file = starvz_file(starvz, STARVZ_WORKER_STATE);
	char resource[STARVZ_NAME], job[STARVZ_NAME];

	gzprintf(file, "State, %s, Worker State, %.6f, %.6f, %.6f, 0, ",
		starvz_resource(starvz, task->worker, resource), starvz_ms(starvz, task->start),
		starvz_ms(starvz, task->end), starvz_ms(starvz, task->end - task->start));
	if (!is_application(starvz, task)) {
		gzputs(file, "Executing, , , , , , , , , , , , \n");
		return;
	}
	starvz_print_name(file, type_name(starvz, task));
	place = place ? place : nowhere;
	starvz_job(starvz, (uint32_t)index, job);
	gzprintf(file,
		", %" PRIu64 ", , %08" PRIx64 ", %016" PRIx64 ", %s, %s, %.9f, %" PRIu64
		", %" PRIu64 ", %d, %d, %u\n",
		starvz_task_bytes(starvz, (uint32_t)index),
		tasks->footprints ? tasks->footprints[index] : 0,
		tasks->tags && tasks->tags[index] != UINT64_MAX ? tasks->tags[index] : 0, job, job,
		tasks->flops ? tasks->flops[index] / 1e9 : 0, place[0], place[1],
		(int)task->iteration, tasks->subiterations ? (int)tasks->subiterations[index] : -1,
		tasks->workers[task->worker].memory_node == MEASURE_NONE
			? 0
			: tasks->workers[task->worker].memory_node);
}

static void write_states(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const struct measure_definitions *definitions = starvz->conversion->definitions;
	char resource[STARVZ_NAME];

	for (size_t i = 0; i < tasks->nr_intervals; i++) {
		const struct measure_worker_interval *interval = &tasks->intervals[i];
		const bool is_worker = interval->worker != MEASURE_NONE;
		const uint32_t process = definitions->locations[interval->location].group;
		const gzFile file =
			starvz_file(starvz, is_worker ? STARVZ_WORKER_STATE : STARVZ_OTHER_STATE);

		if (is_worker)
			starvz_resource(starvz, interval->worker, resource);
		else
			snprintf(resource, sizeof(resource), "%u_UserThread%u",
				starvz->numbers[process], interval->location);
		gzprintf(file, "State, %s, %s, %.6f, %.6f, %.6f, 0, %s%s\n", resource,
			is_worker ? "Worker State" : "User Thread State",
			starvz_ms(starvz, interval->start), starvz_ms(starvz, interval->end),
			starvz_ms(starvz, interval->end - interval->start), states[interval->state],
			is_worker ? ", , , , , , , , , , , , " : "");
	}
}

/* ---------------------------------------------------------------------- rec.tasks --- */

static void write_accesses(const struct starvz *starvz, size_t index, gzFile file,
	void (*write)(const struct starvz *starvz, gzFile file, struct measure_task_access access))
{
	const struct measure_tasks *tasks = &starvz->tasks;

	for (uint64_t i = tasks->first_accesses[index]; i < tasks->first_accesses[index + 1]; i++) {
		if (i > tasks->first_accesses[index])
			gzputc(file, ' ');
		write(starvz, file, tasks->accesses[i]);
	}
}

static void write_handle(
	const struct starvz *starvz, gzFile file, struct measure_task_access access)
{
	char handle[STARVZ_NAME];

	gzputs(file, starvz_handle(starvz, access.data, handle));
}

static void write_mode(const struct starvz *starvz, gzFile file, struct measure_task_access access)
{
	(void)starvz;
	gzputs(file, access.mode == MEASURE_TASK_ACCESS_R   ? "R"
		     : access.mode == MEASURE_TASK_ACCESS_W ? "W"
							    : "RW");
}

static void write_size(const struct starvz *starvz, gzFile file, struct measure_task_access access)
{
	gzprintf(file, "%" PRIu64, starvz->tasks.data[access.data].bytes);
}

static void write_predecessors(const struct starvz *starvz, size_t index, gzFile file)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const uint64_t first = tasks->first_edges[index], last = tasks->first_edges[index + 1];
	char job[STARVZ_NAME];

	for (uint64_t i = first; i < last; i++)
		gzprintf(file, "%s%s", i > first ? " " : "",
			starvz_job(starvz, tasks->edges[i].task, job));
	gzputc(file, ',');
	for (uint64_t i = first; i < last; i++)
		gzprintf(file, "%s%s", i > first ? " " : "",
			tasks->edges[i].is_declared ? "task" : "implicit");
}

static void print_time(const struct starvz *starvz, gzFile file, uint64_t time)
{
	if (time != MEASURE_TASK_NO_TIME)
		gzprintf(file, "%.6f", starvz_ms(starvz, time));
	gzputc(file, ',');
}

static void write_task(const struct starvz *starvz, size_t index)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const struct measure_task *task = &tasks->tasks[index];
	const uint32_t process = task->process;
	const struct measure_worker *worker =
		task->worker == MEASURE_NONE ? NULL : &tasks->workers[task->worker];
	const gzFile file = starvz_file(starvz, STARVZ_TASKS);
	char job[STARVZ_NAME];

	gzprintf(file, ",%s,%zu,", starvz_job(starvz, (uint32_t)index, job),
		index - starvz->first_tasks[process] + 1);
	print_time(starvz, file, task->create);
	write_accesses(starvz, index, file, write_handle);
	gzprintf(file, ",%u,", starvz->numbers[process]);
	starvz_print_name(file, type_name(starvz, task));
	gzputc(file, ',');
	starvz_print_name(file, type_name(starvz, task));
	gzprintf(file, ",%d,%" PRIu64 ",", tasks->priorities ? tasks->priorities[index] : 0,
		tasks->tags && tasks->tags[index] != UINT64_MAX ? tasks->tags[index] : 0);
	if (worker)
		gzprintf(file, "%u,%u,",
			worker->number == MEASURE_NONE ? starvz->resources[task->worker]
						       : worker->number,
			worker->memory_node == MEASURE_NONE ? 0 : worker->memory_node);
	else
		gzputs(file, ",,");
	print_time(starvz, file, task->start);
	print_time(starvz, file, task->end);
	gzprintf(file, "%08" PRIx64 ",,", tasks->footprints ? tasks->footprints[index] : 0);
	write_accesses(starvz, index, file, write_mode);
	gzputc(file, ',');
	write_accesses(starvz, index, file, write_size);
	gzputc(file, ',');
	write_predecessors(starvz, index, file);
	gzprintf(file, ",%d\n", (int)task->iteration);
}

/* ---------------------------------------------------------------------------- dag --- */

/* StarVZ calls what comes first the dependent. Both sides of a message are one task there. */
static void write_edges(const struct starvz *starvz, size_t index)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const gzFile file = starvz_file(starvz, STARVZ_DAG);
	char before[STARVZ_NAME], job[STARVZ_NAME];

	starvz_job(starvz, (uint32_t)index, job);
	for (uint64_t i = tasks->first_edges[index]; i < tasks->first_edges[index + 1]; i++)
		if (!tasks->edges[i].is_message)
			gzprintf(file, "%s,%s\n", starvz_job(starvz, tasks->edges[i].task, before),
				job);
}

void starvz_write_tasks(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;

	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		if (measure_task_is_executed(&tasks->tasks[i]))
			write_execution(starvz, i);
		if (tasks->tasks[i].process < starvz->nr_processes && i < tasks->nr_created)
			write_task(starvz, i);
		write_edges(starvz, i);
	}
	write_states(starvz);
}
