/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of a parallel region, on the master and on each thread: see gomp_team.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <stdio.h>
#include <stdlib.h>

#include "gomp_construct.h"
#include "gomp_team.h"

#define FLAG_BIND 7 /* the bits of the flags that hold the proc_bind clause */

/* "OpenMP thread 2"; in nested teams the numbers from the outermost team on: "0:1". */
static void thread_name(struct measure_gomp_thread *thread)
{
	int level = measure_gomp_real.omp_get_level();
	char name[64] = "OpenMP thread ";
	size_t used = sizeof("OpenMP thread ") - 1;

	for (int i = 1; i <= level && used < sizeof(name); i++)
		used += (size_t)snprintf(name + used, sizeof(name) - used, i > 1 ? ":%d" : "%d",
			measure_gomp_real.omp_get_ancestor_thread_num(i));
	measure_location_name(name);
	thread->is_named = true;
}

/* Binding of the next region's threads, as far as it decides which threads come. */
static int team_bind(unsigned flags)
{
	static atomic_int nr_places = -1; /* not asked yet */
	int places = atomic_load_explicit(&nr_places, memory_order_relaxed);

	if (places < 0) {
		places = measure_gomp_real.omp_get_num_places();
		atomic_store_explicit(&nr_places, places, memory_order_relaxed);
	}
	if (places == 0)
		return MEASURE_TEAM_STATE_UNBOUND;
	return flags & FLAG_BIND ? (int)(flags & FLAG_BIND) : measure_gomp_real.omp_get_proc_bind();
}

/* ---------------------------------------------------------------- fork and join --- */

/* One that nobody is in any more. Threads leave a team only when they are needed again, so a
 * master has two of them in turn. */
static struct measure_gomp_team *team_take(struct measure_gomp_thread *thread)
{
	int saved_errno = errno;
	struct measure_gomp_team *team = thread->teams;

	/* pairs with the release in team_drop() */
	while (team && atomic_load_explicit(&team->nr_users, memory_order_acquire) > 0)
		team = team->next;
	if (!team) {
		team = calloc(1, sizeof(*team));
		errno = saved_errno;
		if (!team)
			return NULL;
		team->release = measure_release_new();
		team->next = thread->teams;
		thread->teams = team;
	}
	return team;
}

static void team_drop(struct measure_gomp_team *team)
{
	atomic_fetch_sub_explicit(&team->nr_users, 1, memory_order_release);
}

static void team_begin(struct measure_gomp_team *team, struct measure_gomp_work work)
{
	const void *place = (const void *)team->function;

	team->region = measure_region_at(
		place, "!$omp parallel", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP);
	team->barrier = measure_region_at(place, "!$omp implicit barrier",
		OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_OPENMP);
	team->work = work.name
			     ? measure_region_at(place, work.name, work.role, OTF2_PARADIGM_OPENMP)
			     : MEASURE_UNDEFINED;
	team->known = team->level == 0 ? team->master->team_state : NULL;
	atomic_store_explicit(&team->fresh, NULL, memory_order_relaxed);
	atomic_store_explicit(&team->is_mismatched, false, memory_order_relaxed);
	atomic_store_explicit(&team->size, 0, memory_order_relaxed);
	atomic_store_explicit(&team->nr_users, 1, memory_order_relaxed);
	atomic_store_explicit(&team->nr_arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&team->last, 0, memory_order_relaxed);
}

struct measure_gomp_team *measure_gomp_team_fork(measure_gomp_fn function, void *data,
	unsigned nr_threads, unsigned flags, struct measure_gomp_work work)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_gomp_team *team = thread ? team_take(thread) : NULL;
	struct measure_location *location;

	if (!team)
		return NULL;
	team->function = function;
	team->data = data;
	team->level = measure_gomp_real.omp_get_level();
	team->bind = team_bind(flags);
	team->master = thread;
	team_begin(team, work);
	if (nr_threads == 0)
		nr_threads = (unsigned)measure_gomp_real.omp_get_max_threads();

	location = measure_record_begin();
	if (!location) {
		team_drop(team);
		return NULL;
	}
	measure_write_thread_fork(location, OTF2_PARADIGM_OPENMP, nr_threads);
	measure_record_end(location);
	return team;
}

