/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Calls that are only entered and left, at least one of each group: those that return something
 * else than int, one of any number of arguments, windows, files, requests of the
 * program's own making. call_groups.sh runs it too. */
#include "t_mpi.h"

static void window(void)
{
	int *memory, value = 7;
	MPI_Win win;

	/* MPICH 4.0 loses what is put into smaller ones */
	MPI_Win_allocate(
		16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_fence(0, win);
	MPI_Put(&value, 1, MPI_INT, 1 - t_rank, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	T_CHECK(*memory == 7);
	MPI_Win_free(&win);
}

static void file(void)
{
	char name[T_PATH_MAX];
	MPI_Offset size;
	MPI_File handle;
	int value = 3;

	MPI_File_open(MPI_COMM_SELF, t_path(name, "plain", t_rank),
		MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &handle);
	MPI_File_write(handle, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_get_size(handle, &size);
	T_CHECK(size == sizeof(value));
	MPI_File_close(&handle);
}

static int query(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Status_set_elements(status, MPI_BYTE, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int release(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int is_complete)
{
	(void)state;
	(void)is_complete;
	return MPI_SUCCESS;
}

static void own_request(void)
{
	MPI_Request request;

	MPI_Grequest_start(query, release, cancel, NULL, &request);
	MPI_Grequest_complete(request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void inquiries(void)
{
	const double begin = MPI_Wtime();
	char name[MPI_MAX_ERROR_STRING];
	int dims[2] = {0, 0}, flag, length, *bound;
	MPI_Datatype pair;
	MPI_Group group;
	MPI_Info info;

	T_CHECK(MPI_Wtick() > 0 && MPI_Wtime() >= begin);
	T_CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
	T_CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
	T_CHECK(MPI_Pcontrol(1) == MPI_SUCCESS && MPI_Pcontrol(2, "and", 3.0) == MPI_SUCCESS);
	MPI_Dims_create(4, 2, dims);
	T_CHECK(dims[0] == 2 && dims[1] == 2);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_free(&pair);
	MPI_Comm_group(MPI_COMM_WORLD, &group);
	MPI_Group_free(&group);
	MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
	MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
	T_CHECK(flag && *bound > 0);
	MPI_Info_create(&info);
	MPI_Info_free(&info);
	MPI_Error_string(MPI_SUCCESS, name, &length);
	MPI_T_init_thread(MPI_THREAD_SINGLE, &flag);
	MPI_T_finalize();
}

int main(int argc, char **argv)
{
	int flag;

	MPI_Initialized(&flag);
	T_CHECK(!flag);
	t_init(&argc, &argv);
	window();
	file();
	own_request();
	inquiries();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	MPI_Finalized(&flag);
	printf("done %d\n", flag);
	return 0;
}
