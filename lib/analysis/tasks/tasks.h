/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tasks of a trace, whoever ran them (OpenMP, StarPU, measure.h): when each was created, became
 * ready, started and ended, where, what it used, and what had to be over before it. Read from the
 * vocabulary of task programs alone (doc/tasks.md); no name of a run-time matters.
 *
 * Times are corrected ticks since the start of the trace (measure_trace_seconds() of `start` plus
 * that), MEASURE_TASK_NO_TIME where there is none; other numbers that are not known are
 * MEASURE_NONE. Things are known by their index in arrays of struct measure_tasks. Columns that no
 * task of the trace has a value for are NULL.
 *
 * Tasks of one process stand together, in the order in which they were created there: of
 * submission. Behind all of them come those whose creation is not in the trace, and then joins,
 * which stand for a set of tasks that all of another set had to wait for, so that edges do not
 * multiply. */
#ifndef MEASURE_ANALYSIS_TASKS_TASKS_H
#define MEASURE_ANALYSIS_TASKS_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "trace/archive/trace.h"

#define MEASURE_TASK_NO_TIME UINT64_MAX

/* A region that tasks execute. */
struct measure_task_type {
	uint32_t region; /* of the definitions */
	const char *name;
	bool is_application; /* else the run-time's own: its region has the role ARTIFICIAL or
				WRAPPER */
	uint64_t nr_tasks;
	uint64_t nr_executed; /* of these */
	uint64_t executed;    /* ticks, of all together */
};

/* Workers that can do the same at the same speed. */
struct measure_worker_class {
	const char *name; /* "CPU"; "thread" of those whose run-time says nothing */
	uint32_t nr_workers;
};

struct measure_worker {
	uint32_t location;
	uint32_t class;
	uint32_t process; /* location group */
	uint32_t host;    /* tree node, or MEASURE_NONE */
	/* as its run-time has it, or MEASURE_NONE */
	uint32_t number, memory_node, core;
	uint64_t first, last; /* event of the location */
};

enum measure_task_exchange { MEASURE_TASK_NO_EXCHANGE, MEASURE_TASK_SENDS, MEASURE_TASK_RECEIVES };

/* A task that nobody executes has no worker and no start: an exchange, a point of synchronisation,
 * or one that never came to run. */
struct measure_task {
	uint64_t create;
	/* when nothing was in its way any more: as the run-time says; else when it was created and
	 * all its predecessors had ended */
	uint64_t ready;
	uint64_t start, end;
	/* ticks on workers, without tasks that these executed meanwhile, and without waiting for
	 * tasks: regions of role TASK_WAIT, and state `waiting` */
	uint64_t executed;
	uint32_t type;     /* MEASURE_NONE: it has neither a codelet nor a region */
	uint32_t worker;   /* the one that started it */
	uint32_t parent;   /* task that created it, or MEASURE_NONE */
	uint32_t process;  /* location group */
	/* its name in the trace: a communicator, a rank in it, a number of that rank */
	uint32_t team, creator, number;
	uint32_t iteration;
};

/* What has to be over before a task begins. */
struct measure_task_edge {
	uint32_t task : 29;       /* the predecessor */
	uint32_t is_declared : 1; /* the run-time says so (task.dep) */
	uint32_t is_inferred : 1; /* it follows from data that both use */
	uint32_t is_message : 1;  /* it sends what the task receives */
};

#define MEASURE_TASK_MOST (UINT32_C(1) << 29)

/* In the order of the facts task.access.* of task_vocabulary.def. */
enum measure_task_mode {
	MEASURE_TASK_ACCESS_R,
	MEASURE_TASK_ACCESS_W,
	MEASURE_TASK_ACCESS_RW,
	MEASURE_TASK_ACCESS_MUTEXINOUTSET, /* in any order, one at a time */
	MEASURE_TASK_ACCESS_INOUTSET,      /* in any order */
	MEASURE_NR_TASK_MODES
};

extern const char *const measure_task_modes[MEASURE_NR_TASK_MODES]; /* "R", "W" ... */

struct measure_task_access {
	uint32_t data : 29;
	uint32_t mode : 3; /* enum measure_task_mode */
};

