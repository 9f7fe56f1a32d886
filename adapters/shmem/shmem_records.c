/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of OpenSHMEM; see shmem_records.h. Operations of one thread in one context that complete
 * together have one number. Which of these have operations that are not over is a bit, which whoever
 * completes them takes. */
#include "config.h"

#include "shmem_records.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../common/caller_filter.h"

#define NR_CONTEXTS  16 /* the first is the default one; further ones share the last */
#define NR_LOCATIONS 1024

int measure_shmem_rank = -1, measure_shmem_size = -1;

static measure_window_t window = MEASURE_UNDEFINED;

/* By location: bits 0 to 15 of contexts with operations that are under way, 16 to 31 of those whose
 * puts have not arrived. */
static _Atomic uint32_t open_operations[NR_LOCATIONS];
static _Atomic uint32_t nr_locations;
static _Atomic(const void *) contexts[NR_CONTEXTS];

#define REMOTE 16

enum { GROUP_ALL, NR_GROUPS };
static const struct measure_call_group items[] = {{"all", MEASURE_GROUP_ALWAYS}};
const struct measure_call_groups measure_call_groups = {items, NR_GROUPS};
const uint8_t measure_calls_paradigm = OTF2_PARADIGM_SHMEM;

struct measure_call_row measure_call_rows[NR_CALLS] = {
#define ROW(name, role) {"shmem_" #name, OTF2_REGION_ROLE_##role, GROUP_ALL, 0},
#include "shmem_calls.def"
};

/* What the library calls for itself is no call of the program. */
const char *const measure_callers_silent[] = {"libmeasure", "liboshmem", "mca_", NULL};

/* ------------------------------------------------------------------------- numbers --- */

/* 0: the default one. */
static uint32_t context_index(const void *context)
{
	for (uint32_t i = 1; context && i < NR_CONTEXTS - 1; i++) {
		const void *known = NULL;

		if (atomic_load_explicit(&contexts[i], memory_order_relaxed) == context ||
			atomic_compare_exchange_strong(&contexts[i], &known, context) ||
			known == context)
			return i;
	}
	return context ? NR_CONTEXTS - 1 : 0;
}

static uint64_t operation_number(uint32_t location, uint32_t context, bool is_remote)
{
	return (uint64_t)location << 8 | context << 1 | is_remote;
}

/* Those that end with their call, but for the arrival of what they put, have their own. */
static bool is_blocking(const struct measure_shmem_access *access)
{
	return access->kind != SHMEM_PUT_NBI && access->kind != SHMEM_GET_NBI;
}

static uint64_t access_number(uint32_t location, const struct measure_shmem_access *access)
{
	return operation_number(location, context_index(access->context), is_blocking(access));
}

static void operations_open(uint32_t location, uint32_t bits)
{
	uint32_t nr = atomic_load_explicit(&nr_locations, memory_order_relaxed);

	atomic_fetch_or_explicit(&open_operations[location], bits, memory_order_release);
	while (nr <= location && !atomic_compare_exchange_weak(&nr_locations, &nr, location + 1))
		;
}

/* ------------------------------------------------------------------------ accesses --- */

static void access_write(struct measure_location *location,
	const struct measure_shmem_access *access, uint64_t number)
{
	const uint32_t pe = (uint32_t)access->pe;

	switch (access->kind) {
	case SHMEM_PUT:
	case SHMEM_PUT_NBI:
		measure_write_rma_put(location, window, pe, access->sent, number);
		break;
	case SHMEM_GET:
	case SHMEM_GET_NBI:
		measure_write_rma_get(location, window, pe, access->received, number);
		break;
	case SHMEM_ATOMIC:
		measure_write_rma_atomic(location, window, pe, access->operation, access->sent,
			access->received, number);
		break;
	}
}

static bool access_is_known(const struct measure_shmem_access *access)
{
	return window != MEASURE_UNDEFINED && access->pe >= 0 && access->pe < measure_shmem_size;
}

bool measure_shmem_access_enter(enum measure_shmem_call call, const void *caller,
	const struct measure_shmem_access *access)
{
	const bool is_known = access_is_known(access);
	struct measure_location *location;
	uint32_t index;

	if (!measure_call_is_on(call, caller))
		return false;
	location = measure_call_enter(call);
	if (!location)
		return false;
	if (is_known) {
		index = measure_location_index();
		access_write(location, access, access_number(index, access));
		if (!is_blocking(access) && index < NR_LOCATIONS)
			operations_open(index, 1u << context_index(access->context));
		else if (access->kind == SHMEM_PUT && index < NR_LOCATIONS)
			operations_open(index, 1u << (REMOTE + context_index(access->context)));
	}
	measure_record_end(location);
	return true;
}

/* One that does not block ends with its call only where there are too many threads. */
void measure_shmem_access_leave(
	enum measure_shmem_call call, const struct measure_shmem_access *access)
{
	struct measure_location *location = measure_record_begin();
	uint32_t index;

	if (!location)
		return;
	if (access_is_known(access)) {
		index = measure_location_index();
		if (is_blocking(access))
			measure_write_rma_op_complete_blocking(
				location, window, access_number(index, access));
		else if (index >= NR_LOCATIONS)
			measure_write_rma_op_complete_non_blocking(
				location, window, access_number(index, access));
	}
	measure_call_leave(location, call);
}

/* ---------------------------------------------------------------------- completion --- */

