/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from gomp_calls.def, and the adapter itself. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <stdint.h>
#include <stdlib.h>

#include "adapter.h"
#include "real.h"
#include "team.h"

/* The functions of the table, visible to the program in place of libgomp's. */
#define PARALLEL(name, version, parameters, arguments)	     EXPORT(void, name, parameters)
#define PARALLEL_START(name, version, parameters, arguments) EXPORT(void, name, parameters)
#define OTHER(type, name, version, parameters)		     EXPORT(type, name, parameters)
#define QUERY(type, name, version, parameters)
#define EXPORT(type, name, parameters) __attribute__((visibility("default"))) type name parameters;
#include "gomp_calls.def"
#undef PARALLEL
#undef PARALLEL_START
#undef OTHER
#undef QUERY
#undef EXPORT

/* ------------------------------------------------------------- whole regions --- */

#define PARALLEL(name, version, parameters, arguments)                                             \
	void name parameters                                                                       \
	{                                                                                          \
		struct measure_gomp_team team;                                                     \
		bool is_recorded;                                                                  \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		is_recorded = measure_gomp_team_fork(&team, function, data, nr_threads, flags);    \
		if (is_recorded) {                                                                 \
			function = measure_gomp_member_run;                                        \
			data = &team;                                                              \
		}                                                                                  \
		measure_gomp_real.name arguments;                                                  \
		if (is_recorded)                                                                   \
			measure_gomp_team_join(&team);                                             \
	}
#define PARALLEL_START(name, version, parameters, arguments)
#define OTHER(type, name, version, parameters)
#define QUERY(type, name, version, parameters)
#include "gomp_calls.def"
#undef PARALLEL
#undef PARALLEL_START

unsigned GOMP_parallel_reductions(measure_gomp_fn function, void *data, unsigned nr_threads,
	unsigned flags)
{
	struct measure_gomp_team team;
	unsigned size;

	measure_gomp_resolve();
	if (!measure_gomp_team_fork(&team, function, data, nr_threads, flags))
		return measure_gomp_real.GOMP_parallel_reductions(
			function, data, nr_threads, flags);
	team.reductions = *(void **)data;
	size = measure_gomp_real.GOMP_parallel_reductions(measure_gomp_member_run, &team,
		nr_threads, flags);
	measure_gomp_team_join(&team);
	return size;
}

/* -------------------------------------------- regions in two calls (GCC < 4.9) --- */

/* NULL: nothing was recorded. */
static struct measure_gomp_team *region_start(measure_gomp_fn function, void *data,
	unsigned nr_threads)
{
	int saved_errno = errno;
	struct measure_gomp_team *team = malloc(sizeof(*team));

	errno = saved_errno;
	if (team && !measure_gomp_team_fork(team, function, data, nr_threads, 0)) {
		free(team);
		team = NULL;
	}
	return team;
}

/* The master is in its team now and runs the body itself. */
static void region_started(struct measure_gomp_team *team)
{
	team->outer_started = team->master->started;
	team->master->started = team;
	measure_gomp_member_begin(team, &team->master_share);
}

#define PARALLEL(name, version, parameters, arguments)
#define PARALLEL_START(name, version, parameters, arguments)                                       \
	void name parameters                                                                       \
	{                                                                                          \
		struct measure_gomp_team *team;                                                    \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		team = region_start(function, data, nr_threads);                                   \
		if (team) {                                                                        \
			function = measure_gomp_member_run;                                        \
			data = team;                                                               \
		}                                                                                  \
		measure_gomp_real.name arguments;                                                  \
		if (team)                                                                          \
			region_started(team);                                                      \
	}
#include "gomp_calls.def"
#undef PARALLEL
#undef PARALLEL_START
#undef OTHER
#undef QUERY

void GOMP_parallel_end(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_gomp_team *team = thread ? thread->started : NULL;

	measure_gomp_resolve();
	/* a region around this one may have been started while nothing was recorded */
	if (team && team->level + 1 != measure_gomp_real.omp_get_level())
		team = NULL;
	if (team)
		measure_gomp_member_end(team, &team->master_share);
	measure_gomp_real.GOMP_parallel_end();
	if (!team)
		return;
	thread->started = team->outer_started;
	measure_gomp_team_join(team);
	free(team);
}

/* ------------------------------------------------------------------ barriers --- */

/* Where in the program the barrier is: the call itself, not the line after it; or, where the
 * body jumped to it as its last act, the body. */
