/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends and receives of libstarpumpi, also those that it makes for starpu_mpi_task_insert(): tasks
 * that nobody executes. Each accesses its data, so that it depends on tasks and they on it. */
#include "config.h"

#include <dlfcn.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "starpu_handles.h"
#include "starpu_tasks.h"

/* ------------------------------------------------------------- ranks in the MPI world --- */

/* The program's MPI library. Handles are numbers or addresses: both fit, and outlive the calls. */
static struct starpu_mpi {
	measure_starpu_comm_t world;
	uintptr_t world_group;
	int (*comm_group)(uintptr_t comm, uintptr_t *group);
	int (*translate)(uintptr_t group, int nr, const int *ranks, uintptr_t other, int *found);
	int (*group_free)(uintptr_t *group);
} mpi;

#define MPICH_COMM_WORLD 0x44000000

static void mpi_find(void)
{
	const void *open_mpi = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");

	if (mpi.world)
		return;
	mpi.comm_group = (__typeof__(mpi.comm_group))dlsym(RTLD_DEFAULT, "PMPI_Comm_group");
	mpi.translate =
		(__typeof__(mpi.translate))dlsym(RTLD_DEFAULT, "PMPI_Group_translate_ranks");
	mpi.group_free = (__typeof__(mpi.group_free))dlsym(RTLD_DEFAULT, "PMPI_Group_free");
	mpi.world = open_mpi ? (uintptr_t)open_mpi : MPICH_COMM_WORLD;
}

/* The world's own ranks are those that the program uses, in most programs. */
static int world_rank(measure_starpu_comm_t comm, int rank)
{
	uintptr_t group = 0;
	int found = rank;

	mpi_find();
	if (comm == mpi.world || !mpi.comm_group || !mpi.translate || !mpi.group_free)
		return rank;
	if (!mpi.world_group)
		mpi.comm_group(mpi.world, &mpi.world_group);
	if (mpi.comm_group(comm, &group) == 0) {
		mpi.translate(group, 1, &rank, mpi.world_group, &found);
		mpi.group_free(&group);
	}
	return found;
}

/* ------------------------------------------------------------------------- requests --- */

struct starpu_exchange {
	bool is_send;
	int partner;
	int64_t tag;
	int priority;
	uint64_t data;
};

static void write_exchange(struct measure_location *location,
	const struct measure_starpu_task *task, const struct starpu_exchange *exchange)
{
	const uint64_t number = atomic_load_explicit(&task->number, memory_order_relaxed);
	struct measure_typed_value values[2] = {
		measure_task_attribute(MEASURE_TASK_ATTRIBUTE_CODELET),
		measure_task_attribute(MEASURE_TASK_ATTRIBUTE_TAG)};

	values[0].id = task->region;
	values[1].unsigned_int = (uint64_t)exchange->tag;
	measure_write_attributes(location, values, 2);
	measure_write_thread_task_create(
		location, measure_starpu_team, (uint32_t)(number >> 32), (uint32_t)number);
	measure_task_fact_write(location,
		exchange->is_send ? MEASURE_TASK_SEND : MEASURE_TASK_RECEIVE,
		(uint64_t)exchange->partner);
	if (exchange->priority)
		measure_task_fact_write(
			location, MEASURE_TASK_PRIORITY, (uint64_t)(int64_t)exchange->priority);
	if (exchange->data)
		measure_task_fact_write(location,
			exchange->is_send ? MEASURE_TASK_ACCESS_IN : MEASURE_TASK_ACCESS_OUT,
			exchange->data);
}

static void exchange_create(const void *request, const struct starpu_exchange *exchange)
{
	struct measure_starpu_thread *thread = measure_starpu_self();
	struct measure_starpu_task *task =
		thread ? measure_starpu_task_have(thread, request) : NULL;
	struct measure_location *location;

	if (!task)
		return;
	task->region =
		measure_starpu_region(exchange->is_send ? "starpu_mpi_isend" : "starpu_mpi_irecv",
			NULL, OTF2_REGION_ROLE_DATA_TRANSFER);
	location = measure_record_begin();
	if (!location)
		return;
	write_exchange(location, task, exchange);
	measure_record_end(location);
	atomic_store_explicit(&task->state, MEASURE_STARPU_TASK_CREATED, memory_order_release);
}

struct _starpu_mpi_req *_starpu_mpi_request_fill(starpu_data_handle_t handle, int partner,
	int64_t tag, measure_starpu_comm_t comm, unsigned is_detached, unsigned is_sync,
	int priority, void (*callback)(void *argument), void *argument, int kind,
	void (*function)(struct _starpu_mpi_req *request), int is_consistent, int is_internal,
	ssize_t size)
{
	struct _starpu_mpi_req *request = REAL(_starpu_mpi_request_fill)(handle, partner, tag, comm,
		is_detached, is_sync, priority, callback, argument, kind, function, is_consistent,
		is_internal, size);

	if (request && !is_internal && kind <= MEASURE_STARPU_MPI_RECEIVE &&
		measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_mpi)) {
		const struct starpu_exchange exchange = {.is_send = kind == MEASURE_STARPU_MPI_SEND,
			.partner = world_rank(comm, partner),
			.tag = tag,
			.priority = priority,
			.data = measure_starpu_records(MEASURE_STARPU_data)
					? measure_starpu_data_number(handle)
					: 0};

		exchange_create(request, &exchange);
	}
	return request;
}

/* Its data is there, or may be overwritten. Others than sends and receives are not known here. */
void _starpu_mpi_submit_ready_request(void *request)
{
	const struct measure_starpu_task *task =
		measure_starpu_is_internal() ? measure_starpu_task_find(request) : NULL;
	struct measure_location *location =
		task && atomic_load_explicit(&task->state, memory_order_acquire) ==
					MEASURE_STARPU_TASK_CREATED
			? measure_record_begin()
			: NULL;

	if (location) {
		measure_task_fact_write(location, MEASURE_TASK_READY,
			atomic_load_explicit(&task->number, memory_order_relaxed));
		measure_record_end(location);
	}
	REAL(_starpu_mpi_submit_ready_request)(request);
}

static void exchange_complete(const void *request)
{
	struct measure_starpu_task *task =
		measure_starpu_is_internal() ? measure_starpu_task_find(request) : NULL;
	struct measure_location *location = task ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_starpu_task_write_complete(location, task);
	measure_record_end(location);
}

/* It is over: its data is given back. */
void _starpu_mpi_release_req_data(struct _starpu_mpi_req *request)
{
	exchange_complete(request);
	REAL(_starpu_mpi_release_req_data)(request);
}

void _starpu_mpi_request_destroy(struct _starpu_mpi_req *request)
{
	struct measure_starpu_thread *thread =
		measure_starpu_is_internal() ? measure_starpu_self() : NULL;

	exchange_complete(request);
	if (thread)
		measure_starpu_task_drop(thread, request);
	REAL(_starpu_mpi_request_destroy)(request);
}

/* ----------------------------------------------------------------------------- data --- */

void starpu_mpi_data_register_comm(
	starpu_data_handle_t handle, int64_t tag, int rank, measure_starpu_comm_t comm)
{
	REAL(starpu_mpi_data_register_comm)(handle, tag, rank, comm);
	if (tag >= 0 && measure_starpu_records(MEASURE_STARPU_data))
		measure_starpu_data_fact(handle, MEASURE_DATA_TAG, (uint64_t)tag);
}
