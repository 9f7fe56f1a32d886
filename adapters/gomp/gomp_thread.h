/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread keeps: the levels it is in, innermost last, and the constructs that are open in
 * each. A level is the thread's share in a team, or an explicit task that it runs. One stack is
 * right because libgomp runs everything on the thread's own stack: a task that waits lies below
 * those that run meanwhile, and goes on when they are over. */
#ifndef MEASURE_GOMP_THREAD_H
#define MEASURE_GOMP_THREAD_H

#include "../openmp/team_state.h"
#include "adapter.h"
#include "gomp_real.h"

struct measure_gomp_team;

struct measure_gomp_level {
	struct measure_gomp_team *team; /* NULL: a task outside of any recorded team */
	measure_comm_t comm;
	uint32_t number;     /* of this thread in the team */
	uint32_t creator;    /* of the task: number of the thread that made it */
	uint32_t generation; /* of the task; 0: a share in a team */
	measure_gomp_fn body;
	measure_region_t region;
	uint32_t base;   /* of its constructs in `open` */
	uint16_t nr_barriers; /* that this thread has come to in the team */
	bool is_waiting; /* in the team's last barrier, whose end the thread will not hear of */
};

enum measure_gomp_open_kind {
	MEASURE_GOMP_WORK,   /* ends where the library says so, or is cancelled */
	MEASURE_GOMP_SINGLE, /* the library does not say where it ends */
	MEASURE_GOMP_MUTEX,
	MEASURE_GOMP_BLOCK, /* the part of it that one thread runs at a time */
	MEASURE_GOMP_GROUP
};

struct measure_gomp_open {
	measure_region_t region;
	enum measure_gomp_open_kind kind;
};

struct measure_gomp_thread {
	struct measure_gomp_level *levels;
	uint32_t nr_levels, room_levels;
	struct measure_gomp_open *open;
	uint32_t nr_open, room_open;

	uint32_t generation;                   /* of the last task that this thread made */
	measure_comm_t solo;                   /* the team of this thread alone */
	struct measure_team_state *team_state; /* of its last team as a master outside of any */
	struct measure_gomp_team *teams;       /* made by this thread, in use or to be used again */
	struct measure_gomp_team *started;     /* GOMP_parallel_start without its end, innermost */
	unsigned nr_counts;                    /* depth of its last doacross loop nest */
	bool is_named;
	struct measure_gomp_thread *next_free;
};

/* This thread's. NULL: no memory. Keeps errno. Never freed, as other threads may still look at
 * its teams, but used again by a later thread. */
struct measure_gomp_thread *measure_gomp_thread_self(void);

/* The same; NULL also where nothing is recorded. Starts recording where nothing has so far. */
struct measure_gomp_thread *measure_gomp_thread_recording(void);

/* The innermost one, or NULL. Valid until the next push. */
static inline struct measure_gomp_level *measure_gomp_level(
	const struct measure_gomp_thread *thread)
{
	return thread->nr_levels ? &thread->levels[thread->nr_levels - 1] : NULL;
}

/* What tasks made here belong to: outside of any team, the team of this thread alone. */
struct measure_gomp_level measure_gomp_membership(struct measure_gomp_thread *thread);

/* Adds a level; its constructs begin here. False: no memory. */
bool measure_gomp_push(struct measure_gomp_thread *thread, const struct measure_gomp_level *level);

/* ------------------------------------------------------ constructs; in a transaction --- */

/* Enters a region and keeps it open. Out of memory, it is not kept, and left by nobody but the
 * end of its level. */
void measure_gomp_enter(struct measure_gomp_thread *thread, struct measure_location *location,
	enum measure_gomp_open_kind kind, measure_region_t region);

/* Leaves all that is open from `index` on. */
void measure_gomp_leave(
	struct measure_gomp_thread *thread, struct measure_location *location, uint32_t index);

/* Leaves worksharing constructs that are on top: nothing that may not lie inside of one can
 * begin before they are over. */
void measure_gomp_leave_works(
	struct measure_gomp_thread *thread, struct measure_location *location);

/* The innermost one of this kind in the innermost level, or UINT32_MAX. */
uint32_t measure_gomp_find(
	const struct measure_gomp_thread *thread, enum measure_gomp_open_kind kind);

/* ------------------------------------------------------------------------ places --- */

/* The region of a construct whose call returns to `address`. `name` as in measure_region_at(). */
measure_region_t measure_gomp_region(const struct measure_gomp_thread *thread, const void *address,
	const char *name, uint8_t role);

/* A function that calls the program's. A body whose last act is to call libgomp may jump there,
 * at whatever depth: then the call returns to such a function, whose section tells it. */
#define MEASURE_GOMP_RUNS_BODIES __attribute__((section("measure_gomp_run"), noinline))

#endif
