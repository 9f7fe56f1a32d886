/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call that may block waits for: its arguments, which no record has before it returns. An
 * adapter notes them before the call; measure-repair --live reads them of a job that hangs. */
#ifndef MEASURE_API_PENDING_H
#define MEASURE_API_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#define MEASURE_PENDING_ITEMS    6 /* of one call; there may be more, which are only counted */
#define MEASURE_PENDING_ANY      UINT32_MAX
#define MEASURE_PENDING_FINALIZE 255 /* an operation: MPI_Finalize, a collective of the world */

enum measure_pending_kind {
	MEASURE_PENDING_NOTHING,
	MEASURE_PENDING_OTHER,   /* what it waits for cannot be told */
	MEASURE_PENDING_SEND,    /* MPI may have a buffer for the message */
	MEASURE_PENDING_SSEND,   /* ... has not */
	MEASURE_PENDING_RECEIVE, /* or a probe */
	MEASURE_PENDING_COLLECTIVE,
	MEASURE_PENDING_LOCK,
	MEASURE_PENDING_THREAD, /* that it ends */
	MEASURE_PENDING_GATHER, /* a barrier of threads */
	MEASURE_PENDING_SIGNAL  /* a condition or semaphore */
};

/* The last two members also are an object: a lock, the number of a thread, a barrier. */
struct measure_pending_item {
	uint8_t kind;      /* enum measure_pending_kind */
	uint8_t operation; /* of a collective: OTF2_CollectiveOp */
	uint16_t number;   /* of a barrier of a team: of how many the thread has met before */
	uint32_t comm;     /* local id; of a lock: the paradigm */
	uint32_t peer;  /* rank in the communicator or MEASURE_PENDING_ANY; of a collective: root */
	uint32_t value; /* tag or MEASURE_PENDING_ANY; of a collective: its number in the comm */
};

static inline struct measure_pending_item measure_pending_object(
	enum measure_pending_kind kind, uint32_t paradigm, uint64_t object)
{
	return (struct measure_pending_item){.kind = (uint8_t)kind,
		.comm = paradigm,
		.peer = (uint32_t)(object >> 32),
		.value = (uint32_t)object};
}

static inline uint64_t measure_pending_object_of(const struct measure_pending_item *item)
{
	return (uint64_t)item->peer << 32 | item->value;
}

#endif
