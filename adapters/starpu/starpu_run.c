/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Execution of tasks by workers; see starpu_run.h. */
#include "config.h"

#include "starpu_run.h"

#include <stdio.h>

#include "starpu_tasks.h"

/* ----------------------------------------------------------------------- workers --- */

static const char *worker_class(int worker)
{
	switch (REAL(starpu_worker_get_type)(worker)) {
	case STARPU_CPU_WORKER:
		return "CPU";
	case STARPU_CUDA_WORKER:
		return "CUDA";
	case STARPU_OPENCL_WORKER:
		return "OpenCL";
	default:
		return "other";
	}
}

static void worker_describe(uint32_t location, int worker)
{
	const int core = REAL(starpu_worker_get_bindid)(worker);
	char own[64], name[96];

	REAL(starpu_worker_get_name)(worker, own, sizeof(own));
	snprintf(name, sizeof(name), "StarPU worker %d (%s)", worker, own);
	measure_location_rename(location, name);
	measure_location_property_uint64(location,
		measure_worker_properties[MEASURE_WORKER_PROPERTY_NUMBER], (uint64_t)worker);
	measure_location_property(location,
		measure_worker_properties[MEASURE_WORKER_PROPERTY_CLASS], worker_class(worker));
	measure_location_property_uint64(location,
		measure_worker_properties[MEASURE_WORKER_PROPERTY_MEMORY_NODE],
		REAL(starpu_worker_get_memory_node)((unsigned)worker));
	if (core >= 0)
		measure_location_property_uint64(location,
			measure_worker_properties[MEASURE_WORKER_PROPERTY_CORE], (uint64_t)core);
}

void measure_starpu_know_worker(struct measure_starpu_thread *thread)
{
	thread->worker = REAL(starpu_worker_get_id)();
	if (thread->worker >= 0)
		worker_describe(thread->location, thread->worker);
	else
		thread->worker = -1;
}

/* --------------------------------------------------------------------- execution --- */

/* One that was submitted before recording is created now. */
static struct measure_starpu_task *task_known(
	struct measure_starpu_thread *thread, const struct starpu_task *task)
{
	struct measure_starpu_task *found = measure_starpu_task_find(task);
	uint32_t state = found ? atomic_load_explicit(&found->state, memory_order_acquire)
			       : MEASURE_STARPU_TASK_NAMED;

	return state == MEASURE_STARPU_TASK_CREATED || state == MEASURE_STARPU_TASK_STOPPED
		       ? found
		       : measure_starpu_task_create(thread, task);
}

static void write_begin(struct measure_starpu_thread *thread, struct measure_location *location,
	struct measure_starpu_task *task)
{
	measure_starpu_write_state_end(thread, location);
	thread->executed = task;
	thread->executed_number = 0;
	thread->executed_region = measure_starpu_states[MEASURE_TASK_STATE_EXECUTING];
	if (task) {
		thread->executed_number = atomic_load_explicit(&task->number, memory_order_relaxed);
		thread->executed_region = task->region;
		measure_starpu_write_switch(location, thread->executed_number);
	}
	measure_write_enter(location, thread->executed_region);
}

void measure_starpu_task_begin(const struct starpu_task *task, int rank)
{
	struct measure_starpu_thread *thread = measure_starpu_self();
	struct measure_starpu_task *known = NULL;
	struct measure_location *location;

	if (!thread || thread->nr_executed++ > 0)
		return;
	if (thread->worker == -2)
		measure_starpu_know_worker(thread);
	thread->begun = task;
	if (rank == 0)
		known = task_known(thread, task);
	location = rank != 0 || known ? measure_record_begin() : NULL;
	if (location) {
		write_begin(thread, location, known);
		measure_record_end(location);
	} else {
		thread->nr_executed = 0;
	}
}

/* Where its end comes late, StarPU may have another task at the same address by now. */
static void write_complete(
	const struct measure_starpu_thread *thread, struct measure_location *location)
{
	const uint64_t number = thread->executed_number;

	if (atomic_load_explicit(&thread->executed->number, memory_order_acquire) == number)
		measure_starpu_task_write_complete(location, thread->executed);
	else
		measure_write_thread_task_complete(
			location, measure_starpu_team, (uint32_t)(number >> 32), (uint32_t)number);
}

/* Nothing may be recorded any more: what is open is closed when the part is. */
void measure_starpu_task_end(void)
{
	struct measure_starpu_thread *thread = measure_starpu_self();
	struct measure_location *location;

	if (!thread || thread->nr_executed == 0 || --thread->nr_executed > 0)
		return;
	location = measure_record_begin();
	if (location) {
		measure_write_leave(location, thread->executed_region);
		if (thread->executed) {
			write_complete(thread, location);
			measure_starpu_write_switch(location, 0);
		}
		measure_record_end(location);
	}
	thread->executed = NULL;
	thread->ended = thread->begun;
}

void _starpu_driver_start_job(struct _starpu_worker *worker, struct _starpu_job *job,
	struct starpu_perfmodel_arch *arch, int rank, int is_profiling)
{
	REAL(_starpu_driver_start_job)(worker, job, arch, rank, is_profiling);
	if (measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_task))
		measure_starpu_task_begin(job->task, rank);
}

void _starpu_driver_end_job(struct _starpu_worker *worker, struct _starpu_job *job,
	struct starpu_perfmodel_arch *arch, int rank, int is_profiling)
{
	if (measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_task))
		measure_starpu_task_end();
	REAL(_starpu_driver_end_job)(worker, job, arch, rank, is_profiling);
}
