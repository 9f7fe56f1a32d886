/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parallel regions: fork and join, and each thread's share in the team. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "callbacks.h"
#include "team.h"

measure_comm_t measure_ompt_solo(struct measure_ompt_thread *thread)
{
	uint32_t index = measure_location_index();

	if (thread->solo == MEASURE_UNDEFINED) {
		thread->solo = measure_comm_reserve();
		measure_roster_describe(thread->solo, 1, &index);
	}
	return thread->solo;
}

/* ---------------------------------------------------------------- fork and join --- */

/* One that nobody is in any more. Threads leave a team only when they are needed again, so a
 * master has two of them in turn. */
static struct measure_ompt_team *team_take(struct measure_ompt_thread *thread)
{
	int saved_errno = errno;
	struct measure_ompt_team *team = thread->teams;

	/* pairs with the release in team_drop() */
	while (team && atomic_load_explicit(&team->nr_users, memory_order_acquire) > 0)
		team = team->next;
	if (!team) {
		team = calloc(1, sizeof(*team));
		errno = saved_errno;
		if (!team)
			return NULL;
		team->next = thread->teams;
		thread->teams = team;
	}
	return team;
}

static void team_drop(struct measure_ompt_team *team)
{
	atomic_fetch_sub_explicit(&team->nr_users, 1, memory_order_release);
}

/* What the master's last team tells of this one's members. */
static struct measure_roster *team_known(struct measure_ompt_thread *thread, bool is_league)
{
	uint32_t epoch = atomic_load_explicit(&measure_ompt_epoch, memory_order_relaxed);

	if (thread->nr_members > 0)
		return NULL;
	if (is_league || epoch != thread->roster_epoch) {
		measure_roster_free(thread->roster);
		thread->roster = NULL;
	}
	return thread->roster;
}

static void team_begin(struct measure_ompt_team *team, struct measure_ompt_thread *thread,
	bool is_league, const void *codeptr)
{
	const struct measure_ompt_member *outer = measure_ompt_member(thread);

	if (!codeptr && outer)
		codeptr = outer->team->codeptr;
	team->region = measure_ompt_region(thread, codeptr,
		is_league ? "!$omp teams" : "!$omp parallel", OTF2_REGION_ROLE_PARALLEL);
	team->codeptr = codeptr;
	team->known = team_known(thread, is_league);
	team->is_outermost = !outer && !is_league;
	team->outer = outer ? outer->team : NULL;
	team->outer_number = outer ? outer->number : 0;
	team->size = 0;
	atomic_store_explicit(&team->fresh, NULL, memory_order_relaxed);
	atomic_store_explicit(&team->is_mismatched, false, memory_order_relaxed);
	atomic_store_explicit(&team->end, 0, memory_order_relaxed);
	atomic_store_explicit(&team->nr_users, 1, memory_order_relaxed);
}

void measure_ompt_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame,
	ompt_data_t *parallel, unsigned requested, int flags, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_ompt_team *team = NULL;
	struct measure_location *location;

	(void)task;
	(void)frame;
	parallel->ptr = NULL;
	if (!thread)
		return;
	if (measure_location_index() != MEASURE_UNDEFINED)
		team = team_take(thread);
	location = team ? measure_record_begin() : NULL;
	if (!location) {
		thread->nr_unrecorded++;
		return;
	}
	measure_write_thread_fork(location, OTF2_PARADIGM_OPENMP, requested);
	measure_record_end(location);
	team_begin(team, thread, (flags & ompt_parallel_league) != 0, codeptr);
	team->outer_forked = thread->forked;
	thread->forked = team;
	parallel->ptr = team;
}

/* Keeps what the team that has just ended tells about the next one outside of any region. */
static void roster_update(struct measure_ompt_thread *thread, struct measure_ompt_team *team,
	struct measure_roster *fresh)
{
	if (team->size == 1)
		return; /* the waiting threads are left alone */
	if (atomic_load_explicit(&team->is_mismatched, memory_order_relaxed))
		measure_property_define("OPENMP_TEAM_MISMATCH", "true");
	if (fresh && !measure_roster_is_full(fresh)) {
		measure_roster_free(fresh);
		fresh = NULL;
	} else if (!fresh) {
		measure_roster_shrink(thread->roster, team->size);
		return;
	} else if (thread->roster) {
		measure_roster_inherit(fresh, thread->roster);
	}
	measure_roster_free(thread->roster);
	thread->roster = fresh;
	thread->roster_epoch = atomic_load_explicit(&measure_ompt_epoch, memory_order_relaxed);
}

/* The innermost region that this thread has begun. What LLVM hands us as its data may be that of
 * a new region of another thread by now. */
static struct measure_ompt_team *forked_take(struct measure_ompt_thread *thread)
{
	struct measure_ompt_team *team = thread->forked;

	if (thread->nr_unrecorded > 0) {
		thread->nr_unrecorded--;
		return NULL;
	}
	if (team)
		thread->forked = team->outer_forked;
	return team;
}

void measure_ompt_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
	const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_ompt_team *team = thread ? forked_take(thread) : NULL;
	struct measure_roster *fresh;
	struct measure_location *location;

	(void)parallel;
	(void)task;
	(void)flags;
	(void)codeptr;
	if (!team)
		return;
	fresh = atomic_load_explicit(&team->fresh, memory_order_acquire);
	location = measure_record_begin();
	if (location) {
		measure_write_thread_join(location, OTF2_PARADIGM_OPENMP);
		measure_record_end(location);
	}
	if (fresh && team->size > 0)
		measure_roster_end(fresh);
	if (team->is_outermost && team->size > 0)
		roster_update(thread, team, fresh);
	else
		measure_roster_free(fresh);
	team_drop(team);
}

