/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of a location that can wait, in the order of their Enters: calls of MPI, of OpenMP, of
 * threads, of files. Between them stand what runs inside them without being part of them: tasks,
 * flushes of event memory, times without recording. A call is the outer one of what begins before
 * it ends. */
#ifndef MEASURE_ANALYSIS_WAITS_CALL_TABLE_H
#define MEASURE_ANALYSIS_WAITS_CALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fold/fold.h"
#include "region_kinds.h"
#include "segments.h"

struct measure_sync_call {
	uint64_t enter, leave; /* corrected time */
	uint64_t first : 44;   /* position of its Enter */
	uint64_t kind : 8;     /* enum measure_region_kind */
	uint64_t is_cut : 1;   /* its Leave is not known */
	uint64_t : 11;
	uint64_t last : 44;      /* position of its Leave */
	uint64_t completed : 20; /* requests, in it; the last number: so many or more */
	uint32_t path;
	uint32_t outer; /* its index, or MEASURE_NONE */
};
_Static_assert(sizeof(struct measure_sync_call) == 40, "one of these per call");

/* A phase, or an iteration: no call that waits, but a window to look at (analysis/efficiency). */
struct measure_phase {
	uint64_t enter, leave;
	uint32_t path;
	bool is_cut;
};

/* A receive that a call has found complete that only asks, when no other request was open. */
struct measure_poll {
	uint64_t position; /* of its record */
	uint64_t from;     /* from there on no other request was open */
};

/* The lock of a window that was held on one target. */
struct measure_window_lock {
	uint32_t window, target;
	uint32_t first, last; /* calls: that asks for it, that gives it back */
	bool is_exclusive;
	uint64_t number; /* of its records */
};

struct measure_call_table {
	MEASURE_GROWING(struct measure_sync_call, calls);
	MEASURE_GROWING(struct measure_poll, polls);               /* in order */
	MEASURE_GROWING(struct measure_window_lock, window_locks); /* by their ends */
	bool has_unknown;                 /* there are calls that wait for nobody knows whom */
	struct measure_segments segments; /* what ran between them, and in them */
	MEASURE_GROWING(struct measure_phase, phases); /* in order of Enters */
	uint32_t nr_cut;
	size_t hint;         /* what has been found last */
	uint64_t begin, end; /* of the location: first and last event; begin > end: none */
};

void measure_call_table_free(struct measure_call_table *table);

/* The innermost call that a record lies in, or MEASURE_NONE. What a task does is in no call that
 * the task was started in. */
uint32_t measure_call_table_find(struct measure_call_table *table, uint64_t position);

/* Ticks from `from` to `until` that are no part of the call: of tasks, inner calls, interruptions.
 */
uint64_t measure_call_table_removed(
	const struct measure_call_table *table, uint32_t call, uint64_t from, uint64_t until);

/* NULL: no call that asks has found what a record tells of. */
const struct measure_poll *measure_call_table_poll(
	const struct measure_call_table *table, uint64_t position);

void measure_call_table_free(struct measure_call_table *table);

/* ---------------------------------------------------------------------- recording --- */

/* Something that is open: a call, or a task with what it has called. */
struct measure_open_call {
	uint32_t call;
	uint32_t depth; /* frames of its context, with its own; 0: a task */
	struct measure_key task;
	uint32_t team; /* of a task */
	size_t phase;  /* one more than its index; `call` is the one around it. 0: a call */
};

struct measure_call_recorder {
	struct measure_call_table *table;
	const struct measure_definitions *definitions;
	const uint8_t *kinds; /* by region */
	MEASURE_GROWING(struct measure_open_call, open);
	struct measure_map tasks; /* of those, the tasks: one more than their index */
	uint32_t nr_requests; /* of MPI that are open */
	uint64_t alone_from;  /* position from which on it is one */
	MEASURE_GROWING(struct measure_window_lock, held);
	struct measure_segment_recorder segments;
	uint32_t depth;   /* of the innermost one that is open, if it is a call; else 0 */
	uint32_t off;     /* interruption that lasts, or MEASURE_NONE */
	uint32_t flush;   /* the same; its end is known */
	uint32_t flushed; /* path in which it began */
	bool is_begun;    /* there has been an event */
	bool is_plain;    /* ... and there is no interruption */
};

void measure_call_recorder_start(struct measure_call_recorder *recorder,
	struct measure_call_table *table, const struct measure_definitions *definitions,
	const uint8_t *kinds);

void measure_call_recorder_event_slowly(struct measure_call_recorder *recorder,
	const struct measure_fold *fold, const struct measure_event *event);

/* An event that has just been folded. */
static inline void measure_call_recorder_event(struct measure_call_recorder *recorder,
	const struct measure_fold *fold, const struct measure_event *event)
{
	const bool is_plain_enter = event->kind == MEASURE_EVENT_ENTER &&
				    event->ref != MEASURE_NONE && !recorder->kinds[event->ref];
	const bool is_inner_leave =
		event->kind == MEASURE_EVENT_LEAVE &&
		(size_t)(fold->context.top - fold->context.bottom) >= recorder->depth;

	if (unlikely((!is_plain_enter && !is_inner_leave) || !recorder->is_plain)) {
		measure_call_recorder_event_slowly(recorder, fold, event);
		return;
	}
	measure_segments_charge(&recorder->segments, fold->last);
	measure_segments_move(&recorder->segments, fold->path);
}

/* There are no more: what is open is cut at the last one. */
void measure_call_recorder_end(
	struct measure_call_recorder *recorder, const struct measure_fold *fold);

#endif
