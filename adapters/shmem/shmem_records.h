/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of OpenSHMEM: one window for all symmetric memory, operations on it by PE, and their
 * completion. */
#ifndef MEASURE_SHMEM_RECORDS_H
#define MEASURE_SHMEM_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "../common/recorded_calls.h"

enum measure_shmem_call {
#define ROW(name, role) CALL_##name,
#include "shmem_calls.def"
	NR_CALLS
};

/* This PE and their number; -1 before shmem_init. */
extern int measure_shmem_rank, measure_shmem_size;

/* What a call does to another PE. */
struct measure_shmem_access {
	enum { SHMEM_PUT, SHMEM_GET, SHMEM_PUT_NBI, SHMEM_GET_NBI, SHMEM_ATOMIC } kind;
	int pe;
	const void *context; /* NULL: the default one */
	uint64_t sent, received;
	uint8_t operation; /* OTF2_RmaAtomicType */
};

/* The halves of calls; each has the region. False: not recorded. */
bool measure_shmem_access_enter(enum measure_shmem_call call, const void *caller,
	const struct measure_shmem_access *access);
void measure_shmem_access_leave(
	enum measure_shmem_call call, const struct measure_shmem_access *access);

/* What was begun in a context, by any thread of this PE, is over: after a call that returns when it
 * is. MEASURE_SHMEM_ALL: in all contexts. */
#define MEASURE_SHMEM_ALL ((const void *)UINTPTR_MAX)
void measure_shmem_completion_leave(enum measure_shmem_call call, const void *context);

/* is_whole: of all PEs. `operation`: OTF2_CollectiveOp. */
bool measure_shmem_collective_enter(
	enum measure_shmem_call call, const void *caller, bool is_whole);
void measure_shmem_collective_leave(enum measure_shmem_call call, bool is_whole, uint8_t operation,
	uint32_t root, uint64_t sent, uint64_t received);

/* shmem_init and shmem_finalize. */
bool measure_shmem_init_enter(enum measure_shmem_call call, const void *caller);
void measure_shmem_init_leave(enum measure_shmem_call call, int rank, int size);
bool measure_shmem_finalize_enter(enum measure_shmem_call call, const void *caller);
void measure_shmem_finalize_leave(enum measure_shmem_call call);

#endif
