/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A Cholesky factorisation in tasks of StarPU, on a grid of ranks that each own every other tile of
 * the lower triangle: `cholesky [TILES [LENGTH [lost]]]`. What a task needs of other ranks comes in
 * messages of libstarpumpi. Says "right" if the tiles are those of a plain factorisation. lost: the
 * process that has the middle tile of the diagonal kills itself there. */
#include <math.h>
#include <signal.h>
#include <starpu_mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TILES 64

static struct cholesky {
	int rank, nr_ranks;
	int nr_rows; /* of the grid of ranks */
	int nr_tiles;
	int length;                            /* of the side of a tile */
	int lost;                              /* step at which its process is to end; -1: none */
	double *tiles[MOST_TILES][MOST_TILES]; /* by rows; NULL: another rank's */
	starpu_data_handle_t handles[MOST_TILES][MOST_TILES];
} run;

/* A symmetric matrix whose diagonal outweighs the rest. */
static double element(int i, int j)
{
	return i == j ? run.nr_tiles * run.length : 1.0 / (1 + abs(i - j));
}

static int owner(int i, int j)
{
	return i % run.nr_rows * (run.nr_ranks / run.nr_rows) + j % (run.nr_ranks / run.nr_rows);
}

/* -------------------------------------------------------------------------- kernels --- */

static double *tile(void *buffer)
{
	return (double *)STARPU_MATRIX_GET_PTR(buffer);
}

static void factor(double *a, int n)
{
	for (int j = 0; j < n; j++) {
		for (int k = 0; k < j; k++)
			a[j * n + j] -= a[j * n + k] * a[j * n + k];
		a[j * n + j] = sqrt(a[j * n + j]);
		for (int i = j + 1; i < n; i++) {
			for (int k = 0; k < j; k++)
				a[i * n + j] -= a[i * n + k] * a[j * n + k];
			a[i * n + j] /= a[j * n + j];
		}
	}
}

static void potrf(void *buffers[], void *argument)
{
	int step;

	starpu_codelet_unpack_args(argument, &step);
	if (step == run.lost)
		raise(SIGKILL);
	factor(tile(buffers[0]), run.length);
}

/* a := a / transposed diagonal */
static void trsm(void *buffers[], void *argument)
{
	const int n = run.length;
	const double *diagonal = tile(buffers[0]);
	double *a = tile(buffers[1]);

	(void)argument;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			for (int k = 0; k < j; k++)
				a[i * n + j] -= a[i * n + k] * diagonal[j * n + k];
			a[i * n + j] /= diagonal[j * n + j];
		}
}

/* c := c - a * transposed b */
static void multiply(const double *a, const double *b, double *c)
{
	const int n = run.length;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				c[i * n + j] -= a[i * n + k] * b[j * n + k];
}

static void syrk(void *buffers[], void *argument)
{
	(void)argument;
	multiply(tile(buffers[0]), tile(buffers[0]), tile(buffers[1]));
}

static void gemm(void *buffers[], void *argument)
{
	(void)argument;
	multiply(tile(buffers[0]), tile(buffers[1]), tile(buffers[2]));
}

static struct starpu_codelet potrf_codelet = {
	.cpu_funcs = {potrf}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "potrf"};
static struct starpu_codelet trsm_codelet = {
	.cpu_funcs = {trsm}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .name = "trsm"};
static struct starpu_codelet syrk_codelet = {
	.cpu_funcs = {syrk}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .name = "syrk"};
static struct starpu_codelet gemm_codelet = {.cpu_funcs = {gemm},
	.nbuffers = 3,
	.modes = {STARPU_R, STARPU_R, STARPU_RW},
	.name = "gemm"};

/* ------------------------------------------------------------------------ the matrix --- */

static double *tile_new(int row, int column)
{
	const int n = run.length;
	double *a = malloc((size_t)n * (size_t)n * sizeof(*a));

	if (!a)
		exit(2);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			a[i * n + j] = element(row * n + i, column * n + j);
	return a;
}

static void tile_register(int i, int j)
{
	const bool is_own = owner(i, j) == run.rank;
	const uint32_t n = (uint32_t)run.length;

	if (is_own)
		run.tiles[i][j] = tile_new(i, j);
	starpu_matrix_data_register(&run.handles[i][j], is_own ? STARPU_MAIN_RAM : -1,
		(uintptr_t)run.tiles[i][j], n, n, n, sizeof(double));
	starpu_data_set_coordinates(run.handles[i][j], 2, i, j);
	starpu_mpi_data_register(run.handles[i][j], i * run.nr_tiles + j, owner(i, j));
}

