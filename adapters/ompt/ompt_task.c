/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explicit tasks. A task is known by the team, the thread that made it, and a number that this
 * thread counts. The word that OMPT keeps for us with every task holds all that is needed, so
 * that a task costs no memory; one that does not fit, or is detached, has a block of its own.
 *
 * A tied task that waits stays open below those that run meanwhile on its thread, and goes on
 * when they are over. An untied one leaves the thread: its region is left, and entered again
 * wherever it goes on; a taskgroup that it is in is left for good, as there it would lie around
 * a function that it is inside of. So regions nest on every location. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "ompt_construct.h"
#include "ompt_library.h"
#include "mutex.h"
#include "../common/task_facts.h"
#include "pages.h"
#include "ompt_team.h"

#define TASKLOOP      7 /* ompt_work_t */
#define SYNC_TASKWAIT 5 /* ompt_sync_region_t */

/* Statuses and flags that 5.0 does not have. */
enum {
	STATUS_COMPLETE = 1,
	STATUS_CANCEL = 3,
	STATUS_DETACH = 4,
	STATUS_EARLY_FULFILL = 5,
	STATUS_LATE_FULFILL = 6,
	STATUS_TASKWAIT_COMPLETE = 8,
	FLAG_TASKWAIT = 0x10
};

/* Bits of a task's word: 0 is set; region, creator and generation follow. Words without bit 0 are
 * MEASURE_OMPT_IMPLICIT*, or the address of a block. */
#define REGION_BITS     19
#define CREATOR_BITS    14
#define GENERATION_BITS 30
_Static_assert(1 + REGION_BITS + CREATOR_BITS + GENERATION_BITS == 64, "they fill the word");

struct ompt_task {
	uint32_t generation; /* 0: an implicit task */
	uint32_t creator;    /* rank in the team */
	measure_region_t region;
};

struct block {
	struct ompt_task task;
	measure_comm_t comm; /* of a detached task, which may be completed by anybody */
	struct block *next_free;
};

/* ---------------------------------------------------------------------- task words --- */

static struct block *block_of(uint64_t word)
{
	return word & 1 || word <= MEASURE_OMPT_IMPLICIT_ALONE ? NULL
							       : (struct block *)(uintptr_t)word;
}

static struct ompt_task task_from_data(uint64_t word)
{
	const struct block *block = block_of(word);

	if (block)
		return block->task;
	if (!(word & 1))
		return (struct ompt_task){.region = MEASURE_UNDEFINED};
	return (struct ompt_task){
		.region = (uint32_t)(word >> 1) & ((1u << REGION_BITS) - 1),
		.creator = (uint32_t)(word >> (1 + REGION_BITS)) & ((1u << CREATOR_BITS) - 1),
		.generation = (uint32_t)(word >> (1 + REGION_BITS + CREATOR_BITS)),
	};
}

static bool is_same(const struct ompt_task *a, const struct ompt_task *b)
{
	return a->generation == b->generation && a->creator == b->creator;
}

/* Blocks are used again and never freed: measure_ompt_task_dependence() may look at one whose task
 * has just come to its end. What is in them is written and read outside of the lock by whoever has
 * the task, and under it by that function. */
static struct measure_mutex mutex;
static struct block *free_blocks;
#define NR_BLOCKS 128 /* that many at once, from the system */

static void more_blocks(void)
{
	int saved_errno = errno;
	struct block *blocks = measure_pages_get(NR_BLOCKS * sizeof(*blocks));

	for (uint32_t i = 0; blocks && i < NR_BLOCKS; i++) {
		blocks[i].next_free = free_blocks;
		free_blocks = &blocks[i];
	}
	errno = saved_errno;
}

/* In a transaction. NULL: no memory. */
static struct block *block_new(const struct ompt_task *task, measure_comm_t comm)
{
	struct block *block;

	measure_mutex_lock(&mutex);
	if (!free_blocks)
		more_blocks();
	block = free_blocks;
	if (block)
		free_blocks = block->next_free;
	measure_mutex_unlock(&mutex);
	if (block)
		*block = (struct block){*task, comm, NULL};
	return block;
}

static void block_free(struct block *block)
{
	if (!block)
		return;
	measure_mutex_lock(&mutex);
	block->next_free = free_blocks;
	free_blocks = block;
	measure_mutex_unlock(&mutex);
}

