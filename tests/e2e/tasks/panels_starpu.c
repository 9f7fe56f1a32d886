/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For panels.sh: a tiled factorisation without its arithmetic, on StarPU. */
#include <starpu.h>

enum { NR_TILES = 6, TILE = 64 };

static float tiles[NR_TILES][NR_TILES][TILE * TILE];
static starpu_data_handle_t handles[NR_TILES][NR_TILES];

static void spin(float *values, int times)
{
	for (int t = 0; t < times; t++)
		for (int i = 0; i < TILE * TILE; i++)
			values[i] = values[i] * 0.999F + 1;
}

static void factor_tile(void *buffers[], void *argument)
{
	(void)argument;
	spin((float *)STARPU_VECTOR_GET_PTR(buffers[0]), 5);
}

static void update_tile(void *buffers[], void *argument)
{
	(void)argument;
	spin((float *)STARPU_VECTOR_GET_PTR(buffers[1]), 20);
}

static struct starpu_codelet factor = {
	.cpu_funcs = {factor_tile}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "factor"};
static struct starpu_codelet update = {.cpu_funcs = {update_tile},
	.nbuffers = 2,
	.modes = {STARPU_R, STARPU_RW},
	.name = "update"};

static int submit(int k)
{
	int failed = starpu_task_insert(
		&factor, STARPU_RW, handles[k][k], STARPU_FLOPS, (double)5 * 2 * TILE * TILE, 0);

	for (int i = k + 1; i < NR_TILES; i++)
		for (int j = k + 1; j <= i; j++)
			failed |= starpu_task_insert(&update, STARPU_R, handles[k][k], STARPU_RW,
				handles[i][j], STARPU_FLOPS, (double)20 * 2 * TILE * TILE, 0);
	return failed;
}

int main(void)
{
	int failed = starpu_init(NULL);

	if (failed)
		return 1;
	for (int i = 0; i < NR_TILES; i++)
		for (int j = 0; j < NR_TILES; j++)
			starpu_vector_data_register(&handles[i][j], STARPU_MAIN_RAM,
				(uintptr_t)tiles[i][j], TILE * TILE, sizeof(float));
	for (int k = 0; k < NR_TILES; k++) {
		starpu_iteration_push((unsigned long)k);
		failed |= submit(k);
		starpu_iteration_pop();
	}
	starpu_task_wait_for_all();
	for (int i = 0; i < NR_TILES; i++)
		for (int j = 0; j < NR_TILES; j++)
			starpu_data_unregister(handles[i][j]);
	starpu_shutdown();
	return failed != 0;
}
