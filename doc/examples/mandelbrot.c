/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program of the manual's first tutorial: counts the points of the Mandelbrot set in pictures of its upper half
 * that zoom in. Ranks share the rows of each picture and add up their counts.
 *
 *	mpicc -O2 -g -finstrument-functions -o mandelbrot mandelbrot.c
 *	mpirun -n 2 ./mandelbrot [-i] [PICTURES]
 *
 * Without -i a rank computes a block of rows. Rows at the bottom of the picture take much longer than those at the top,
 * so that the last rank has most of the work. With -i rows are dealt out in turn. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 120, COLUMNS = 160, LIMIT = 5000 };

static int rank, nr_ranks, is_interleaved;

/* How many points of a row are in the set. */
static int compute_row(int row, double width)
{
	const double im = width / 2 * (1 - (double)row / ROWS);
	int nr = 0;

	for (int column = 0; column < COLUMNS; column++) {
		const double re = -0.75 + width * ((double)column / COLUMNS - 0.5);
		double x = 0, y = 0;
		int i;

		for (i = 0; i < LIMIT && x * x + y * y < 4; i++) {
			const double next = x * x - y * y + re;

			y = 2 * x * y + im;
			x = next;
		}
		nr += i == LIMIT;
	}
	return nr;
}

/* The same of all rows of this rank. */
static int compute_rows(double width)
{
	int nr = 0;

	if (is_interleaved) {
		for (int row = rank; row < ROWS; row += nr_ranks)
			nr += compute_row(row, width);
	} else {
		for (int row = ROWS * rank / nr_ranks; row < ROWS * (rank + 1) / nr_ranks; row++)
			nr += compute_row(row, width);
	}
	return nr;
}

int main(int argc, char **argv)
{
	int nr_pictures = 10, nr_points = 0;
	double width = 2.5, start;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nr_ranks);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-i") == 0)
			is_interleaved = 1;
		else
			nr_pictures = atoi(argv[i]);
	}
	start = MPI_Wtime();
	for (int picture = 0; picture < nr_pictures; picture++) {
		const int nr_mine = compute_rows(width);
		int nr;

		MPI_Allreduce(&nr_mine, &nr, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		nr_points += nr;
		width *= 0.97;
	}
	if (rank == 0)
		printf("%d points, %.2f s\n", nr_points, MPI_Wtime() - start);
	MPI_Finalize();
	return 0;
}
