/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roll-call of a job that hangs: who waits for whom, who is deadlocked, which ranks have come
 * to which collective. Whoever knows the job fills in processes, threads and what each is blocked
 * in; this finds out the rest. doc/hangs.md has the rules. */
#ifndef MEASURE_ANALYSIS_ROLLCALL_ROLLCALL_H
#define MEASURE_ANALYSIS_ROLLCALL_ROLLCALL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "api/pending.h"
#include "base/array.h"
#include "status.h"

#define MEASURE_ROLL_ANY   UINT32_MAX
#define MEASURE_ROLL_LOCKS 8

/* ------------------------------------------------------------------ what is known --- */

enum measure_roll_state {
	MEASURE_ROLL_RUNNING, /* not blocked in anything that is known */
	MEASURE_ROLL_BLOCKED, /* unless what it needs is there */
	MEASURE_ROLL_RESTING, /* until another thread of its process needs it */
	MEASURE_ROLL_ENDED
};

/* One thing that a thread waits for. */
struct measure_roll_need {
	uint8_t kind;      /* enum measure_pending_kind */
	uint8_t operation; /* of a collective; of a barrier of a team: it is the last one */
	uint16_t number;   /* of a barrier of a team */
	uint32_t comm;     /* index in `comms`; UINT32_MAX: unknown; of an object: its paradigm */
	uint32_t peer;     /* process, or ANY; of a collective: root, a process, or ANY: none */
	uint32_t value;    /* tag, or ANY; of a collective: its ordinal */
	uint64_t object;   /* a lock, the number of a thread, a barrier */
};

struct measure_roll_thread {
	uint32_t process;
	uint32_t index; /* in it */
	enum measure_roll_state state;
	bool is_any;     /* one of its needs is enough */
	bool is_partial; /* it has more of them */
	uint32_t nr_needs;
	struct measure_roll_need needs[MEASURE_PENDING_ITEMS];
	uint64_t locks[MEASURE_ROLL_LOCKS]; /* that it has, paradigm << 32 | id + 1; 0: none */
	uint64_t number;                    /* by which others join it; 0: none */
	const char *call;                   /* the innermost region; NULL: none */
	const char *path;                   /* "main > solve > MPI_Recv" */
	double seconds;                     /* since it was entered */
	bool is_busy;                       /* it uses its processor */
};

struct measure_roll_process {
	uint32_t rank;   /* or number: what it is called by */
	bool is_unknown; /* it may be anywhere: nobody can look at it */
	bool has_ended;
	bool is_stopped;
	bool is_open; /* it has children or the like that nobody looks at: they may help */
	uint32_t nr_open_receives; /* posted and not complete, besides what threads wait for */
};

struct measure_roll_comm {
	const char *name;
	MEASURE_ARRAY(uint32_t) members; /* processes, by rank */
	/* By rank: collectives begun; UINT32_MAX: it is not known. */
	MEASURE_ARRAY(uint32_t) begun;
};

/* A collective that a process has begun, one of its last. */
struct measure_roll_collective {
	uint32_t process, comm, ordinal;
	uint32_t root; /* a process, or ANY: none */
	uint8_t operation;
};

/* A message that was sent and not received. */
struct measure_roll_message {
	uint32_t from, to, comm, tag;
	uint64_t nr;
};

/* ---------------------------------------------------------------- what was found --- */

enum measure_roll_verdict {
	MEASURE_ROLL_FREE,      /* it may go on, or who it waits for may */
	MEASURE_ROLL_SUSPECTED, /* it cannot where what is possible is so */
	MEASURE_ROLL_PROVEN     /* it cannot */
};

/* Threads that wait for each other, and for nobody else. Or for somebody who is gone. */
struct measure_roll_core {
	enum measure_roll_verdict verdict;
	MEASURE_ARRAY(uint32_t) threads;
};

/* Members of a communicator came to one collective with different operations or roots; or threads
 * of a team to its end after different numbers of barriers (comm UINT32_MAX). */
struct measure_roll_mismatch {
	uint32_t comm, ordinal;
	uint32_t process; /* of the team */
	uint64_t object;
};

/* Who is not blocked, and how many processes wait for that. */
struct measure_roll_awaited {
	uint32_t process, nr_waiting;
};

struct measure_rollcall {
	MEASURE_ARRAY(struct measure_roll_process) processes;
	MEASURE_ARRAY(struct measure_roll_thread) threads; /* by process */
	MEASURE_ARRAY(struct measure_roll_comm) comms;
	MEASURE_ARRAY(struct measure_roll_collective) collectives;
	MEASURE_ARRAY(struct measure_roll_message) messages;
	const char *word;   /* for a process: "rank" or "process" */
	bool is_incomplete; /* messages cannot be known: no deadlock by messages is proven */

	MEASURE_ARRAY(enum measure_roll_verdict) verdicts; /* by thread */
	MEASURE_ARRAY(struct measure_roll_core) cores;
	MEASURE_ARRAY(struct measure_roll_mismatch) mismatches;
	MEASURE_ARRAY(struct measure_roll_awaited) awaited; /* most waited for first */
};

/* Finds what can be found; what was found before is forgotten. */
measure_status_t measure_rollcall_judge(struct measure_rollcall *call);
void measure_rollcall_free(struct measure_rollcall *call);

/* Names of strings live as long as the strings: free() what the array members own only. */
void measure_rollcall_print(const struct measure_rollcall *call, FILE *out);
void measure_rollcall_print_json(const struct measure_rollcall *call, FILE *out);

/* A thread is blocked, whether or not for good. */
static inline bool measure_roll_is_deadlocked(const struct measure_rollcall *call)
{
	return call->cores.nr > 0 || call->mismatches.nr > 0;
}

/* The name of an operation, as MPI has it. */
const char *measure_roll_operation(uint8_t operation);

/* ------------------------------------------------------------------ the graph; inside --- */

/* For whom a thread waits: a thread, or any thread of a process that could help. */
struct measure_roll_target {
	uint32_t process;
	uint32_t thread; /* UINT32_MAX: any of it */
};

struct measure_roll_edges {
	uint32_t need;    /* which */
	bool is_certain;  /* or only possible */
	bool is_any;      /* one of them is enough */
	bool is_hopeless; /* whoever may come: it was done wrong */
	uint32_t first, nr;
};

struct measure_roll_graph {
	MEASURE_ARRAY(struct measure_roll_edges) edges; /* by thread */
	MEASURE_ARRAY(uint32_t) begins;                 /* by thread, and behind the last */
	MEASURE_ARRAY(struct measure_roll_target) targets;
	MEASURE_ARRAY(uint32_t) threads; /* by process: its first one, and behind the last */
};

measure_status_t measure_roll_graph_make(
	const struct measure_rollcall *call, struct measure_roll_graph *graph);
void measure_roll_graph_free(struct measure_roll_graph *graph);

/* The collective that (comm, ordinal) is one of the mismatched ones. */
bool measure_roll_is_mismatched(
	const struct measure_rollcall *call, uint32_t comm, uint32_t ordinal);

#endif
