/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests/races: stands between the adapter and libgomp, and tells ThreadSanitizer what libgomp
 * guarantees to happen before what. The sanitizer cannot see it: libgomp waits by system calls, and
 * is not built for it. Told is what the adapter may rely on, and nothing else:
 *
 *	fork -> begin of each member; end of each member -> return to the master
 *	each thread's coming to a barrier -> each one's going on; copyprivate is one, too
 *	a task's creation -> its begin
 *	a task's end -> the taskwait of its parent, the end of the taskgroups around it, the
 *		barrier in which it ran
 *	a lock's release -> its next acquisition; the same of critical, atomic and ordered
 *
 * Not told, so that nothing may rely on it: who was first in a single construct, the next chunk of
 * a loop, dependences of tasks and of loop iterations, cancellations, the fulfilment of events.
 *
 * It is not instrumented itself and takes no lock that the sanitizer knows: what it does in between
 * orders nothing. Sync objects are known by their addresses; those in freed memory are forgotten.
*/
#include "config.h"

#include <sanitizer/tsan_interface.h>
#include <stdlib.h>
#include <string.h>

#include "../../../adapters/gomp/gomp_real.h"

#define FLAG_NOGROUP (1u << 11) /* of GOMP_taskloop */

/* One instance of a parallel region, for as long as the master is in it. */
struct team {
	void *reductions; /* first word: libgomp looks for them there */
	measure_gomp_fn function;
	void *data;
	char begin, end, ordered;
	/* taken in turns: the next one may begin while somebody has not gone on from this one */
	char barriers[2];
};

struct group {
	unsigned nr_users;
	char end;
	struct group *outer;
};

/* A thread's share in a team, or an explicit task. */
struct task {
	unsigned nr_users; /* itself while it runs, and its children */
	struct team *team;
	struct task *below;  /* goes on in this thread when this one is over */
	struct task *share;  /* of the thread that runs it */
	struct group *group; /* that tasks made here belong to */
	char begin, children;

	/* of an explicit task */
	struct task *parent;
	struct group *member_of;
	measure_gomp_fn function;
	void *argument;
	struct task *next;

	/* of a share */
	bool is_started; /* by GOMP_parallel_start */
	unsigned nr_barriers;
	char *waits_in; /* the sync object of the barrier that it is in */
};

static __thread struct task *self;

static void group_drop(struct group *group)
{
	if (group && __atomic_sub_fetch(&group->nr_users, 1, __ATOMIC_ACQ_REL) == 0)
		free(group);
}

static void task_drop(struct task *task)
{
	if (task && __atomic_sub_fetch(&task->nr_users, 1, __ATOMIC_ACQ_REL) == 0)
		free(task);
}

static struct task *task_new(void)
{
	struct task *task = calloc(1, sizeof(*task));

	if (!task)
		abort();
	task->nr_users = 1;
	return task;
}

/* -------------------------------------------------------------------- parallel regions --- */

static struct team *team_fork(measure_gomp_fn function, void *data)
{
	struct team *team = calloc(1, sizeof(*team));

	measure_gomp_resolve();
	if (!team)
		abort();
	team->function = function;
	team->data = data;
	__tsan_release(&team->begin);
	return team;
}

/* A thread that is not the master may have stayed in its last team until now: libgomp does not
 * tell it of the end. */
static void share_begin(struct team *team)
{
	struct task *share = task_new();

	if (measure_gomp_real.omp_get_thread_num() == 0) {
		share->below = self;
	} else if (self) {
		task_drop(self);
	}
	share->team = team;
	share->share = share;
	self = share;
	__tsan_acquire(&team->begin);
}

static void share_end(struct team *team)
{
	__tsan_release(&team->end);
	self->waits_in = &team->end;
}

static void team_join(struct team *team)
{
	struct task *share = self;

	__tsan_acquire(&team->end);
	self = share->below;
	task_drop(share);
	free(team);
}

static void share_run(void *data)
{
	struct team *team = data;

	share_begin(team);
	team->function(team->data);
	share_end(team);
}

#define PARALLEL(name, version, work, role, parameters, arguments)                                 \
	void name parameters                                                                       \
	{                                                                                          \
		struct team *team = team_fork(function, data);                                     \
                                                                                                   \
		function = share_run;                                                              \
		data = team;                                                                       \
		measure_gomp_real.name arguments;                                                  \
		team_join(team);                                                                   \
	}
#define PARALLEL_START(name, version, work, role, parameters, arguments)                           \
	void name parameters                                                                       \
	{                                                                                          \
		struct team *team = team_fork(function, data);                                     \
                                                                                                   \
		function = share_run;                                                              \
		data = team;                                                                       \
		measure_gomp_real.name arguments;                                                  \
		share_begin(team);                                                                 \
		self->is_started = true;                                                           \
	}
#include "../../../adapters/gomp/gomp_calls.def"