/* Without memory for one that does not fit, a task looks like an implicit one. */
static uint64_t task_word(const struct ompt_task *task)
{
	if (task->region >> REGION_BITS || task->creator >> CREATOR_BITS ||
		task->generation >> GENERATION_BITS)
		return (uintptr_t)block_new(task, MEASURE_UNDEFINED);
	return 1 | (uint64_t)task->region << 1 | (uint64_t)task->creator << (1 + REGION_BITS) |
	       (uint64_t)task->generation << (1 + REGION_BITS + CREATOR_BITS);
}

/* ------------------------------------------------------------------------ creation --- */

/* LLVM gives a place in itself for the tasks of a taskloop, which has a taskgroup around it. */
static const void *task_place(const struct measure_ompt_thread *thread, const void *codeptr)
{
	if (measure_ompt_is_runtime(codeptr) &&
		measure_ompt_find(thread, MEASURE_OMPT_WORK, TASKLOOP) != UINT32_MAX)
		return thread->taskgroup;
	return codeptr;
}

/* A taskwait with dependences is told as a task that never runs. */
static void taskwait_begin(struct measure_ompt_thread *thread, const void *codeptr)
{
	measure_region_t region = measure_ompt_region(
		thread, codeptr, "!$omp taskwait depend", OTF2_REGION_ROLE_TASK_WAIT);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_ompt_enter(thread, location, MEASURE_OMPT_SYNC, SYNC_TASKWAIT, region);
	measure_record_end(location);
}

static void taskwait_end(struct measure_ompt_thread *thread)
{
	uint32_t index = measure_ompt_find(thread, MEASURE_OMPT_SYNC, SYNC_TASKWAIT);
	struct measure_location *location;

	if (index == UINT32_MAX)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_ompt_leave(thread, location, index);
	measure_record_end(location);
}

static uint64_t flags_of(int flags)
{
	return (flags & ompt_task_undeferred ? MEASURE_TASK_UNDEFERRED : 0u) |
	       (flags & ompt_task_final ? MEASURE_TASK_FINAL : 0u) |
	       (flags & ompt_task_mergeable ? MEASURE_TASK_MERGEABLE : 0u);
}

/* The word of the new task. */
static uint64_t task_new(struct measure_ompt_thread *thread, const struct ompt_task *parent,
	int flags, const void *codeptr)
{
	struct measure_ompt_member member = measure_ompt_membership(thread);
	struct ompt_task task = {.creator = member.number};
	measure_region_t create;
	struct measure_location *location;

	create = measure_ompt_region(
		thread, codeptr, "!$omp task create", OTF2_REGION_ROLE_TASK_CREATE);
	task.region = measure_ompt_region(thread, codeptr, "!$omp task",
		flags & ompt_task_untied ? OTF2_REGION_ROLE_TASK_UNTIED : OTF2_REGION_ROLE_TASK);
	location = measure_record_begin();
	if (!location)
		return MEASURE_OMPT_IMPLICIT;
	task.generation = ++thread->generation;
	measure_write_enter(location, create);
	measure_write_thread_task_create(location, member.comm, task.creator, task.generation);
	if (parent->generation)
		measure_task_fact_write(location, MEASURE_TASK_PARENT,
			measure_task_value(parent->creator, parent->generation));
	if (flags_of(flags))
		measure_task_fact_write(location, MEASURE_TASK_FLAGS, flags_of(flags));
	measure_write_leave(location, create);
	measure_record_end(location);
	return task_word(&task);
}

void measure_ompt_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task,
	int flags, int has_dependences, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	const struct ompt_task parent =
		task_from_data(creator ? creator->value : MEASURE_OMPT_IMPLICIT);

	(void)frame;
	(void)has_dependences;
	task->value = MEASURE_OMPT_IMPLICIT;
	if (!thread || measure_location_index() == MEASURE_UNDEFINED ||
		flags & (ompt_task_initial | ompt_task_implicit))
		return;
	if (flags & FLAG_TASKWAIT)
		taskwait_begin(thread, codeptr);
	else
		task->value = task_new(thread, &parent, flags, task_place(thread, codeptr));
}

/* --------------------------------------------------------------------- dependences --- */

/* By ompt_dependence_type_t; those that say -1 are of the ordered construct. */
static const int accesses[] = {
	-1,
	MEASURE_TASK_ACCESS_IN,
	MEASURE_TASK_ACCESS_OUT,
	MEASURE_TASK_ACCESS_INOUT,
	MEASURE_TASK_ACCESS_MUTEXINOUTSET,
	-1,
	-1,
	MEASURE_TASK_ACCESS_INOUTSET,
};

/* Told right after the task was made; of taskwait and of ordered constructs too, where there is
 * no task to tell it of. */
