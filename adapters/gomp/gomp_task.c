/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How tasks are made and run: see gomp_task.h. libgomp runs some of them at once, inside of the
 * call that makes them, and the others in its own waits; untied ones stay on their thread like all.
 * So the regions of tasks nest. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../common/task_facts.h"
#include "gomp_construct.h"
#include "gomp_task.h"
#include "gomp_team.h"

#define CANCEL_TASKGROUP 8

bool measure_gomp_is_cancellable(void)
{
	static atomic_int is_cancellable = -1; /* not asked yet */
	int known = atomic_load_explicit(&is_cancellable, memory_order_relaxed);

	if (known < 0) {
		known = measure_gomp_real.omp_get_cancellation();
		atomic_store_explicit(&is_cancellable, known, memory_order_relaxed);
	}
	return known > 0;
}

/* ------------------------------------------------------------------------- creation --- */

static uint8_t task_flags(const struct measure_gomp_clauses *clauses)
{
	return (uint8_t)((clauses->is_deferred ? 0u : MEASURE_TASK_UNDEFERRED) |
			 (clauses->flags & MEASURE_GOMP_FLAG_FINAL ? MEASURE_TASK_FINAL : 0u) |
			 (clauses->flags & MEASURE_GOMP_FLAG_MERGEABLE ? MEASURE_TASK_MERGEABLE
								       : 0u) |
			 (clauses->flags & MEASURE_GOMP_FLAG_DETACH ? MEASURE_TASK_DETACHABLE
								    : 0u));
}

void measure_gomp_task_init(struct measure_gomp_thread *thread, struct measure_gomp_task *task,
	const void *address, const struct measure_gomp_clauses *clauses)
{
	const struct measure_gomp_level *level = measure_gomp_level(thread);
	const bool is_untied = clauses->flags & MEASURE_GOMP_FLAG_UNTIED;

	task->generation = 0;
	task->flags = task_flags(clauses);
	task->priority = clauses->flags & MEASURE_GOMP_FLAG_PRIORITY ? clauses->priority : 0;
	task->parent = level && level->generation
			       ? measure_task_value(level->creator, level->generation)
			       : 0;
	task->create = measure_gomp_region(
		thread, address, "!$omp task create", OTF2_REGION_ROLE_TASK_CREATE);
	task->region = measure_gomp_region(thread, address, "!$omp task",
		is_untied ? OTF2_REGION_ROLE_TASK_UNTIED : OTF2_REGION_ROLE_TASK);
}

void measure_gomp_task_create(struct measure_gomp_thread *thread, struct measure_location *location,
	struct measure_gomp_task *task)
{
	const struct measure_gomp_level level = measure_gomp_membership(thread);

	task->comm = level.comm;
	task->creator = level.number;
	task->generation = ++thread->generation;
	measure_write_thread_task_create(location, task->comm, task->creator, task->generation);
	if (task->parent)
		measure_task_fact_write(location, MEASURE_TASK_PARENT, task->parent);
	if (task->flags)
		measure_task_fact_write(location, MEASURE_TASK_FLAGS, task->flags);
	if (task->priority)
		measure_task_fact_write(location, MEASURE_TASK_PRIORITY, (uint64_t)task->priority);
}

/* The compiler does not tell `out` from `inout`. What follows the counts are addresses, in this
 * order; behind them pointers to an address and its kind. */
