/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Submission of tasks, what they depend on, and when they are ready and over. */
#include "config.h"

#include "starpu_hooks.h"
#include "starpu_run.h"
#include "starpu_tasks.h"

/* -------------------------------------------------------------------- submission --- */

/* By public functions nothing is known of tasks that no worker executes, and of parallel ones not
 * which of their workers they belong to. */
static bool is_executed(const struct starpu_task *task)
{
	return task->cl && task->cl->type == STARPU_SEQ && task->where != STARPU_NOWHERE &&
	       task->cl->where != STARPU_NOWHERE;
}

/* True: its creation is recorded. */
static bool submit_publicly(struct measure_starpu_thread *thread, const struct starpu_task *task)
{
	if (!is_executed(task) || !measure_starpu_hooks_set(task->sched_ctx))
		return false;
	return measure_starpu_task_create(thread, task) != NULL;
}

/* StarPU has refused it. */
static void submission_failed(const struct starpu_task *task)
{
	struct measure_starpu_task *known = measure_starpu_task_find(task);
	struct measure_location *location = known ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_starpu_task_write_complete(location, known);
	measure_record_end(location);
}

static int submit_recorded(struct measure_starpu_thread *thread, struct starpu_task *task)
{
	const struct starpu_task *outer = thread->submitted;
	const bool is_outermost = !outer && measure_starpu_is_internal() &&
				  measure_starpu_records(MEASURE_STARPU_worker);
	const measure_region_t region = measure_starpu_states[MEASURE_TASK_STATE_SUBMITTING];
	bool is_created = false;
	int result;

	if (is_outermost)
		measure_region_enter(region);
	thread->submitted = task;
	if (!measure_starpu_is_internal())
		is_created = submit_publicly(thread, task);
	result = REAL(starpu_task_submit)(task);
	thread->submitted = outer;
	thread->is_submitted_internally = false;
	if (result && is_created)
		submission_failed(task);
	if (is_outermost)
		measure_region_leave(region);
	return result;
}

int starpu_task_submit(struct starpu_task *task)
{
	struct measure_starpu_thread *thread =
		measure_starpu_records(MEASURE_STARPU_task) ? measure_starpu_self() : NULL;

	return thread && task ? submit_recorded(thread, task) : REAL(starpu_task_submit)(task);
}

int _starpu_task_submit_internally(struct starpu_task *task)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() ? measure_starpu_self() : NULL;

	if (thread)
		thread->is_submitted_internally = true;
	return REAL(_starpu_task_submit_internally)(task);
}

/* Under a lock of the task, when StarPU knows what it depends on and before it can run; and again
 * when a task is submitted anew by itself. */
void _starpu_handle_job_submission(struct _starpu_job *job)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_task)
			? measure_starpu_self()
			: NULL;
	const struct measure_starpu_task *known =
		thread ? measure_starpu_task_have(thread, job->task) : NULL;

	if (thread && !(known && atomic_load_explicit(&known->state, memory_order_acquire) ==
					 MEASURE_STARPU_TASK_STOPPED))
		measure_starpu_task_create(thread, job->task);
	REAL(_starpu_handle_job_submission)(job);
}

/* Its function will return before it is over, to be called again. */
void _starpu_job_prepare_for_continuation_ext(struct _starpu_job *job, unsigned is_resubmitted,
	void (*callback)(void *argument), void *argument)
{
	struct measure_starpu_task *known =
		measure_starpu_is_internal() ? measure_starpu_task_find(job->task) : NULL;

	if (known)
		known->will_stop = true;
	REAL(_starpu_job_prepare_for_continuation_ext)(job, is_resubmitted, callback, argument);
}

void starpu_task_clean(struct starpu_task *task)
{
	struct measure_starpu_thread *thread =
		measure_starpu_records(MEASURE_STARPU_task) ? measure_starpu_self() : NULL;

	if (thread)
		measure_starpu_task_drop(thread, task);
	REAL(starpu_task_clean)(task);
}

/* ------------------------------------------------------------------- dependences --- */

static void depends(const struct starpu_task *task, unsigned nr, struct starpu_task *before[])
{
	struct measure_starpu_thread *thread = measure_starpu_self();
	struct measure_starpu_task *known = thread ? measure_starpu_task_have(thread, task) : NULL;

	for (unsigned i = 0; known && i < nr; i++) {
		const struct measure_starpu_task *other =
			measure_starpu_task_have(thread, before[i]);

		if (other)
			measure_starpu_task_add(thread, known,
				atomic_load_explicit(&other->number, memory_order_acquire));
	}
}

void starpu_task_declare_deps_array(
	struct starpu_task *task, unsigned nr, struct starpu_task *before[])
{
	if (measure_starpu_records(MEASURE_STARPU_task) && !measure_starpu_is_internal())
		depends(task, nr, before);
	REAL(starpu_task_declare_deps_array)(task, nr, before);
}

void _starpu_task_declare_deps_array(
	struct starpu_task *task, unsigned nr, struct starpu_task *before[], int check)
{
	if (measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_task))
		depends(task, nr, before);
	REAL(_starpu_task_declare_deps_array)(task, nr, before, check);
}

/* ------------------------------------------------------------------ ready and over --- */

static void write_ready(const struct measure_starpu_thread *thread, const struct starpu_task *task)
{
	const struct measure_starpu_task *known;
	struct measure_location *location;

	/* one that the call in progress creates is ready at its creation */
	if (thread->submitted == task)
		return;
	known = measure_starpu_task_find(task);
	if (!known || atomic_load_explicit(&known->state, memory_order_acquire) !=
			      MEASURE_STARPU_TASK_CREATED)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_task_fact_write(location, MEASURE_TASK_READY,
		atomic_load_explicit(&known->number, memory_order_relaxed));
	measure_record_end(location);
}

/* The task may have a function that is called now, within a callback of another one. */
int _starpu_push_task(struct _starpu_job *job)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() ? measure_starpu_self() : NULL;
	const struct starpu_task *outer = thread ? thread->terminated : NULL;
	int result;

	if (!thread)
		return REAL(_starpu_push_task)(job);
	if (measure_starpu_records(MEASURE_STARPU_sched))
		write_ready(thread, job->task);
	thread->terminated = NULL;
	result = REAL(_starpu_push_task)(job);
	thread->terminated = outer;
	return result;
}

/* Of a task that nobody has executed: a point of synchronisation. */
static void complete_unexecuted(const struct starpu_task *task)
{
	struct measure_starpu_task *known = measure_starpu_task_find(task);
	struct measure_location *location;

	if (!known || atomic_load_explicit(&known->state, memory_order_acquire) !=
			      MEASURE_STARPU_TASK_CREATED)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_starpu_task_write_complete(location, known);
	measure_record_end(location);
}

/* StarPU calls this once more for each task that ends a task by its own end. */
void _starpu_handle_job_termination(struct _starpu_job *job)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_task)
			? measure_starpu_self()
			: NULL;
	const struct starpu_task *outer = thread ? thread->terminated : NULL;
	const bool was_in_callback = thread && thread->is_in_callback;

	if (!thread) {
		REAL(_starpu_handle_job_termination)(job);
		return;
	}
	if (job->task->nb_termination_call_required == 0 && job->task != thread->ended)
		complete_unexecuted(job->task);
	thread->ended = NULL;
	thread->terminated = job->task;
	thread->is_in_callback = false;
	REAL(_starpu_handle_job_termination)(job);
	thread->terminated = outer;
	thread->is_in_callback = was_in_callback;
}
