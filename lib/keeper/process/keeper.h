/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper: the process beside every recorded one, in a session of its own, that owns the
 * segment, writes it to files, and closes the part when the process is gone, for whatever reason.
 * It does not depend on `measure`. If the keeper dies, its guard starts another one: see guard.h.
 */
#ifndef MEASURE_KEEPER_PROCESS_KEEPER_H
#define MEASURE_KEEPER_PROCESS_KEEPER_H

#include "config/settings.h"
#include "keeper_state.h"
#include "assemble/part/part_directory.h"
#include "launch/options/filter_rules.h"
#include "launch/rundir/rundir.h"

#define MEASURE_KEEPER_NAME "measure-keeper"

struct measure_keeper {
	const struct measure_settings *settings;
	struct measure_rundir *rundir;
	const char *part; /* its name */
	int part_fd;
	int listen_fd; /* the rendezvous */
	uint64_t address_space; /* that the program may use; found out by the keeper itself */
	const struct measure_rules *rules; /* which events are left out */
	const struct measure_settings *run; /* those of `measure`: of the run as a whole */
	uint64_t buffer; /* as --buffer has it; 0: by the processes on this node */
	int channel;     /* to `measure`, if that waits for our process; -1: none */
	int lines;       /* to `measure`: what is to be said */
	int memory_fd;   /* of the segment, made by the guard, where it outlives us */
	struct measure_keeper_state *known; /* made by the guard as well */
	struct measure_keeper_state
		*before;    /* of what the process was; NULL: it was nothing of ours */
	uint32_t nr_before; /* keepers of this process that have died */
	pid_t guard;        /* starts another one where this one dies; 0: nobody */
	pid_t followed; /* one that a process of this run has made, or became; 0: the first one */
	uint32_t generation; /* programs that the process has run so far, with this one */
	pid_t attached; /* one that was running before; 0: `measure` has started it */
	int connection; /* to that process, which waits for its segment; -1: none */
	int pidfd;      /* of that process; -1: none, or this kernel has none */
};

/* The rest of the life of a child that the guard has forked. */
void measure_keeper_run(struct measure_keeper *keeper) __attribute__((noreturn));

#endif
