/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many requests in flight, and many communicators, on one rank. Usage: many REQUESTS COMMS
 *
 * Prints nanoseconds per call, means over the first and the last tenth of the calls:
 * "KIND_first_ns", "KIND_last_ns" for irecv, wait, dup, free, split; and "kept_kib", the private
 * memory that the process has afterwards and did not have when everything had been done once
 * by PMPI calls, so that MPI's own pools were filled and ours were not. */
#include "config.h"

#include <mpi.h>

#include "../status.h"
#include "bench.h"

/* The calls to measure, or the same past all tools. */
struct calls {
	int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
	int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
	int (*wait)(MPI_Request *, MPI_Status *);
	int (*dup)(MPI_Comm, MPI_Comm *);
	int (*split)(MPI_Comm, int, int, MPI_Comm *);
	int (*free)(MPI_Comm *);
};

static const struct calls recorded = {
	MPI_Irecv, MPI_Send, MPI_Wait, MPI_Comm_dup, MPI_Comm_split, MPI_Comm_free};
static const struct calls silent = {
	PMPI_Irecv, PMPI_Send, PMPI_Wait, PMPI_Comm_dup, PMPI_Comm_split, PMPI_Comm_free};

static int nr_requests, nr_comms;
static MPI_Request *requests;
static MPI_Comm *comms;
static char payload[2];

static void irecv(const struct calls *calls, int i)
{
	calls->irecv(&payload[1], 1, MPI_CHAR, 0, i % 32768, MPI_COMM_SELF, &requests[i]);
}

static void complete(const struct calls *calls, int i)
{
	calls->send(&payload[0], 1, MPI_CHAR, 0, i % 32768, MPI_COMM_SELF);
}

static void wait(const struct calls *calls, int i)
{
	calls->wait(&requests[i], MPI_STATUS_IGNORE);
}

static void dup(const struct calls *calls, int i)
{
	calls->dup(MPI_COMM_WORLD, &comms[i]);
}

static void split(const struct calls *calls, int i)
{
	calls->split(MPI_COMM_WORLD, 0, 0, &comms[i]);
}

static void release(const struct calls *calls, int i)
{
	calls->free(&comms[i]);
}

static double tenth(
	void (*call)(const struct calls *, int), const struct calls *calls, int begin, int end)
{
	const uint64_t start = bench_now();

	for (int i = begin; i < end; i++)
		call(calls, i);
	return (double)(bench_now() - start) / (end - begin);
}

static void phase(const char *kind, void (*call)(const struct calls *, int),
	const struct calls *calls, int nr)
{
	const double first = tenth(call, calls, 0, nr / 10);
	double last;

	for (int i = nr / 10; i < nr - nr / 10; i++)
		call(calls, i);
	last = tenth(call, calls, nr - nr / 10, nr);
	if (calls == &recorded)
		printf("%s_first_ns %.0f\n%s_last_ns %.0f\n", kind, first, kind, last);
}

static void all_phases(const struct calls *calls)
{
	phase("irecv", irecv, calls, nr_requests);
	phase("send", complete, calls, nr_requests);
	phase("wait", wait, calls, nr_requests);
	phase("dup", dup, calls, nr_comms);
	phase("free", release, calls, nr_comms);
	phase("split", split, calls, nr_comms);
	phase("free", release, calls, nr_comms);
}

int main(int argc, char **argv)
{
	long before;

	MPI_Init(&argc, &argv);
	nr_requests = argc > 1 ? atoi(argv[1]) : 0;
	nr_comms = argc > 2 ? atoi(argv[2]) : 0;
	if (nr_requests < 10 || nr_comms < 10) {
		fputs("usage: many REQUESTS COMMS, each at least 10\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	requests = calloc((size_t)nr_requests, sizeof(*requests));
	comms = calloc((size_t)nr_comms, sizeof(*comms));
	bench_pin();
	all_phases(&silent);
	before = status_kib("RssAnon"); /* that of the segment is shared */
	all_phases(&recorded);
	printf("kept_kib %ld\n", status_kib("RssAnon") - before);
	MPI_Finalize();
	free(requests);
	free(comms);
	return 0;
}