static void write_accesses(struct measure_location *location, void **depend)
{
	static const enum measure_task_fact access_kinds[] = {MEASURE_TASK_ACCESS_INOUT,
		MEASURE_TASK_ACCESS_IN, MEASURE_TASK_ACCESS_INOUT, MEASURE_TASK_ACCESS_INOUT,
		MEASURE_TASK_ACCESS_MUTEXINOUTSET, MEASURE_TASK_ACCESS_INOUTSET};
	bool is_short = depend[0] != NULL;
	size_t nr = (uintptr_t)(is_short ? depend[0] : depend[1]);
	size_t nr_outs = (uintptr_t)(is_short ? depend[1] : depend[2]);
	size_t nr_mutexes = is_short ? 0 : (uintptr_t)depend[3];
	size_t nr_ins = is_short ? nr - nr_outs : (uintptr_t)depend[4];
	void **address = depend + (is_short ? 2 : 5);

	for (size_t i = 0; i < nr; i++, address++) {
		enum measure_task_fact fact = MEASURE_TASK_ACCESS_IN;
		void *const *object = address;
		if (i < nr_outs) {
			fact = MEASURE_TASK_ACCESS_INOUT;
		} else if (i < nr_outs + nr_mutexes) {
			fact = MEASURE_TASK_ACCESS_MUTEXINOUTSET;
		} else if (i >= nr_outs + nr_mutexes + nr_ins) {
			object = *address;
			fact = access_kinds[(uintptr_t)object[1] %
					    (sizeof(access_kinds) / sizeof(access_kinds[0]))];
		}
		measure_task_fact_write(location, fact, (uintptr_t)*object);
	}
}

/* The region of the creation is left after the call: what libgomp runs at once lies in it. */
static bool task_create_enter(struct measure_gomp_thread *thread, struct measure_gomp_task *task,
	const struct measure_gomp_clauses *clauses)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return false;
	measure_write_enter(location, task->create);
	measure_gomp_task_create(thread, location, task);
	if (clauses->flags & MEASURE_GOMP_FLAG_DEPEND && clauses->depend)
		write_accesses(location, clauses->depend);
	measure_record_end(location);
	return true;
}

/* Where there was a cancellation libgomp has not made the task: it is over all the same. */
static void task_create_leave(const struct measure_gomp_task *task, bool is_made)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (!is_made)
		measure_write_thread_task_complete(
			location, task->comm, task->creator, task->generation);
	measure_write_leave(location, task->create);
	measure_record_end(location);
}

/* ----------------------------------------------------------------- argument of a task --- */

uint32_t measure_gomp_task_offset(long align)
{
	size_t mask = align > 1 ? (size_t)align - 1 : 0;

	return (uint32_t)((sizeof(struct measure_gomp_task) + mask) & ~mask);
}

void measure_gomp_task_copy(struct measure_gomp_task *to, struct measure_gomp_task *from)
{
	if (from->is_detachable)
		memcpy(from->data, from->words, sizeof(void *));
	if (from->copy)
		from->copy(measure_gomp_task_argument(to), from->data);
	else if (from->size)
		memcpy(measure_gomp_task_argument(to), from->data, from->size);
	from->is_copied = true;
}

/* For libgomp, where it is to copy by a function. */
static void task_copy(void *to, void *from)
{
	memcpy(to, from, sizeof(struct measure_gomp_task));
	measure_gomp_task_copy(to, from);
}

/* ---------------------------------------------------------------------------- running --- */

/* A part of a taskloop that runs at once is made now. */
static void write_begin(struct measure_gomp_thread *thread, struct measure_location *location,
	struct measure_gomp_task *task)
{
	if (task->generation == 0) {
		measure_write_enter(location, task->create);
		measure_gomp_task_create(thread, location, task);
		measure_write_leave(location, task->create);
	}
	measure_write_thread_task_switch(location, task->comm, task->creator, task->generation);
	measure_write_enter(location, task->region);
}

/* The level of the task goes first: the last barrier of a team that the thread may wait in is not
 * over. False: nothing is recorded. */
static bool task_begin(struct measure_gomp_thread *thread, struct measure_gomp_task *task)
{
	struct measure_gomp_level level = measure_gomp_membership(thread);
	struct measure_location *location;
	struct measure_gomp_level *own;

	level.is_waiting = false;
	level.body = task->function;
	level.region = task->region;
	if (!measure_gomp_push(thread, &level))
		return false;
	location = measure_record_begin();
	if (!location) {
		thread->nr_levels--;
		return false;
	}
	write_begin(thread, location, task);
	own = measure_gomp_level(thread);
	own->creator = task->creator;
	own->generation = task->generation;
	measure_record_end(location);
	return true;
}