static void all_tiles(void (*apply)(int i, int j))
{
	for (int i = 0; i < run.nr_tiles; i++)
		for (int j = 0; j <= i; j++)
			apply(i, j);
}

static void tile_unregister(int i, int j)
{
	starpu_data_unregister(run.handles[i][j]);
}

/* --------------------------------------------------------------------------- the tasks --- */

static void submit(struct starpu_codelet *codelet, int priority, double flops,
	starpu_data_handle_t first, starpu_data_handle_t second, starpu_data_handle_t third)
{
	struct starpu_data_descr handles[3] = {{first, codelet->modes[0]},
		{second, codelet->modes[1]}, {third, codelet->modes[2]}};
	const double cube = (double)run.length * run.length * run.length;

	if (starpu_mpi_task_insert(MPI_COMM_WORLD, codelet, STARPU_DATA_MODE_ARRAY, handles,
		    codelet->nbuffers, STARPU_PRIORITY, priority, STARPU_FLOPS, flops * cube,
		    0) != 0)
		exit(2);
}

static void submit_potrf(int k)
{
	const double cube = (double)run.length * run.length * run.length;

	if (starpu_mpi_task_insert(MPI_COMM_WORLD, &potrf_codelet, STARPU_RW, run.handles[k][k],
		    STARPU_VALUE, &k, sizeof(k), STARPU_PRIORITY, 3, STARPU_FLOPS, cube / 3,
		    0) != 0)
		exit(2);
}

static void submit_all(void)
{
	for (int k = 0; k < run.nr_tiles; k++) {
		starpu_iteration_push((unsigned long)k);
		submit_potrf(k);
		for (int i = k + 1; i < run.nr_tiles; i++)
			submit(&trsm_codelet, 2, 1, run.handles[k][k], run.handles[i][k], NULL);
		for (int i = k + 1; i < run.nr_tiles; i++) {
			submit(&syrk_codelet, 1, 2, run.handles[i][k], run.handles[i][i], NULL);
			for (int j = k + 1; j < i; j++)
				submit(&gemm_codelet, 0, 2, run.handles[i][k], run.handles[j][k],
					run.handles[i][j]);
		}
		starpu_iteration_pop();
	}
}

/* --------------------------------------------------------------------------- the result --- */

static double tile_error(const double *a, const double *all, int row, int column)
{
	const int n = run.length, side = run.nr_tiles * n;
	double most = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n && (row > column || j <= i); j++)
			most = fmax(most,
				fabs(a[i * n + j] - all[(row * n + i) * side + column * n + j]));
	return most;
}

/* Of the tiles that this rank has. */
static double largest_error(void)
{
	const int side = run.nr_tiles * run.length;
	double *all = malloc((size_t)side * (size_t)side * sizeof(*all)), most = 0;

	if (!all)
		exit(2);
	for (int i = 0; i < side; i++)
		for (int j = 0; j < side; j++)
			all[i * side + j] = element(i, j);
	factor(all, side);
	for (int i = 0; i < run.nr_tiles; i++)
		for (int j = 0; j <= i; j++)
			if (run.tiles[i][j])
				most = fmax(most, tile_error(run.tiles[i][j], all, i, j));
	free(all);
	return most;
}

static void tile_free(int i, int j)
{
	free(run.tiles[i][j]);
}

int main(int nr_arguments, char **arguments)
{
	double error, most;

	run.nr_tiles = nr_arguments > 1 ? atoi(arguments[1]) : 8;
	run.length = nr_arguments > 2 ? atoi(arguments[2]) : 32;
	run.lost = nr_arguments > 3 && strcmp(arguments[3], "lost") == 0 ? run.nr_tiles / 2 : -1;
	if (run.nr_tiles < 1 || run.nr_tiles > MOST_TILES || run.length < 1)
		return 2;
	if (starpu_mpi_init_conf(&nr_arguments, &arguments, 1, MPI_COMM_WORLD, NULL) != 0)
		return 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &run.nr_ranks);
	run.nr_rows = run.nr_ranks % 2 == 0 ? 2 : 1;
	all_tiles(tile_register);
	submit_all();
	starpu_mpi_wait_for_all(MPI_COMM_WORLD);
	all_tiles(tile_unregister);
	error = largest_error();
	MPI_Reduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (run.rank == 0)
		puts(most < 1e-9 ? "right" : "wrong");
	all_tiles(tile_free);
	starpu_mpi_shutdown();
	return 0;
}