/* ---------------------------------------------------------------------- members --- */

/* "OpenMP thread 2"; in nested teams the numbers from the outermost team on: "0:1". */
static void thread_name(struct measure_ompt_thread *thread, const struct measure_ompt_team *team,
	uint32_t number)
{
	char text[128];
	char *name = text + sizeof(text) - 1;

	*name = '\0';
	for (;; team = team->outer) {
		char part[16];
		int length = snprintf(part, sizeof(part), "%u", number);

		if (name - length - 1 < text)
			break;
		if (*name)
			*--name = ':';
		while (length > 0)
			*--name = part[--length];
		if (!team->outer)
			break;
		number = team->outer_number;
	}
	char full[sizeof("OpenMP thread ") + sizeof(text)];
	snprintf(full, sizeof(full), "OpenMP thread %s", name);
	measure_location_name(full);
	thread->is_named = true;
}

/* The roster of a team whose threads cannot be told: the first one to come makes it, under a
 * lock so that no communicator is reserved in vain. */
static struct measure_roster *roster_make(struct measure_ompt_team *team, uint32_t size)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int saved_errno = errno;
	struct measure_roster *roster;

	pthread_mutex_lock(&mutex);
	roster = atomic_load_explicit(&team->fresh, memory_order_relaxed);
	if (!roster) {
		roster = measure_roster_new(size, MEASURE_ROSTER_UNBOUND);
		/* publishes the roster, pairs with the loads of `fresh` */
		atomic_store_explicit(&team->fresh, roster, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	errno = saved_errno;
	return roster;
}

/* Communicator of the team in which the calling thread, with this location, is `number`. */
static measure_comm_t member_comm(struct measure_ompt_team *team,
	struct measure_ompt_thread *thread, uint32_t size, uint32_t number, uint32_t location)
{
	struct measure_roster *fresh;
	measure_comm_t comm = MEASURE_UNDEFINED;

	if (size == 1)
		return measure_ompt_solo(thread);
	if (team->known)
		comm = measure_roster_comm(team->known, size, MEASURE_ROSTER_UNBOUND);
	if (comm != MEASURE_UNDEFINED) {
		if (team->known->members[number] != location)
			atomic_store_explicit(&team->is_mismatched, true, memory_order_relaxed);
		return comm;
	}
	fresh = atomic_load_explicit(&team->fresh, memory_order_acquire);
	if (!fresh)
		fresh = roster_make(team, size);
	return fresh ? measure_roster_arrive(fresh, number, location) : MEASURE_UNDEFINED;
}

/* False: nothing of it is recorded. */
static bool member_begin(struct measure_ompt_thread *thread, struct measure_ompt_team *team,
	uint32_t size, uint32_t number)
{
	uint32_t index = measure_location_index();
	struct measure_ompt_member member = {.team = team, .number = number};
	struct measure_location *location;

	if (index == MEASURE_UNDEFINED)
		return false;
	if (number == 0)
		team->size = size;
	else if (!thread->is_named)
		thread_name(thread, team, number);
	member.comm = member_comm(team, thread, size, number, index);
	if (member.comm == MEASURE_UNDEFINED || !measure_ompt_member_push(thread, &member))
		return false;
	atomic_fetch_add_explicit(&team->nr_users, 1, memory_order_relaxed);
	location = measure_record_begin();
	if (location) {
		measure_write_thread_team_begin(location, member.comm);
		measure_write_enter(location, team->region);
		measure_record_end(location);
	}
	return true;
}

struct measure_location *measure_ompt_record_team_end(const struct measure_ompt_thread *thread)
{
	const struct measure_ompt_member *member = measure_ompt_member(thread);
	uint64_t end = 0;

	if (member && member->number > 0)
		end = atomic_load_explicit(&member->team->end, memory_order_acquire);
	return end > 0 ? measure_record_begin_at(end) : measure_record_begin();
}

static void member_end(struct measure_ompt_thread *thread)
{
	struct measure_ompt_member member = *measure_ompt_member(thread);
	struct measure_location *location = measure_ompt_record_team_end(thread);
	uint32_t base = thread->nr_open;

	while (base > 0 && thread->open[base - 1].what != MEASURE_OMPT_MEMBER)
		base--;
	if (location) {
		measure_ompt_leave(thread, location, base);
		measure_write_leave(location, member.team->region);
		measure_write_thread_team_end(location, member.comm);
		measure_record_end(location);
	}
	thread->nr_open = base > 0 ? base - 1 : 0;
	thread->nr_members--;
	team_drop(member.team);
}

/* The end names no team: its master may be far by now. */
void measure_ompt_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, unsigned size, unsigned number, int flags)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();

	(void)flags;
	if (!thread)
		return;
	if (endpoint == ompt_scope_begin) {
		task->value = MEASURE_OMPT_IMPLICIT_ALONE;
		if (parallel && parallel->ptr &&
			member_begin(thread, parallel->ptr, size, number))
			task->value = MEASURE_OMPT_IMPLICIT;
	} else if (task->value == MEASURE_OMPT_IMPLICIT && thread->nr_members > 0) {
		member_end(thread);
	}
}
