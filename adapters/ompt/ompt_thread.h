/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread keeps, and what is open on it: teams it is in, tasks it runs and constructs in
 * them, innermost on top. One stack is right because the run-time library too runs everything
 * on the thread's own stack: a task that is suspended at a scheduling point lies below those
 * that run meanwhile, and these end, or give the thread back, before it goes on. */
#ifndef MEASURE_OMPT_THREAD_H
#define MEASURE_OMPT_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../openmp/team_state.h"
#include "adapter.h"

struct measure_ompt_pool;
struct measure_ompt_team;
struct measure_omp_lock;

enum measure_ompt_open_what {
	MEASURE_OMPT_MEMBER, /* share in a team */
	MEASURE_OMPT_TASK,   /* explicit task */
	MEASURE_OMPT_WORK,
	MEASURE_OMPT_BLOCK, /* the part of a construct that one thread runs at a time */
	MEASURE_OMPT_MASKED,
	MEASURE_OMPT_SYNC,
	MEASURE_OMPT_WAIT, /* waiting in a construct of SYNC */
	MEASURE_OMPT_REDUCTION,
	MEASURE_OMPT_MUTEX,
	MEASURE_OMPT_TARGET, /* construct of a device; in it: */
	MEASURE_OMPT_DATA,
	MEASURE_OMPT_SUBMIT
};

/* Values of the data of implicit tasks: of one that is a share in a recorded team, and of one
 * that is nobody's. The former is 0: LLVM's library leaves a copy of it where a taskwait with
 * dependences has its data, and aborts where that is not 0. Those of explicit tasks are in
 * ompt_task.c. */
#define MEASURE_OMPT_IMPLICIT       0
#define MEASURE_OMPT_IMPLICIT_ALONE 2

struct measure_ompt_open {
	uint8_t what;
	uint8_t kind; /* OMPT's number, where there is one */
	measure_region_t region;
	uint64_t task; /* TASK only: see ompt_task.c */
};

/* Share in a team, from begin to end of the implicit task. */
struct measure_ompt_member {
	struct measure_ompt_team *team;
	const void *parallel; /* where the team's name is, and that of the next one may be */
	uint64_t begin;       /* its time; UINT64_MAX: not recorded */
	measure_comm_t comm;
	uint32_t number;
};

/* A lock that this thread has; see ompt_locks.h. */
struct measure_ompt_hold {
	struct measure_omp_lock *lock; /* NULL: free */
	uint32_t order;
	uint64_t acquired;
	/* when the next owner came, where that was before this one's release was told */
	_Atomic uint64_t successor;
};

#define MEASURE_OMPT_LINE 64 /* of the cache, in bytes */

#define MEASURE_OMPT_HOLDS 32

/* A suspended task that is left on this thread once its function has returned: see ompt_task.c. */
struct measure_ompt_departure {
	measure_region_t region;
	measure_comm_t comm; /* then this task goes on */
	uint32_t creator, generation;
	uint64_t time;
};

struct measure_ompt_thread {
	_Alignas(MEASURE_OMPT_LINE) struct measure_ompt_open *open;
	uint32_t nr_open, room_open;
	struct measure_ompt_member *members;
	uint32_t nr_members, room_members;

	uint32_t generation;              /* of the last task that this thread made */
	measure_comm_t solo;              /* the team of this thread alone */
	struct measure_ompt_pool *pools;  /* of teams made by this thread, see ompt_team.h */
	struct measure_ompt_team *forked; /* innermost region that it is the master of */
	uint32_t nr_unrecorded;           /* regions inside of that one that are not recorded */
	struct measure_team_state *team_state; /* of its last team as a master outside of any */
	uint32_t team_epoch;                   /* measure_ompt_epoch at that time */
	const void *taskgroup;                 /* where the last taskgroup is */
	bool is_named;
	bool is_leaving;     /* the end of its innermost share is still to be recorded */
	bool is_behind_work; /* a loop or sections were its last construct */

	/* a lock that the thread has asked for: whether it got it is told later or never */
	uint64_t asked_id, asked_time;
	const void *asked_codeptr;

	struct measure_ompt_departure departure;

	struct measure_ompt_hold holds[MEASURE_OMPT_HOLDS];
	struct measure_ompt_thread *next_free;
};

/* Counts threads that the run-time library has ended: teams from before may have other members
 * from then on. */
extern atomic_uint measure_ompt_epoch;

/* This thread's. NULL: no memory. Keeps errno. Never freed, as other threads may still look
 * at what is in it, but used again by a later thread. */
struct measure_ompt_thread *measure_ompt_thread_self(void);

/* Index of what lies above the innermost task or member: where the constructs of the running
 * task begin. */
uint32_t measure_ompt_base(const struct measure_ompt_thread *thread);

/* The innermost of the running task's constructs of that kind (-1: any), or UINT32_MAX. */
uint32_t measure_ompt_find(
	const struct measure_ompt_thread *thread, enum measure_ompt_open_what what, int kind);

/* Puts something on top. Out of memory, it is not kept: its end will not be recorded. */
void measure_ompt_push(struct measure_ompt_thread *thread, const struct measure_ompt_open *open);

/* NULL: outside of any recorded team. */
const struct measure_ompt_member *measure_ompt_member(const struct measure_ompt_thread *thread);
/* False: no memory. */
bool measure_ompt_member_push(
	struct measure_ompt_thread *thread, const struct measure_ompt_member *member);

/* The team that tasks made here belong to, and this thread's rank in it: outside of any, the
 * team of this thread alone. */
struct measure_ompt_member measure_ompt_membership(struct measure_ompt_thread *thread);

/* Enters a region and keeps it open; leaves all that is open from `index` on. In a transaction. */
void measure_ompt_enter(struct measure_ompt_thread *thread, struct measure_location *location,
	enum measure_ompt_open_what what, int kind, measure_region_t region);
void measure_ompt_leave(
	struct measure_ompt_thread *thread, struct measure_location *location, uint32_t index);

/* The region of a construct at a return address of the program. Where the library gives none
 * or one of its own, the place is that of the parallel construct around. */
measure_region_t measure_ompt_region(const struct measure_ompt_thread *thread, const void *codeptr,
	const char *name, uint8_t role);

#endif