/* Keeps what the team that has just ended tells about the next one outside of any region. */
static void team_state_update(struct measure_gomp_team *team, struct measure_team_state *fresh)
{
	struct measure_team_state **kept = &team->master->team_state;
	uint32_t size = atomic_load_explicit(&team->size, memory_order_relaxed);
	bool is_mismatched = atomic_load_explicit(&team->is_mismatched, memory_order_relaxed);

	if (size == 1)
		return; /* libgomp leaves the waiting threads alone */
	if (is_mismatched)
		measure_property_define("OPENMP_TEAM_MISMATCH", "true");
	if (is_mismatched || (fresh && !measure_team_state_is_full(fresh))) {
		measure_team_state_free(fresh);
		fresh = NULL;
	} else if (!fresh) {
		measure_team_state_shrink(*kept, size);
		return;
	} else if (*kept) {
		measure_team_state_inherit(fresh, *kept);
	}
	measure_team_state_free(*kept);
	*kept = fresh;
}

void measure_gomp_team_join(struct measure_gomp_team *team)
{
	struct measure_team_state *fresh = atomic_load_explicit(&team->fresh, memory_order_acquire);
	struct measure_location *location;

	measure_gomp_barrier_over(team->master);
	location = measure_record_begin();
	if (location) {
		measure_write_thread_join(location, OTF2_PARADIGM_OPENMP);
		measure_record_end(location);
	}
	measure_release(team->release, atomic_load_explicit(&team->last, memory_order_relaxed));
	if (team->level == 0 && atomic_load_explicit(&team->size, memory_order_relaxed) > 0)
		team_state_update(team, fresh);
	else
		measure_team_state_free(fresh);
	team_drop(team);
}

/* ---------------------------------------------------------------------- members --- */

/* Communicator of the team in which the calling thread, with this location, is `number`. */
static measure_comm_t member_comm(
	struct measure_gomp_team *team, uint32_t size, uint32_t number, uint32_t location)
{
	struct measure_team_state *fresh;
	measure_comm_t comm = MEASURE_UNDEFINED;

	if (size == 1)
		return measure_team_state_solo(&team->master->solo);
	if (team->known)
		comm = measure_team_state_comm(team->known, size, team->bind);
	if (comm != MEASURE_UNDEFINED) {
		if (team->known->members[number] != location)
			atomic_store_explicit(&team->is_mismatched, true, memory_order_relaxed);
		return comm;
	}
	fresh = measure_team_state_shared(&team->fresh, size, team->bind);
	return fresh ? measure_team_state_arrive(fresh, number, location) : MEASURE_UNDEFINED;
}

void measure_gomp_member_begin(struct measure_gomp_team *team)
{
	uint32_t index = measure_location_index();
	uint32_t size = (uint32_t)measure_gomp_real.omp_get_num_threads();
	uint32_t number = (uint32_t)measure_gomp_real.omp_get_thread_num();
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_gomp_level level = {
		.team = team, .number = number, .body = team->function, .region = team->region};
	struct measure_location *location;

	if (index == MEASURE_UNDEFINED || !thread)
		return;
	measure_gomp_barrier_over(thread);
	if (number == 0)
		atomic_store_explicit(&team->size, size, memory_order_relaxed);
	else if (!thread->is_named)
		thread_name(thread);
	level.comm = member_comm(team, size, number, index);
	location = level.comm != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
	if (!location)
		return;
	if (measure_gomp_push(thread, &level)) {
		atomic_fetch_add_explicit(&team->nr_users, 1, memory_order_relaxed);
		measure_write_thread_team_begin(location, level.comm);
		measure_write_enter(location, team->region);
		if (team->work != MEASURE_UNDEFINED)
			measure_gomp_enter(thread, location, MEASURE_GOMP_WORK, team->work);
	}
	measure_record_end(location);
}

