/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Order: any
 *
 * Every kind of call with arguments that MPI rejects: what it returns, and how often it calls the
 * program's error handler, is the same with and without the adapter, and nothing is left
 * open in the trace. First with a handler of the program's, then with MPI_ERRORS_RETURN. With the
 * number of a call as argument, that call alone is made, with MPI_ERRORS_ARE_FATAL (fatal_errors.sh). */
#include "t_mpi.h"

static int nr_calls, number, wanted;

static int value[4], more[4];
static MPI_Request null_request = MPI_REQUEST_NULL;
static MPI_Request request;
static MPI_Status status;
static MPI_Comm comm;
static MPI_Datatype raw_type; /* not committed */
static int flag, index_, indices[2];

/* Compilers know what is wrong with what they see. */
static volatile int minus_one = -1;
static void *volatile nothing;
#define NO_TYPE    MPI_DATATYPE_NULL
#define NO_COMM    MPI_COMM_NULL
#define WORLD      MPI_COMM_WORLD
#define NO_STATUS  MPI_STATUS_IGNORE
#define NO_REQUEST ((MPI_Request *)nothing)

static void handler(MPI_Comm *where, int *code, ...)
{
	(void)where;
	(void)code;
	nr_calls++;
}

static void tell(const char *what, int result)
{
	int class = result;

	MPI_Error_class(result, &class);
	if (t_rank == 0 && wanted == 0)
		printf("%s: class %d, handler called %d times\n", what, class, nr_calls);
	nr_calls = 0;
}