static void write_switch_back(struct measure_gomp_thread *thread, struct measure_location *location)
{
	const struct measure_gomp_level level = measure_gomp_membership(thread);

	measure_write_thread_task_switch(location, level.comm,
		level.generation ? level.creator : level.number, level.generation);
}

static void task_end(struct measure_gomp_thread *thread, const struct measure_gomp_task *task,
	uint32_t nr_levels, bool is_complete)
{
	struct measure_location *location;
	uint64_t time = 0;

	if (thread->nr_levels < nr_levels)
		return;
	thread->nr_levels = nr_levels;
	location = measure_record_begin();
	if (location) {
		time = measure_record_time(location);
		measure_gomp_leave(thread, location, measure_gomp_level(thread)->base);
		measure_write_leave(location, task->region);
		if (is_complete)
			measure_write_thread_task_complete(
				location, task->comm, task->creator, task->generation);
		thread->nr_levels--;
		write_switch_back(thread, location);
		measure_record_end(location);
	} else {
		thread->nr_open = measure_gomp_level(thread)->base;
		thread->nr_levels--;
	}
	measure_gomp_barrier_resume(thread, time);
}

/* A level of its own, for the reason that task_begin() has. */
static void write_dropped(struct measure_gomp_thread *thread, const struct measure_gomp_task *task)
{
	struct measure_gomp_level level = measure_gomp_membership(thread);
	struct measure_location *location;
	uint64_t time = 0;

	level.is_waiting = false;
	if (!measure_gomp_push(thread, &level))
		return;
	location = measure_record_begin();
	if (location) {
		time = measure_record_time(location);
		measure_write_thread_task_complete(
			location, task->comm, task->creator, task->generation);
		measure_record_end(location);
	}
	thread->nr_levels--;
	measure_gomp_barrier_resume(thread, time);
}

/* True: libgomp would not have run the task if it had not had to copy its argument by a function
 * of ours. */
static bool is_dropped(const struct measure_gomp_task *task)
{
	return task->is_droppable && measure_gomp_real.GOMP_cancellation_point(CANCEL_TASKGROUP);
}

MEASURE_GOMP_RUNS_BODIES void measure_gomp_task_run(void *argument)
{
	struct measure_gomp_task *task = argument;
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	const uint32_t generation = task->generation;
	uint32_t nr_levels = 0;
	bool is_complete = true;

	if (is_dropped(task)) {
		if (thread)
			write_dropped(thread, task);
		return;
	}
	if (task->bounds_size)
		memcpy(measure_gomp_task_argument(task), task->words, 2u * task->bounds_size);
	else if (task->is_detachable)
		memcpy(measure_gomp_task_argument(task), task->words, sizeof(void *));
	if (thread && task_begin(thread, task))
		nr_levels = thread->nr_levels;
	task->function(measure_gomp_task_argument(task));
	if (task->is_detachable)
		is_complete = measure_gomp_event_task_over(task);
	if (nr_levels)
		task_end(thread, task, nr_levels, is_complete);
	task->generation = generation; /* a taskloop runs its parts by one argument */
}

/* ------------------------------------------------------------------------ GOMP_task --- */

/* Bytes of a task that may lie on the stack: tasks that run at once may nest deeply. */
#define ON_STACK 512

/* Copied by a function of ours where the program has one, and where tasks may be thrown away;
 * then it need not lie behind the struct so far. */
static bool is_copied_by_function(measure_gomp_copy_fn copy)
{
	return copy || measure_gomp_is_cancellable();
}

static void *elsewhere(size_t size, long align)
{
	int saved_errno = errno;
	void *memory = NULL;

	if (posix_memalign(&memory, align > 16 ? (size_t)align : 16, size) != 0)
		memory = NULL;
	errno = saved_errno;
	return memory;
}

