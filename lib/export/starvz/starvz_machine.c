/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables for StarVZ of what is around tasks: the tree of resources, data, messages between
 * processes, and transfers between memory nodes. */
#include "config.h"

#include <inttypes.h>

#include "starvz.h"

/* ------------------------------------------------------------------------ entities --- */

/* The tree that a trace of StarPU has, as far as StarVZ looks at it. */
static void write_worker(const struct starvz *starvz, uint32_t index)
{
	const struct measure_worker *worker = &starvz->tasks.workers[index];
	const gzFile file = starvz_file(starvz, STARVZ_ENTITIES);
	const uint32_t process = starvz->numbers[worker->process];
	char name[STARVZ_NAME];

	starvz_resource(starvz, index, name);
	gzprintf(file, "%u_MEMNODE%u, %u_T%u, Thread, Container\n", process,
		worker->memory_node == MEASURE_NONE ? 0 : worker->memory_node, process,
		worker->location);
	gzprintf(file, "%u_T%u, %s, Worker, Container\n", process, worker->location, name);
	gzprintf(file, "%s, Worker State, Worker State, State\n", name);
	gzprintf(file, "%s, GFlops, GFlops, Variable\n", name);
}

static uint32_t process_nr_memory_nodes(const struct starvz *starvz, uint32_t process)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	uint32_t nr = 0;

	for (size_t i = 0; i < tasks->nr_workers; i++) {
		const uint32_t node = tasks->workers[i].memory_node;

		if (tasks->workers[i].process == process && node != MEASURE_NONE && node >= nr)
			nr = node + 1;
	}
	for (size_t i = 0; i < tasks->nr_transfers; i++)
		if (tasks->transfers[i].process == process) {
			nr = tasks->transfers[i].from >= nr ? tasks->transfers[i].from + 1 : nr;
			nr = tasks->transfers[i].to >= nr ? tasks->transfers[i].to + 1 : nr;
		}
	return nr > 0 ? nr : 1;
}

static void write_process(const struct starvz *starvz, uint32_t process)
{
	const uint32_t number = starvz->numbers[process];
	const uint32_t nr_nodes = process_nr_memory_nodes(starvz, process);
	const gzFile file = starvz_file(starvz, STARVZ_ENTITIES);

	gzprintf(file, "root, %u_program, Program, Container\n", number);
	gzprintf(file, "%u_program, %u_scheduler, Scheduler State, Container\n", number, number);
	for (uint32_t node = 0; node < nr_nodes; node++) {
		gzprintf(file, "%u_program, %u_MEMNODE%u, Memory Node, Container\n", number, number,
			node);
		gzprintf(file, "%u_MEMNODE%u, %u_MEMMANAGER%u, Memory Manager, Container\n", number,
			node, number, node);
		gzprintf(file, "%u_MEMMANAGER%u, Memory Node State, Memory Node State, State\n",
			number, node);
	}
	for (uint32_t i = 0; i < starvz->tasks.nr_workers; i++)
		if (starvz->tasks.workers[i].process == process)
			write_worker(starvz, i);
	if (starvz->hops) {
		gzprintf(file, "%u_program, %u_mpict, MPI Communication Thread, Container\n",
			number, number);
		gzprintf(file,
			"%u_mpict, Communication Thread State, Communication Thread State, State\n",
			number);
	}
}

static void write_entities(const struct starvz *starvz)
{
	bool *has_workers = measure_zeroed(starvz->nr_processes + 1, sizeof(*has_workers));

	gzputs(starvz_file(starvz, STARVZ_ENTITIES),
		"0, 0, 0, Container\n0, root, MPI Program, Container\n");
	for (size_t i = 0; i < starvz->tasks.nr_workers; i++)
		has_workers[starvz->tasks.workers[i].process] = true;
	for (uint32_t i = 0; i < starvz->nr_processes; i++)
		if (has_workers[i])
			write_process(starvz, i);
	measure_free(has_workers);
}

/* ---------------------------------------------------------------------------- data --- */

