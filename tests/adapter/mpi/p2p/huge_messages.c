/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * More bytes than an int can count, in one element of a datatype: the byte counts of the records
 * are right. The memory that is sent is a few megabytes, mapped again and again. */
#define _GNU_SOURCE
#include "t_mpi.h"

#include <sys/mman.h>
#include <unistd.h>

#define PIECE_BYTES (16 << 20)
#define NR_PIECES   128 /* 2^31 bytes */

static char *map_pieces(void)
{
	char *place = mmap(NULL, (size_t)NR_PIECES * PIECE_BYTES, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int fd = memfd_create("pieces", 0);

	T_CHECK(place != MAP_FAILED && fd >= 0 && ftruncate(fd, PIECE_BYTES) == 0);
	for (size_t i = 0; i < NR_PIECES; i++)
		T_CHECK(mmap(place + i * PIECE_BYTES, PIECE_BYTES, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED);
	return place;
}

static void messages(char *place, MPI_Datatype type)
{
	MPI_Request request;
	MPI_Status status;
	MPI_Count count;

	if (t_rank == 0) {
		MPI_Isend(place, 1, type, 1, 1, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(place, 1, type, 0, 1, MPI_COMM_WORLD, &status);
		MPI_Get_elements_x(&status, MPI_BYTE, &count);
		T_CHECK(count == (MPI_Count)NR_PIECES * PIECE_BYTES);
	}
}

int main(int argc, char **argv)
{
	MPI_Datatype piece, type;
	char *place;

	t_init(&argc, &argv);
	place = map_pieces();
	MPI_Type_contiguous(PIECE_BYTES, MPI_BYTE, &piece);
	MPI_Type_contiguous(NR_PIECES, piece, &type);
	MPI_Type_commit(&type);
	messages(place, type);
	/* Nothing moves here, but as much is counted. */
	MPI_Bcast(place, 1, type, 0, MPI_COMM_SELF);
	MPI_Bcast(place, 3, type, 0, MPI_COMM_SELF);
	MPI_Type_free(&type);
	MPI_Type_free(&piece);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
