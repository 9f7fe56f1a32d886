/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers, taskwait, taskgroups and reductions. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "ompt_construct.h"
#include "ompt_library.h"
#include "ordered.h"
#include "ompt_team.h"

#define IMPLICIT       2
#define BARRIER        3
#define IMPLEMENTATION 4
#define TASKGROUP      6
#define LAST_BARRIER   9 /* of a parallel region; up to 5.0 it had the number of any implicit one */

static const struct measure_ompt_construct syncs[] = {
#define SYNC(number, name, role) [number] = {name, OTF2_REGION_ROLE_##role},
#define WORK(number, name, role)
#define MUTEX(number, name, role, block, block_role)
#include "constructs.def"
#undef SYNC
#undef WORK
#undef MUTEX
};

static bool is_barrier(int kind)
{
	return syncs[kind].role == OTF2_REGION_ROLE_BARRIER ||
	       syncs[kind].role == OTF2_REGION_ROLE_IMPLICIT_BARRIER;
}

static void sync_enter(struct measure_ompt_thread *thread, enum measure_ompt_open_what what,
	const char *name, int role, int kind, const void *codeptr)
{
	measure_region_t region = measure_ompt_region(thread, codeptr, name, (uint8_t)role);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (is_barrier(kind))
		measure_ompt_leave_stale(thread, location);
	measure_ompt_enter(thread, location, what, kind, region);
	measure_record_end(location);
}

static void sync_leave(
	struct measure_ompt_thread *thread, enum measure_ompt_open_what what, int kind)
{
	uint32_t index = measure_ompt_find(thread, what, kind);
	struct measure_location *location;

	if (index == UINT32_MAX)
		return;
	measure_order_clock();
	location = measure_record_begin();
	if (!location) {
		thread->nr_open = index;
		return;
	}
	measure_ompt_leave(thread, location, index);
	measure_record_end(location);
}

static bool sync_is_known(int kind)
{
	return kind > 0 && (size_t)kind < sizeof(syncs) / sizeof(syncs[0]);
}

/* A program of GCC has one function for all barriers that it calls by themselves, and others for
 * those at the end of loops and sections. LLVM's library says of all of them that they are its own:
 * right behind a loop or sections it is taken for theirs, else it is an explicit one. */
static int shown_as(struct measure_ompt_thread *thread, int kind)
{
	bool is_behind_work = thread->is_behind_work;

	thread->is_behind_work = false;
	if (kind != IMPLEMENTATION || !measure_ompt_is_for_gcc())
		return kind;
	return is_behind_work ? IMPLICIT : BARRIER;
}

void measure_ompt_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	const struct measure_ompt_member *member;

	if (!thread || !sync_is_known((int)kind))
		return;
	if (task)
		measure_ompt_task_goes_on(thread, task);
	if (kind == TASKGROUP && endpoint == ompt_scope_begin)
		thread->taskgroup = codeptr;
	if (endpoint == ompt_scope_begin) {
		int shown = shown_as(thread, (int)kind);
		sync_enter(thread, MEASURE_OMPT_SYNC, syncs[shown].name, syncs[shown].role,
			(int)kind, codeptr);
		return;
	}
	member = measure_ompt_member(thread);
	if (member && thread->nr_unrecorded == 0 && is_barrier((int)kind) &&
		(!parallel || kind == LAST_BARRIER))
		measure_ompt_team_expect(member); /* the end of the share follows, and leaves it */
	else
		sync_leave(thread, MEASURE_OMPT_SYNC, (int)kind);
}

/* A taskgroup waits at its end; everything else waits all the time, which its region shows. */
void measure_ompt_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();

	(void)parallel;
	(void)task;
	if (!thread || kind != TASKGROUP)
		return;
	if (endpoint == ompt_scope_begin)
		sync_enter(thread, MEASURE_OMPT_WAIT, "!$omp taskgroup wait", syncs[kind].role,
			(int)kind, codeptr);
	else
		sync_leave(thread, MEASURE_OMPT_WAIT, (int)kind);
}

void measure_ompt_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();

	(void)parallel;
	(void)task;
	if (!thread || !sync_is_known((int)kind))
		return;
	if (endpoint == ompt_scope_begin)
		sync_enter(thread, MEASURE_OMPT_REDUCTION, syncs[kind].name, syncs[kind].role,
			(int)kind, codeptr);
	else
		sync_leave(thread, MEASURE_OMPT_REDUCTION, (int)kind);
}
