/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 1
 * Order: any
 *
 * 20,000 requests in flight and 1,000 communicators, alive together and one after the other.
 * Their memory is given back: it is counted after everything was done once by PMPI calls,
 * that fill the pools of MPI and not those of a tool, again after a first round that is
 * recorded, and after others, that must find what they need. */
#include "t_mpi.h"

#include <malloc.h>

#include "../../../status.h"

#define NR_REQUESTS 20000
#define NR_COMMS    1000
#define NR_ROUNDS   4

/* Bytes that may stay: of requests a small table, of communicators what is used again for later
 * ones, of all rounds but the first next to nothing. */
#define KEPT_OF_REQUESTS (128 * 1024)
#define KEPT_OF_COMMS	 (256 * 1024)
#define KEPT_OF_ROUNDS	 (64 * 1024)

static MPI_Request requests[NR_REQUESTS];
static int values[NR_REQUESTS], numbers[NR_REQUESTS];
static MPI_Comm comms[NR_COMMS];

/* Bytes: the allocator's, and all private pages of the process, mapped by whomever. */
static long in_use(void)
{
	const struct mallinfo2 info = mallinfo2();

	return (long)(info.uordblks + info.hblkhd);
}

/* AddressSanitizer keeps what is given back, and marks it in pages of its own. */
#ifdef __SANITIZE_ADDRESS__
static long private_bytes(void)
{
	fprintf(stderr, "left out, AddressSanitizer: private pages: it keeps what is given back\n");
	return 0;
}
#else
static long private_bytes(void)
{
	const long kib = status_kib("RssAnon");

	T_CHECK(kib > 0);
	return kib * 1024;
}
#endif

static void many_requests(void)
{
	for (int i = 0; i < NR_REQUESTS / 2; i++) {
		numbers[i] = i;
		MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
		MPI_Isend(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_SELF,
			&requests[NR_REQUESTS - 1 - i]);
	}
	MPI_Waitall(NR_REQUESTS, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < NR_REQUESTS / 2; i++)
		T_CHECK(values[i] == i);
}

static void many_requests_unseen(void)
{
	for (int i = 0; i < NR_REQUESTS / 2; i++) {
		PMPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
		PMPI_Isend(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_SELF,
			&requests[NR_REQUESTS - 1 - i]);
	}
	PMPI_Waitall(NR_REQUESTS, requests, MPI_STATUSES_IGNORE);
}

static void many_comms(void)
{
	for (int i = 0; i < NR_COMMS; i++)
		if (i % 5)
			MPI_Comm_dup(i % 3 ? comms[i - 1] : MPI_COMM_WORLD, &comms[i]);
		else
			MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		MPI_Barrier(comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		MPI_Comm_free(&comms[(i * 7) % NR_COMMS]);
}

static void many_comms_unseen(void)
{
	for (int i = 0; i < NR_COMMS; i++)
		PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		PMPI_Barrier(comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		PMPI_Comm_free(&comms[(i * 7) % NR_COMMS]);
}

static void one_after_the_other(void)
{
	for (int i = 0; i < NR_COMMS; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &comms[0]);
		MPI_Barrier(comms[0]);
		MPI_Comm_free(&comms[0]);
	}
}

int main(int argc, char **argv)
{
	long before, pages;

	t_init(&argc, &argv);
	many_requests_unseen();
	many_comms_unseen();
	before = in_use();
	pages = private_bytes();
	many_requests();
	T_CHECK(in_use() - before < KEPT_OF_REQUESTS);
	T_CHECK(private_bytes() - pages < KEPT_OF_REQUESTS);
	many_comms();
	one_after_the_other();
	T_CHECK(in_use() - before < KEPT_OF_REQUESTS + KEPT_OF_COMMS);
	before = in_use();
	for (int i = 1; i < NR_ROUNDS; i++) {
		many_requests();
		many_comms();
		one_after_the_other();
	}
	T_CHECK(in_use() - before < KEPT_OF_ROUNDS);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
