/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of functions on threads of another process, by ptrace. A thread that makes one has it as
 * if a signal handler had been called: the kernel itself restores what it was at when the function
 * returns, also where this process has been killed meanwhile. */
#ifndef MEASURE_LAUNCH_ATTACH_REMOTE_CALL_H
#define MEASURE_LAUNCH_ATTACH_REMOTE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target.h"

enum measure_remote_result {
	MEASURE_REMOTE_DONE,
	MEASURE_REMOTE_REFUSED, /* by the kernel: errno */
	MEASURE_REMOTE_NOWHERE, /* no thread was at a safe place for some seconds */
	MEASURE_REMOTE_FAILED,  /* the function has crashed, or does not return */
	MEASURE_REMOTE_ENDED    /* the process */
};

/* For how long one thread was held up, ms: altogether, and by ptrace alone. The others never
 * are. */
struct measure_remote_time {
	double whole;
	double stopped;
};

/* One of two kinds: with a path and flags, as dlopen(); or with a pointer to a copy of `data`, which
 * is written back to it. */
struct measure_remote_call {
	uint64_t function;
	void *data;
	size_t size;
	uint64_t second; /* argument */
};

/* Stops a thread that is at a safe place, lets it call the function, and continue. */
enum measure_remote_result measure_remote_call(const struct measure_target *target,
	const struct measure_remote_call *call, struct measure_remote_time *time);

/* Threads that could not be stopped in time stop later, and are to be let go then. True: there are
 * none any more. */
bool measure_remote_release_late(void);

/* False: not on this processor. */
bool measure_remote_is_possible(void);

#endif
