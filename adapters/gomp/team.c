/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of a parallel region, on the master and on each thread: see team.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "team.h"

#define FLAG_BIND 7 /* the bits of the flags that hold the proc_bind clause */

static __thread struct measure_gomp_thread *self
	__attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void thread_free(void *argument)
{
	struct measure_gomp_thread *thread = argument;

	self = NULL;
	measure_roster_free(thread->roster);
	free(thread);
}

static void key_create(void)
{
	pthread_key_create(&key, thread_free);
}

static __attribute__((noinline)) struct measure_gomp_thread *thread_new(void)
{
	int saved_errno = errno;
	struct measure_gomp_thread *thread = calloc(1, sizeof(*thread));

	if (thread) {
		thread->solo = MEASURE_UNDEFINED;
		pthread_once(&key_once, key_create);
		pthread_setspecific(key, thread);
		self = thread;
	}
	errno = saved_errno;
	return thread;
}

struct measure_gomp_thread *measure_gomp_thread_self(void)
{
	return self ? self : thread_new();
}

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
		return MEASURE_ROSTER_UNBOUND;
	return flags & FLAG_BIND ? (int)(flags & FLAG_BIND) : measure_gomp_real.omp_get_proc_bind();
}

bool measure_gomp_team_fork(struct measure_gomp_team *team, measure_gomp_fn function, void *data,
	unsigned nr_threads, unsigned flags)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_self();
	struct measure_location *location;

	/* asked first: it starts the recording where nothing has done so yet */
	if (!thread || measure_location_index() == MEASURE_UNDEFINED)
		return false;
	*team = (struct measure_gomp_team){
		.function = function,
		.data = data,
		.level = measure_gomp_real.omp_get_level(),
		.bind = team_bind(flags),
		.master = thread,
	};
	team->region = measure_region_at((const void *)function, "!$omp parallel",
		OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP);
	if (team->level == 0)
		team->known = thread->roster;
	if (nr_threads == 0)
		nr_threads = (unsigned)measure_gomp_real.omp_get_max_threads();

	location = measure_record_begin();
	if (!location)
		return false;
	measure_write_thread_fork(location, OTF2_PARADIGM_OPENMP, nr_threads);
	measure_record_end(location);
	return true;
}

/* Keeps what the team that has just ended tells about the next one outside of any region. */
static void roster_update(struct measure_gomp_team *team, struct measure_roster *fresh)
{
	struct measure_roster **kept = &team->master->roster;

	if (team->size == 1)
		return; /* libgomp leaves the waiting threads alone */
	if (team->is_mismatched)
		measure_property_define("OPENMP_TEAM_MISMATCH", "true");
	if (team->is_mismatched || (fresh && !measure_roster_is_full(fresh))) {
		measure_roster_free(fresh);
		fresh = NULL;
	} else if (!fresh) {
		measure_roster_shrink(*kept, team->size);
		return;
	} else if (*kept) {
		measure_roster_inherit(fresh, *kept);
	}
	measure_roster_free(*kept);
	*kept = fresh;
}

void measure_gomp_team_join(struct measure_gomp_team *team)
{
	struct measure_roster *fresh =
		atomic_load_explicit(&team->fresh, memory_order_acquire);
	struct measure_location *location = measure_record_begin();

	if (location) {
		measure_write_thread_join(location, OTF2_PARADIGM_OPENMP);
		measure_record_end(location);
	}
	if (team->level == 0 && team->size > 0)
		roster_update(team, fresh);
	else
		measure_roster_free(fresh);
}

/* The roster of a team whose threads cannot be told: the first one to come makes it, under a
 * lock so that no communicator is reserved in vain. */
static struct measure_roster *roster_make(struct measure_gomp_team *team, uint32_t size)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int saved_errno = errno;
	struct measure_roster *roster;

	pthread_mutex_lock(&mutex);
	roster = atomic_load_explicit(&team->fresh, memory_order_relaxed);
	if (!roster) {
		roster = measure_roster_new(size, team->bind);
		/* publishes the roster, pairs with the loads of `fresh` */
		atomic_store_explicit(&team->fresh, roster, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	errno = saved_errno;
	return roster;
}

static measure_comm_t solo_comm(struct measure_gomp_thread *thread, uint32_t location)
{
	if (thread->solo == MEASURE_UNDEFINED) {
		thread->solo = measure_comm_reserve();
		measure_roster_describe(thread->solo, 1, &location);
	}
	return thread->solo;
}

/* Communicator of the team in which the calling thread, with this location, is `number`. */
static measure_comm_t member_comm(struct measure_gomp_team *team, uint32_t size, uint32_t number,
	uint32_t location)
{
	struct measure_roster *fresh;
	measure_comm_t comm = MEASURE_UNDEFINED;

	if (size == 1)
		return solo_comm(team->master, location);
	if (team->known)
		comm = measure_roster_comm(team->known, size, team->bind);
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

static void member_record_begin(struct measure_gomp_team *team, struct measure_gomp_member *member)
{
	struct measure_location *location = measure_record_begin();

	if (!location) {
		member->comm = MEASURE_UNDEFINED;
		return;
	}
	measure_write_thread_team_begin(location, member->comm);
	measure_write_enter(location, team->region);
	measure_record_end(location);
}

void measure_gomp_member_begin(struct measure_gomp_team *team, struct measure_gomp_member *member)
{
	uint32_t index = measure_location_index();
	uint32_t size = (uint32_t)measure_gomp_real.omp_get_num_threads();
	uint32_t number = (uint32_t)measure_gomp_real.omp_get_thread_num();
	struct measure_gomp_thread *thread = measure_gomp_thread_self();

	*member = (struct measure_gomp_member){.comm = MEASURE_UNDEFINED};
	if (index == MEASURE_UNDEFINED || !thread)
		return;
	member->outer = thread->team;
	thread->team = team;
	if (number == 0)
		team->size = size;
	else if (!thread->is_named)
		thread_name(thread);
	member->comm = member_comm(team, size, number, index);
	if (member->comm != MEASURE_UNDEFINED)
		member_record_begin(team, member);
}

void measure_gomp_member_end(struct measure_gomp_team *team,
	const struct measure_gomp_member *member)
{
	struct measure_location *location;

	if (self)
		self->team = member->outer;
	if (member->comm == MEASURE_UNDEFINED)
		return;
	location = measure_record_begin();
	if (!location)
		return;
	measure_write_leave(location, team->region);
	measure_write_thread_team_end(location, member->comm);
	measure_record_end(location);
}

/* In a section of its own, so that its addresses can be told: a body whose last statement is
 * a barrier, at whatever depth, may jump there and so have it return to here. */
#define RUN_SECTION "measure_gomp_run"
extern const char __start_measure_gomp_run[] __attribute__((visibility("hidden")));
extern const char __stop_measure_gomp_run[] __attribute__((visibility("hidden")));

__attribute__((section(RUN_SECTION), noinline)) void measure_gomp_member_run(void *argument)
{
	struct measure_gomp_team *team = argument;
	struct measure_gomp_member member;

	measure_gomp_member_begin(team, &member);
	team->function(team->data);
	measure_gomp_member_end(team, &member);
}

bool measure_gomp_is_member_run(const void *address)
{
	return (const char *)address >= __start_measure_gomp_run &&
		(const char *)address < __stop_measure_gomp_run;
}
