/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State of the matcher for what is inside one process: teams, tasks, threads and locks. Part of
 * match_internal.h. */
#ifndef MEASURE_TRACE_MATCH_THREADS_MATCH_THREADS_STATE_H
#define MEASURE_TRACE_MATCH_THREADS_MATCH_THREADS_STATE_H

#include "trace/match/match.h"
#include "trace/common/containers.h"

struct team_half {
	uint32_t comm, ordinal;
	struct measure_point begin, end;
	bool has_end;
	uint32_t fork; /* index in forks where this thread forked the team, or MEASURE_NONE */
	uint32_t nr_barriers;
};

struct fork_half {
	struct measure_point fork, join;
	bool has_join, has_team;
};

struct barrier_half {
	uint32_t comm, ordinal; /* of the team */
	uint32_t barrier;       /* how manieth in it */
	uint32_t region;
	struct measure_point enter, leave;
	bool has_leave;
};

/* A stack of indices. */
struct stack {
	MEASURE_GROWING_ITEMS(uint32_t);
};

struct teams {
	/* of the process being read */
	MEASURE_GROWING(struct team_half, teams);
	MEASURE_GROWING(struct fork_half, forks);
	MEASURE_GROWING(struct barrier_half, barriers);
	/* of the location being read */
	struct measure_map ordinals; /* team -> how many begins so far */
	struct stack open_forks, open_teams, open_barriers;
};

/* How manieth barrier of which instance of a team; comm MEASURE_NONE: not known. */
struct barrier_key {
	uint32_t comm, ordinal, barrier;
};

/* In place of the index of an explicit task; MEASURE_NONE: not known which. */
#define TASK_IMPLICIT (MEASURE_NONE - 1)

/* An explicit task of the process being read. */
struct task {
	uint32_t comm, creator, generation;
	uint32_t nr_creates, nr_switches, nr_completes;
	struct measure_point create, start, complete;
	uint32_t nr_readies;
	struct measure_point ready;
	/* match_task_runs.c */
	struct measure_point last_start; /* where it went on for the last time */
	bool is_last_known;
	bool is_settled;    /* barrier and group are known */
	uint32_t departure; /* the last one, MEASURE_NONE: it is running, or never left */
	uint32_t parent;
	uint32_t children, children_location; /* made there since the last taskwait: a list */
	uint32_t next_child;                  /* of its parent's */
	/* match_task_waits.c */
	uint32_t group;             /* innermost taskgroup */
	struct barrier_key barrier; /* that waits for it */
	uint32_t path;
};

/* The tasks of one team on the location being read. */
struct frame {
	uint32_t current;  /* the task that runs */
	uint32_t children; /* of the implicit task */
};

/* A task went away from a location and has not come back to it. */
struct departure {
	uint32_t task; /* MEASURE_NONE: it has */
	struct measure_point point;
};

/* A taskwait, or the end of a taskgroup. */
struct wait {
	enum measure_relation relation;
	uint32_t depth, task; /* whose it is: depth of the frame, and its task */
	uint32_t children;    /* of a taskwait: a list */
	bool is_over;
	struct measure_point leave;
};

struct waits {
	MEASURE_GROWING_ITEMS(struct wait);
	struct stack open, open_groups; /* on the location being read */
	/* set by waits_prepare: tasks by barrier and place of completion */
	uint32_t *bound;
	size_t nr_bound, room_bound, next_bound;
	MEASURE_GROWING(struct ended, ended);
};

/* A run-time has said that nothing is in the way of a task any more. */
struct readiness {
	uint32_t comm; /* MEASURE_NONE: the location has not named any yet */
	uint64_t task; /* creator << 32 | generation */
	struct measure_point point;
};

/* How a task uses data: alone, or together with others that use it in the same way. */
enum task_use_mode {
	TASK_USE_WRITES,
	TASK_USE_READS,
	TASK_USE_MUTEXINOUTSET,
	TASK_USE_INOUTSET,
};

struct task_use {
	uint64_t data;    /* handle */
	uint64_t created; /* time of the task; set when all of the process has been read */
	uint32_t task;
	enum task_use_mode mode;
};

/* A task names one that has to end before: creator << 32 | generation. */
struct task_declared {
	uint32_t task;
	uint64_t before;
};

/* match_task_data.c; of the process being read */
struct task_uses {
	MEASURE_GROWING(struct task_use, uses);
	MEASURE_GROWING(struct task_declared, declared);
	struct measure_map registered; /* data */
};

struct tasks {
	struct measure_map ids; /* (team and creator, generation) -> item */
	MEASURE_GROWING_ITEMS(struct task);
	uint8_t *facts; /* by parameter: what it says, enum task_fact */
	MEASURE_GROWING(struct readiness, readies);
	struct {
		uint32_t location;
		uint32_t comm;    /* of the last record of a task there */
		uint32_t created; /* the task that was created last there, or MEASURE_NONE */
	} latest;
	struct task_uses uses;
	/* of the location being read; the first one is outside of teams */
	MEASURE_GROWING(struct frame, frames);
	MEASURE_GROWING(struct departure, departures);
	struct waits waits;
};

/* A record of a thread's life (`what` is the contingent, `ordinal` the thread's number), or of
 * a lock (paradigm and lock, acquisition). */
struct keyed_half {
	uint64_t what;
	uint64_t ordinal;
	enum measure_event_kind kind;
	struct measure_point point;
};

/* Of the process being read. */
struct threads {
	struct halves_of {
		MEASURE_GROWING_ITEMS(struct keyed_half);
	} lives, locks;
};

#endif
