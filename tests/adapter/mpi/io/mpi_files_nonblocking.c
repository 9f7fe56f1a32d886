/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Operations on files that one call starts and another completes: by each way to wait, among
 * messages, freed and refused ones, and split collectives. */
#include "t_mpi.h"

#define NR 8

static char name[T_PATH_MAX];
static int out[NR], in[NR];
static MPI_File file;

/* Of each kind one, all complete by one call. */
static void mixed(void)
{
	MPI_Request requests[4];
	MPI_Status statuses[4];
	int count, message = 0, peer = 1 - t_rank;

	MPI_File_iwrite_at(file, t_rank * NR, out, NR, MPI_INT, &requests[0]);
	MPI_Irecv(&message, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(out, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &requests[2]);
	MPI_File_iwrite_at(file, (2 + t_rank) * NR, out, NR / 2, MPI_INT, &requests[3]);
	MPI_Waitall(4, requests, statuses);
	MPI_Get_count(&statuses[3], MPI_INT, &count);
	T_CHECK(count == NR / 2 && message == 1000 * peer);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void by_pointers(void)
{
	MPI_Request request;

	MPI_File_seek(file, t_rank * NR, MPI_SEEK_SET);
	MPI_File_iread(file, in, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	T_CHECK(memcmp(in, out, sizeof(in)) == 0);
	MPI_File_iwrite(file, out, 0, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_iread_at(file, t_rank * NR, in, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void together(void)
{
	MPI_Request request;
	MPI_Status status;
	int count;

	MPI_File_iwrite_at_all(file, t_rank * NR, out, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_iread_at_all(file, t_rank * NR, in, NR, MPI_INT, &request);
	MPI_Wait(&request, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	T_CHECK(count == NR && memcmp(in, out, sizeof(in)) == 0);
	MPI_File_seek(file, t_rank * NR, MPI_SEEK_SET);
	MPI_File_iwrite_all(file, out, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_seek(file, t_rank * NR, MPI_SEEK_SET);
	MPI_File_iread_all(file, in, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void by_the_shared_pointer(void)
{
	MPI_Request request;

	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_iwrite_shared(file, out, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_iread_shared(file, in, NR, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void split(void)
{
	MPI_Status status;
	int count;

	MPI_File_write_at_all_begin(file, t_rank * NR, out, NR, MPI_INT);
	MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(file, t_rank * NR, in, NR, MPI_INT);
	MPI_File_read_at_all_end(file, in, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	T_CHECK(count == NR && memcmp(in, out, sizeof(in)) == 0);
	MPI_File_seek(file, t_rank * NR, MPI_SEEK_SET);
	MPI_File_write_all_begin(file, out, NR, MPI_INT);
	MPI_File_write_all_end(file, out, MPI_STATUS_IGNORE);
	MPI_File_seek(file, t_rank * NR, MPI_SEEK_SET);
	MPI_File_read_all_begin(file, in, NR, MPI_INT);
	MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_write_ordered_begin(file, out, NR, MPI_INT);
	MPI_File_write_ordered_end(file, out, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_read_ordered_begin(file, in, NR, MPI_INT);
	MPI_File_read_ordered_end(file, in, MPI_STATUS_IGNORE);
}

static void refused(void)
{
	MPI_Request request;

	T_CHECK(MPI_File_iwrite(MPI_FILE_NULL, out, NR, MPI_INT, &request) != MPI_SUCCESS);
	T_CHECK(MPI_File_iread(file, in, -1, MPI_INT, &request) != MPI_SUCCESS);
	T_CHECK(MPI_File_iread(file, in, 1, MPI_DATATYPE_NULL, &request) != MPI_SUCCESS);
	MPI_File_close(&file);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE,
		MPI_INFO_NULL, &file);
	T_CHECK(MPI_File_iwrite(file, out, NR, MPI_INT, &request) != MPI_SUCCESS);
	T_CHECK(MPI_File_write_all_begin(file, out, NR, MPI_INT) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	for (int i = 0; i < NR; i++)
		out[i] = 1000 * t_rank + i;
	t_path(name, "shared", 0);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	mixed();
	by_pointers();
	together();
	by_the_shared_pointer();
	split();
	refused();
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
