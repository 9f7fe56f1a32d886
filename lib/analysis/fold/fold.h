/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folds the events of one location into a profile, one after the other. An Enter or a Leave, which
 * are most events, takes a few nanoseconds; all others go through measure_fold_record().
 *
 * A thread runs one context at a time: its implicit task, or an explicit task. Each has a stack of
 * its own, and a clock that stands still while the context does not run. */
#ifndef MEASURE_ANALYSIS_FOLD_FOLD_H
#define MEASURE_ANALYSIS_FOLD_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/profile/profile.h"
#include "trace/archive/ranks.h"
#include "trace/stream/record.h"
#include "trace/stream/stream.h"

struct measure_fold_frame {
	uint64_t enter; /* time of the context */
	uint64_t iteration;
	uint32_t path;
	bool is_cut; /* not entered in this window */
	bool is_iteration;
};

struct measure_fold_context {
	struct measure_fold_frame *bottom, *top, *limit; /* frames: [bottom, top) */
	uint64_t offset;                                 /* clock of the context = time - offset */
	uint32_t root;                                   /* path below the bottom frame */
};

struct measure_fold {
	struct measure_profile *profile;
	struct measure_fold_context context; /* the one that runs */
	uint32_t path;                       /* innermost one that is open there */
	uint8_t special; /* bits of enum measure_fold_special: calls are not only calls */

	/* NULL: definitions are those of one process (local_trace.h): keys of tables say what is to
	 * be looked up when they are translated, see measure_profile_translate() */
	struct measure_ranks *ranks;
	uint32_t location, process;
	uint64_t last;        /* time of the event before */
	uint64_t bytes;       /* of the event that comes next: set by the caller */
	uint64_t from, until; /* of the window */
	uint64_t since;       /* off, in a flush, or idle */
	uint64_t flush_stop;
	uint64_t skipped; /* ticks that were not looked at */
	uint32_t team_depth;
	bool is_outside; /* the event being read is outside the window */
	bool is_worker;  /* a thread that only works in teams of others */

	struct fold_tasks *tasks;
	struct fold_traffic *traffic;
	struct fold_metrics *metrics;
};

enum measure_fold_special {
	MEASURE_FOLD_WINDOW = 1,
	MEASURE_FOLD_OFF = 2,
	MEASURE_FOLD_FLUSH = 4,
	MEASURE_FOLD_IDLE = 8,
	MEASURE_FOLD_METRICS = 16 /* some are shared out by time */
};

/* Fills an empty profile. What it is given must outlive it. */
void measure_fold_start(struct measure_fold *fold, struct measure_profile *profile,
	struct measure_ranks *ranks, uint32_t location);

/* Events that are not looked at lie between the last one and the next, which is at `time`: what is
 * open is forgotten, and the time between them counts nowhere. */
void measure_fold_skip(struct measure_fold *fold, uint64_t time);

/* No more events: closes what is open. */
void measure_fold_end(struct measure_fold *fold);

/* Any event but a plain Enter or Leave; its record has attributes and values of metrics. Times do
 * not go back. */
void measure_fold_record(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record, uint64_t time);

/* ------------------------------------------------------------------------- calls --- */

void measure_fold_enter_slowly(struct measure_fold *fold, uint32_t region, uint64_t time);
void measure_fold_leave_slowly(
	struct measure_fold *fold, uint32_t region, uint64_t time, bool is_refused);
void measure_fold_grow(struct measure_fold_context *context);
struct measure_histogram *measure_fold_new_histogram(struct measure_profile_path *path);

static inline void measure_fold_push(struct measure_fold *fold, uint32_t region, uint64_t time)
{
	const uint32_t path = measure_profile_child(fold->profile, fold->path, region);

	if (unlikely(fold->context.top == fold->context.limit))
		measure_fold_grow(&fold->context);
	*fold->context.top++ =
		(struct measure_fold_frame){time - fold->context.offset, 0, path, false, false};
	fold->profile->paths[path].visits++;
	fold->profile->paths[path].bytes += fold->bytes;
	fold->path = path;
}

/* A complete call. */
static inline void measure_fold_count(struct measure_profile_path *path, uint64_t ticks)
{
	struct measure_histogram *calls = path->calls;

	if (unlikely(!calls))
		calls = measure_fold_new_histogram(path);
	path->inclusive += ticks;
	if (ticks < path->min)
		path->min = ticks;
	if (ticks > path->max)
		path->max = ticks;
	measure_histogram_add(calls, ticks);
}

static inline void measure_fold_enter(struct measure_fold *fold, uint32_t region, uint64_t time)
{
	if (unlikely(fold->special))
		measure_fold_enter_slowly(fold, region, time);
	else
		measure_fold_push(fold, region, time);
}

static inline void measure_fold_leave(struct measure_fold *fold, uint32_t region, uint64_t time)
{
	const struct measure_fold_frame *top = fold->context.top;
	struct measure_profile_path *path = &fold->profile->paths[fold->path];

	if (unlikely(fold->special || top == fold->context.bottom || path->region != region ||
		     top[-1].is_cut || top[-1].is_iteration)) {
		measure_fold_leave_slowly(fold, region, time, false);
		return;
	}
	path->bytes += fold->bytes;
	measure_fold_count(path, time - fold->context.offset - top[-1].enter);
	fold->context.top--;
	fold->path = path->parent;
}

static inline void measure_fold_event(struct measure_fold *fold,
	const struct measure_stream *stream, const struct measure_event *event)
{
	uint64_t time = event->time;

	if (unlikely(time < fold->last)) {
		time = fold->last;
		fold->profile->faults.backward++;
	}
	if (event->kind == MEASURE_EVENT_ENTER && event == &stream->call)
		measure_fold_enter(fold, event->ref, time);
	else if (event->kind == MEASURE_EVENT_LEAVE && event == &stream->call)
		measure_fold_leave(fold, event->ref, time);
	else
		measure_fold_record(fold, event, stream->record, time);
	fold->last = time;
}

#endif
