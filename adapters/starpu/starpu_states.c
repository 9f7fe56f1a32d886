/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What workers do between tasks. A worker polls for tasks, hundreds of times in a millisecond: this
 * is one state from the first time in vain until a task is found. */
#include "config.h"

#include "starpu_run.h"
#include "starpu_tasks.h"

/* The calling worker, if its states are recorded and it has no task in execution. NULL: not. */
static struct measure_starpu_thread *thread_between_tasks(enum measure_starpu_group group)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() && measure_starpu_records(group)
			? measure_starpu_self()
			: NULL;

	return thread && thread->nr_executed == 0 ? thread : NULL;
}

static bool thread_is_in(const struct measure_starpu_thread *thread, enum measure_task_state state)
{
	return thread->state == measure_starpu_states[state];
}

/* -------------------------------------------------------------------- scheduling --- */

/* From the time when it began to look for a task until the next state. Where that is not recorded,
 * the caller ends it. False: nothing was recorded. */
static bool scheduling_begin(struct measure_starpu_thread *thread)
{
	const uint64_t since = thread->scheduled_since;
	struct measure_location *location;

	thread->scheduled_since = 0;
	if (since == 0 || !measure_starpu_records(MEASURE_STARPU_sched))
		return false;
	location = measure_record_begin_at(since);
	if (!location)
		return false;
	thread->state = measure_starpu_states[MEASURE_TASK_STATE_SCHEDULING];
	measure_write_enter(location, thread->state);
	measure_record_end(location);
	return true;
}

struct starpu_task *_starpu_get_worker_task(
	struct _starpu_worker *worker, int number, unsigned memory_node)
{
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_worker);
	struct starpu_task *task;

	if (!thread || thread->state != MEASURE_UNDEFINED)
		return REAL(_starpu_get_worker_task)(worker, number, memory_node);
	if (thread->worker == -2)
		measure_starpu_know_worker(thread);
	thread->scheduled_since = measure_clock_now();
	task = REAL(_starpu_get_worker_task)(worker, number, memory_node);
	if (task && scheduling_begin(thread) && !measure_starpu_records(MEASURE_STARPU_dsm))
		measure_starpu_state_end(thread);
	thread->scheduled_since = 0;
	return task;
}

/* StarPU calls it sleeping, but in the usual case the worker polls. */
void _starpu_worker_restart_sleeping(int number)
{
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_worker);

	if (thread && thread->worker == number && thread->state == MEASURE_UNDEFINED) {
		scheduling_begin(thread);
		measure_starpu_state_begin(thread, MEASURE_TASK_STATE_IDLE);
	}
	REAL(_starpu_worker_restart_sleeping)(number);
}

void _starpu_worker_stop_sleeping(int number)
{
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_worker);

	REAL(_starpu_worker_stop_sleeping)(number);
	if (thread && thread->worker == number && thread_is_in(thread, MEASURE_TASK_STATE_IDLE))
		measure_starpu_state_end(thread);
}

/* ----------------------------------------------------------- fetching and pushing --- */

/* It ends where the task begins. */
int _starpu_fetch_task_input(struct starpu_task *task, struct _starpu_job *job, int is_async)
{
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_dsm);
	int result;

	if (thread)
		measure_starpu_state_begin(thread, MEASURE_TASK_STATE_FETCHING);
	result = REAL(_starpu_fetch_task_input)(task, job, is_async);
	if (thread && result && thread_is_in(thread, MEASURE_TASK_STATE_FETCHING))
		measure_starpu_state_end(thread);
	return result;
}

void _starpu_push_task_output(struct _starpu_job *job)
{
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_dsm);

	if (thread)
		measure_starpu_state_begin(thread, MEASURE_TASK_STATE_PUSHING);
	REAL(_starpu_push_task_output)(job);
	if (thread)
		measure_starpu_state_end(thread);
}

/* --------------------------------------------------------------------- callbacks --- */

/* When a task has ended, StarPU makes it the current one while its callback runs. */
void _starpu_set_current_task(struct starpu_task *task)
{
	const measure_region_t region = measure_starpu_states[MEASURE_TASK_STATE_CALLBACK];
	struct measure_starpu_thread *thread = thread_between_tasks(MEASURE_STARPU_worker);

	REAL(_starpu_set_current_task)(task);
	if (!thread || !thread->terminated)
		return;
	if (!thread->is_in_callback && task == thread->terminated) {
		thread->is_in_callback = true;
		measure_region_enter(region);
	} else if (thread->is_in_callback) {
		thread->is_in_callback = false;
		measure_region_leave(region);
	}
}
