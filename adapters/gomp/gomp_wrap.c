/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from gomp_calls.def, and the adapter itself. */
#include "config.h"

#include "../common/task_facts.h"
#include "adapter.h"
#include "gomp_construct.h"
#include "gomp_real.h"
#include "gomp_team.h"

static const struct measure_gomp_work no_work = {NULL, OTF2_REGION_ROLE_UNKNOWN};

/* ------------------------------------------------------------- whole regions --- */

/* libgomp is given a function of ours, that knows the team, in place of the program's. */
#define FORK(name, work_name, work_role, parameters, arguments, flags, after)                      \
	void name parameters                                                                       \
	{                                                                                          \
		const struct measure_gomp_work work = {work_name, OTF2_REGION_ROLE_##work_role};   \
		struct measure_gomp_team *team;                                                    \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		team = measure_gomp_team_fork(function, data, nr_threads, flags, work);            \
		if (team) {                                                                        \
			function = measure_gomp_member_run;                                        \
			data = team;                                                               \
		}                                                                                  \
		measure_gomp_real.name arguments;                                                  \
		if (team)                                                                          \
			after(team);                                                               \
	}
#define PARALLEL(name, version, work, role, parameters, arguments)                                 \
	FORK(name, work, role, parameters, arguments, flags, measure_gomp_team_join)
#include "gomp_calls.def"
#undef PARALLEL

unsigned GOMP_parallel_reductions(
	measure_gomp_fn function, void *data, unsigned nr_threads, unsigned flags)
{
	struct measure_gomp_team *team;
	unsigned size;

	measure_gomp_resolve();
	team = measure_gomp_team_fork(function, data, nr_threads, flags, no_work);
	if (!team)
		return measure_gomp_real.GOMP_parallel_reductions(
			function, data, nr_threads, flags);
	team->reductions = *(void **)data;
	size = measure_gomp_real.GOMP_parallel_reductions(
		measure_gomp_member_run, team, nr_threads, flags);
	measure_gomp_team_join(team);
	return size;
}

/* -------------------------------------------- regions in two calls (GCC < 4.9) --- */

/* The master is in its team now and runs the body itself. */
static void region_started(struct measure_gomp_team *team)
{
	team->outer_started = team->master->started;
	team->master->started = team;
	measure_gomp_member_begin(team);
}

#define PARALLEL_START(name, version, work, role, parameters, arguments)                           \
	FORK(name, work, role, parameters, arguments, 0, region_started)
#include "gomp_calls.def"
#undef PARALLEL_START

void GOMP_parallel_end(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_gomp_team *team = thread ? thread->started : NULL;

	measure_gomp_resolve();
	/* a region around this one may have been started while nothing was recorded */
	if (team && team->level + 1 != measure_gomp_real.omp_get_level())
		team = NULL;
	if (team)
		measure_gomp_member_arrive(team);
	measure_gomp_real.GOMP_parallel_end();
	if (!team)
		return;
	thread->started = team->outer_started;
	measure_gomp_team_join(team);
}

/* libgomp runs the teams of a league one after the other, in this thread. */
MEASURE_GOMP_WAITS(GOMP_teams_reg,
	(measure_gomp_fn function, void *data, unsigned nr_teams, unsigned thread_limit,
		unsigned flags),
	(function, data, nr_teams, thread_limit, flags),
	measure_gomp_wait_begin(address, "!$omp teams", OTF2_REGION_ROLE_CODE))

/* ----------------------------------------------- what changes a master's threads --- */

/* A target region that runs on the host has a pool of threads of its own, for as long as
 * it lasts: its teams say nothing about the master's, nor the other way round. */
static struct measure_team_state *pool_set_aside(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_team_state *team_state;

	if (!thread)
		return NULL;
	team_state = thread->team_state;
	thread->team_state = NULL;
	return team_state;
}

static void pool_restore(struct measure_team_state *team_state)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	if (!thread)
		return;
	measure_team_state_free(thread->team_state);
	thread->team_state = team_state;
}

void GOMP_target(int device, measure_gomp_fn function, const void *unused, size_t nr_maps,
	void **addresses, size_t *sizes, unsigned char *kinds)
{
	struct measure_team_state *team_state = pool_set_aside();

	measure_gomp_resolve();
	measure_gomp_real.GOMP_target(device, function, unused, nr_maps, addresses, sizes, kinds);
	pool_restore(team_state);
}

void GOMP_target_ext(int device, measure_gomp_fn function, size_t nr_maps, void **addresses,
	size_t *sizes, unsigned short *kinds, unsigned flags, void **depend, void **arguments)
{
	struct measure_team_state *team_state = pool_set_aside();

	measure_gomp_resolve();
	measure_gomp_real.GOMP_target_ext(
		device, function, nr_maps, addresses, sizes, kinds, flags, depend, arguments);
	pool_restore(team_state);
}

/* These send the calling thread's pool away. */
int omp_pause_resource(int kind, int device)
{
	measure_gomp_resolve();
	measure_team_state_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource(kind, device);
}

int omp_pause_resource_(const int *kind, const int *device)
{
	measure_gomp_resolve();
	measure_team_state_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_(kind, device);
}

int omp_pause_resource_all(int kind)
{
	measure_gomp_resolve();
	measure_team_state_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_all(kind);
}

int omp_pause_resource_all_(const int *kind)
{
	measure_gomp_resolve();
	measure_team_state_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_all_(kind);
}

/* --------------------------------------------------------------- the adapter --- */

static void gomp_started(void)
{
	measure_gomp_mutex_start();
	measure_task_facts_define();
}

static const struct measure_adapter measure_gomp_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "gomp",
	.started = gomp_started,
};

__attribute__((constructor)) static void gomp_init(void)
{
	measure_gomp_resolve();
	measure_adapter_register(&measure_gomp_adapter);
}