/* Only the one that is wanted, if one is. */
#define TRY(call)                                                                                  \
	do {                                                                                       \
		number++;                                                                          \
		if (wanted == 0 || wanted == number)                                               \
			tell(#call, call);                                                         \
	} while (0)

/* One that some library ends a program for, whatever its error handler. */
#define TRY_ALONE(call)                                                                            \
	do {                                                                                       \
		number++;                                                                          \
		if (wanted == number)                                                              \
			tell(#call, call);                                                         \
	} while (0)

static void sends(void)
{
	TRY(MPI_Send(value, 1, MPI_INT, 17, 0, WORLD));
	TRY(MPI_Send(value, 1, MPI_INT, 0, -5, WORLD));
	TRY(MPI_Ssend(value, minus_one, MPI_INT, 0, 0, WORLD));
	TRY(MPI_Bsend(value, 1, NO_TYPE, 0, 0, WORLD));
	TRY(MPI_Rsend(value, 1, MPI_INT, 0, 0, NO_COMM));
	TRY(MPI_Isend(value, 1, MPI_INT, 17, 0, WORLD, &request));
	TRY(MPI_Issend(value, 1, MPI_INT, 0, -5, WORLD, &request));
	TRY(MPI_Ibsend(value, minus_one, MPI_INT, 0, 0, WORLD, &request));
	TRY(MPI_Irsend(value, 1, NO_TYPE, 0, 0, WORLD, &request));
	TRY(MPI_Isend(value, 1, MPI_INT, 0, 0, NO_COMM, &request));
	TRY(MPI_Isend(value, 1, MPI_INT, 0, 0, WORLD, NO_REQUEST));
	TRY(MPI_Send(value, 1, raw_type, 0, 0, WORLD));
	TRY(MPI_Send(nothing, 1, MPI_INT, 0, 0, WORLD));
	TRY(MPI_Ssend(value, 1, MPI_INT, 0, 0, (MPI_Comm)0));
	TRY(MPI_Ssend(value, 1, (MPI_Datatype)0, 0, 0, WORLD));
	TRY(MPI_Isend(value, 1, raw_type, 0, 0, WORLD, &request));
	TRY(MPI_Isend(nothing, 1, MPI_INT, 0, 0, WORLD, &request));
	TRY(MPI_Send_init(value, 1, MPI_INT, 17, 0, WORLD, &request));
	TRY(MPI_Send_init(value, 1, MPI_INT, 0, 0, NO_COMM, &request));
	TRY(MPI_Ssend_init(value, 1, MPI_INT, 0, 0, WORLD, NO_REQUEST));
}

static void receives(void)
{
	MPI_Message message = MPI_MESSAGE_NULL;

	TRY(MPI_Recv(value, 1, MPI_INT, 17, 0, WORLD, NO_STATUS));
	TRY(MPI_Recv(value, 1, MPI_INT, 0, -5, WORLD, &status));
	TRY(MPI_Recv(value, minus_one, MPI_INT, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Recv(value, 1, NO_TYPE, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Recv(value, 1, MPI_INT, 0, 0, NO_COMM, NO_STATUS));
	TRY(MPI_Irecv(value, 1, MPI_INT, 17, 0, WORLD, &request));
	TRY(MPI_Irecv(value, minus_one, MPI_INT, 0, 0, WORLD, &request));
	TRY(MPI_Irecv(value, 1, MPI_INT, 0, 0, WORLD, NO_REQUEST));
	TRY(MPI_Recv_init(value, 1, MPI_INT, 17, 0, WORLD, &request));
	TRY(MPI_Recv_init(value, 1, MPI_INT, 0, 0, NO_COMM, &request));
	TRY(MPI_Sendrecv(value, 1, MPI_INT, 17, 0, more, 1, MPI_INT, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv(
		value, 1, MPI_INT, 0, 0, more, minus_one, MPI_INT, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv(value, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 17, 0, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv(value, 1, MPI_INT, 0, 0, more, 1, raw_type, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv(value, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, -7, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv_replace(value, 1, NO_TYPE, 0, 0, 0, 0, WORLD, NO_STATUS));
	TRY(MPI_Sendrecv_replace(value, 1, MPI_INT, 0, 0, 17, 0, WORLD, NO_STATUS));
	TRY(MPI_Probe(17, 0, WORLD, NO_STATUS));
	TRY(MPI_Iprobe(17, 0, WORLD, &flag, NO_STATUS));
	TRY(MPI_Mprobe(17, 0, WORLD, &message, NO_STATUS));
	TRY(MPI_Improbe(17, 0, WORLD, &flag, &message, NO_STATUS));
	TRY_ALONE(MPI_Mrecv(value, minus_one, MPI_INT, &message, NO_STATUS));
	TRY_ALONE(MPI_Imrecv(value, 1, MPI_INT, nothing, &request));
}

static void completions(void)
{
	MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

	TRY(MPI_Wait(NO_REQUEST, NO_STATUS));
	TRY(MPI_Wait(&null_request, NO_STATUS));
	TRY(MPI_Test(&null_request, &flag, NO_STATUS));
	TRY(MPI_Test(&null_request, nothing, NO_STATUS));
	TRY(MPI_Test(NO_REQUEST, &flag, NO_STATUS));
	TRY(MPI_Waitall(minus_one, requests, MPI_STATUSES_IGNORE));
	TRY(MPI_Waitall(2, NO_REQUEST, MPI_STATUSES_IGNORE));
	TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
	TRY(MPI_Testall(2, requests, nothing, MPI_STATUSES_IGNORE));
	TRY(MPI_Testall(minus_one, requests, &flag, MPI_STATUSES_IGNORE));
	TRY(MPI_Waitany(2, requests, nothing, NO_STATUS));
	TRY(MPI_Waitany(2, NO_REQUEST, &index_, NO_STATUS));
	TRY(MPI_Waitany(2, requests, &index_, NO_STATUS));
	TRY(MPI_Testany(2, requests, &index_, nothing, NO_STATUS));
	TRY(MPI_Testany(minus_one, requests, &index_, &flag, NO_STATUS));
	TRY(MPI_Waitsome(2, requests, nothing, indices, MPI_STATUSES_IGNORE));
	TRY(MPI_Waitsome(2, requests, &flag, indices, MPI_STATUSES_IGNORE));
	TRY(MPI_Testsome(minus_one, requests, &flag, indices, MPI_STATUSES_IGNORE));
	TRY(MPI_Testsome(2, requests, &flag, nothing, MPI_STATUSES_IGNORE));
	TRY(MPI_Start(&null_request));
	TRY(MPI_Start(NO_REQUEST));
	TRY(MPI_Startall(2, requests));
	TRY(MPI_Startall(minus_one, requests));
	TRY(MPI_Startall(2, NO_REQUEST));
	TRY(MPI_Cancel(NO_REQUEST));
	TRY(MPI_Cancel(&null_request));
	TRY(MPI_Request_free(NO_REQUEST));
	TRY(MPI_Request_free(&null_request));
	TRY(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, NO_STATUS));
}

static void collectives(void)
{
	const int counts[2] = {1, 1}, wrong[2] = {minus_one, minus_one}, places[2] = {0, 1};
	const MPI_Datatype types[2] = {NO_TYPE, NO_TYPE};

	TRY(MPI_Barrier(NO_COMM));
	TRY(MPI_Bcast(value, 1, MPI_INT, 17, WORLD));
	TRY(MPI_Bcast(value, minus_one, MPI_INT, 0, WORLD));
	TRY(MPI_Bcast(value, 1, NO_TYPE, 0, WORLD));
	TRY(MPI_Gather(value, 1, MPI_INT, more, 1, MPI_INT, -7, WORLD));
	TRY(MPI_Gatherv(value, 1, MPI_INT, more, counts, places, MPI_INT, 17, WORLD));
	TRY(MPI_Scatter(value, 1, MPI_INT, more, 1, MPI_INT, 17, WORLD));
	TRY(MPI_Scatterv(value, counts, places, MPI_INT, more, 1, MPI_INT, 0, NO_COMM));
	TRY(MPI_Allgather(value, 1, MPI_INT, more, 1, NO_TYPE, WORLD));
	TRY(MPI_Allgatherv(value, 1, MPI_INT, more, counts, places, NO_TYPE, WORLD));
	TRY(MPI_Alltoall(value, minus_one, MPI_INT, more, 1, MPI_INT, WORLD));
	TRY(MPI_Alltoallv(value, wrong, places, MPI_INT, more, counts, places, MPI_INT, WORLD));
	TRY(MPI_Alltoallw(value, counts, places, types, more, counts, places, types, WORLD));
	TRY(MPI_Reduce(value, more, 1, NO_TYPE, MPI_SUM, 0, WORLD));
	TRY(MPI_Reduce(value, more, 1, MPI_INT, MPI_OP_NULL, 0, WORLD));
	TRY(MPI_Allreduce(value, more, 1, MPI_INT, MPI_OP_NULL, WORLD));
	TRY(MPI_Reduce_scatter(value, more, wrong, MPI_INT, MPI_SUM, WORLD));
	TRY(MPI_Reduce_scatter_block(value, more, 1, MPI_INT, MPI_OP_NULL, WORLD));
	TRY(MPI_Scan(value, more, 1, MPI_INT, MPI_OP_NULL, WORLD));
	TRY(MPI_Exscan(value, more, 1, NO_TYPE, MPI_SUM, WORLD));
	TRY(MPI_Ibarrier(NO_COMM, &request));
	TRY(MPI_Ibcast(value, 1, MPI_INT, 17, WORLD, &request));
	TRY(MPI_Igatherv(value, 1, MPI_INT, more, counts, places, MPI_INT, 17, WORLD, &request));
	TRY(MPI_Iallreduce(value, more, 1, MPI_INT, MPI_OP_NULL, WORLD, &request));
	TRY(MPI_Ialltoallv(
		value, wrong, places, MPI_INT, more, counts, places, MPI_INT, WORLD, &request));
	TRY(MPI_Neighbor_allgather(value, 1, MPI_INT, more, 1, MPI_INT, WORLD));
	TRY(MPI_Ineighbor_alltoall(value, 1, MPI_INT, more, 1, MPI_INT, WORLD, &request));
}

static void communicators(void)
{
	const int dims[1] = {17}, periods[1] = {0};

	TRY(MPI_Comm_dup(NO_COMM, &comm));
	TRY(MPI_Comm_dup(WORLD, nothing));
	TRY(MPI_Comm_idup(NO_COMM, &comm, &request));
	TRY(MPI_Comm_create(WORLD, MPI_GROUP_NULL, &comm));
	TRY(MPI_Comm_create_group(WORLD, MPI_GROUP_NULL, 0, &comm));
	TRY(MPI_Comm_create_group(WORLD, (MPI_Group)0, 0, &comm));
	TRY(MPI_Comm_create_group(NO_COMM, MPI_GROUP_EMPTY, 0, &comm));
	TRY(MPI_Comm_split(NO_COMM, 0, 0, &comm));
	TRY(MPI_Comm_split(WORLD, -7, 0, &comm));
	TRY(MPI_Comm_split_type(NO_COMM, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
	TRY(MPI_Cart_create(WORLD, 1, dims, periods, 0, &comm));
	TRY(MPI_Cart_create(WORLD, minus_one, dims, periods, 0, &comm));
	TRY(MPI_Cart_sub(WORLD, periods, &comm));
	TRY(MPI_Intercomm_create(NO_COMM, 0, WORLD, 1, 0, &comm));
	TRY(MPI_Intercomm_merge(NO_COMM, 0, &comm));
	comm = NO_COMM;
	TRY(MPI_Comm_free(&comm));
	TRY(MPI_Comm_disconnect(&comm));
	TRY(MPI_Comm_set_name(NO_COMM, "none"));
	TRY(MPI_Graph_create(WORLD, minus_one, dims, dims, 0, &comm));
	TRY(MPI_Comm_split_type(WORLD, -7, 0, MPI_INFO_NULL, &comm));
	TRY_ALONE(MPI_Comm_free(nothing));
}

static void types_and_groups(void)
{
	MPI_Datatype type = NO_TYPE;
	MPI_Group group = MPI_GROUP_NULL;
	MPI_Info info = MPI_INFO_NULL;

	TRY(MPI_Type_size(NO_TYPE, &flag));
	TRY(MPI_Type_commit(&type));
	TRY(MPI_Type_contiguous(minus_one, MPI_INT, &type));
	TRY(MPI_Type_free(&type));
	TRY(MPI_Group_incl(group, 1, indices, &group));
	TRY(MPI_Group_free(&group));
	TRY(MPI_Info_set(info, "key", "value"));
	TRY(MPI_Info_free(&info));
	TRY_ALONE(MPI_Comm_get_attr(NO_COMM, MPI_TAG_UB, nothing, &flag));
	TRY(MPI_Cart_coords(WORLD, 0, 1, indices));
	TRY(MPI_Error_class(minus_one, &flag));
}

static void windows(void)
{
	MPI_Win win = MPI_WIN_NULL;

	TRY(MPI_Win_create(value, minus_one, 1, MPI_INFO_NULL, WORLD, &win));
	TRY(MPI_Win_create(value, 4, 0, MPI_INFO_NULL, WORLD, &win));
	TRY(MPI_Win_create(value, 4, 1, MPI_INFO_NULL, NO_COMM, &win));
	TRY(MPI_Win_create_dynamic(MPI_INFO_NULL, NO_COMM, &win));
	TRY(MPI_Win_allocate(minus_one, 1, MPI_INFO_NULL, WORLD, &value, &win));
	TRY_ALONE(MPI_Win_free(nothing));
	TRY(MPI_Win_free(&win));
	TRY(MPI_Win_fence(0, win));
	TRY(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
	TRY(MPI_Win_unlock_all(win));
	TRY(MPI_Win_flush_local(0, win));
	TRY(MPI_Win_sync(win));
	TRY(MPI_Win_post(MPI_GROUP_EMPTY, 0, win));
	TRY(MPI_Win_test(win, &flag));
	TRY(MPI_Put(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	TRY(MPI_Rget(value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request));
	TRY(MPI_Accumulate(value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
	TRY(MPI_Fetch_and_op(value, more, MPI_INT, 0, 0, MPI_SUM, win));
	TRY(MPI_Compare_and_swap(value, more, value, MPI_INT, 0, 0, win));
	TRY(MPI_Win_set_name(win, "none"));
}

static void all(void)
{
	number = 0;
	sends();
	receives();
	completions();
	collectives();
	communicators();
	types_and_groups();
	windows();
}

int main(int argc, char **argv)
{
	MPI_Errhandler errhandler;

	t_init(&argc, &argv);
	wanted = argc > 1 ? atoi(argv[1]) : 0;
	MPI_Type_contiguous(2, MPI_INT, &raw_type);
	if (wanted) {
		if (t_rank == 0)
			all();
		printf("%d calls\n", number);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Type_free(&raw_type);
		MPI_Finalize();
		return 0;
	}
	MPI_Comm_create_errhandler(handler, &errhandler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
	all();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	all();
	MPI_Errhandler_free(&errhandler);
	MPI_Type_free(&raw_type);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
