/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's monitor of one program: rendezvous, clock snapshots, and its end. It never waits for
 * a disk. */
#ifndef MEASURE_KEEPER_PROCESS_MONITOR_H
#define MEASURE_KEEPER_PROCESS_MONITOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/journal_records.h"
#include "keeper_state.h"
#include "format/rendezvous.h"
#include "format/segment.h"
#include "keeper/spool/clock_snapshots.h"

struct measure_monitor {
	int channel;
	int listen_fd;  /* -1: the program has been given the segment */
	int segment_fd; /* stays open: measure-repair --live finds the segment by it */
	struct measure_clock_snapshots triples;
	struct measure_segment_header *header;
	struct measure_keeper_state *known;
	pid_t pid;	/* 0: not told yet */
	int pidfd;	/* -1: not told yet, or this kernel has none */
	uint64_t time_before; /* processor time that it had used before it came to us, ns */
	bool is_gone;	/* the program */
	bool is_alone;	/* `measure` */
	bool is_served; /* the program has its segment */
	bool is_second; /* the keeper before this one has died */
	bool is_attached; /* the program ran before `measure` did, and may go on without us */
	struct measure_def_end end;
	char reason[128]; /* end.reason points here */

	/* Something to be done when the program has run for so long, milliseconds; -1: never. */
	int64_t errand_after;
	void (*deferred_task)(void *context);
	void *errand_context;

	/* Somebody wants this process to end, as batch systems do before they kill all of a job. */
	void (*hurry)(void *context);
	void *hurry_context;

	/* A child of the program has come and waits, or what itself has become; the connection is
	 * closed afterwards. False: it is not followed. NULL: nobody is. `ticks`: now. */
	bool (*follow)(const struct measure_monitor *watch, int connection,
		const struct measure_visitor *visitor, uint64_t ticks);
	/* One of them asks what is to be preloaded. */
	void (*answer)(int connection, const struct measure_visitor *visitor);
};

/* What the keeper before this one knew, which has died; else `measure` tells of it once more. */
void measure_monitor_recall(struct measure_monitor *watch);

/* The program was given its segment. */
void measure_monitor_note_served(struct measure_monitor *watch);

/* Returns when the program is gone, or has become another one that is followed, or `measure` is
 * gone before it told of one; then pid is 0. Fills watch->end. */
void measure_monitor_program(struct measure_monitor *watch);

/* The program is gone: children that it expects and that did not come yet may still be on their
 * way. Returns when they have come, or soon. */
void measure_monitor_late_children(struct measure_monitor *watch);

/* Returns when what the process has become, if anything, was answered by its own keeper: where that
 * one's guard dies before, it asks here once more. */
void measure_monitor_await_successor(struct measure_monitor *watch);

#endif
