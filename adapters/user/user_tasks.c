/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of the program's own run-time, in the words that the OpenMP adapters use: one team of all
 * threads of the process; a task is the index of the location that has made it, and a number that
 * counts all tasks of the process. */
#include "config.h"

#include "user_tasks.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

#include "../common/task_facts.h"
#include "user_start.h"
#include "mutex.h"
#include "pages.h"
#include "sites.h"

#define DEEPEST 62 /* tasks that a thread has begun within each other */

/* The calling thread's. */
struct running {
	uint32_t nr;
	uint32_t nr_beyond; /* within the deepest: not told apart */
	uint64_t tasks[DEEPEST];
};

static __thread struct running *running __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t nr_tasks;

static uint32_t define_team(struct measure_site *site)
{
	const struct measure_comm_info info = {.kind = MEASURE_COMM_THREADS,
		.name = site->name,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_USER};

	measure_task_facts_define();
	measure_task_attributes_define();
	return measure_comm_define(&info);
}

static struct measure_site team_site = {.name = "tasks"};
static struct measure_mutex team_mutex;

/* Under a lock: two teams would be one for the reader, but two sets of attributes are not. */
static measure_comm_t user_task_team(void)
{
	uint32_t id = __atomic_load_n(&team_site.id, __ATOMIC_ACQUIRE);

	if (id == 0) {
		measure_mutex_lock(&team_mutex);
		id = measure_site_id(&team_site, define_team);
		measure_mutex_unlock(&team_mutex);
	}
	return id - 1;
}

/* Not by malloc(): the program may be in it. */
static struct running *have_running(void)
{
	int saved = errno;

	if (!running)
		running = measure_pages_get(sizeof(*running));
	errno = saved;
	return running;
}

void measure_user_tasks_end(void)
{
	measure_pages_return(running, sizeof(*running));
	running = NULL;
}

static uint64_t user_task_innermost(void)
{
	return running && running->nr ? running->tasks[running->nr - 1] : 0;
}

static uint32_t creator_of(uint64_t task)
{
	return (uint32_t)(task >> 32);
}

static uint32_t user_task_number(uint64_t task)
{
	return (uint32_t)task;
}

/* ------------------------------------------------------------------------- creation --- */

static uint32_t user_task_describe(const struct measure_task_info *info, measure_region_t region,
	struct measure_typed_value *values)
{
	uint32_t fields = info ? info->fields : 0, nr = 0;

	values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_CODELET);
	values[nr++].id = region;
	if (fields & MEASURE_TASK_HAS_ITERATION) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_ITERATION);
		values[nr++].unsigned_int = info->iteration;
	}
	if (fields & MEASURE_TASK_HAS_TAG) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_TAG);
		values[nr++].unsigned_int = info->tag;
	}
	if (fields & MEASURE_TASK_HAS_FLOPS) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_FLOPS);
		values[nr++].floating_point = info->flops;
	}
	if (fields & MEASURE_TASK_HAS_FOOTPRINT) {
		values[nr] = measure_task_attribute(MEASURE_TASK_ATTRIBUTE_FOOTPRINT);
		values[nr++].unsigned_int = info->footprint;
	}
	return nr;
}

uint64_t measure_user_task_create(struct measure_site *site, const struct measure_task_info *info)
{
	measure_region_t region = measure_user_is_on() && measure_is_recording()
					  ? measure_site_region(site)
					  : MEASURE_UNDEFINED;
	measure_comm_t comm = region == MEASURE_UNDEFINED ? MEASURE_UNDEFINED : user_task_team();
	struct measure_typed_value values[MEASURE_NR_TASK_ATTRIBUTES];
	struct measure_location *location;
	uint32_t creator, number;

	if (comm == MEASURE_UNDEFINED || (creator = measure_location_index()) == MEASURE_UNDEFINED)
		return 0;
	do
		number = atomic_fetch_add_explicit(&nr_tasks, 1, memory_order_relaxed) + 1;
	while (number == 0);
	location = measure_record_begin();
	if (!location)
		return 0;
	if (region < MEASURE_REGION_MARKED)
		measure_write_attributes(
			location, values, user_task_describe(info, region, values));
	measure_write_thread_task_create(location, comm, creator, number);
	if (user_task_innermost())
		measure_task_fact_write(location, MEASURE_TASK_PARENT, user_task_innermost());
	if (info && info->fields & MEASURE_TASK_HAS_PRIORITY)
		measure_task_fact_write(location, MEASURE_TASK_PRIORITY, (uint64_t)info->priority);
	if (info && info->fields & MEASURE_TASK_HAS_SUBITERATION)
		measure_task_fact_write(location, MEASURE_TASK_SUBITERATION, info->subiteration);
	measure_record_end(location);
	return measure_task_value(creator, number);
}

