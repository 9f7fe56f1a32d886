/* SPDX-License-Identifier: BSD-3-Clause
 *
 * StarPU's tasks: numbers, and creation with all facts; see starpu_tasks.h. */
#include "config.h"

#include "starpu_tasks.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "starpu_handles.h"
#include "starpu_table.h"
#include "starpu_tags.h"

static struct measure_starpu_table tasks = {.item_size = sizeof(struct measure_starpu_task)};

static uint64_t task_key(const void *task)
{
	return (uint64_t)(uintptr_t)task;
}

struct measure_starpu_task *measure_starpu_task_find(const void *task)
{
	return measure_starpu_find(&tasks, task_key(task));
}

struct measure_starpu_task *measure_starpu_task_have(
	struct measure_starpu_thread *thread, const void *task)
{
	bool is_new;
	struct measure_starpu_task *found =
		measure_starpu_have_again(&tasks, task_key(task), &thread->recent, &is_new);

	if (found && is_new) {
		found->before = NULL;
		found->nr_before = 0;
		found->will_stop = false;
		atomic_store_explicit(
			&found->state, MEASURE_STARPU_TASK_NAMED, memory_order_relaxed);
		/* pairs with loads by threads that find it */
		atomic_store_explicit(
			&found->number, measure_starpu_number(thread), memory_order_release);
	}
	return found;
}

static void task_forget_before(
	struct measure_starpu_thread *thread, struct measure_starpu_task *task)
{
	while (task->before) {
		struct measure_starpu_block *block = task->before;

		task->before = block->next;
		measure_starpu_block_return(thread, block);
	}
	task->nr_before = 0;
}

void measure_starpu_task_drop(struct measure_starpu_thread *thread, const void *task)
{
	struct measure_starpu_task *found = measure_starpu_task_find(task);

	if (!found)
		return;
	task_forget_before(thread, found);
	measure_starpu_drop(&tasks, task_key(task));
}

/* The newest block is the first one. */
void measure_starpu_task_add(
	struct measure_starpu_thread *thread, struct measure_starpu_task *task, uint64_t before)
{
	const uint32_t place = task->nr_before % MEASURE_STARPU_BLOCK;

	if (place == 0) {
		struct measure_starpu_block *block = measure_starpu_block_get(thread);

		if (!block)
			return;
		block->next = task->before;
		task->before = block;
	}
	task->before->tasks[place] = before;
	task->nr_before++;
}

void measure_starpu_task_move(struct measure_starpu_thread *thread,
	struct measure_starpu_task *from, struct measure_starpu_task *to)
{
	uint32_t left = from->nr_before;

	for (const struct measure_starpu_block *block = from->before; block; block = block->next) {
		const uint32_t nr = (left - 1) % MEASURE_STARPU_BLOCK + 1;

		for (uint32_t i = 0; i < nr; i++)
			measure_starpu_task_add(thread, to, block->tasks[i]);
		left -= nr;
	}
	task_forget_before(thread, from);
}

/* ------------------------------------------------------------------------- its codelet --- */

static const void *codelet_function(const struct starpu_codelet *codelet)
{
	if (codelet->cpu_funcs[0])
		return (const void *)(uintptr_t)codelet->cpu_funcs[0];
	if (codelet->opencl_funcs[0])
		return (const void *)(uintptr_t)codelet->opencl_funcs[0];
	return (const void *)(uintptr_t)codelet->cuda_funcs[0];
}

/* By the codelet, so that tasks with names of their own have a common type; StarPU's own tasks have
 * a role that says so. */
static measure_region_t task_region(const struct starpu_task *task, bool is_internal)
{
	const struct starpu_codelet *codelet = task->cl;
	const uint8_t role = is_internal ? OTF2_REGION_ROLE_ARTIFICIAL : OTF2_REGION_ROLE_TASK;
	const char *name = codelet ? codelet->name : NULL;
	const void *function = codelet ? codelet_function(codelet) : NULL;

	if (!name && codelet && codelet->model && codelet->model->symbol)
		name = codelet->model->symbol;
	if (!name && !function)
		name = task->name ? task->name : "empty task";
	return name ? measure_starpu_region(name, NULL, role)
		    : measure_region_at(function, NULL, role, OTF2_PARADIGM_USER);
}

/* --------------------------------------------------------------------------- its facts --- */

static uint32_t task_attributes(const struct starpu_task *task, measure_region_t region,
	const struct measure_starpu_loop *loop, struct measure_typed_value *values)
{
	uint32_t nr = 0;

	values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_CODELET);
	values[nr++].id = region;
	if (loop->nr > 0) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_ITERATION);
		values[nr++].unsigned_int = loop->iterations[0];
	}
	if (task->use_tag) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_TAG);
		values[nr++].unsigned_int = task->tag_id;
	}
	if (task->flops > 0) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_FLOPS);
		values[nr++].floating_point = task->flops;
	}
	/* as StarPU does for tasks whose times it predicts */
	if (task->cl && task->cl->model && STARPU_TASK_GET_NBUFFERS(task) > 0) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_FOOTPRINT);
		/* it only reads the task */
		values[nr++].unsigned_int =
			REAL(starpu_task_data_footprint)((struct starpu_task *)(uintptr_t)task);
	}
	return nr;
}

/* False: it is no access that others have to wait for. */
static bool access_kind(enum starpu_data_access_mode mode, enum measure_task_fact *fact)
{
	if (mode & STARPU_REDUX)
		*fact = MEASURE_TASK_ACCESS_INOUTSET;
	else if (mode & STARPU_W && mode & STARPU_COMMUTE)
		*fact = MEASURE_TASK_ACCESS_MUTEXINOUTSET;
	else if ((mode & STARPU_RW) == STARPU_RW)
		*fact = MEASURE_TASK_ACCESS_INOUT;
	else if (mode & STARPU_W)
		*fact = MEASURE_TASK_ACCESS_OUT;
	else if (mode & STARPU_R)
		*fact = MEASURE_TASK_ACCESS_IN;
	else
		return false;
	return !(mode & STARPU_SCRATCH);
}