void measure_ompt_dependences(
	ompt_data_t *task, const ompt_dependence_t *dependences, int nr_dependences)
{
	struct measure_location *location;

	if (!task_from_data(task->value).generation)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	for (int i = 0; i < nr_dependences; i++) {
		size_t type = (size_t)dependences[i].dependence_type;
		if (type < sizeof(accesses) / sizeof(accesses[0]) && accesses[type] >= 0)
			measure_task_fact_write(location, (enum measure_task_fact)accesses[type],
				(uintptr_t)dependences[i].variable.ptr);
	}
	measure_record_end(location);
}

/* The word of a task that another one may look at meanwhile. */
static void word_set(ompt_data_t *data, uint64_t word)
{
	/* release: what is in its block; pairs with the load in task_source() */
	__atomic_store_n(&data->value, word, __ATOMIC_RELEASE);
}

/* A task that others may run, detach and complete at this moment. A block is given back after the
 * word has changed, under the lock: while the word still names it, it is this task's. */
static struct ompt_task task_source(const ompt_data_t *source)
{
	struct ompt_task task = {.region = MEASURE_UNDEFINED};
	uint64_t word = __atomic_load_n(&source->value, __ATOMIC_ACQUIRE);

	if (!block_of(word))
		return task_from_data(word);
	measure_mutex_lock(&mutex);
	if (__atomic_load_n(&source->value, __ATOMIC_RELAXED) == word)
		task = task_from_data(word);
	measure_mutex_unlock(&mutex);
	return task;
}

/* Where `source` has come to its end there is nothing to wait for. */
void measure_ompt_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	const struct ompt_task before = task_source(source);
	struct measure_location *location;

	if (!before.generation || !task_from_data(sink->value).generation)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_task_fact_write(location, MEASURE_TASK_DEPENDENCE,
		measure_task_value(before.creator, before.generation));
	measure_record_end(location);
}

/* ---------------------------------------------------------------------- scheduling --- */

/* Index of the running explicit task in the stack; UINT32_MAX: an implicit one runs. */
static uint32_t running_index(const struct measure_ompt_thread *thread)
{
	uint32_t base = measure_ompt_base(thread);

	return base > 0 && thread->open[base - 1].what == MEASURE_OMPT_TASK ? base - 1 : UINT32_MAX;
}

static struct ompt_task running(const struct measure_ompt_thread *thread)
{
	uint32_t index = running_index(thread);

	return task_from_data(
		index == UINT32_MAX ? MEASURE_OMPT_IMPLICIT : thread->open[index].task);
}

/* The one that goes on when the running explicit task is over. */
static struct ompt_task task_below(struct measure_ompt_thread *thread)
{
	uint32_t nr_open = thread->nr_open;
	struct ompt_task task;

	thread->nr_open = running_index(thread);
	task = running(thread);
	thread->nr_open = nr_open;
	return task;
}

/* -------------------------------------------------------------------- suspension --- */

static void departure_record(void *data)
{
	const struct measure_ompt_departure *departure = data;
	struct measure_location *location = measure_record_begin_at(departure->time);

	if (!location)
		return;
	measure_write_leave(location, departure->region);
	measure_write_thread_task_switch(
		location, departure->comm, departure->creator, departure->generation);
	measure_record_end(location);
}

/* The running untied task is suspended and leaves this thread to the one below. LLVM says so a
 * few instructions before the task's function returns, which is to be left first. */
static void suspend(struct measure_ompt_thread *thread, const struct ompt_task *next)
{
	struct measure_ompt_departure *departure = &thread->departure;
	struct measure_ompt_member member = measure_ompt_membership(thread);
	struct measure_location *location = measure_record_begin();
	uint32_t index = running_index(thread);

	if (!location)
		return;
	measure_ompt_leave(thread, location, index + 1);
	departure->region = thread->open[index].region;
	departure->comm = member.comm;
	departure->creator = next->generation ? next->creator : member.number;
	departure->generation = next->generation;
	departure->time = measure_record_time(location);
	measure_record_end(location);
	thread->nr_open = index;
	measure_record_later(departure_record, departure);
}

/* ---------------------------------------------------------------------- switches --- */

static void write_switch(struct measure_ompt_thread *thread, struct measure_location *location,
	const struct ompt_task *task)
{
	struct measure_ompt_member member = measure_ompt_membership(thread);

	measure_write_thread_task_switch(location, member.comm,
		task->generation ? task->creator : member.number, task->generation);
}

