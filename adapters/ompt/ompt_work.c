/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Worksharing, masked regions, flushes and cancellations. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "ompt_construct.h"
#include "ompt_library.h"

#define SINGLE_EXECUTOR 3
#define TASKLOOP        7

static const struct measure_ompt_construct works[] = {
#define WORK(number, name, role) [number] = {name, OTF2_REGION_ROLE_##role},
#define SYNC(number, name, role)
#define MUTEX(number, name, role, block, block_role)
#include "constructs.def"
#undef SYNC
#undef WORK
#undef MUTEX
};

void measure_ompt_leave_stale(struct measure_ompt_thread *thread, struct measure_location *location)
{
	while (thread->nr_open > 0) {
		const struct measure_ompt_open *top = &thread->open[thread->nr_open - 1];
		if (top->what != MEASURE_OMPT_WORK ||
			(works[top->kind].role != OTF2_REGION_ROLE_LOOP &&
				works[top->kind].role != OTF2_REGION_ROLE_SECTIONS))
			break;
		measure_ompt_leave(thread, location, thread->nr_open - 1);
	}
}

/* -------------------------------------------------------------------- worksharing --- */

static void work_begin(struct measure_ompt_thread *thread, int kind, const void *codeptr)
{
	/* LLVM gives a place in itself for taskloops, which have a taskgroup around them */
	bool is_inner = kind == TASKLOOP && measure_ompt_is_runtime(codeptr);
	measure_region_t block = MEASURE_UNDEFINED, region;
	struct measure_location *location;

	region = measure_ompt_region(thread, is_inner ? thread->taskgroup : codeptr,
		works[kind].name, (uint8_t)works[kind].role);
	if (kind == SINGLE_EXECUTOR)
		block = measure_ompt_region(
			thread, codeptr, "!$omp single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK);
	location = measure_record_begin();
	if (!location)
		return;
	if (kind != TASKLOOP)
		measure_ompt_leave_stale(thread, location);
	measure_ompt_enter(thread, location, MEASURE_OMPT_WORK, kind, region);
	if (kind == SINGLE_EXECUTOR)
		measure_ompt_enter(thread, location, MEASURE_OMPT_BLOCK, kind, block);
	measure_record_end(location);
}

/* LLVM ends a loop of a distribute as the distribute: then it is the innermost construct. */
static void work_end(struct measure_ompt_thread *thread, int kind)
{
	uint32_t index = measure_ompt_find(thread, MEASURE_OMPT_WORK, kind);
	struct measure_location *location;

	if (index == UINT32_MAX)
		index = measure_ompt_find(thread, MEASURE_OMPT_WORK, -1);
	if (index == UINT32_MAX)
		return;
	location = measure_record_begin();
	if (location) {
		measure_ompt_leave(thread, location, index);
		measure_record_end(location);
	}
	thread->nr_open = index;
}

void measure_ompt_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, uint64_t count, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();

	(void)parallel;
	(void)task;
	(void)count;
	if (!thread || (size_t)kind >= sizeof(works) / sizeof(works[0]) || !works[kind].name)
		return;
	thread->is_behind_work = endpoint == ompt_scope_end &&
				 (works[kind].role == OTF2_REGION_ROLE_LOOP ||
					 works[kind].role == OTF2_REGION_ROLE_SECTIONS);
	if (endpoint == ompt_scope_end)
		work_end(thread, (int)kind);
	else
		work_begin(thread, (int)kind, codeptr);
}

void measure_ompt_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_location *location;
	measure_region_t region;
	uint32_t index;

	(void)parallel;
	(void)task;
	if (!thread)
		return;
	index = measure_ompt_find(thread, MEASURE_OMPT_MASKED, -1);
	if (endpoint == ompt_scope_end && index == UINT32_MAX)
		return;
	region = measure_ompt_region(thread, codeptr, "!$omp masked", OTF2_REGION_ROLE_MASTER);
	location = measure_record_begin();
	if (!location)
		return;
	if (endpoint == ompt_scope_end)
		measure_ompt_leave(thread, location, index);
	else
		measure_ompt_enter(thread, location, MEASURE_OMPT_MASKED, 0, region);
	measure_record_end(location);
}

/* ------------------------------------------------------------------- single moments --- */

static void moment(const char *name, uint8_t role, const void *codeptr)
{
	struct measure_ompt_thread *thread = measure_ompt_thread_self();
	struct measure_location *location;
	measure_region_t region;

	if (!thread || measure_location_index() == MEASURE_UNDEFINED)
		return;
	region = measure_ompt_region(thread, codeptr, name, role);
	location = measure_record_begin();
	if (!location)
		return;
	measure_write_enter(location, region);
	measure_write_leave(location, region);
	measure_record_end(location);
}

void measure_ompt_flush(ompt_data_t *thread_data, const void *codeptr)
{
	(void)thread_data;
	moment("!$omp flush", OTF2_REGION_ROLE_FLUSH, codeptr);
}

/* A thread that asks for a cancellation, or that finds there is one. Tasks that are thrown
 * away end by a task_schedule of their own. */
void measure_ompt_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	(void)task;
	if (flags & ompt_cancel_activated)
		moment("!$omp cancel", OTF2_REGION_ROLE_WRAPPER, codeptr);
	else if (flags & ompt_cancel_detected)
		moment("!$omp cancellation point", OTF2_REGION_ROLE_WRAPPER, codeptr);
}
