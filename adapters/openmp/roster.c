/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams as communicators: see roster.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <stdlib.h>

#include "roster.h"

static measure_comm_t comm_get(const struct measure_roster *roster, uint32_t size)
{
	return atomic_load_explicit(&roster->comms[size - 1], memory_order_relaxed);
}

#define LINE 64 /* of the cache */

/* One block: the struct, then members, then comms. It has lines of its own: all threads of a team
 * read it, and would wait for whoever writes to what lies beside it. */
static struct measure_roster *roster_new(uint32_t size, int bind)
{
	struct measure_roster *roster;
	size_t bytes = sizeof(*roster) +
		       size * (sizeof(*roster->members) + sizeof(*roster->comms));

	roster = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
	if (!roster)
		return NULL;
	roster->size = size;
	roster->nr_kept = size;
	roster->bind = bind;
	atomic_init(&roster->nr_arrived, 0);
	roster->members = (uint32_t *)(roster + 1);
	roster->comms = (_Atomic(measure_comm_t) *)(roster->members + size);
	for (uint32_t i = 0; i + 1 < size; i++)
		atomic_init(&roster->comms[i], MEASURE_UNDEFINED);
	atomic_init(&roster->comms[size - 1], measure_comm_reserve());
	/* the archive shall know of it even where the process ends before it is described */
	measure_comm_name(comm_get(roster, size), "");
	return roster;
}

/* Under a lock, so that no communicator is reserved in vain. */
static struct measure_roster *make_shared(
	_Atomic(struct measure_roster *) *place, uint32_t size, int bind)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int saved_errno = errno;
	struct measure_roster *roster;

	pthread_mutex_lock(&mutex);
	roster = atomic_load_explicit(place, memory_order_relaxed);
	if (!roster) {
		roster = roster_new(size, bind);
		/* publishes the roster, pairs with the loads of who asks for it */
		atomic_store_explicit(place, roster, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	errno = saved_errno;
	return roster;
}

struct measure_roster *measure_roster_shared(
	_Atomic(struct measure_roster *) *place, uint32_t size, int bind)
{
	struct measure_roster *roster = atomic_load_explicit(place, memory_order_acquire);

	return roster ? roster : make_shared(place, size, bind);
}

void measure_roster_free(struct measure_roster *roster)
{
	free(roster);
}

void measure_roster_describe(measure_comm_t comm, uint32_t size, const uint32_t *members)
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

measure_comm_t measure_roster_arrive(struct measure_roster *roster, uint32_t number,
	uint32_t location)
{
	measure_comm_t comm = comm_get(roster, roster->size);

	roster->members[number] = location;
	/* release: publishes this member; acquire: the last one sees them all */
	if (atomic_fetch_add_explicit(&roster->nr_arrived, 1, memory_order_acq_rel) ==
		roster->size - 1)
		measure_roster_describe(comm, roster->size, roster->members);
	return comm;
}

bool measure_roster_is_full(const struct measure_roster *roster)
{
	return atomic_load_explicit(&roster->nr_arrived, memory_order_acquire) == roster->size;
}

void measure_roster_end(struct measure_roster *roster)
{
	if (atomic_load_explicit(&roster->nr_arrived, memory_order_acquire) == 1 &&
		roster->size > 1)
		measure_roster_describe(comm_get(roster, roster->size), 1, roster->members);
}

/* The first thread that needs the communicator makes it, under a lock so that no id is reserved
 * in vain. */
static measure_comm_t comm_make(struct measure_roster *roster, uint32_t size)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	measure_comm_t comm;

	pthread_mutex_lock(&mutex);
	comm = comm_get(roster, size);
	if (comm == MEASURE_UNDEFINED) {
		comm = measure_comm_reserve();
		measure_roster_describe(comm, size, roster->members);
		atomic_store_explicit(&roster->comms[size - 1], comm, memory_order_relaxed);
	}
	pthread_mutex_unlock(&mutex);
	return comm;
}

measure_comm_t measure_roster_comm(struct measure_roster *roster, uint32_t size,
	int bind)
{
	measure_comm_t comm;

	if (size > roster->nr_kept || bind != roster->bind)
		return MEASURE_UNDEFINED;
	if (bind != MEASURE_ROSTER_UNBOUND && size != roster->size)
		return MEASURE_UNDEFINED;
	comm = comm_get(roster, size);
	return comm != MEASURE_UNDEFINED ? comm : comm_make(roster, size);
}

void measure_roster_shrink(struct measure_roster *roster, uint32_t size)
{
	if (size < roster->nr_kept)
		roster->nr_kept = size;
}

void measure_roster_inherit(struct measure_roster *roster,
	const struct measure_roster *former)
{
	/* the last cell is the new team's own */
	for (uint32_t i = 0; i + 1 < roster->size && i < former->nr_kept; i++) {
		if (roster->members[i] != former->members[i])
			return;
		atomic_store_explicit(&roster->comms[i], comm_get(former, i + 1),
			memory_order_relaxed);
	}
}
