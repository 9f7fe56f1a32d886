/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roll-call of a run in progress: what its threads are blocked in now, looked at twice where
 * somebody seems to be deadlocked. lib/analysis/rollcall decides. */
#ifndef MEASURE_LIVE_LIVE_ROLLCALL_H
#define MEASURE_LIVE_LIVE_ROLLCALL_H

#include "analysis/rollcall/rollcall.h"
#include "base/intern.h"
#include "live_run.h"

struct live_rollcall {
	struct live_run *run;
	struct measure_rollcall call;
	struct measure_intern texts;          /* that it names */
	MEASURE_ARRAY(struct live_seen) seen; /* by thread of the call */
	uint32_t nr_comms;                    /* of the definitions: each has a place in the call */
};

/* What was looked at, to be looked at again. */
struct live_seen {
	struct live_process *process;
	uint32_t location;
	uint64_t committed;
	uint32_t sequence; /* of what it is about to wait for */
};

/* Looks, and judges. To be released in any case. */
measure_status_t live_rollcall_take(struct live_rollcall *rollcall, struct live_run *run);
void live_rollcall_release(struct live_rollcall *rollcall);

/* Of the messages that threads wait for: those that were sent and not received yet. Reads all that
 * the processes have recorded. */
measure_status_t live_messages_find(struct live_rollcall *rollcall);

/* The process of the job that has a rank in a communicator of the definitions; MEASURE_ROLL_ANY:
 * none. */
uint32_t live_rollcall_member(const struct live_rollcall *rollcall, uint32_t comm, uint32_t rank);

/* A communicator of a process in the definitions; UINT32_MAX: unknown. */
uint32_t live_rollcall_comm(
	const struct live_rollcall *rollcall, const struct live_process *process, uint32_t local);

#endif
