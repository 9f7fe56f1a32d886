/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For area_bound.sh: tasks of known length on two classes of workers of StarPU; prints StarPU's own
 * area bound in milliseconds. An OpenCL worker needs no kernel to pass time. */
#include <stdio.h>
#include <time.h>

#include <starpu.h>
#include <starpu_bound.h>

enum { NR_TASKS = 60, NR_DATA = 8 };

static float values[NR_DATA][16];
static starpu_data_handle_t handles[NR_DATA];

static void pass_time(long milliseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000 * milliseconds}, NULL);
}

static void small_on_cpu(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	pass_time(20);
}

static void small_on_device(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	pass_time(15);
}

static void large_on_cpu(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	pass_time(50);
}

static void large_on_device(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	pass_time(10);
}

static struct starpu_perfmodel small_model = {.type = STARPU_HISTORY_BASED, .symbol = "small"};
static struct starpu_perfmodel large_model = {.type = STARPU_HISTORY_BASED, .symbol = "large"};
static struct starpu_codelet small_codelet = {.cpu_funcs = {small_on_cpu},
	.opencl_funcs = {small_on_device},
	.nbuffers = 1,
	.modes = {STARPU_RW},
	.model = &small_model,
	.name = "small"};
static struct starpu_codelet large_codelet = {.cpu_funcs = {large_on_cpu},
	.opencl_funcs = {large_on_device},
	.nbuffers = 1,
	.modes = {STARPU_RW},
	.model = &large_model,
	.name = "large"};

/* The first tasks of a model on each class of workers, which StarPU leaves out of it, are of types
 * of their own. */
static struct starpu_codelet first_small, first_large;

static int warm_up(enum starpu_worker_archtype type)
{
	const int worker = starpu_worker_get_by_type(type, 0);
	int failed = starpu_task_insert(
		&first_small, STARPU_RW, handles[0], STARPU_EXECUTE_ON_WORKER, worker, 0);

	failed |= starpu_task_insert(
		&first_large, STARPU_RW, handles[0], STARPU_EXECUTE_ON_WORKER, worker, 0);
	return failed;
}

int main(void)
{
	double bound = 0, whole_tasks = 0;
	int failed = 0;

	if (starpu_init(NULL) != 0)
		return 1;
	for (int i = 0; i < NR_DATA; i++)
		starpu_vector_data_register(&handles[i], STARPU_MAIN_RAM, (uintptr_t)values[i], 16,
			sizeof(values[i][0]));
	first_small = small_codelet;
	first_small.name = "first";
	first_large = large_codelet;
	first_large.name = "first";
	failed |= warm_up(STARPU_CPU_WORKER) | warm_up(STARPU_OPENCL_WORKER);
	starpu_task_wait_for_all();
	starpu_bound_start(0, 0);
	for (int i = 0; i < NR_TASKS; i++) {
		failed |= starpu_task_insert(&small_codelet, STARPU_RW, handles[i % NR_DATA], 0);
		failed |= starpu_task_insert(
			&large_codelet, STARPU_RW, handles[(i + 3) % NR_DATA], 0);
	}
	starpu_task_wait_for_all();
	starpu_bound_stop();
	starpu_bound_compute(&bound, &whole_tasks, 0);
	printf("%.6f\n", bound);
	for (int i = 0; i < NR_DATA; i++)
		starpu_data_unregister(handles[i]);
	starpu_shutdown();
	return failed != 0;
}
