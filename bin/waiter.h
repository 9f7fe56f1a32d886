/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure` while the program runs: it waits, and ends as the program ended. */
#ifndef MEASURE_BIN_WAITER_H
#define MEASURE_BIN_WAITER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* How signals were when `measure` was started: so the program must find them. */
struct measure_signals {
	sigset_t mask;
	struct sigaction child; /* of SIGCHLD */
};

/* SIGCHLD must not be ignored, or there would be no exit status. To be called first. */
void measure_signals_save(struct measure_signals *signals);

/* Blocks what measure_wait() reads. */
void measure_signals_block(void);

/* In the program's process, before exec. */
void measure_signals_restore(const struct measure_signals *signals);

/* Waits for the program, then until the keeper says that its part is safe. Signals that came
 * to us alone are forwarded: not what the kernel sent, not INT and QUIT, and nothing where
 * `is_launched`, because launchers signal the whole process group. */
struct measure_ending {
	int status; /* of waitpid() */
	char who[128];     /* sent the signal that ended it, as far as known; "": unknown */
	bool is_unclaimed; /* the program did not use the segment */
	bool is_served;	   /* but it was given it */
	bool is_keeper_lost; /* it died before it was ready, and there is no other one */
};

/* What is done where the keeper dies, or takes long. */
struct measure_care {
	const char *directory; /* of the run */
	/* Starts another keeper in place of one that has died; returns its channel, or -1. */
	int (*revive)(void *context);
	void *context;
};

/* `channel`: to the keeper, which is told here of the program. */
void measure_wait(pid_t program, int channel, bool is_launched, const struct measure_care *care,
	struct measure_ending *ending);

/* Exits as the wait status says; a signal is raised again on ourselves, without a core file. */
void measure_end_as(int status) __attribute__((noreturn));

#endif