static void write_fact(uint64_t task, enum measure_task_fact fact, uint64_t value)
{
	struct measure_location *location = task ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_task_fact_write(location, fact, value);
	measure_record_end(location);
}

void measure_user_task_access(uint64_t task, uint32_t access, uint64_t data)
{
	static const enum measure_task_fact facts[] = {
		[MEASURE_ACCESS_R] = MEASURE_TASK_ACCESS_IN,
		[MEASURE_ACCESS_W] = MEASURE_TASK_ACCESS_OUT,
		[MEASURE_ACCESS_RW] = MEASURE_TASK_ACCESS_INOUT,
		[MEASURE_ACCESS_MUTEXINOUTSET] = MEASURE_TASK_ACCESS_MUTEXINOUTSET,
		[MEASURE_ACCESS_INOUTSET] = MEASURE_TASK_ACCESS_INOUTSET,
	};

	write_fact(
		task, facts[access <= MEASURE_ACCESS_INOUTSET ? access : MEASURE_ACCESS_RW], data);
}

void measure_user_task_dependence(uint64_t task, uint64_t before)
{
	if (before)
		write_fact(task, MEASURE_TASK_DEPENDENCE, before);
}

void measure_user_task_ready(uint64_t task)
{
	write_fact(task, MEASURE_TASK_READY, task);
}

void measure_user_task_send(uint64_t task, uint32_t rank)
{
	write_fact(task, MEASURE_TASK_SEND, rank);
}

void measure_user_task_receive(uint64_t task, uint32_t rank)
{
	write_fact(task, MEASURE_TASK_RECEIVE, rank);
}

/* ------------------------------------------------------------------------------ runs --- */

void measure_user_task_begin(struct measure_site *site, uint64_t task)
{
	measure_region_t region = task ? measure_site_region(site) : MEASURE_UNDEFINED;
	struct running *own = region == MEASURE_UNDEFINED ? NULL : have_running();
	struct measure_location *location = own ? measure_record_begin() : NULL;

	if (!location)
		return;
	if (own->nr < DEEPEST)
		own->tasks[own->nr++] = task;
	else
		own->nr_beyond++;
	measure_write_thread_task_switch(
		location, user_task_team(), creator_of(task), user_task_number(task));
	measure_write_enter(location, region);
	measure_record_end(location);
}

/* Back to the task around it; outside of all of them to the thread's own. */
static void write_resumed(struct measure_location *location)
{
	uint64_t task = user_task_innermost();

	measure_write_thread_task_switch(location, user_task_team(),
		task ? creator_of(task) : measure_location_index(), user_task_number(task));
}

void measure_user_task_end(struct measure_site *site, uint64_t task)
{
	measure_region_t region = task ? measure_site_region(site) : MEASURE_UNDEFINED;
	struct running *own = region == MEASURE_UNDEFINED ? NULL : have_running();
	struct measure_location *location = own ? measure_record_begin() : NULL;

	if (!location)
		return;
	if (own->nr_beyond)
		own->nr_beyond--;
	else if (own->nr)
		own->nr--;
	measure_write_leave(location, region);
	measure_write_thread_task_complete(
		location, user_task_team(), creator_of(task), user_task_number(task));
	write_resumed(location);
	measure_record_end(location);
}

void measure_user_task_complete(uint64_t task)
{
	struct measure_location *location = task ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_write_thread_task_complete(
		location, user_task_team(), creator_of(task), user_task_number(task));
	measure_record_end(location);
}
