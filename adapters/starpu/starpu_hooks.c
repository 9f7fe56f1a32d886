/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of scheduling policies; see starpu_hooks.h. StarPU has a copy of the policy for each
 * context, in which ours are set; they call those that were there. */
#include "config.h"

#include "starpu_hooks.h"

#include <stdatomic.h>

#include "starpu_run.h"
#include "starpu_start.h"
#include "starpu_tasks.h"

typedef void (*starpu_hook_fn)(struct starpu_task *task, unsigned context);

static struct starpu_hooks {
	starpu_hook_fn before, after; /* the policy's own, or NULL */
} hooks[STARPU_NMAX_SCHED_CTXS];

static void hook_before(struct starpu_task *task, unsigned context)
{
	if (context < STARPU_NMAX_SCHED_CTXS && hooks[context].before)
		hooks[context].before(task, context);
	if (task->cl->type != STARPU_SEQ)
		return;
	/* StarPU's own tasks have no second hook: they end when the next one begins */
	measure_starpu_task_end();
	measure_starpu_task_begin(task, 0);
}

static void hook_after(struct starpu_task *task, unsigned context)
{
	if (task->cl->type == STARPU_SEQ)
		measure_starpu_task_end();
	if (context < STARPU_NMAX_SCHED_CTXS && hooks[context].after)
		hooks[context].after(task, context);
}

bool measure_starpu_hooks_set(unsigned context)
{
	static atomic_flag is_busy = ATOMIC_FLAG_INIT;
	struct starpu_sched_policy *policy;

	if (context >= STARPU_NMAX_SCHED_CTXS)
		context = REAL(starpu_sched_ctx_get_context)();
	if (context >= STARPU_NMAX_SCHED_CTXS)
		context = 0;
	policy = REAL(starpu_sched_ctx_get_sched_policy)(context);
	if (!policy || policy->pre_exec_hook == hook_before || atomic_flag_test_and_set(&is_busy))
		return policy != NULL;
	hooks[context].before = policy->pre_exec_hook;
	hooks[context].after = policy->post_exec_hook;
	policy->post_exec_hook = hook_after;
	policy->pre_exec_hook = hook_before;
	atomic_flag_clear(&is_busy);
	return true;
}
