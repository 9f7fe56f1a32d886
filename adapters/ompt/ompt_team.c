/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parallel regions: fork and join, and each thread's share in the team. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>

#include "ompt_construct.h"
#include "ordered.h"
#include "ompt_team.h"

/* ---------------------------------------------------------------- fork and join --- */

/* What the master's last team tells of this one's members. */
static struct measure_team_state *team_known(struct measure_ompt_thread *thread, bool is_league)
{
	uint32_t epoch = atomic_load_explicit(&measure_ompt_epoch, memory_order_relaxed);

	if (thread->nr_members > 0)
		return NULL;
	if (is_league || epoch != thread->team_epoch) {
		measure_team_state_free(thread->team_state);
		thread->team_state = NULL;
	}
	return thread->team_state;
}

static struct measure_ompt_notice notice_of(
	struct measure_ompt_thread *thread, bool is_league, const void *codeptr)
{
	const struct measure_ompt_member *outer = measure_ompt_member(thread);

	if (!codeptr && outer)
		codeptr = outer->team->notice.codeptr;
	return (struct measure_ompt_notice){
		.codeptr = codeptr,
		.known = team_known(thread, is_league),
		.outer = outer ? outer->team : NULL,
		.outer_number = outer ? outer->number : 0,
		.region = measure_ompt_region(thread, codeptr,
			is_league ? "!$omp teams" : "!$omp parallel", OTF2_REGION_ROLE_PARALLEL),
	};
}

/* Nobody else is in the team. What lies in members' lines is not written needlessly. */
static struct measure_ompt_team *team_begin(
	struct measure_ompt_thread *thread, bool is_league, unsigned requested, const void *codeptr)
{
	const struct measure_ompt_notice notice = notice_of(thread, is_league, codeptr);
	struct measure_ompt_team *team = measure_ompt_team_take(thread, &notice, requested);

	if (!team)
		return NULL;
	if (atomic_load_explicit(&team->fresh, memory_order_relaxed))
		atomic_store_explicit(&team->fresh, NULL, memory_order_relaxed);
	if (atomic_load_explicit(&team->is_mismatched, memory_order_relaxed))
		atomic_store_explicit(&team->is_mismatched, false, memory_order_relaxed);
	team->is_outermost = !notice.outer && !is_league;
	team->size = 0;
	return team;
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
	measure_ompt_team_over(thread);
	if (measure_location_index() != MEASURE_UNDEFINED)
		team = team_begin(thread, (flags & ompt_parallel_league) != 0, requested, codeptr);
	location = team ? measure_record_begin() : NULL;
	if (!location) {
		if (team)
			measure_ompt_team_drop(team);
		thread->nr_unrecorded++;
		return;
	}
	measure_write_thread_fork(location, OTF2_PARADIGM_OPENMP, requested);
	measure_record_end(location);
	team->outer_forked = thread->forked;
	thread->forked = team;
	parallel->ptr = team;
}

/* Keeps what the team that has just ended tells about the next one outside of any region. */
static void team_state_update(struct measure_ompt_thread *thread, struct measure_ompt_team *team,
	struct measure_team_state *fresh)
{
	if (team->size == 1)
		return; /* the waiting threads are left alone */
	if (atomic_load_explicit(&team->is_mismatched, memory_order_relaxed))
		measure_property_define("OPENMP_TEAM_MISMATCH", "true");
	if (fresh && !measure_team_state_is_full(fresh)) {
		measure_team_state_free(fresh);
		fresh = NULL;
	} else if (!fresh) {
		measure_team_state_shrink(thread->team_state, team->size);
		return;
	} else if (thread->team_state) {
		measure_team_state_inherit(fresh, thread->team_state);
	}
	measure_team_state_free(thread->team_state);
	thread->team_state = fresh;
	thread->team_epoch = atomic_load_explicit(&measure_ompt_epoch, memory_order_relaxed);
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

void measure_ompt_parallel_end(
	ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_ompt_team *team = thread ? forked_take(thread) : NULL;
	struct measure_team_state *fresh;
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
		measure_team_state_end(fresh);
	if (team->is_outermost && team->size > 0)
		team_state_update(thread, team, fresh);
	else
		measure_team_state_free(fresh);
	measure_ompt_team_drop(team);
}

/* ---------------------------------------------------------------------- members --- */

/* "OpenMP thread 2"; in nested teams the numbers from the outermost team on: "0:1". */
static void thread_name(
	struct measure_ompt_thread *thread, const struct measure_ompt_team *team, uint32_t number)
{
	char text[128];
	char *name = text + sizeof(text) - 1;