static const void *barrier_address(const void *return_address)
{
	const struct measure_gomp_thread *thread;

	if (!measure_gomp_is_member_run(return_address))
		return (const char *)return_address - 1;
	thread = measure_gomp_thread_self();
	return thread && thread->team ? (const void *)thread->team->function : return_address;
}

/* Returns the region, MEASURE_UNDEFINED where nothing was recorded. Also what GCC makes of the
 * implicit barrier of some constructs: at run time the two look the same. `role`: a barrier that
 * can be cancelled need not bring all threads together, so it must not say that it does. */
static measure_region_t barrier_enter(const void *return_address, uint8_t role)
{
	struct measure_location *location;
	measure_region_t region;

	if (measure_location_index() == MEASURE_UNDEFINED)
		return MEASURE_UNDEFINED;
	region = measure_region_at(barrier_address(return_address), "!$omp barrier", role,
		OTF2_PARADIGM_OPENMP);
	location = measure_record_begin();
	if (!location)
		return MEASURE_UNDEFINED;
	measure_write_enter(location, region);
	measure_record_end(location);
	return region;
}

static void barrier_leave(measure_region_t region)
{
	struct measure_location *location;

	if (region == MEASURE_UNDEFINED)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_write_leave(location, region);
	measure_record_end(location);
}

void GOMP_barrier(void)
{
	measure_region_t region;

	measure_gomp_resolve();
	region = barrier_enter(__builtin_return_address(0), OTF2_REGION_ROLE_BARRIER);
	measure_gomp_real.GOMP_barrier();
	barrier_leave(region);
}

bool GOMP_barrier_cancel(void)
{
	measure_region_t region;
	bool is_cancelled;

	measure_gomp_resolve();
	region = barrier_enter(__builtin_return_address(0),
		measure_gomp_real.omp_get_cancellation() ? OTF2_REGION_ROLE_WRAPPER
							 : OTF2_REGION_ROLE_BARRIER);
	is_cancelled = measure_gomp_real.GOMP_barrier_cancel();
	barrier_leave(region);
	return is_cancelled;
}

/* ----------------------------------------------- what changes a master's threads --- */

/* A target region that runs on the host has a pool of threads of its own, for as long as
 * it lasts: its teams say nothing about the master's, nor the other way round. */
static struct measure_roster *pool_set_aside(void)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_roster *roster;

	if (!thread)
		return NULL;
	roster = thread->roster;
	thread->roster = NULL;
	return roster;
}

static void pool_restore(struct measure_roster *roster)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	if (!thread)
		return;
	measure_roster_free(thread->roster);
	thread->roster = roster;
}

void GOMP_target(int device, measure_gomp_fn function, const void *unused, size_t nr_maps,
	void **addresses, size_t *sizes, unsigned char *kinds)
{
	struct measure_roster *roster = pool_set_aside();

	measure_gomp_resolve();
	measure_gomp_real.GOMP_target(device, function, unused, nr_maps, addresses, sizes, kinds);
	pool_restore(roster);
}

void GOMP_target_ext(int device, measure_gomp_fn function, size_t nr_maps, void **addresses,
	size_t *sizes, unsigned short *kinds, unsigned flags, void **depend, void **arguments)
{
	struct measure_roster *roster = pool_set_aside();

	measure_gomp_resolve();
	measure_gomp_real.GOMP_target_ext(device, function, nr_maps, addresses, sizes, kinds, flags,
		depend, arguments);
	pool_restore(roster);
}

/* These send the calling thread's pool away. */
int omp_pause_resource(int kind, int device)
{
	measure_gomp_resolve();
	measure_roster_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource(kind, device);
}

int omp_pause_resource_(const int *kind, const int *device)
{
	measure_gomp_resolve();
	measure_roster_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_(kind, device);
}

int omp_pause_resource_all(int kind)
{
	measure_gomp_resolve();
	measure_roster_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_all(kind);
}

int omp_pause_resource_all_(const int *kind)
{
	measure_gomp_resolve();
	measure_roster_free(pool_set_aside());
	return measure_gomp_real.omp_pause_resource_all_(kind);
}

/* --------------------------------------------------------------- the adapter --- */

static const struct measure_adapter measure_gomp_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "gomp",
};

__attribute__((constructor)) static void gomp_init(void)
{
	measure_gomp_resolve();
	measure_adapter_register(&measure_gomp_adapter);
}
