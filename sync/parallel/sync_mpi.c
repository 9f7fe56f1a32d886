/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmeasure-sync-mpi.so: the door's functions, by one MPI library. The only file after the run
 * that knows MPI. Errors of MPI end the job, as MPI does by itself. */
#include "config.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sync_ranks.h"

/* gcc takes MPICH's MPI_STATUSES_IGNORE for an array of nothing; clang lacks the warning. */
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wstringop-overflow"

/* Counts of MPI are ints. */
#define MOST_BYTES (1 << 30)

/* 1 MiB: more makes no network faster. */
#define BYTES_PER_PIECE ((size_t)1 << 20)

enum tag { TAG_MESSAGE = 1, TAG_SWAP };

static MPI_Comm world;
static int own_rank, nr_ranks;

/* Messages that are not sent yet. */
static struct posted {
	MPI_Request *requests;
	void **buffers;
	int nr, room;
	int *done;
} posted;

static MPI_Request sum = MPI_REQUEST_NULL;

static void *memory(void *old, size_t size)
{
	void *new = realloc(old, size ? size : 1);

	if (!new)
		MPI_Abort(MPI_COMM_WORLD, 2);
	return new;
}

/* ------------------------------------------------------------------------ life --- */

/* Open MPI tells of crashes in many lines; who started us does it in one. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
#define NR_CRASHES (sizeof(crashes) / sizeof(*crashes))

static bool start_mpi(void)
{
	struct sigaction before[NR_CRASHES];
	bool has_started;
	int provided;

	for (size_t i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], NULL, &before[i]);
	has_started = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
	for (size_t i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	return has_started && provided >= MPI_THREAD_FUNNELED;
}

static bool sync_mpi_start(uint32_t *rank, uint32_t *size)
{
	if (!start_mpi())
		return false;
	MPI_Comm_dup(MPI_COMM_WORLD, &world);
	MPI_Comm_rank(world, &own_rank);
	MPI_Comm_size(world, &nr_ranks);
	*rank = (uint32_t)own_rank;
	*size = (uint32_t)nr_ranks;
	return true;
}

static void sync_mpi_finish(void)
{
	MPI_Waitall(posted.nr, posted.requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < posted.nr; i++)
		free(posted.buffers[i]);
	free(posted.requests);
	free(posted.buffers);
	free(posted.done);
	posted = (struct posted){.nr = 0};
	MPI_Comm_free(&world);
	MPI_Finalize();
}

/* ------------------------------------------------------------------ collectives --- */

/* MPICH 4.0 compares unsigned numbers as if they were signed: so they are, in the same order. */
static void combine(uint64_t *values, size_t nr, enum measure_sync_job_combination how)
{
	const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX};
	const uint64_t shift = how == MEASURE_SYNC_JOB_SUM ? 0 : UINT64_C(1) << 63;

	for (size_t i = 0; i < nr; i++)
		values[i] ^= shift;
	MPI_Allreduce(MPI_IN_PLACE, values, (int)nr, MPI_INT64_T, ops[how], world);
	for (size_t i = 0; i < nr; i++)
		values[i] ^= shift;
}

static void broadcast(void *data, size_t size, uint32_t root)
{
	for (size_t done = 0; done < size; done += MOST_BYTES)
		MPI_Bcast((char *)data + done,
			(int)(size - done < MOST_BYTES ? size - done : MOST_BYTES), MPI_BYTE,
			(int)root, world);
}

static void swap_sizes(const struct measure_sync_job_part *out, struct measure_sync_job_part *in)
{
	uint64_t *sizes = memory(NULL, 2 * (size_t)nr_ranks * sizeof(*sizes));

	for (int r = 0; r < nr_ranks; r++)
		sizes[r] = r == own_rank ? 0 : out[r].size;
	MPI_Alltoall(sizes, 1, MPI_UINT64_T, sizes + nr_ranks, 1, MPI_UINT64_T, world);
	for (int r = 0; r < nr_ranks; r++)
		in[r].size = sizes[nr_ranks + r];
	free(sizes);
}

/* Bytes that are left behind `done`, of one message. */
static int piece_size(size_t size, size_t done)
{
	return (int)(done >= size                    ? 0
		     : size - done < BYTES_PER_PIECE ? size - done
						     : BYTES_PER_PIECE);
}

