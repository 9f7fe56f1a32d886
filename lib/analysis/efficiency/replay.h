/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replays the run on another network: the master threads of the processes go through their calls of
 * MPI again, each as soon as what it depends on allows. The time between calls is as recorded, or
 * scaled; the time in the network is 0, or given by the caller. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_REPLAY_H
#define MEASURE_ANALYSIS_EFFICIENCY_REPLAY_H

#include "analysis/waits/waits.h"

struct measure_interval {
	uint64_t from, until;
};

/* A call of MPI on a master thread that is in no other one, and in no parallel region. */
struct measure_replay_call {
	uint64_t enter, leave;
	uint32_t call, end; /* of the table: this one, and behind those inside it */
};

/* What the sends of an instance are replayed to, as far as is known. */
struct measure_gathering {
	uint64_t time[2]; /* the latest, of two locations: nobody waits for himself */
	uint32_t location[2];
	uint32_t next, round;
	/* while a send is missing: the process that waits for that, or MEASURE_NONE, and the first
	 * of the others, which wait for all to be known */
	uint32_t leader, waiting;
};

struct measure_cursor {
	size_t first, next, end; /* steps of the window */
	size_t candidate;        /* of the location: those before are of steps before */
	uint32_t blocked_on;     /* process, or MEASURE_NONE */
	size_t needed;           /* its step that has to come next */
	uint32_t blocked_in;     /* instance whose leader waits for it, or MEASURE_NONE */
	uint32_t leads;          /* instance, or MEASURE_NONE */
	uint32_t waiting,
		behind; /* first of the processes that are blocked on this one, next one */
};

struct measure_replay {
	const struct measure_waits *waits;
	uint32_t *masters; /* location, by process */
	uint32_t nr_processes;
	uint32_t *processes;               /* by location, or MEASURE_NONE */
	uint32_t *steps;                   /* calls; of each process together, in order */
	size_t *first_steps;               /* by process, and the end */
	/* of the replay that runs, or ran last */
	uint64_t *leaves;                     /* by step, from the begin of the window */
	struct measure_gathering *gatherings; /* by instance */
	struct measure_cursor *cursors;       /* by process */
	uint32_t *ready;                      /* processes that can go on */
	uint32_t nr_ready, round;
	uint64_t origin;
	uint64_t nr_forced; /* calls that depended on each other at one time */
};

static inline const struct measure_sync_call *measure_replay_call_of(
	const struct measure_replay *replay, uint32_t process, size_t step)
{
	return &replay->waits->dependencies.tables[replay->masters[process]]
			.calls[replay->steps[step]];
}

struct measure_replay_call measure_replay_step(
	const struct measure_replay *replay, uint32_t process, size_t step);

/* How a run is to be replayed. Both arrays may be NULL. */
struct measure_replay_rules {
	const struct measure_interval *windows; /* by process */
	const uint64_t *rests; /* by step: ticks after what it depended on; NULL: none */
	/* what is between calls, before each step and behind the last one: measure_replay_gap()
	 * says where; NULL: as it was */
	const uint64_t *gaps;
};

/* `masters`: locations by process; they are copied. */
void measure_replay_start(struct measure_replay *replay, const struct measure_waits *waits,
	const uint32_t *masters, uint32_t nr_processes);
void measure_replay_free(struct measure_replay *replay);

/* replay_steps.c, for measure_replay_start(): finds the steps of all masters. */
void measure_replay_make_steps(struct measure_replay *replay);

/* Ticks from the first begin of a window to the last end. `ends`, by process, may be NULL. */
uint64_t measure_replay_run(
	struct measure_replay *replay, const struct measure_replay_rules *rules, uint64_t *ends);

/* What a call took as it was recorded, after it had begun and what it depended on had, inside a
 * window. *has_waited: it began before that. */
uint64_t measure_replay_rest(const struct measure_replay *replay, uint32_t process,
	const struct measure_replay_call *step, const struct measure_interval *window,
	bool *has_waited);

/* Of the calls of a location from `call` on; those of a step are up to step->end. */
const struct measure_candidate *measure_replay_candidates(const struct measure_replay *replay,
	uint32_t location, uint32_t call, const struct measure_candidate **end);

/* The steps of a process that are at least partly in a window. */
void measure_replay_window(const struct measure_replay *replay, uint32_t process,
	const struct measure_interval *window, size_t *first, size_t *end);

/* The number of steps of a process in [first, end) that are over by a time. */
size_t measure_replay_count_over(const struct measure_replay *replay, uint32_t process,
	size_t first, size_t end, uint64_t time);

/* Of gaps: the place of the one before a step, or behind all steps of a process, and how many there
 * are of all. */
static inline size_t measure_replay_gap(uint32_t process, size_t step)
{
	return step + process;
}

static inline size_t measure_replay_nr_gaps(const struct measure_replay *replay)
{
	return replay->first_steps[replay->nr_processes] + replay->nr_processes;
}

/* From when to when such a gap was in the run. */
struct measure_interval measure_replay_recorded_gap(const struct measure_replay *replay,
	uint32_t process, size_t step, const struct measure_interval *window);

/* Ticks between the calls of a process, in a window. */
uint64_t measure_replay_between(const struct measure_replay *replay, uint32_t process,
	const struct measure_interval *window);

#endif