	*name = '\0';
	for (;; team = team->notice.outer) {
		char part[16];
		int length = snprintf(part, sizeof(part), "%u", number);

		if (name - length - 1 < text)
			break;
		if (*name)
			*--name = ':';
		while (length > 0)
			*--name = part[--length];
		if (!team->notice.outer)
			break;
		number = team->notice.outer_number;
	}
	char full[sizeof("OpenMP thread ") + sizeof(text)];
	snprintf(full, sizeof(full), "OpenMP thread %s", name);
	measure_location_name(full);
	thread->is_named = true;
}

/* Communicator of the team in which the calling thread, with this location, is `number`. */
static measure_comm_t member_comm(struct measure_ompt_team *team,
	struct measure_ompt_thread *thread, uint32_t size, uint32_t number, uint32_t location)
{
	struct measure_team_state *known = team->notice.known, *fresh;
	measure_comm_t comm = MEASURE_UNDEFINED;

	if (size == 1)
		return measure_team_state_solo(&thread->solo);
	if (known)
		comm = measure_team_state_comm(known, size, MEASURE_TEAM_STATE_UNBOUND);
	if (comm != MEASURE_UNDEFINED) {
		if (known->members[number] != location)
			atomic_store_explicit(&team->is_mismatched, true, memory_order_relaxed);
		return comm;
	}
	fresh = measure_team_state_shared(&team->fresh, size, MEASURE_TEAM_STATE_UNBOUND);
	return fresh ? measure_team_state_arrive(fresh, number, location) : MEASURE_UNDEFINED;
}

/* False: nothing of it is recorded. */
static bool member_begin(struct measure_ompt_thread *thread, const ompt_data_t *parallel,
	uint32_t size, uint32_t number)
{
	uint32_t index = measure_location_index();
	struct measure_ompt_team *team = parallel->ptr;
	struct measure_ompt_member member = {
		.team = team, .parallel = parallel, .begin = UINT64_MAX, .number = number};
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
	measure_ompt_team_come(team, number);
	location = measure_record_begin();
	if (location) {
		thread->members[thread->nr_members - 1].begin = measure_record_time(location);
		measure_write_thread_team_begin(location, member.comm);
		measure_write_enter(location, team->notice.region);
		measure_record_end(location);
	}
	return true;
}

/* When the last barrier was over for the master; 0: not so far. */
static uint64_t end_of(const struct measure_ompt_member *member)
{
	uint64_t end = atomic_load_explicit(&member->team->end, memory_order_acquire);

	return end > member->begin ? end : 0;
}

/* The master says when the last barrier was over; the others hear of it only when they are needed
 * again. */
static struct measure_location *record_end(const struct measure_ompt_member *member)
{
	uint64_t end = member->number > 0 ? end_of(member) : 0;
	struct measure_location *location;

	if (end > 0)
		return measure_record_begin_at(end);
	measure_order_clock();
	location = measure_record_begin();
	if (location && member->number == 0)
		atomic_store_explicit(
			&member->team->end, measure_record_time(location), memory_order_release);
	return location;
}

static void member_end(struct measure_ompt_thread *thread)
{
	struct measure_ompt_member member = *measure_ompt_member(thread);
	struct measure_location *location = record_end(&member);
	uint32_t base = thread->nr_open;

	while (base > 0 && thread->open[base - 1].what != MEASURE_OMPT_MEMBER)
		base--;
	if (location) {
		measure_ompt_leave(thread, location, base);
		measure_write_leave(location, member.team->notice.region);
		measure_write_thread_team_end(location, member.comm);
		measure_record_end(location);
	}
	thread->nr_open = base > 0 ? base - 1 : 0;
	thread->nr_members--;
	measure_ompt_team_go(member.team, member.number);
}

void measure_ompt_team_over(struct measure_ompt_thread *thread)
{
	if (!thread->is_leaving)
		return;
	thread->is_leaving = false;
	member_end(thread);
}

/* Something else is to be recorded. A signal handler may run before the barrier is over. */
static void team_over_later(void *data)
{
	struct measure_ompt_thread *thread = data;

	if (!thread->is_leaving)
		return;
	if (end_of(measure_ompt_member(thread)) > 0)
		measure_ompt_team_over(thread);
	else
		measure_record_later(team_over_later, thread);
}

void measure_ompt_team_expect(const struct measure_ompt_member *member)
{
	if (member->number > 0) {
		__builtin_prefetch(&member->team->end);
		__builtin_prefetch(member->parallel);
	}
}

/* What other members than the master still have to say waits until something else begins on their
 * thread: where that is the next region, what it needs for it is on its way from the master
 * meanwhile. */
static void implicit_task_end(struct measure_ompt_thread *thread)
{
	if (measure_ompt_member(thread)->number == 0) {
		member_end(thread);
		return;
	}
	thread->is_leaving = true;
	measure_record_later(team_over_later, thread);
}

/* The end names no team: its master may be far by now. */
void measure_ompt_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, unsigned size, unsigned number, int flags)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();

	(void)flags;
	if (!thread)
		return;
	measure_ompt_team_over(thread);
	if (endpoint == ompt_scope_begin) {
		task->value = MEASURE_OMPT_IMPLICIT_ALONE;
		if (parallel && parallel->ptr && member_begin(thread, parallel, size, number))
			task->value = MEASURE_OMPT_IMPLICIT;
	} else if (task->value == MEASURE_OMPT_IMPLICIT && thread->nr_members > 0) {
		implicit_task_end(thread);
	}
}