unsigned GOMP_parallel_reductions(
	measure_gomp_fn function, void *data, unsigned nr_threads, unsigned flags)
{
	struct team *team = team_fork(function, data);
	unsigned size;

	team->reductions = *(void **)data;
	size = measure_gomp_real.GOMP_parallel_reductions(share_run, team, nr_threads, flags);
	team_join(team);
	return size;
}

void GOMP_parallel_end(void)
{
	struct team *team = self && self->is_started ? self->team : NULL;

	if (team)
		share_end(team);
	measure_gomp_real.GOMP_parallel_end();
	if (team)
		team_join(team);
}

/* ---------------------------------------------------------------------------- barriers --- */

static void barrier_come(void)
{
	if (!self || self != self->share)
		return;
	self->waits_in = &self->team->barriers[self->nr_barriers & 1];
	__tsan_release(self->waits_in);
}

/* One that was cancelled has not brought the threads together. */
static void barrier_go(bool is_cancelled)
{
	if (!self || self != self->share)
		return;
	if (!is_cancelled)
		__tsan_acquire(self->waits_in);
	self->waits_in = NULL;
	self->nr_barriers++;
}

#define BARRIER(name)                                                                              \
	void name(void)                                                                            \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		barrier_come();                                                                    \
		measure_gomp_real.name();                                                          \
		barrier_go(false);                                                                 \
	}
#define BARRIER_CANCEL(name)                                                                       \
	bool name(void)                                                                            \
	{                                                                                          \
		bool is_cancelled;                                                                 \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		barrier_come();                                                                    \
		is_cancelled = measure_gomp_real.name();                                           \
		barrier_go(is_cancelled);                                                          \
		return is_cancelled;                                                               \
	}
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
BARRIER_CANCEL(GOMP_barrier_cancel)
BARRIER_CANCEL(GOMP_loop_end_cancel)
BARRIER_CANCEL(GOMP_sections_end_cancel)

void GOMP_workshare_task_reduction_unregister(bool is_cancelled)
{
	measure_gomp_resolve();
	if (!is_cancelled)
		barrier_come();
	measure_gomp_real.GOMP_workshare_task_reduction_unregister(is_cancelled);
	if (!is_cancelled)
		barrier_go(false);
}

/* The executing thread comes to the barrier in the second call, the others in the first. */
void *GOMP_single_copy_start(void)
{
	void *data;

	measure_gomp_resolve();
	barrier_come();
	data = measure_gomp_real.GOMP_single_copy_start();
	if (data)
		barrier_go(false);
	return data;
}

void GOMP_single_copy_end(void *data)
{
	measure_gomp_resolve();
	barrier_come();
	measure_gomp_real.GOMP_single_copy_end(data);
	barrier_go(false);
}

/* ------------------------------------------------------------------------------- tasks --- */

/* Tasks that wait to run, by the addresses of their arguments: libgomp has no other word for a task
 * that both its maker and who runs it are told. */
#define BITS 12
static struct {
	bool is_locked;
	struct task *first;
} buckets[1 << BITS];

static unsigned bucket_lock(const void *argument)
{
	unsigned i = (unsigned)((uintptr_t)argument * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));

	while (__atomic_test_and_set(&buckets[i].is_locked, __ATOMIC_ACQUIRE))
		;
	return i;
}

static void bucket_unlock(unsigned i)
{
	__atomic_clear(&buckets[i].is_locked, __ATOMIC_RELEASE);
}

static void task_keep(struct task *task)
{
	unsigned i = bucket_lock(task->argument);

	task->next = buckets[i].first;
	buckets[i].first = task;
	bucket_unlock(i);
}

static struct task *task_take(const void *argument)
{
	unsigned i = bucket_lock(argument);
	struct task **link = &buckets[i].first, *task;

	while ((*link)->argument != argument)
		link = &(*link)->next;
	task = *link;
	*link = task->next;
	bucket_unlock(i);
	return task;
}

/* The call that makes tasks in this thread. */
struct making {
	measure_gomp_fn function;
	measure_gomp_copy_fn copy;
	size_t size;
};
static __thread struct making making;

/* Called by libgomp in the thread that makes a task, wherever it will run. */
static void task_copy(void *to, void *from)
{
	struct task *task = task_new();

	if (making.copy)
		making.copy(to, from);
	else
		memcpy(to, from, making.size);
	task->function = making.function;
	task->argument = to;
	task->parent = self;
	task->group = task->member_of = self ? self->group : NULL;
	if (self) {
		task->team = self->team;
		__atomic_add_fetch(&self->nr_users, 1, __ATOMIC_RELAXED);
	}
	if (task->group)
		__atomic_add_fetch(&task->group->nr_users, 1, __ATOMIC_RELAXED);
	__tsan_release(&task->begin);
	task_keep(task);
}

static void task_over(struct task *task)
{
	if (task->parent)
		__tsan_release(&task->parent->children);
	if (task->member_of)
		__tsan_release(&task->member_of->end);
	if (task->share && task->share->waits_in)
		__tsan_release(task->share->waits_in);
	task_drop(task->parent);
	group_drop(task->member_of);
	task_drop(task);
}