/* The bits are taken before the time of the records: they are of operations before that. */
static void location_complete(uint32_t index, uint32_t mask)
{
	const uint32_t open = atomic_fetch_and_explicit(
				      &open_operations[index], ~mask, memory_order_acq_rel) &
			      mask;
	struct measure_location *location = open ? measure_record_begin() : NULL;

	if (!location)
		return;
	for (uint32_t i = 0; i < NR_CONTEXTS; i++) {
		if (open & 1u << i)
			measure_write_rma_op_complete_non_blocking(
				location, window, operation_number(index, i, false));
		if (open & 1u << (REMOTE + i))
			measure_write_rma_op_complete_remote(
				location, window, operation_number(index, i, true));
	}
	measure_record_end(location);
}

static void context_complete(const void *context)
{
	const uint32_t nr = atomic_load_explicit(&nr_locations, memory_order_acquire);
	const uint32_t bit = context == MEASURE_SHMEM_ALL ? 0 : 1u << context_index(context);
	const uint32_t mask = context == MEASURE_SHMEM_ALL ? UINT32_MAX : bit | bit << REMOTE;

	for (uint32_t i = 0; i < nr && window != MEASURE_UNDEFINED; i++)
		if (atomic_load_explicit(&open_operations[i], memory_order_relaxed) & mask)
			location_complete(i, mask);
}

void measure_shmem_completion_leave(enum measure_shmem_call call, const void *context)
{
	context_complete(context);
	measure_plain_leave(call);
}

/* --------------------------------------------------------------------- collectives --- */

bool measure_shmem_collective_enter(
	enum measure_shmem_call call, const void *caller, bool is_whole)
{
	struct measure_location *location = NULL;

	if (measure_call_is_on(call, caller))
		location = measure_call_enter(call);
	if (!location)
		return false;
	if (is_whole && window != MEASURE_UNDEFINED)
		measure_write_rma_collective_begin(location);
	measure_record_end(location);
	return true;
}

/* Barriers wait for what was begun in the default context. */
void measure_shmem_collective_leave(enum measure_shmem_call call, bool is_whole, uint8_t operation,
	uint32_t root, uint64_t sent, uint64_t received)
{
	const bool is_barrier = call == CALL_barrier_all || call == CALL_barrier;
	struct measure_location *location;

	if (is_barrier)
		context_complete(NULL);
	location = measure_record_begin();
	if (!location)
		return;
	if (is_whole && window != MEASURE_UNDEFINED)
		measure_write_rma_collective_end(location, operation,
			OTF2_RMA_SYNC_LEVEL_PROCESS |
				(is_barrier ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0),
			window, root, sent, received);
	measure_call_leave(location, call);
}

/* ------------------------------------------------------------------ init, finalize --- */

/* Of this job; another one has other variables. All PEs come to the same. */
static struct measure_comm_key world_key(void)
{
	static const char *const names[] = {
		"PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID", "SLURM_STEP_ID"};
	struct measure_comm_key key = {.high = 0x53484d454d, .low = 1};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		for (const char *c = value ? value : ""; *c; c++) {
			key.high = (key.high ^ (uint64_t)*c) * UINT64_C(0x100000001b3);
			key.low = (key.low + key.high) * UINT64_C(0x9e3779b97f4a7c15);
		}
	}
	return key;
}

static void world_define(uint32_t rank, uint32_t size)
{
	struct measure_comm_info info = {
		.kind = MEASURE_COMM_WORLD,
		.name = "SHMEM_WORLD",
		.key = world_key(),
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_SHMEM,
	};
	measure_comm_t comm;

	measure_world_define(rank, size, info.key);
	comm = measure_comm_define(&info);
	info.key.low++;
	if (comm != MEASURE_UNDEFINED)
		window = measure_window_define(comm, info.key, true);
	if (window != MEASURE_UNDEFINED)
		measure_window_name(window, "symmetric memory");
}

/* The window is there between the two: making and freeing it are collectives. */
static void window_write(struct measure_location *location, bool is_made)
{
	if (is_made)
		measure_write_rma_win_create(location, window);
	else
		measure_write_rma_win_destroy(location, window);
	measure_write_rma_collective_end(location,
		is_made ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE
			: OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE,
		OTF2_RMA_SYNC_LEVEL_PROCESS, window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

static bool life_enter(enum measure_shmem_call call, const void *caller, bool is_collective)
{
	struct measure_location *location = NULL;

	if (measure_call_is_on(call, caller))
		location = measure_call_enter(call);
	if (!location)
		return false;
	if (is_collective)
		measure_write_rma_collective_begin(location);
	measure_record_end(location);
	return true;
}

bool measure_shmem_init_enter(enum measure_shmem_call call, const void *caller)
{
	return life_enter(call, caller, measure_shmem_size < 0);
}

void measure_shmem_init_leave(enum measure_shmem_call call, int rank, int size)
{
	const bool is_first = measure_shmem_size < 0 && rank >= 0 && size > rank;
	struct measure_location *location;

	if (is_first) {
		measure_shmem_rank = rank;
		measure_shmem_size = size;
		world_define((uint32_t)rank, (uint32_t)size);
	}
	location = measure_record_begin();
	if (!location)
		return;
	if (is_first && window != MEASURE_UNDEFINED)
		window_write(location, true);
	measure_call_leave(location, call);
}

/* It begins with a barrier, after which nothing is under way. */
bool measure_shmem_finalize_enter(enum measure_shmem_call call, const void *caller)
{
	context_complete(MEASURE_SHMEM_ALL);
	return life_enter(call, caller, window != MEASURE_UNDEFINED);
}

void measure_shmem_finalize_leave(enum measure_shmem_call call)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (window != MEASURE_UNDEFINED)
		window_write(location, false);
	measure_call_leave(location, call);
	window = MEASURE_UNDEFINED;
}
