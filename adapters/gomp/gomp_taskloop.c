/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Taskloops. How many tasks one makes is libgomp's affair: it copies the argument once for each,
 * by a function of ours, which is where the task is made. Where it runs them at once, without
 * copies, they are made when they run. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gomp_construct.h"
#include "gomp_task.h"

/* One task of a taskloop comes to be. */
static void part_copy(void *to, void *from)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_location *location = thread ? measure_record_begin() : NULL;
	struct measure_gomp_task *task = to;

	memcpy(task, from, sizeof(*task));
	if (location) {
		measure_write_enter(location, task->create);
		measure_gomp_task_create(thread, location, task);
		measure_write_leave(location, task->create);
		measure_record_end(location);
	}
	measure_gomp_task_copy(task, from);
}

#define ROOM 256
struct room {
	_Alignas(16) struct measure_gomp_task task;
	char argument[ROOM];
};

/* Puts a copy of the argument behind a copy of the struct. NULL: no memory. */
static struct measure_gomp_task *taskloop_place(
	struct room *room, const struct measure_gomp_task *task, long align)
{
	int saved_errno = errno;
	size_t need = (size_t)task->offset + task->size;
	struct measure_gomp_task *placed = &room->task;
	void *memory = NULL;

	if (need > sizeof(*room) || align > (long)_Alignof(struct room)) {
		if (posix_memalign(&memory, align > 16 ? (size_t)align : 16, need) != 0)
			memory = NULL;
		placed = memory;
	}
	errno = saved_errno;
	if (!placed)
		return NULL;
	*placed = *task;
	if (task->size)
		memcpy(measure_gomp_task_argument(placed), task->data, task->size);
	return placed;
}

/* As far as one can tell from here. */
static bool is_deferred(unsigned flags)
{
	return flags & MEASURE_GOMP_FLAG_IF && measure_gomp_real.omp_get_level() > 0 &&
	       !measure_gomp_real.omp_in_final();
}

/* What libgomp is given in place of the program's task. */
struct taskloop_call {
	struct room room;
	struct measure_gomp_task *task;
	measure_gomp_copy_fn copy;
	measure_region_t region;
	long size, align;
};

/* False: nothing is recorded. */
static bool call_prepare(struct taskloop_call *call, struct measure_gomp_task *task, long align,
	const struct measure_gomp_clauses *clauses, const void *address)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();

	if (!thread)
		return false;
	measure_gomp_task_init(thread, task, address, clauses);
	if (clauses->flags & MEASURE_GOMP_FLAG_REDUCTION)
		memcpy((char *)task->words + 2 * task->bounds_size,
			(char *)task->data + 2 * task->bounds_size, sizeof(void *));
	call->align = align > (long)_Alignof(struct measure_gomp_task)
			      ? align
			      : (long)_Alignof(struct measure_gomp_task);
	call->size = (long)(task->offset + task->size);
	call->task = task;
	if (task->copy || is_deferred(clauses->flags)) {
		task->is_droppable = !task->copy && measure_gomp_is_cancellable();
		call->copy = part_copy;
	} else {
		call->task = taskloop_place(&call->room, task, align);
		call->copy = NULL;
	}
	if (!call->task)
		return false;
	call->region =
		measure_gomp_wait_begin(address, "!$omp taskloop", OTF2_REGION_ROLE_TASK_CREATE);
	return true;
}

static void call_end(struct taskloop_call *call, const struct measure_gomp_task *task)
{
	measure_gomp_wait_end(call->region);
	if (call->task != task && call->task != &call->room.task)
		free(call->task);
}

#define TASKLOOP(name, type)                                                                       \
	void name(measure_gomp_fn function, void *data, measure_gomp_copy_fn copy, long size,      \
		long align, unsigned flags, unsigned long nr_tasks, int priority, type start,      \
		type end, type step)                                                               \
	{                                                                                          \
		struct measure_gomp_task task = {.function = function,                             \
			.copy = copy,                                                              \
			.data = data,                                                              \
			.size = (uint32_t)size,                                                    \
			.offset = measure_gomp_task_offset(align),                                 \
			.bounds_size = sizeof(type)};                                              \
		const struct measure_gomp_clauses clauses = {                                      \
			.is_deferred = flags & MEASURE_GOMP_FLAG_IF,                               \
			.flags = flags,                                                            \
			.priority = priority};                                                     \
		struct taskloop_call call;                                                         \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		if (!call_prepare(&call, &task, align, &clauses, __builtin_return_address(0))) {   \
			measure_gomp_real.name(function, data, copy, size, align, flags, nr_tasks, \
				priority, start, end, step);                                       \
			return;                                                                    \
		}                                                                                  \
		measure_gomp_real.name(measure_gomp_task_run, call.task, call.copy, call.size,     \
			call.align, flags, nr_tasks, priority, start, end, step);                  \
		call_end(&call, &task);                                                            \
	}
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