/* Through memory of ours: what is swapped may be memory of a file, which not all networks take. */
static void swap_two(const struct measure_sync_job_part *out, int to,
	const struct measure_sync_job_part *in, int from, char *buffer)
{
	for (size_t done = 0; done < out->size || done < in->size; done += BYTES_PER_PIECE) {
		const int nr_out = piece_size(out->size, done), nr_in = piece_size(in->size, done);
		MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

		if (nr_in > 0)
			MPI_Irecv(buffer, nr_in, MPI_BYTE, from, TAG_SWAP, world, &requests[0]);
		if (nr_out > 0) {
			memcpy(buffer + BYTES_PER_PIECE, (char *)out->data + done, (size_t)nr_out);
			MPI_Isend(buffer + BYTES_PER_PIECE, nr_out, MPI_BYTE, to, TAG_SWAP, world,
				&requests[1]);
		}
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		if (nr_in > 0)
			memcpy((char *)in->data + done, buffer, (size_t)nr_in);
	}
}

/* In each step a rank sends to one and receives from one. */
static void swap(const struct measure_sync_job_part *out, struct measure_sync_job_part *in,
	void *(*allocate)(size_t nr, size_t size))
{
	char *buffer = memory(NULL, 2 * BYTES_PER_PIECE);

	swap_sizes(out, in);
	for (int r = 0; r < nr_ranks; r++)
		in[r].data = in[r].size ? allocate(in[r].size, 1) : NULL;
	for (int step = 1; step < nr_ranks; step++) {
		const int to = (own_rank + step) % nr_ranks;
		const int from = (own_rank + nr_ranks - step) % nr_ranks;

		swap_two(&out[to], to, &in[from], from, buffer);
	}
	free(buffer);
}

/* --------------------------------------------------------------------- messages --- */

static void forget_sent(void)
{
	int nr_done = 0, left = 0;

	if (posted.nr == 0)
		return;
	MPI_Testsome(posted.nr, posted.requests, &nr_done, posted.done, MPI_STATUSES_IGNORE);
	if (nr_done <= 0)
		return;
	for (int i = 0; i < nr_done; i++) {
		free(posted.buffers[posted.done[i]]);
		posted.buffers[posted.done[i]] = NULL;
	}
	for (int i = 0; i < posted.nr; i++) {
		if (!posted.buffers[i])
			continue;
		posted.buffers[left] = posted.buffers[i];
		posted.requests[left++] = posted.requests[i];
	}
	posted.nr = left;
}

static void post(uint32_t to, const struct measure_sync_job_part *message)
{
	if (posted.nr == posted.room) {
		posted.room = posted.room ? 2 * posted.room : 16;
		posted.requests =
			memory(posted.requests, (size_t)posted.room * sizeof(*posted.requests));
		posted.buffers =
			memory(posted.buffers, (size_t)posted.room * sizeof(*posted.buffers));
		posted.done = memory(posted.done, (size_t)posted.room * sizeof(*posted.done));
	}
	posted.buffers[posted.nr] = message->data;
	MPI_Isend(message->data, (int)message->size, MPI_BYTE, (int)to, TAG_MESSAGE, world,
		&posted.requests[posted.nr++]);
}

static bool poll(struct measure_sync_job_part *message)
{
	int is_there, size;
	MPI_Status status;

	forget_sent();
	MPI_Iprobe(MPI_ANY_SOURCE, TAG_MESSAGE, world, &is_there, &status);
	if (!is_there)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &size);
	message->size = (size_t)size;
	message->data = memory(NULL, message->size);
	MPI_Recv(message->data, size, MPI_BYTE, status.MPI_SOURCE, TAG_MESSAGE, world,
		MPI_STATUS_IGNORE);
	return true;
}

static void begin_sum(uint64_t *values, size_t nr)
{
	MPI_Iallreduce(MPI_IN_PLACE, values, (int)nr, MPI_UINT64_T, MPI_SUM, world, &sum);
}

static bool test_sum(void)
{
	int is_done;

	MPI_Test(&sum, &is_done, MPI_STATUS_IGNORE);
	return is_done;
}

__attribute__((visibility("default"))) const struct measure_sync_job_ops measure_sync_job_ops = {
	sizeof(measure_sync_job_ops), MEASURE_MPI_SONAME, sync_mpi_start, sync_mpi_finish, combine,
	broadcast, swap, post, poll, begin_sum, test_sum};
