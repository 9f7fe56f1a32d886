/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * Files: opening and closing by all and by one, every blocking way to read and write, seeks,
 * views, calls that MPI refuses, and deletion. */
#include "t_mpi.h"

#define NR 10

static char together[T_PATH_MAX], alone[T_PATH_MAX];
static int out[NR], in[NR];

static MPI_File open_file(MPI_Comm comm, const char *name, int mode)
{
	MPI_File file;

	T_CHECK(MPI_File_open(comm, name, mode, MPI_INFO_NULL, &file) == MPI_SUCCESS);
	return file;
}

/* Explicit offsets in ints of a view that begins at byte 8 * NR. */
static void at_offsets(void)
{
	MPI_File file = open_file(MPI_COMM_WORLD, together, MPI_MODE_CREATE | MPI_MODE_RDWR);
	MPI_Status status;
	int count;

	MPI_File_set_size(file, 0);
	MPI_File_set_view(file, 8 * NR, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_at(file, t_rank * NR, out, NR, MPI_INT, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	T_CHECK(count == NR);
	MPI_File_write_at_all(file, (t_size + t_rank) * NR, out, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_read_at(file, t_rank * NR, in, NR, MPI_INT, MPI_STATUS_IGNORE);
	T_CHECK(memcmp(in, out, sizeof(in)) == 0);
	memset(in, 0, sizeof(in));
	MPI_File_read_at_all(file, (t_size + t_rank) * NR, in, NR, MPI_INT, &status);
	T_CHECK(memcmp(in, out, sizeof(in)) == 0);
	MPI_File_close(&file);
}

static void by_pointers(void)
{
	MPI_File file = open_file(MPI_COMM_WORLD, together, MPI_MODE_RDWR);

	MPI_File_seek(file, (MPI_Offset)sizeof(out) * t_rank, MPI_SEEK_SET);
	MPI_File_write(file, out, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(file, -4, MPI_SEEK_CUR);
	MPI_File_read(file, in, 1, MPI_INT, MPI_STATUS_IGNORE);
	T_CHECK(in[0] == out[NR - 1]);
	MPI_File_seek(file, (MPI_Offset)sizeof(out) * t_rank, MPI_SEEK_SET);
	MPI_File_write_all(file, out, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(file, (MPI_Offset)sizeof(out) * t_rank, MPI_SEEK_SET);
	MPI_File_read_all(file, in, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

static void by_the_shared_pointer(void)
{
	MPI_File file = open_file(MPI_COMM_WORLD, together, MPI_MODE_RDWR);

	MPI_File_seek_shared(file, 16, MPI_SEEK_SET);
	MPI_File_write_shared(file, out, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_seek_shared(file, 16, MPI_SEEK_SET);
	MPI_File_read_shared(file, in, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_write_ordered(file, out, NR, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_read_ordered(file, in, NR, MPI_INT, MPI_STATUS_IGNORE);
	T_CHECK(memcmp(in, out, sizeof(in)) == 0);
	MPI_File_close(&file);
}

/* One file for each rank, and the end of it. */
static void each_its_own(void)
{
	MPI_File file = open_file(MPI_COMM_SELF, alone,
		MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN);
	MPI_Status status;
	int count;

	MPI_File_write(file, out, t_rank + 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, 4 * t_rank, in, NR, MPI_INT, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	T_CHECK(count == 1 && in[0] == out[t_rank]);
	MPI_File_write_at(file, 0, out, 0, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	file = open_file(MPI_COMM_SELF, alone,
		MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_SEQUENTIAL);
	MPI_File_close(&file);
}

/* Files are born with MPI_ERRORS_RETURN. */
static void refused(void)
{
	MPI_File file;

	T_CHECK(MPI_File_open(MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL,
			&file) != MPI_SUCCESS);
	T_CHECK(MPI_File_delete("no/such/file", MPI_INFO_NULL) != MPI_SUCCESS);
	T_CHECK(MPI_File_write(MPI_FILE_NULL, out, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	file = open_file(MPI_COMM_WORLD, together, MPI_MODE_RDONLY);
	T_CHECK(MPI_File_write(file, out, 1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	T_CHECK(MPI_File_read(file, in, -1, MPI_INT, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	T_CHECK(MPI_File_read(file, in, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	MPI_File_close(&file);
	T_CHECK(file == MPI_FILE_NULL);
	T_CHECK(MPI_File_close(&file) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	for (int i = 0; i < NR; i++)
		out[i] = 1000 * t_rank + i;
	t_path(together, "together", 0);
	t_path(alone, "alone", t_rank);
	at_offsets();
	by_pointers();
	by_the_shared_pointer();
	each_its_own();
	refused();
	MPI_Barrier(MPI_COMM_WORLD);
	if (t_rank == 0)
		T_CHECK(MPI_File_delete(together, MPI_INFO_NULL) == MPI_SUCCESS);
	MPI_Finalize();
	return 0;
}
