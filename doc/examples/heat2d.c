/* SPDX-License-Identifier: BSD-3-Clause
 *
 * heat2d [GRID [ITERATIONS]]: heat conduction on a square plate with cold edges.
 *
 * GRID x GRID inner points, explicit time steps; rows are distributed to MPI ranks and shared by
 * OpenMP threads. Ranks exchange their outermost rows with their neighbours while threads compute
 * the rows that do not depend on them. The initial state is a half wave in each direction, which
 * each step multiplies by the same factor: so the solution is known, and checked. Exit status
 * 0: correct, 1: wrong, 2: usage error. */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define RATIO 0.2 /* time step / square of the mesh width; stable up to 0.25 */

struct plate {
	int rank, nr_ranks;
	int grid;	 /* inner points of the whole plate in each direction */
	int first, rows; /* this rank's: first inner row (from 0) and how many */
	double *now;	 /* rows + 2 rows of grid + 2: with a border of cold or foreign points */
	double *next;
};

/* Functions that are too small to be recorded: they would have more records than all
 * others. */
#define TINY __attribute__((no_instrument_function))

/* ------------------------------------------------------------------ the plate --- */

static TINY double *row_of(const struct plate *plate, double *field, int row)
{
	return field + (size_t)row * (size_t)(plate->grid + 2);
}

/* The half wave at an inner point of the whole plate. */
static TINY double half_wave(const struct plate *plate, int row, int column)
{
	double width = M_PI / (plate->grid + 1);

	return sin(width * (row + 1)) * sin(width * (column + 1));
}

/* The factor by which one step multiplies the half wave. */
static double decay(const struct plate *plate)
{
	double s = sin(M_PI / 2 / (plate->grid + 1));

	return 1 - 8 * RATIO * s * s;
}

static int plate_make(struct plate *plate, int grid)
{
	size_t points;

	MPI_Comm_rank(MPI_COMM_WORLD, &plate->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &plate->nr_ranks);
	plate->grid = grid;
	plate->first = (int)((long)grid * plate->rank / plate->nr_ranks);
	plate->rows = (int)((long)grid * (plate->rank + 1) / plate->nr_ranks) - plate->first;
	points = (size_t)(plate->rows + 2) * (size_t)(grid + 2);
	plate->now = calloc(points, sizeof(double));
	plate->next = calloc(points, sizeof(double));
	return plate->now && plate->next;
}

static void plate_heat(struct plate *plate)
{
#pragma omp parallel for
	for (int row = 0; row < plate->rows; row++)
		for (int column = 0; column < plate->grid; column++)
			row_of(plate, plate->now, row + 1)[column + 1] =
				half_wave(plate, plate->first + row, column);
}

static void plate_free(struct plate *plate)
{
	free(plate->now);
	free(plate->next);
}

/* ------------------------------------------------------------------- one step --- */

/* Starts sending the outermost rows to the neighbours and receiving theirs into the border. */
static void exchange_start(struct plate *plate, MPI_Request requests[4])
{
	int above = plate->rank > 0 ? plate->rank - 1 : MPI_PROC_NULL;
	int below = plate->rank + 1 < plate->nr_ranks ? plate->rank + 1 : MPI_PROC_NULL;
	int width = plate->grid + 2;

	MPI_Irecv(row_of(plate, plate->now, 0), width, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
		&requests[0]);
	MPI_Irecv(row_of(plate, plate->now, plate->rows + 1), width, MPI_DOUBLE, below, 2,
		MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(row_of(plate, plate->now, 1), width, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
		&requests[2]);
	MPI_Isend(row_of(plate, plate->now, plate->rows), width, MPI_DOUBLE, below, 1,
		MPI_COMM_WORLD, &requests[3]);
}

/* One step of one row. Returns the sum of the squares of the changes. */
static double update_row(const struct plate *plate, int row)
{
	const double *above = row_of(plate, plate->now, row - 1);
	const double *here = row_of(plate, plate->now, row);
	const double *below = row_of(plate, plate->now, row + 1);
	double *next = row_of(plate, plate->next, row);
	double sum = 0;

	for (int i = 1; i <= plate->grid; i++) {
		double change = RATIO * (above[i] + below[i] + here[i - 1] + here[i + 1] - 4 * here[i]);

		next[i] = here[i] + change;
		sum += change * change;
	}
	return sum;
}

/* Rows first to last, shared by the threads. */
static double sweep(const struct plate *plate, int first, int last)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int row = first; row <= last; row++)
		sum += update_row(plate, row);
	return sum;
}

/* One step of the whole plate. Returns the residual: the norm of the changes. */
static double step(struct plate *plate)
{
	MPI_Request requests[4];
	double *former = plate->now;
	double sum, residual;

	exchange_start(plate, requests);
	sum = sweep(plate, 2, plate->rows - 1);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	sum += update_row(plate, 1);
	if (plate->rows > 1)
		sum += update_row(plate, plate->rows);
	MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

	plate->now = plate->next;
	plate->next = former;
	return sqrt(residual);
}

/* ------------------------------------------------------------------ the check --- */

/* The largest difference between the plate and the solution, on any rank. */
static double plate_error(struct plate *plate, int iterations)
{
	double scale = pow(decay(plate), iterations);
	double error = 0, largest;

#pragma omp parallel for reduction(max : error)
	for (int row = 0; row < plate->rows; row++)
		for (int column = 0; column < plate->grid; column++) {
			double right = scale * half_wave(plate, plate->first + row, column);

			error = fmax(error,
				fabs(row_of(plate, plate->now, row + 1)[column + 1] - right));
		}
	MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return largest;
}

/* The residual of the last step for the exact solution. */
static double right_residual(const struct plate *plate, int iterations)
{
	double factor = decay(plate);

	return (1 - factor) * pow(factor, iterations - 1) * (plate->grid + 1) / 2;
}

static int solve(struct plate *plate, int iterations)
{
	double residual = 0, error, residual_error;
	int is_right;

	plate_heat(plate);
	for (int i = 0; i < iterations; i++)
		residual = step(plate);
	error = plate_error(plate, iterations);
	residual_error = fabs(residual / right_residual(plate, iterations) - 1);
	is_right = error < 1e-12 && residual_error < 1e-9;
	if (plate->rank == 0)
		printf("heat2d: %d x %d points, %d steps, %d ranks x %d threads: residual %.6e, %s\n",
			plate->grid, plate->grid, iterations, plate->nr_ranks, omp_get_max_threads(),
			residual, is_right ? "right" : "WRONG");
	return is_right ? 0 : 1;
}

int main(int argc, char **argv)
{
	int grid = argc > 1 ? atoi(argv[1]) : 512;
	int iterations = argc > 2 ? atoi(argv[2]) : 200;
	struct plate plate;
	int provided, status = 2;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	if (!plate_make(&plate, grid > 0 ? grid : 1))
		MPI_Abort(MPI_COMM_WORLD, 2);
	if (grid >= plate.nr_ranks && iterations > 0)
		status = solve(&plate, iterations);
	else if (plate.rank == 0)
		fprintf(stderr, "usage: heat2d [GRID [ITERATIONS]], GRID at least the number of ranks\n");
	plate_free(&plate);
	MPI_Finalize();
	return status;
}
