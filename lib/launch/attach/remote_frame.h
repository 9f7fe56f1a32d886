/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers and stack of a stopped thread that is to call a function: what the kernel writes there
 * for a signal handler. Of one kind of processor. */
#ifndef MEASURE_LAUNCH_ATTACH_REMOTE_FRAME_H
#define MEASURE_LAUNCH_ATTACH_REMOTE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

#include "remote_call.h"

#define MEASURE_REMOTE_FLOATS 16384 /* bytes of floating-point and vector registers, at most */

struct measure_remote_frame {
#if defined(__x86_64__)
	struct user_regs_struct registers; /* as the thread was found */
#endif
	uint8_t floats[MEASURE_REMOTE_FLOATS];
	size_t nr_floats;
	uint64_t signals; /* that it has blocked */
	uint64_t data, context; /* where they are on its stack */
	struct measure_way_back way;
};

/* Reads what the thread is at. */
bool measure_remote_frame_read(struct measure_remote_frame *frame, pid_t thread);

/* Is there room on its stack, with `size` bytes of data? */
bool measure_remote_frame_has_room(const struct measure_remote_frame *frame, pid_t pid, size_t size);

/* The system call that it waits in; -1: none. */
long measure_remote_frame_system_call(const struct measure_remote_frame *frame);

/* By which it says that the function has returned. A process that nobody traces any more ignores
 * it, unless it has a handler. */
#define MEASURE_REMOTE_SIGNAL SIGCONT

/* Writes below its stack, which changes nothing yet; sends it to the function; reads what has become
 * of the data; sends it back to where it was. */
bool measure_remote_frame_write(
	struct measure_remote_frame *frame, pid_t pid, const struct measure_remote_call *call);
bool measure_remote_frame_enter(const struct measure_remote_frame *frame, pid_t thread,
	const struct measure_remote_call *call);
bool measure_remote_frame_fetch(const struct measure_remote_frame *frame, pid_t pid,
	const struct measure_remote_call *call);
void measure_remote_frame_leave(const struct measure_remote_frame *frame, pid_t thread);

#endif