/* What tasks use: a handle that was registered, or an address (OpenMP), of a process. */
struct measure_task_data {
	uint64_t handle;
	uint32_t process; /* location group */
	bool is_registered;
	const char *name;                          /* or NULL */
	uint64_t bytes;                            /* 0: not known */
	uint64_t tag;                              /* UINT64_MAX: none */
	uint32_t home;                             /* memory node */
	uint32_t first_coordinate, nr_coordinates; /* in coordinates[] */
	uint64_t from, until;                      /* registered; else MEASURE_TASK_NO_TIME */
};

/* Of data between memory nodes of a process. */
struct measure_task_transfer {
	uint64_t start, end;
	uint64_t bytes; /* 0: not known */
	uint32_t data;  /* or MEASURE_NONE */
	uint32_t from, to;
	uint32_t process;
};

enum measure_worker_state {
#define WORKER_STATE(NAME, state, role, region) MEASURE_WORKER_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_WORKER_STATES
};

extern const char *const measure_worker_states[MEASURE_NR_WORKER_STATES]; /* "scheduling" ... */

/* Time in a state, without states and tasks inside; those of a location in order of time. */
struct measure_worker_interval {
	uint64_t start, end;
	uint32_t location;
	uint32_t worker; /* MEASURE_NONE: the location is none, a thread that submits tasks */
	uint32_t state;  /* enum measure_worker_state */
};

/* A message between tasks: the k-th send of a process to another with a tag, and the k-th receive
 * there. */
struct measure_task_hop {
	uint32_t send, receive;
};

/* What was wrong with the trace, counted. */
struct measure_task_troubles {
	uint64_t nr_uncreated;  /* tasks without a creation */
	uint64_t nr_unfinished; /* started, but no end in the trace */
	uint64_t nr_twice;      /* creations or ends of a task that had one */
	uint64_t nr_unknown;    /* dependences on tasks that are not in the trace */
	uint64_t nr_cyclic;     /* dependences left out, because they made a circle */
	uint64_t nr_unmatched;  /* exchanges without a partner */
	uint32_t nr_broken;     /* locations that could not be read to their ends */
};

struct measure_tasks {
	uint64_t start;  /* of the trace, corrected ticks */
	uint64_t length; /* to the last event of a location that was read, ticks */

	struct measure_task *tasks;
	size_t nr_tasks;   /* with joins */
	size_t nr_created; /* those before have a creation */
	size_t nr_joins;   /* the last ones; no type, worker, team nor times */

	/* more of tasks, by index; NULL where none has it */
	uint32_t *subiterations; /* MEASURE_NONE: unknown */
	int32_t *priorities;
	uint32_t *flags;      /* enum measure_task_flag of OpenMP */
	uint64_t *tags;       /* UINT64_MAX: none */
	uint64_t *footprints; /* 0: unknown */
	double *flops;        /* 0: unknown */
	uint64_t *spawned;    /* ticks that its parent had executed when it was created */
	uint32_t *partners;   /* rank in the MPI world << 2 | enum measure_task_exchange */

	/* of task i: edges[first_edges[i]] to before edges[first_edges[i + 1]], in order of the
	 * predecessors' indices, each once */
	struct measure_task_edge *edges;
	uint64_t *first_edges;
	/* all tasks, each behind its predecessors; NULL: they stand so already */
	uint32_t *order;

	struct measure_task_access *accesses;
	uint64_t *first_accesses;

	struct measure_task_type *types;
	size_t nr_types;
	struct measure_worker_class *classes;
	size_t nr_classes;
	struct measure_worker *workers; /* in order of locations */
	size_t nr_workers;
	uint32_t *location_workers; /* by location: worker, or MEASURE_NONE */

	struct measure_task_data *data; /* of a process together, in order of their first record */
	size_t nr_data;
	uint64_t *coordinates;
	struct measure_task_transfer *transfers; /* by start */
	size_t nr_transfers;
	struct measure_worker_interval *intervals; /* by location */
	size_t nr_intervals;
	struct measure_task_hop *hops; /* by receiving task */
	size_t nr_hops;