/* The running explicit task has come to its end, though it may not count as complete. */
static void task_leave(struct measure_ompt_thread *thread, struct measure_location *location,
	ompt_data_t *data, int status)
{
	const struct ompt_task task = task_from_data(data->value);
	struct block *block = NULL;

	if (status == STATUS_DETACH)
		block = block_new(&task, measure_ompt_membership(thread).comm);
	if (block) {
		struct block *former = block_of(data->value);
		word_set(data, (uintptr_t)block);
		block_free(former);
	}
	measure_ompt_leave(thread, location, running_index(thread));
}

static void task_enter(struct measure_ompt_thread *thread, struct measure_location *location,
	const ompt_data_t *data)
{
	const struct ompt_task task = task_from_data(data->value);
	const struct measure_ompt_open open = {
		.what = MEASURE_OMPT_TASK, .region = task.region, .task = data->value};

	measure_ompt_push(thread, &open);
	measure_write_enter(location, task.region);
}

static void task_complete(
	struct measure_ompt_thread *thread, struct measure_location *location, ompt_data_t *data)
{
	struct block *block = block_of(data->value);
	const struct ompt_task task = task_from_data(data->value);
	measure_comm_t comm = block ? block->comm : MEASURE_UNDEFINED;

	if (comm == MEASURE_UNDEFINED)
		comm = measure_ompt_membership(thread).comm;
	measure_write_thread_task_complete(location, comm, task.creator, task.generation);
	word_set(data, MEASURE_OMPT_IMPLICIT);
	block_free(block);
}

static void schedule(struct measure_ompt_thread *thread, struct measure_location *location,
	ompt_data_t *prior, int status, ompt_data_t *next)
{
	const struct ompt_task from = task_from_data(prior->value);
	const struct ompt_task to = task_from_data(next ? next->value : MEASURE_OMPT_IMPLICIT);
	bool is_over = status == STATUS_COMPLETE || status == STATUS_CANCEL;
	struct ompt_task now = running(thread), then;

	if (now.generation && is_same(&from, &now) && (is_over || status == STATUS_DETACH))
		task_leave(thread, location, prior, status);
	if (from.generation && (is_over || status == STATUS_LATE_FULFILL))
		task_complete(thread, location, prior);
	then = running(thread);
	if (status == STATUS_LATE_FULFILL || is_same(&to, &now))
		return;
	write_switch(thread, location, &to);
	if (to.generation && !is_same(&to, &then))
		task_enter(thread, location, next);
}

/* The running task leaves the thread to the one below it, and will go on elsewhere. */
static bool is_suspended(struct measure_ompt_thread *thread, const ompt_data_t *prior, int status,
	const ompt_data_t *next)
{
	struct ompt_task from, to, now;

	if (!next || status == STATUS_COMPLETE || status == STATUS_CANCEL ||
		status == STATUS_DETACH || status == STATUS_LATE_FULFILL)
		return false;
	from = task_from_data(prior->value);
	to = task_from_data(next->value);
	now = running(thread);
	if (!now.generation || !is_same(&from, &now))
		return false;
	now = task_below(thread);
	return is_same(&to, &now);
}

/* LLVM's library tells the end of an untied task when the last of its parts has come to an end.
 * That may be one that another thread had before, and was late to return from: then nobody is told
 * that the last part of the code is over here, and the next that is heard is of the task below. */
void measure_ompt_task_goes_on(struct measure_ompt_thread *thread, const ompt_data_t *data)
{
	const struct ompt_task is = task_from_data(data->value), was = running(thread);
	struct measure_location *location;
	struct ompt_task then;

	if (thread->nr_unrecorded > 0 || data->value == MEASURE_OMPT_IMPLICIT_ALONE ||
		!was.generation || is_same(&is, &was))
		return;
	then = task_below(thread);
	if (!is_same(&is, &then))
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_ompt_leave(thread, location, running_index(thread));
	write_switch(thread, location, &is);
	measure_record_end(location);
}

void measure_ompt_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_location *location;

	if (!thread || !prior || (int)status == STATUS_EARLY_FULFILL)
		return;
	if ((int)status == STATUS_TASKWAIT_COMPLETE) {
		taskwait_end(thread);
		return;
	}
	if ((int)status != STATUS_LATE_FULFILL)
		measure_ompt_task_goes_on(thread, prior);
	if (is_suspended(thread, prior, (int)status, next)) {
		const struct ompt_task to = task_from_data(next->value);
		suspend(thread, &to);
		return;
	}
	location = measure_record_begin();
	if (!location)
		return;
	schedule(thread, location, prior, (int)status, next);
	measure_record_end(location);
}
