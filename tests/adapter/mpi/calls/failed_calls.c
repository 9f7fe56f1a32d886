/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Complete: truncated
 * Expected of: Open MPI
 *
 * Wrong arguments and failing calls get exactly MPI's own answer: the program's error handler
 * is called once for each, with the same class. Nothing is recorded of what failed, but messages
 * and collectives that were longer than their buffers: they were received. How long such a message
 * was, and by what class a collective fails later, is the library's own. */
#include "t_mpi.h"

static int nr_calls;
static int last_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	MPI_Error_class(*code, &last_class);
	nr_calls++;
}

static void expect(const char *what, int result)
{
	int class;

	MPI_Error_class(result, &class);
	if (t_rank == 0)
		printf("%s: class %d, handler called %d times with %d\n", what, class, nr_calls,
			last_class);
	nr_calls = 0;
}

static void wrong_arguments(void)
{
	int value = 0;
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Comm comm = MPI_COMM_NULL;

	expect("rank", MPI_Send(&value, 1, MPI_INT, 17, 0, MPI_COMM_WORLD));
	expect("tag", MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
	expect("count", MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	expect("type", MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
	expect("no comm", MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
	expect("Isend", MPI_Isend(&value, 1, MPI_INT, 17, 0, MPI_COMM_WORLD, &request));
	expect("Irecv", MPI_Irecv(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
	expect("Recv", MPI_Recv(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	expect("Bcast", MPI_Bcast(&value, 1, MPI_INT, 17, MPI_COMM_WORLD));
	expect("Reduce",
		MPI_Reduce(&value, &value, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, MPI_COMM_WORLD));
	expect("Waitall", MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE));
	expect("Wait", MPI_Wait(NULL, MPI_STATUS_IGNORE));
	expect("Comm_free", MPI_Comm_free(&comm));
	expect("Comm_dup", MPI_Comm_dup(MPI_COMM_NULL, &comm));
}

static void truncated(void)
{
	int values[4] = {0};
	MPI_Request request;

	if (t_rank == 1) {
		for (int i = 0; i < 3; i++)
			MPI_Send(values, i == 2 ? 1 : 4, MPI_INT, 0, i, MPI_COMM_WORLD);
		return;
	}
	expect("truncated", MPI_Recv(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	MPI_Irecv(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
	expect("truncated later", MPI_Wait(&request, MPI_STATUS_IGNORE));
	expect("good", MPI_Recv(values, 4, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void truncated_collectives(void)
{
	int values[8] = {0};
	MPI_Request request;
	int result;

	result = MPI_Gather(
		values, t_rank == 0 ? 1 : 4, MPI_INT, values + 4, 1, MPI_INT, 0, MPI_COMM_WORLD);
	expect("truncated Gather", result);
	MPI_Ibcast(values, t_rank == 0 ? 1 : 4, MPI_INT, 1, MPI_COMM_WORLD, &request);
	expect("truncated Ibcast", MPI_Wait(&request, MPI_STATUS_IGNORE));
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Errhandler errhandler;

	t_init(&argc, &argv);
	MPI_Comm_create_errhandler(handler, &errhandler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
	if (t_rank == 0)
		wrong_arguments();
	MPI_Barrier(MPI_COMM_WORLD);
	truncated();
	truncated_collectives();
	MPI_Errhandler_free(&errhandler);
	MPI_Finalize();
	if (t_rank == 0) /* whose output comes first is a matter of timing */
		printf("done\n");
	return 0;
}