	struct measure_task_troubles troubles;
};

struct measure_tasks_options {
	unsigned nr_threads;
	bool is_as_declared; /* infer nothing */
	void (*progress)(double share);
};

/* Reads an archive. A trace without tasks has nr_tasks 0. MEASURE_ERROR_FORMAT: not all could be
 * read, what could counts. What is wrong with events goes to trace->findings. The result is to be
 * freed in any case, before the trace, which has its names. Any number of threads gives the same.
 */
measure_status_t measure_tasks_read(struct measure_trace *trace,
	const struct measure_tasks_options *options, struct measure_tasks *tasks);
void measure_tasks_free(struct measure_tasks *tasks);

/* Index of the task that a trace calls so; MEASURE_NONE: there is none. */
uint32_t measure_tasks_find(
	const struct measure_tasks *tasks, uint32_t team, uint32_t creator, uint32_t number);

/* It has run, or has been exchanged: an end is known. */
static inline bool measure_task_is_over(const struct measure_task *task)
{
	return task->end != MEASURE_TASK_NO_TIME;
}

/* Executed by a worker, from start to end. */
static inline bool measure_task_is_executed(const struct measure_task *task)
{
	return task->start != MEASURE_TASK_NO_TIME && task->end != MEASURE_TASK_NO_TIME;
}

static inline enum measure_task_exchange measure_task_exchange_of(
	const struct measure_tasks *tasks, size_t task)
{
	return tasks->partners ? (enum measure_task_exchange)(tasks->partners[task] & 3)
			       : MEASURE_TASK_NO_EXCHANGE;
}

/* ----------------------------------------------------------------- critical path --- */

enum measure_task_durations {
	MEASURE_TASK_DURATIONS_OBSERVED,
	MEASURE_TASK_DURATIONS_FASTEST /* mean of the class that is fastest with the type */
};

struct measure_tasks_path_options {
	enum measure_task_durations durations;
	bool has_messages; /* a message takes as long as observed; else no time */
	uint32_t process;  /* only tasks of that location group; MEASURE_NONE: of all */
};

/* What no schedule on any number of workers can be shorter than: the longest chain of tasks, each
 * behind a predecessor. A task that another one has created begins no earlier than its creator had
 * come to that, so a step from a parent counts what that had executed by then. */
struct measure_tasks_path {
	uint64_t length;   /* ticks */
	uint64_t messages; /* ticks of it in messages */
	uint32_t *tasks;   /* first to last; joins are left out */
	size_t nr_tasks;
};

void measure_tasks_critical_path(const struct measure_tasks *tasks,
	const struct measure_tasks_path_options *options, struct measure_tasks_path *path);
void measure_tasks_path_free(struct measure_tasks_path *path);

/* Mean ticks that a class of workers took for tasks of a type: [class * nr_types + type], 0 where
 * it never did. Freed by measure_free(). */
double *measure_tasks_means(const struct measure_tasks *tasks);

/* Ticks that a message took, from when both sides were ready to when it had arrived; 0 where that
 * is not known. */
uint64_t measure_tasks_hop_ticks(
	const struct measure_tasks *tasks, const struct measure_task_hop *hop);

/* Messages that arrive before their data were there to be sent, as by clocks that disagree. */
size_t measure_tasks_count_reversed(const struct measure_tasks *tasks);

/* ------------------------------------------------------------------------- chains --- */

/* Why a task could not start before: the task itself, then the predecessor that ended last, and so
 * on, at most `levels` of these. Tasks that nobody executed and that are no exchanges are not in
 * it; what they waited for is. Returns how many `chain` has; there must be room for levels + 1. */
size_t measure_tasks_chain(
	const struct measure_tasks *tasks, uint32_t task, size_t levels, uint32_t *chain);

/* A task before which its worker did nothing for long. */
struct measure_task_gap {
	uint32_t task;
	uint64_t ticks; /* since all tasks before it had ended there */
};

/* The longest gaps, at most `nr` of them, the longest one first; returns how many. */
size_t measure_tasks_find_gaps(
	const struct measure_tasks *tasks, size_t nr, struct measure_task_gap *gaps);

#endif