static void write_event(const struct starvz *starvz, uint32_t data, const char *type, uint64_t time)
{
	char handle[STARVZ_NAME];

	if (time != MEASURE_TASK_NO_TIME)
		gzprintf(starvz_file(starvz, STARVZ_EVENTS),
			"Event, %u_program, %s, %.6f, %s, , , , , \n",
			starvz->numbers[starvz->tasks.data[data].process], type,
			starvz_ms(starvz, time), starvz_handle(starvz, data, handle));
}

static void write_data(const struct starvz *starvz, uint32_t index)
{
	const struct measure_task_data *data = &starvz->tasks.data[index];
	const gzFile file = starvz_file(starvz, STARVZ_DATA_HANDLES);
	const uint32_t process = starvz->numbers[data->process];
	char handle[STARVZ_NAME];

	gzprintf(file, "%s,%d,%u,%" PRIu64 ",", starvz_handle(starvz, index, handle),
		(int)data->home, process, data->bytes);
	starvz_print_name(file, data->name);
	gzputc(file, ',');
	for (uint32_t i = 0; i < data->nr_coordinates; i++)
		gzprintf(file, "%s%" PRIu64, i > 0 ? " " : "",
			starvz->tasks.coordinates[data->first_coordinate + i]);
	gzprintf(file, ",%u,%" PRIu64 "\n", process, data->tag == UINT64_MAX ? 0 : data->tag);
	write_event(starvz, index, "data registration", data->from);
	write_event(starvz, index, "data unregistration", data->until);
}

/* --------------------------------------------------------------------------- links --- */

static void write_message(const struct starvz *starvz, uint32_t index)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const struct measure_task_hop *hop = &tasks->hops[index];
	const struct measure_task *send = &tasks->tasks[hop->send];
	const struct measure_task *receive = &tasks->tasks[hop->receive];
	const uint64_t ticks = measure_tasks_hop_ticks(tasks, hop);
	uint64_t bytes = starvz_task_bytes(starvz, hop->send);

	if (receive->end == MEASURE_TASK_NO_TIME)
		return;
	if (bytes == 0)
		bytes = starvz_task_bytes(starvz, hop->receive);
	gzprintf(starvz_file(starvz, STARVZ_LINK),
		"Link, root, MPI communication, %.6f, %.6f, %.6f, %" PRIu64
		", %u_mpict, %u_mpict, mpicom_%u, %" PRIu64 ", , %d, \n",
		starvz_ms(starvz, receive->end - ticks), starvz_ms(starvz, receive->end),
		starvz_ms(starvz, ticks), bytes, starvz->numbers[send->process],
		starvz->numbers[receive->process], index, tasks->tags ? tasks->tags[hop->send] : 0,
		tasks->priorities ? tasks->priorities[hop->send] : 0);
}

static void write_transfer(const struct starvz *starvz, size_t index)
{
	const struct measure_task_transfer *transfer = &starvz->tasks.transfers[index];
	const uint32_t process = starvz->numbers[transfer->process];
	char handle[STARVZ_NAME] = "";

	if (transfer->end == MEASURE_TASK_NO_TIME)
		return;
	if (transfer->data != MEASURE_NONE)
		starvz_handle(starvz, transfer->data, handle);
	gzprintf(starvz_file(starvz, STARVZ_LINK),
		"Link, %u_program, Intra-node data Fetch, %.6f, %.6f, %.6f, %" PRIu64
		", %u_MEMMANAGER%u, %u_MEMMANAGER%u, com_%zu, , , , %s\n",
		process, starvz_ms(starvz, transfer->start), starvz_ms(starvz, transfer->end),
		starvz_ms(starvz, transfer->end - transfer->start), transfer->bytes, process,
		transfer->from, process, transfer->to, index, handle);
}

void starvz_write_machine(const struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;

	write_entities(starvz);
	for (uint32_t i = 0; i < tasks->nr_data; i++)
		write_data(starvz, i);
	for (uint32_t i = 0; i < tasks->nr_hops; i++)
		write_message(starvz, i);
	for (size_t i = 0; i < tasks->nr_transfers; i++)
		write_transfer(starvz, i);
}
