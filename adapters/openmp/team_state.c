/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams as communicators: see team_state.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <stdlib.h>

#include "team_state.h"

static measure_comm_t comm_get(const struct measure_team_state *team_state, uint32_t size)
{
	return atomic_load_explicit(&team_state->comms[size - 1], memory_order_relaxed);
}

#define LINE 64 /* of the cache */

/* One block: the struct, then members, then comms. It has lines of its own: all threads of a team
 * read it, and would wait for whoever writes to what lies beside it. */
static struct measure_team_state *team_state_new(uint32_t size, int bind)
{
	struct measure_team_state *team_state;
	size_t bytes = sizeof(*team_state) +
		       size * (sizeof(*team_state->members) + sizeof(*team_state->comms));

	team_state = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
	if (!team_state)
		return NULL;
	team_state->size = size;
	team_state->nr_kept = size;
	team_state->bind = bind;
	atomic_init(&team_state->nr_arrived, 0);
	team_state->members = (uint32_t *)(team_state + 1);
	team_state->comms = (_Atomic(measure_comm_t) *)(team_state->members + size);
	for (uint32_t i = 0; i + 1 < size; i++)
		atomic_init(&team_state->comms[i], MEASURE_UNDEFINED);
	atomic_init(&team_state->comms[size - 1], measure_comm_reserve());
	/* the archive shall know of it even where the process ends before it is described */
	measure_comm_name(comm_get(team_state, size), "");
	return team_state;
}

/* Under a lock, so that no communicator is reserved in vain. */
static struct measure_team_state *make_shared(
	_Atomic(struct measure_team_state *) *place, uint32_t size, int bind)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int saved_errno = errno;
	struct measure_team_state *team_state;

	pthread_mutex_lock(&mutex);
	team_state = atomic_load_explicit(place, memory_order_relaxed);
	if (!team_state) {
		team_state = team_state_new(size, bind);
		/* publishes the team_state, pairs with the loads of who asks for it */
		atomic_store_explicit(place, team_state, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	errno = saved_errno;
	return team_state;
}

struct measure_team_state *measure_team_state_shared(
	_Atomic(struct measure_team_state *) *place, uint32_t size, int bind)
{
	struct measure_team_state *team_state = atomic_load_explicit(place, memory_order_acquire);

	return team_state ? team_state : make_shared(place, size, bind);
}

void measure_team_state_free(struct measure_team_state *team_state)
{
	free(team_state);
}

void measure_team_state_describe(measure_comm_t comm, uint32_t size, const uint32_t *members)
{
	const struct measure_comm_info info = {
		.kind = MEASURE_COMM_TEAM,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_OPENMP,
		.nr_members = size,
		.members = members,
	};

	if (comm != MEASURE_UNDEFINED)
		measure_comm_describe(comm, &info);
}

measure_comm_t measure_team_state_arrive(
	struct measure_team_state *team_state, uint32_t number, uint32_t location)
{
	measure_comm_t comm = comm_get(team_state, team_state->size);

	team_state->members[number] = location;
	/* release: publishes this member; acquire: the last one sees them all */
	if (atomic_fetch_add_explicit(&team_state->nr_arrived, 1, memory_order_acq_rel) ==
		team_state->size - 1)
		measure_team_state_describe(comm, team_state->size, team_state->members);
	return comm;
}

bool measure_team_state_is_full(const struct measure_team_state *team_state)
{
	return atomic_load_explicit(&team_state->nr_arrived, memory_order_acquire) ==
	       team_state->size;
}

void measure_team_state_end(struct measure_team_state *team_state)
{
	if (atomic_load_explicit(&team_state->nr_arrived, memory_order_acquire) == 1 &&
		team_state->size > 1)
		measure_team_state_describe(
			comm_get(team_state, team_state->size), 1, team_state->members);
}

/* The first thread that needs the communicator makes it, under a lock so that no id is reserved
 * in vain. */
static measure_comm_t comm_make(struct measure_team_state *team_state, uint32_t size)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	measure_comm_t comm;

	pthread_mutex_lock(&mutex);
	comm = comm_get(team_state, size);
	if (comm == MEASURE_UNDEFINED) {
		comm = measure_comm_reserve();
		measure_team_state_describe(comm, size, team_state->members);
		atomic_store_explicit(&team_state->comms[size - 1], comm, memory_order_relaxed);
	}
	pthread_mutex_unlock(&mutex);
	return comm;
}

measure_comm_t measure_team_state_comm(
	struct measure_team_state *team_state, uint32_t size, int bind)
{
	measure_comm_t comm;

	if (size > team_state->nr_kept || bind != team_state->bind)
		return MEASURE_UNDEFINED;
	if (bind != MEASURE_TEAM_STATE_UNBOUND && size != team_state->size)
		return MEASURE_UNDEFINED;
	comm = comm_get(team_state, size);
	return comm != MEASURE_UNDEFINED ? comm : comm_make(team_state, size);
}

void measure_team_state_shrink(struct measure_team_state *team_state, uint32_t size)
{
	if (size < team_state->nr_kept)
		team_state->nr_kept = size;
}

void measure_team_state_inherit(
	struct measure_team_state *team_state, const struct measure_team_state *former)
{
	/* the last cell is the new team's own */
	for (uint32_t i = 0; i + 1 < team_state->size && i < former->nr_kept; i++) {
		if (team_state->members[i] != former->members[i])
			return;
		atomic_store_explicit(
			&team_state->comms[i], comm_get(former, i + 1), memory_order_relaxed);
	}
}

measure_comm_t measure_team_state_solo(measure_comm_t *solo)
{
	uint32_t index = measure_location_index();

	if (*solo == MEASURE_UNDEFINED) {
		*solo = measure_comm_reserve();
		measure_team_state_describe(*solo, 1, &index);
	}
	return *solo;
}