/* False: nothing was recorded, and nothing done. */
static bool task_call(struct measure_gomp_task *task, long align,
	const struct measure_gomp_clauses *clauses, const void *address)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	const long least = (long)_Alignof(struct measure_gomp_task);
	const bool is_by_function = is_copied_by_function(task->copy);

	if (!thread)
		return false;
	measure_gomp_task_init(thread, task, address, clauses);
	task->is_droppable = is_by_function && !task->copy;
	if (!is_by_function && task->size)
		memcpy(measure_gomp_task_argument(task), task->data, task->size);
	if (!task_create_enter(thread, task, clauses))
		return false;
	measure_gomp_real.GOMP_task(measure_gomp_task_run, task, is_by_function ? task_copy : NULL,
		(long)(task->offset + task->size), align > least ? align : least,
		clauses->is_deferred, clauses->flags, clauses->depend, clauses->priority,
		clauses->detach);
	task_create_leave(task, !is_by_function || task->is_copied);
	return true;
}

/* Callers of older compilers pass fewer arguments: libgomp looks only at those that the flags
 * name, and so do we. */
void GOMP_task(measure_gomp_fn function, void *data, measure_gomp_copy_fn copy, long size,
	long align, bool is_deferred, unsigned flags, void **depend, int priority, void *detach)
{
	const struct measure_gomp_clauses clauses = {is_deferred, flags, depend, priority, detach};
	const uint32_t offset = measure_gomp_task_offset(align);
	struct measure_gomp_task *task;
	bool is_on_stack, is_recorded = false;
	size_t room = sizeof(*task);

	measure_gomp_resolve();
	if (!is_copied_by_function(copy))
		room = offset + (size_t)size;
	is_on_stack = room <= ON_STACK && align <= 16;
	task = is_on_stack ? __builtin_alloca_with_align(room, 128) : elsewhere(room, align);
	if (task) {
		*task = (struct measure_gomp_task){.function = function,
			.copy = copy,
			.data = data,
			.size = (uint32_t)size,
			.offset = offset,
			.is_detachable = flags & MEASURE_GOMP_FLAG_DETACH && data};
		is_recorded = task_call(task, align, &clauses, __builtin_return_address(0));
	}
	if (!is_recorded)
		measure_gomp_real.GOMP_task(function, data, copy, size, align, is_deferred, flags,
			depend, priority, detach);
	if (!is_on_stack)
		free(task);
}

/* ------------------------------------------------------------------------------ waits --- */

MEASURE_GOMP_WAITS(GOMP_taskwait, (void), (),
	measure_gomp_wait_begin(address, "!$omp taskwait", OTF2_REGION_ROLE_TASK_WAIT))
MEASURE_GOMP_WAITS(GOMP_taskwait_depend, (void **depend), (depend),
	measure_gomp_wait_begin(address, "!$omp taskwait depend", OTF2_REGION_ROLE_TASK_WAIT))
MEASURE_GOMP_WAITS(GOMP_taskyield, (void), (),
	measure_gomp_wait_begin(address, "!$omp taskyield", OTF2_REGION_ROLE_TASK_WAIT))

void GOMP_taskgroup_start(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_location *location;
	measure_region_t region;

	measure_gomp_resolve();
	if (thread) {
		region = measure_gomp_region(thread, __builtin_return_address(0), "!$omp taskgroup",
			OTF2_REGION_ROLE_CODE);
		location = measure_record_begin();
		if (location) {
			measure_gomp_enter(thread, location, MEASURE_GOMP_GROUP, region);
			measure_record_end(location);
		}
	}
	measure_gomp_real.GOMP_taskgroup_start();
}

void GOMP_taskgroup_end(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	uint32_t index = thread ? measure_gomp_find(thread, MEASURE_GOMP_GROUP) : UINT32_MAX;
	struct measure_location *location;
	measure_region_t region;

	measure_gomp_resolve();
	region = measure_gomp_wait_begin(
		__builtin_return_address(0), "!$omp taskgroup wait", OTF2_REGION_ROLE_CODE);
	measure_gomp_real.GOMP_taskgroup_end();
	location = region != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
	if (!location)
		return;
	measure_write_leave(location, region);
	if (index != UINT32_MAX)
		measure_gomp_leave(thread, location, index);
	measure_record_end(location);
}