static uint32_t nr_accesses(const struct starpu_task *task)
{
	return task->cl && measure_starpu_records(MEASURE_STARPU_data)
		       ? STARPU_TASK_GET_NBUFFERS(task)
		       : 0;
}

#define NR_KNOWN 16
_Static_assert(NR_KNOWN >= STARPU_NMAXBUFS, "more handles are in an array of their own");

/* Outside of the transaction that needs their numbers; those of the first ones. */
static void know_handles(const struct starpu_task *task, uint64_t *numbers)
{
	const uint32_t nr = nr_accesses(task);

	for (uint32_t i = 0; i < nr; i++) {
		starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);
		const uint64_t number = handle ? measure_starpu_data_number(handle) : 0;

		if (i < NR_KNOWN)
			numbers[i] = number;
	}
}

static void write_accesses(
	struct measure_location *location, const struct starpu_task *task, const uint64_t *numbers)
{
	const uint32_t nr = nr_accesses(task);

	for (uint32_t i = 0; i < nr; i++) {
		const uint64_t number =
			i < NR_KNOWN ? numbers[i] : measure_starpu_data_known(task->dyn_handles[i]);
		enum measure_task_fact fact;

		if (number && access_kind(STARPU_TASK_GET_MODE(task, i), &fact))
			measure_task_fact_write(location, fact, number);
	}
}

static void write_before(struct measure_location *location, const struct measure_starpu_task *task)
{
	uint32_t left = task->nr_before;

	for (const struct measure_starpu_block *block = task->before; block; block = block->next) {
		const uint32_t nr = (left - 1) % MEASURE_STARPU_BLOCK + 1;

		for (uint32_t i = 0; i < nr; i++)
			measure_task_fact_write(location, MEASURE_TASK_DEPENDENCE, block->tasks[i]);
		left -= nr;
	}
}

static void write_create(struct measure_location *location, const struct measure_starpu_task *made,
	const struct starpu_task *task, const uint64_t *handles,
	const struct measure_starpu_thread *thread)
{
	const uint64_t number = atomic_load_explicit(&made->number, memory_order_relaxed);
	struct measure_typed_value values[MEASURE_NR_TASK_ATTRIBUTES];
	struct measure_starpu_loop loop;

	measure_starpu_loop_get(&loop);
	measure_write_attributes(
		location, values, task_attributes(task, made->region, &loop, values));
	measure_write_thread_task_create(
		location, measure_starpu_team, (uint32_t)(number >> 32), (uint32_t)number);
	if (thread->executed)
		measure_task_fact_write(location, MEASURE_TASK_PARENT, thread->executed_number);
	if (task->priority)
		measure_task_fact_write(
			location, MEASURE_TASK_PRIORITY, (uint64_t)(int64_t)task->priority);
	if (task->synchronous)
		measure_task_fact_write(location, MEASURE_TASK_FLAGS, MEASURE_TASK_UNDEFERRED);
	if (loop.nr > 1)
		measure_task_fact_write(location, MEASURE_TASK_SUBITERATION, loop.iterations[1]);
	write_accesses(location, task, handles);
	write_before(location, made);
}

struct measure_starpu_task *measure_starpu_task_create(
	struct measure_starpu_thread *thread, const struct starpu_task *task)
{
	struct measure_starpu_task *made = measure_starpu_task_have(thread, task);
	struct measure_location *location;
	uint64_t handles[NR_KNOWN];

	if (!made)
		return NULL;
	if (atomic_load_explicit(&made->state, memory_order_relaxed) != MEASURE_STARPU_TASK_NAMED)
		atomic_store_explicit(
			&made->number, measure_starpu_number(thread), memory_order_release);
	made->region = task_region(task, thread->is_submitted_internally);
	thread->is_submitted_internally = false;
	if (task->use_tag)
		measure_starpu_tag_apply(thread, task->tag_id, made);
	know_handles(task, handles);
	location = measure_record_begin();
	if (location) {
		write_create(location, made, task, handles, thread);
		measure_record_end(location);
		atomic_store_explicit(
			&made->state, MEASURE_STARPU_TASK_CREATED, memory_order_release);
	}
	task_forget_before(thread, made);
	return location ? made : NULL;
}

/* ------------------------------------------------------------------------------- its end --- */

void measure_starpu_write_switch(struct measure_location *location, uint64_t number)
{
	measure_write_thread_task_switch(location, measure_starpu_team,
		number ? (uint32_t)(number >> 32) : measure_starpu_self()->location,
		(uint32_t)number);
}

void measure_starpu_task_write_complete(
	struct measure_location *location, struct measure_starpu_task *task)
{
	const uint64_t number = atomic_load_explicit(&task->number, memory_order_relaxed);
	uint32_t state = MEASURE_STARPU_TASK_CREATED;

	if (task->will_stop) {
		task->will_stop = false;
		atomic_store_explicit(
			&task->state, MEASURE_STARPU_TASK_STOPPED, memory_order_release);
		return;
	}
	if (!atomic_compare_exchange_strong(&task->state, &state, MEASURE_STARPU_TASK_COMPLETED) &&
		!(state == MEASURE_STARPU_TASK_STOPPED &&
			atomic_compare_exchange_strong(
				&task->state, &state, MEASURE_STARPU_TASK_COMPLETED)))
		return;
	measure_write_thread_task_complete(
		location, measure_starpu_team, (uint32_t)(number >> 32), (uint32_t)number);
}
