/* SPDX-License-Identifier: BSD-3-Clause
 *
 * StarPU's functions that are not in its headers, as they have been in releases 1.3.7 to 1.3.11.
 * Communicators are passed on as they come, in a register, whatever MPI library it is. */
#ifndef MEASURE_STARPU_INTERNALS_H
#define MEASURE_STARPU_INTERNALS_H

#pragma GCC visibility push(default)
#include <starpu.h>

#define MEASURE_STARPU_FIRST_RELEASE 7 /* of 1.3 */
#define MEASURE_STARPU_LAST_RELEASE  11

/* The beginning of it. */
struct _starpu_job {
	unsigned long job_id;
	struct starpu_task *task;
};

struct _starpu_worker;
struct _starpu_async_channel;
struct _starpu_data_replicate;
struct _starpu_data_request;

int _starpu_task_submit_internally(struct starpu_task *task);
void _starpu_handle_job_submission(struct _starpu_job *job);
void _starpu_task_declare_deps_array(
	struct starpu_task *task, unsigned nr, struct starpu_task *before[], int check);
void _starpu_job_prepare_for_continuation_ext(struct _starpu_job *job, unsigned is_resubmitted,
	void (*callback)(void *argument), void *argument);
int _starpu_push_task(struct _starpu_job *job);
struct starpu_task *_starpu_get_worker_task(
	struct _starpu_worker *worker, int number, unsigned memory_node);
void _starpu_worker_restart_sleeping(int number);
void _starpu_worker_stop_sleeping(int number);
int _starpu_fetch_task_input(struct starpu_task *task, struct _starpu_job *job, int is_async);
void _starpu_driver_start_job(struct _starpu_worker *worker, struct _starpu_job *job,
	struct starpu_perfmodel_arch *arch, int rank, int is_profiling);
void _starpu_driver_end_job(struct _starpu_worker *worker, struct _starpu_job *job,
	struct starpu_perfmodel_arch *arch, int rank, int is_profiling);
void _starpu_push_task_output(struct _starpu_job *job);
void _starpu_handle_job_termination(struct _starpu_job *job);
void _starpu_set_current_task(struct starpu_task *task);
void _starpu_wait_job(struct _starpu_job *job);

/* Of a request, if any, which has the channel in it. */
int _starpu_driver_copy_data_1_to_1(starpu_data_handle_t handle,
	struct _starpu_data_replicate *source, struct _starpu_data_replicate *target,
	unsigned is_unread, struct _starpu_data_request *request, unsigned may_allocate,
	int prefetch);
void _starpu_bus_update_profiling_info(int from, int to, size_t size);
unsigned _starpu_driver_test_request_completion(struct _starpu_async_channel *channel);
void _starpu_driver_wait_request_completion(struct _starpu_async_channel *channel);

/* -------------------------------------------------------------------- libstarpumpi --- */

struct _starpu_mpi_req;
struct measure_starpu_mpi_status;
typedef uintptr_t measure_starpu_comm_t;

enum { MEASURE_STARPU_MPI_SEND, MEASURE_STARPU_MPI_RECEIVE }; /* kinds of requests */

void starpu_mpi_data_register_comm(
	starpu_data_handle_t handle, int64_t tag, int rank, measure_starpu_comm_t comm);
int starpu_mpi_wait(struct _starpu_mpi_req **request, struct measure_starpu_mpi_status *status);
int starpu_mpi_wait_for_all(measure_starpu_comm_t comm);
int starpu_mpi_barrier(measure_starpu_comm_t comm);
struct _starpu_mpi_req *_starpu_mpi_request_fill(starpu_data_handle_t handle, int partner,
	int64_t tag, measure_starpu_comm_t comm, unsigned is_detached, unsigned is_sync,
	int priority, void (*callback)(void *argument), void *argument, int kind,
	void (*function)(struct _starpu_mpi_req *request), int is_consistent, int is_internal,
	ssize_t size);
void _starpu_mpi_submit_ready_request(void *request);
void _starpu_mpi_release_req_data(struct _starpu_mpi_req *request);
void _starpu_mpi_request_destroy(struct _starpu_mpi_req *request);
#pragma GCC visibility pop

#endif
