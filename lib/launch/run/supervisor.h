/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure` while the program runs: it waits, passes signals on, and ends as the program ended. */
#ifndef MEASURE_LAUNCH_RUN_SUPERVISOR_H
#define MEASURE_LAUNCH_RUN_SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* How signals were when `measure` was started: so the program must find them. */
struct measure_blocked_signals {
	sigset_t mask;
	struct sigaction child; /* of SIGCHLD */
};

/* SIGCHLD must not be ignored, or there would be no exit status. To be called first. */
void measure_blocked_signals_save(struct measure_blocked_signals *signals);

/* Blocks what measure_supervise() reads. */
void measure_blocked_signals_block(void);

/* In the program's process, before exec. */
void measure_blocked_signals_restore(const struct measure_blocked_signals *signals);

struct measure_exit_info {
	int status; /* of waitpid() */
	char who[128];     /* sent the signal that ended it, as far as known; "": unknown */
	bool is_unclaimed; /* the program did not use the segment */
	bool is_served;	   /* but it was given it */
	bool is_keeper_lost; /* it died before it was ready, and its guard, or had enough of it */
};

/* Who cares for the recording meanwhile. */
struct measure_supervise_args {
	const char *directory; /* of the run */
	int channel;           /* to the keeper, which is told of the program */
	int lines;             /* what this and all other keepers of the run have to say */
	bool is_launched;
	int snapshot_signal; /* by which a snapshot is asked for; 0: none */
};

/* Waits for the program, then until the keeper says that its part is safe. Signals that came
 * to us alone are forwarded: not what the kernel sent, not INT and QUIT, and nothing where
 * `is_launched`, because launchers signal the whole process group. */
void measure_supervise(
	pid_t program, const struct measure_supervise_args *care, struct measure_exit_info *ending);

/* Exits as the wait status says; a signal is raised again on ourselves, without a core file. */
void measure_end_as(int status) __attribute__((noreturn));

#endif
