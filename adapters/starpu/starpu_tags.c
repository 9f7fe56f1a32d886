/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tags and iterations; see starpu_tags.h. Tags may be declared before their tasks are there, so
 * that a tag has the number of the task that will come. */
#include "config.h"

#include "starpu_tags.h"

#include <stdarg.h>

#include "starpu_table.h"

struct starpu_tag {
	struct measure_starpu_task task; /* its next one, or its last one */
	starpu_tag_t tag;
};

static struct measure_starpu_table tags = {.item_size = sizeof(struct starpu_tag)};

/* NULL: no memory, or another tag with the same key, which lacks the uppermost bit. */
static struct starpu_tag *tag_have(struct measure_starpu_thread *thread, starpu_tag_t tag)
{
	bool is_new;
	struct starpu_tag *found = measure_starpu_have(&tags, ((uint64_t)tag + 1) << 1, &is_new);

	if (found && is_new) {
		found->tag = tag;
		atomic_store_explicit(
			&found->task.number, measure_starpu_number(thread), memory_order_release);
	}
	return found && found->tag == tag ? found : NULL;
}

void measure_starpu_tag_apply(
	struct measure_starpu_thread *thread, starpu_tag_t tag, struct measure_starpu_task *task)
{
	struct starpu_tag *found = tag_have(thread, tag);
	uint64_t number;

	if (!found)
		return;
	if (atomic_load_explicit(&found->task.state, memory_order_relaxed) ==
		MEASURE_STARPU_TASK_NAMED) {
		number = atomic_load_explicit(&found->task.number, memory_order_relaxed);
		atomic_store_explicit(&task->number, number, memory_order_release);
	} else {
		number = atomic_load_explicit(&task->number, memory_order_relaxed);
		atomic_store_explicit(&found->task.number, number, memory_order_release);
	}
	atomic_store_explicit(
		&found->task.state, MEASURE_STARPU_TASK_CREATED, memory_order_relaxed);
	measure_starpu_task_move(thread, &found->task, task);
}

static void tag_depends(starpu_tag_t tag, unsigned nr, const starpu_tag_t *before)
{
	struct measure_starpu_thread *thread = measure_starpu_self();
	struct starpu_tag *found = thread ? tag_have(thread, tag) : NULL;

	for (unsigned i = 0; found && i < nr; i++) {
		const struct starpu_tag *other = tag_have(thread, before[i]);

		if (other)
			measure_starpu_task_add(thread, &found->task,
				atomic_load_explicit(&other->task.number, memory_order_relaxed));
	}
}

void starpu_tag_declare_deps_array(starpu_tag_t tag, unsigned nr, starpu_tag_t *before)
{
	if (measure_starpu_records(MEASURE_STARPU_task))
		tag_depends(tag, nr, before);
	REAL(starpu_tag_declare_deps_array)(tag, nr, before);
}

/* StarPU does the same with an array; its own other functions have one on the stack, too. */
void starpu_tag_declare_deps(starpu_tag_t tag, unsigned nr, ...)
{
	starpu_tag_t *before = __builtin_alloca(nr * sizeof(*before));
	va_list arguments;

	va_start(arguments, nr);
	for (unsigned i = 0; i < nr; i++)
		before[i] = va_arg(arguments, starpu_tag_t);
	va_end(arguments);
	starpu_tag_declare_deps_array(tag, nr, before);
}

/* ------------------------------------------------------------------ iterations --- */

/* The last one is for threads that have no context, or one beyond those. */
#define NR_CONTEXTS (STARPU_NMAX_SCHED_CTXS + 1)

static struct starpu_loops {
	_Atomic uint32_t depth;
	_Atomic uint64_t iterations[2];
} loops[NR_CONTEXTS];
static _Atomic bool is_used; /* most programs never say anything */

static struct starpu_loops *loops_of_context(void)
{
	const unsigned context = REAL(starpu_sched_ctx_get_context)();

	return &loops[context < NR_CONTEXTS ? context : NR_CONTEXTS - 1];
}

void starpu_iteration_push(unsigned long iteration)
{
	struct starpu_loops *own;
	uint32_t depth;

	REAL(starpu_iteration_push)(iteration);
	if (!measure_starpu_records(MEASURE_STARPU_task))
		return;
	own = loops_of_context();
	depth = atomic_fetch_add_explicit(&own->depth, 1, memory_order_relaxed);
	if (depth < 2)
		atomic_store_explicit(&own->iterations[depth], iteration, memory_order_relaxed);
	atomic_store_explicit(&is_used, true, memory_order_relaxed);
}

void starpu_iteration_pop(void)
{
	struct starpu_loops *own;

	REAL(starpu_iteration_pop)();
	if (!measure_starpu_records(MEASURE_STARPU_task))
		return;
	own = loops_of_context();
	if (atomic_load_explicit(&own->depth, memory_order_relaxed) > 0)
		atomic_fetch_sub_explicit(&own->depth, 1, memory_order_relaxed);
}

void measure_starpu_loop_get(struct measure_starpu_loop *loop)
{
	struct starpu_loops *own;

	loop->nr = 0;
	if (!atomic_load_explicit(&is_used, memory_order_relaxed))
		return;
	own = loops_of_context();
	loop->nr = atomic_load_explicit(&own->depth, memory_order_relaxed);
	if (loop->nr > 2)
		loop->nr = 2;
	for (uint32_t i = 0; i < loop->nr; i++)
		loop->iterations[i] =
			atomic_load_explicit(&own->iterations[i], memory_order_relaxed);
}
