/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 1
 * Order: any
 *
 * 10,000 requests in flight and 1,000 communicators, alive together and one after the other. */
#include "t_mpi.h"

#define NR_REQUESTS 10000
#define NR_COMMS    1000

static MPI_Request requests[NR_REQUESTS];
static int values[NR_REQUESTS], numbers[NR_REQUESTS];
static MPI_Comm comms[NR_COMMS];

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	for (int i = 0; i < NR_REQUESTS / 2; i++) {
		numbers[i] = i;
		MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
		MPI_Isend(&numbers[i], 1, MPI_INT, 0, i, MPI_COMM_SELF,
			&requests[NR_REQUESTS - 1 - i]);
	}
	MPI_Waitall(NR_REQUESTS, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < NR_REQUESTS / 2; i++)
		T_CHECK(values[i] == i);
	for (int i = 0; i < NR_COMMS; i++)
		MPI_Comm_dup(i % 3 ? comms[i - 1] : MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		MPI_Barrier(comms[i]);
	for (int i = 0; i < NR_COMMS; i++)
		MPI_Comm_free(&comms[(i * 7) % NR_COMMS]);
	for (int i = 0; i < NR_COMMS; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &comms[0]);
		MPI_Barrier(comms[0]);
		MPI_Comm_free(&comms[0]);
	}
	MPI_Finalize();
	printf("done\n");
	return 0;
}
