/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that wait, or begin and end StarPU; see starpu_wait.h. */
#include "config.h"

#include "starpu_wait.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

static measure_region_t wait_region(const char *name, enum measure_task_state state)
{
	static const struct {
		const char *canonical_name;
		uint8_t role;
	} states[] = {
#define WORKER_STATE(NAME, state, role_name, region)                                               \
	{"task.state." state, OTF2_REGION_ROLE_##role_name},
#include "task_vocabulary.def"
	};

	return measure_starpu_region(name, states[state].canonical_name, states[state].role);
}

void measure_starpu_wait_begin(
	struct measure_starpu_wait *wait, const char *name, enum measure_task_state state)
{
	wait->thread = measure_starpu_records(MEASURE_STARPU_worker) ? measure_starpu_self() : NULL;
	wait->region = MEASURE_UNDEFINED;
	if (!wait->thread || wait->thread->depth++ > 0)
		return;
	wait->region = wait_region(name, state);
	if (wait->region != MEASURE_UNDEFINED)
		measure_region_enter(wait->region);
}

void measure_starpu_wait_end(const struct measure_starpu_wait *wait)
{
	if (!wait->thread)
		return;
	wait->thread->depth--;
	if (wait->region != MEASURE_UNDEFINED)
		measure_region_leave(wait->region);
}

#define STATE_CALL(name, state, parameters, arguments)                                             \
	int name parameters                                                                        \
	{                                                                                          \
		struct measure_starpu_wait wait;                                                   \
		int result;                                                                        \
                                                                                                   \
		measure_starpu_wait_begin(&wait, #name, MEASURE_TASK_STATE_##state);               \
		result = REAL(name) arguments;                                                     \
		measure_starpu_wait_end(&wait);                                                    \
		return result;                                                                     \
	}
#define WAIT(name, parameters, arguments) STATE_CALL(name, WAITING, parameters, arguments)

WAIT(starpu_task_wait, (struct starpu_task * task), (task))
WAIT(starpu_task_wait_array, (struct starpu_task * *tasks, unsigned nr), (tasks, nr))
WAIT(starpu_task_wait_for_all, (void), ())
WAIT(starpu_task_wait_for_all_in_ctx, (unsigned context), (context))
WAIT(starpu_task_wait_for_n_submitted, (unsigned nr), (nr))
WAIT(starpu_task_wait_for_n_submitted_in_ctx, (unsigned context, unsigned nr), (context, nr))
WAIT(starpu_task_wait_for_no_ready, (void), ())
WAIT(starpu_tag_wait, (starpu_tag_t tag), (tag))
WAIT(starpu_tag_wait_array, (unsigned nr, starpu_tag_t *tags), (nr, tags))
WAIT(starpu_data_acquire, (starpu_data_handle_t handle, enum starpu_data_access_mode mode),
	(handle, mode))
WAIT(starpu_data_acquire_on_node,
	(starpu_data_handle_t handle, int node, enum starpu_data_access_mode mode),
	(handle, node, mode))

STATE_CALL(starpu_init, INITIALIZING, (struct starpu_conf * configuration), (configuration))
STATE_CALL(starpu_initialize, INITIALIZING,
	(struct starpu_conf * configuration, int *argc, char ***argv), (configuration, argc, argv))

/* The end of a task that was submitted to be waited for. */
void _starpu_wait_job(struct _starpu_job *job)
{
	struct measure_starpu_wait wait;

	measure_starpu_wait_begin(&wait, "starpu_task_submit", MEASURE_TASK_STATE_WAITING);
	REAL(_starpu_wait_job)(job);
	measure_starpu_wait_end(&wait);
}

void starpu_shutdown(void)
{
	struct measure_starpu_wait wait;

	measure_starpu_wait_begin(&wait, "starpu_shutdown", MEASURE_TASK_STATE_WAITING);
	REAL(starpu_shutdown)();
	measure_starpu_wait_end(&wait);
}

/* -------------------------------------------------------------------- libstarpumpi --- */

WAIT(starpu_mpi_wait, (struct _starpu_mpi_req * *request, struct measure_starpu_mpi_status *status),
	(request, status))
WAIT(starpu_mpi_wait_for_all, (measure_starpu_comm_t comm), (comm))
WAIT(starpu_mpi_barrier, (measure_starpu_comm_t comm), (comm))
