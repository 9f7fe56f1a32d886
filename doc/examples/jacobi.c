/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jacobi [GRID [ITERATIONS [SLEEP]]]: Poisson's equation on a square with edges at 0.
 *
 * Jacobi's method on GRID x GRID inner points; rows are distributed to MPI ranks and shared by
 * OpenMP threads. Each iteration exchanges the outermost rows with the neighbours and adds up the
 * residual over all ranks. The right-hand side is a half wave in each direction, so that the
 * error after n iterations is known, and checked. The program sleeps for SLEEP seconds before and
 * after the iterations, so that clocks can drift away from offsets measured at start and end (see
 * doc/clocks.md). Exit status 0: correct, 1: wrong, 2: usage error. */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct square {
	int rank, nr_ranks;
	int grid;	 /* inner points of the whole square in each direction */
	int first, rows; /* this rank's: first inner row (from 0) and how many */
	double *now;	 /* rows + 2 rows of grid + 2: with a border of zeros or foreign points */
	double *next;
	double *wave; /* grid: the half wave in one direction */
};

/* Functions that are too small to be recorded. */
#define TINY __attribute__((no_instrument_function))

static TINY double *row_of(const struct square *square, double *field, int row)
{
	return field + (size_t)row * (size_t)(square->grid + 2);
}

static TINY double half_wave(const struct square *square, int row, int column)
{
	return square->wave[square->first + row] * square->wave[column];
}

/* The factor by which an iteration multiplies the error. */
static double rate(const struct square *square)
{
	return cos(M_PI / (square->grid + 1));
}

static int square_make(struct square *square, int grid)
{
	size_t points;

	MPI_Comm_rank(MPI_COMM_WORLD, &square->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &square->nr_ranks);
	square->grid = grid;
	square->first = (int)((long)grid * square->rank / square->nr_ranks);
	square->rows = (int)((long)grid * (square->rank + 1) / square->nr_ranks) - square->first;
	points = (size_t)(square->rows + 2) * (size_t)(grid + 2);
	square->now = calloc(points, sizeof(double));
	square->next = calloc(points, sizeof(double));
	square->wave = calloc((size_t)grid, sizeof(double));
	if (!square->now || !square->next || !square->wave)
		return 0;
	for (int i = 0; i < grid; i++)
		square->wave[i] = sin(M_PI * (i + 1) / (grid + 1));
	return 1;
}

static void square_free(struct square *square)
{
	free(square->now);
	free(square->next);
	free(square->wave);
}

/* ---------------------------------------------------------------- one iteration --- */

static void exchange(struct square *square)
{
	int above = square->rank > 0 ? square->rank - 1 : MPI_PROC_NULL;
	int below = square->rank + 1 < square->nr_ranks ? square->rank + 1 : MPI_PROC_NULL;
	int width = square->grid + 2;

	MPI_Sendrecv(row_of(square, square->now, 1), width, MPI_DOUBLE, above, 1,
		row_of(square, square->now, square->rows + 1), width, MPI_DOUBLE, below, 1,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(row_of(square, square->now, square->rows), width, MPI_DOUBLE, below, 2,
		row_of(square, square->now, 0), width, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
}

/* A row of the next iterate. Returns the sum of the squares of the changes. */
static TINY double update_row(const struct square *square, int row)
{
	const double *above = row_of(square, square->now, row - 1);
	const double *here = row_of(square, square->now, row);
	const double *below = row_of(square, square->now, row + 1);
	double *next = row_of(square, square->next, row);
	double source = 1 - rate(square), sum = 0;

	for (int i = 1; i <= square->grid; i++) {
		double change;

		next[i] = (above[i] + below[i] + here[i - 1] + here[i + 1]) / 4 +
			  source * half_wave(square, row - 1, i - 1);
		change = next[i] - here[i];
		sum += change * change;
	}
	return sum;
}

/* Returns the norm of the changes. */
static double iterate(struct square *square)
{
	double *former = square->now;
	double sum = 0, residual;

	exchange(square);
#pragma omp parallel for reduction(+ : sum)
	for (int row = 1; row <= square->rows; row++)
		sum += update_row(square, row);
	MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	square->now = square->next;
	square->next = former;
	return sqrt(residual);
}

/* -------------------------------------------------------------------- the check --- */

/* The largest difference between the iterate and its exact value, on any rank. */
static double square_error(struct square *square, int iterations)
{
	double scale = 1 - pow(rate(square), iterations);
	double error = 0, largest;

#pragma omp parallel for reduction(max : error)
	for (int row = 0; row < square->rows; row++)
		for (int column = 0; column < square->grid; column++)
			error = fmax(error, fabs(row_of(square, square->now, row + 1)[column + 1] -
						 scale * half_wave(square, row, column)));
	MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return largest;
}

static void pause_for(double seconds)
{
	struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};

	nanosleep(&time, NULL);
}

static int solve(struct square *square, int iterations, double seconds)
{
	double residual = 0, error;
	int is_right;

	pause_for(seconds);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < iterations; i++)
		residual = iterate(square);
	error = square_error(square, iterations);
	pause_for(seconds);
	is_right = error < 1e-10;
	if (square->rank == 0)
		printf("jacobi: %d x %d points, %d iterations, %d ranks x %d threads: "
		       "residual %.6e, %s\n",
			square->grid, square->grid, iterations, square->nr_ranks,
			omp_get_max_threads(), residual, is_right ? "right" : "WRONG");
	return is_right ? 0 : 1;
}

int main(int argc, char **argv)
{
	int grid = argc > 1 ? atoi(argv[1]) : 500;
	int iterations = argc > 2 ? atoi(argv[2]) : 200;
	double seconds = argc > 3 ? atof(argv[3]) : 1;
	struct square square = {0};
	int provided, status = 2;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_size(MPI_COMM_WORLD, &square.nr_ranks);
	if (grid < square.nr_ranks || iterations < 1 || seconds < 0)
		fprintf(stderr, "usage: jacobi [GRID [ITERATIONS [SLEEP]]]; "
				"GRID must be at least the number of ranks\n");
	else if (square_make(&square, grid))
		status = solve(&square, iterations, seconds);
	square_free(&square);
	MPI_Finalize();
	return status;
}