static void task_run(void *argument)
{
	struct task *task = task_take(argument);

	__tsan_acquire(&task->begin);
	task->below = self;
	task->share = self ? self->share : NULL;
	self = task;
	task->function(argument);
	self = task->below;
	task_over(task);
}

void GOMP_task(measure_gomp_fn function, void *data, measure_gomp_copy_fn copy, long size,
	long align, bool is_deferred, unsigned flags, void **depend, int priority, void *detach)
{
	const struct making outer = making;

	measure_gomp_resolve();
	making = (struct making){function, copy, (size_t)size};
	measure_gomp_real.GOMP_task(task_run, data, task_copy, size, align, is_deferred, flags,
		depend, priority, detach);
	making = outer;
}

static struct group *group_begin(void)
{
	struct group *group = self ? calloc(1, sizeof(*group)) : NULL;

	if (!group)
		return NULL;
	group->nr_users = 1;
	group->outer = self->group;
	self->group = group;
	return group;
}

static void group_end(struct group *group)
{
	if (!group)
		return;
	__tsan_acquire(&group->end);
	self->group = group->outer;
	group_drop(group);
}

#define TASKLOOP(name, type)                                                                       \
	void name(measure_gomp_fn function, void *data, measure_gomp_copy_fn copy, long size,      \
		long align, unsigned flags, unsigned long nr_tasks, int priority, type start,      \
		type end, type step)                                                               \
	{                                                                                          \
		const struct making outer = making;                                                \
		struct group *group = flags & FLAG_NOGROUP ? NULL : group_begin();                 \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		making = (struct making){function, copy, (size_t)size};                            \
		measure_gomp_real.name(task_run, data, task_copy, size, align, flags, nr_tasks,    \
			priority, start, end, step);                                               \
		making = outer;                                                                    \
		group_end(group);                                                                  \
	}
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

void GOMP_taskwait(void)
{
	measure_gomp_resolve();
	measure_gomp_real.GOMP_taskwait();
	if (self)
		__tsan_acquire(&self->children);
}

/* Nothing is told, but the task's memory may be given back here, on behalf of libgomp: the
 * sanitizer is to see that it is not the adapter. */
#define FULFILL(name, type)                                                                        \
	void name(type event)                                                                      \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		measure_gomp_real.name(event);                                                     \
		__asm__ volatile("" ::: "memory"); /* the call is not a jump */                    \
	}
FULFILL(omp_fulfill_event, uintptr_t)
FULFILL(omp_fulfill_event_, intptr_t)

void GOMP_taskgroup_start(void)
{
	measure_gomp_resolve();
	group_begin();
	measure_gomp_real.GOMP_taskgroup_start();
}

void GOMP_taskgroup_end(void)
{
	measure_gomp_real.GOMP_taskgroup_end();
	group_end(self ? self->group : NULL);
}

/* ------------------------------------------------------------------------------- locks --- */

static char critical, atomic, alone;

static char *ordered_key(void)
{
	return self && self->team ? &self->team->ordered : &alone;
}

#define CONSTRUCT(start, end, parameters, arguments, key)                                          \
	void start parameters                                                                      \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		measure_gomp_real.start arguments;                                                 \
		__tsan_acquire(key);                                                               \
	}                                                                                          \
	void end parameters                                                                        \
	{                                                                                          \
		__tsan_release(key);                                                               \
		measure_gomp_real.end arguments;                                                   \
	}
CONSTRUCT(GOMP_critical_start, GOMP_critical_end, (void), (), &critical)
CONSTRUCT(GOMP_critical_name_start, GOMP_critical_name_end, (void **name), (name), name)
CONSTRUCT(GOMP_atomic_start, GOMP_atomic_end, (void), (), &atomic)
CONSTRUCT(GOMP_ordered_start, GOMP_ordered_end, (void), (), ordered_key())

#define LOCK(suffix, real_suffix)                                                                  \
	void omp_set_##suffix(void *lock)                                                          \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		measure_gomp_real.omp_set_##real_suffix(lock);                                     \
		__tsan_acquire(lock);                                                              \
	}                                                                                          \
	void omp_unset_##suffix(void *lock)                                                        \
	{                                                                                          \
		measure_gomp_resolve();                                                            \
		__tsan_release(lock);                                                              \
		measure_gomp_real.omp_unset_##real_suffix(lock);                                   \
	}                                                                                          \
	int omp_test_##suffix(void *lock)                                                          \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		result = measure_gomp_real.omp_test_##real_suffix(lock);                           \
		if (result)                                                                        \
			__tsan_acquire(lock);                                                      \
		return result;                                                                     \
	}
LOCK(lock, lock)
LOCK(lock_, lock_)
LOCK(nest_lock, nest_lock)
LOCK(nest_lock_, nest_lock_)