/* --------------------------------------------------------------- the last barrier --- */

static void team_note(struct measure_gomp_team *team, uint64_t time)
{
	uint64_t last = atomic_load_explicit(&team->last, memory_order_relaxed);

	/* published by libgomp's barrier, or by `nr_arrived` */
	while (last < time && !atomic_compare_exchange_weak_explicit(&team->last, &last, time,
				      memory_order_relaxed, memory_order_relaxed))
		;
}

/* This thread is the waiting one, and no task runs in its barrier. */
static bool gomp_team_is_waiting(const struct measure_gomp_thread *thread)
{
	return thread->nr_levels > 0 && thread->levels[thread->nr_levels - 1].is_waiting;
}

void measure_gomp_barrier_over(struct measure_gomp_thread *thread)
{
	struct measure_gomp_level level;
	struct measure_location *location;

	if (!gomp_team_is_waiting(thread))
		return;
	level = thread->levels[--thread->nr_levels];
	location = measure_record_begin_at(
		atomic_load_explicit(&level.team->last, memory_order_relaxed));
	if (location) {
		measure_write_leave(location, level.team->barrier);
		measure_write_leave(location, level.region);
		measure_write_thread_team_end(location, level.comm);
		measure_record_end(location);
	}
	team_drop(level.team);
}

/* Nobody is missing in the last barrier. The master, who tells the size, may be the last to
 * come. */
static bool gomp_team_is_complete(const struct measure_gomp_team *team)
{
	uint32_t size = atomic_load_explicit(&team->size, memory_order_relaxed);

	/* pairs with the release in measure_gomp_member_arrive() */
	return size > 0 && atomic_load_explicit(&team->nr_arrived, memory_order_acquire) >= size;
}

/* Something else begins on this thread. A signal handler may run before the barrier is over. */
static void barrier_over_later(void *data)
{
	struct measure_gomp_thread *thread = data;

	if (!gomp_team_is_waiting(thread))
		return;
	if (!gomp_team_is_complete(thread->levels[thread->nr_levels - 1].team))
		measure_record_later(barrier_over_later, thread);
	else
		measure_gomp_barrier_over(thread);
}

/* The master needs no reminder: libgomp returns to it. */
static void barrier_wait(struct measure_gomp_thread *thread)
{
	struct measure_gomp_level *level = measure_gomp_level(thread);

	level->is_waiting = true;
	if (level->number == 0)
		return;
	measure_record_later(barrier_over_later, thread);
	measure_location_rest(level->team->release, level->comm);
}

void measure_gomp_barrier_resume(struct measure_gomp_thread *thread, uint64_t time)
{
	if (!gomp_team_is_waiting(thread))
		return;
	team_note(thread->levels[thread->nr_levels - 1].team, time);
	barrier_wait(thread);
}

static void barrier_enter(struct measure_gomp_thread *thread, struct measure_gomp_team *team)
{
	const struct measure_gomp_level *level = measure_gomp_level(thread);
	struct measure_location *location;

	if (!level || level->team != team || level->generation > 0)
		return; /* its begin was not recorded */
	location = measure_record_begin();
	if (location) {
		measure_gomp_leave(thread, location, level->base);
		measure_write_enter(location, team->barrier);
		measure_gomp_barrier_note(location, level, true);
		team_note(team, measure_record_time(location));
		measure_record_end(location);
	}
	thread->nr_open = level->base;
	barrier_wait(thread);
}

void measure_gomp_member_arrive(struct measure_gomp_team *team)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	if (thread)
		barrier_enter(thread, team);
	atomic_fetch_add_explicit(&team->nr_arrived, 1, memory_order_release);
}

MEASURE_GOMP_RUNS_BODIES void measure_gomp_member_run(void *argument)
{
	struct measure_gomp_team *team = argument;

	measure_gomp_member_begin(team);
	team->function(team->data);
	measure_gomp_member_arrive(team);
}
