/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that a processor and an OpenCL device can execute; some are only for one of them, so that
 * data goes there and back. */
#include <starpu.h>
#include <starpu_opencl.h>
#include <starpu_profiling.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NR 1024

static struct starpu_opencl_program program;

static void twice(void *buffers[], void *argument)
{
	float *values = (float *)STARPU_VECTOR_GET_PTR(buffers[0]);

	(void)argument;
	for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
		values[i] = 2 * values[i] + 1;
}

static void twice_opencl(void *buffers[], void *argument)
{
	const int device = starpu_worker_get_devid(starpu_worker_get_id());
	cl_mem values = (cl_mem)STARPU_VECTOR_GET_DEV_HANDLE(buffers[0]);
	const size_t size = STARPU_VECTOR_GET_NX(buffers[0]);
	cl_command_queue queue;
	cl_kernel kernel;

	(void)argument;
	if (starpu_opencl_load_kernel(&kernel, &queue, &program, "twice", device) != CL_SUCCESS ||
		clSetKernelArg(kernel, 0, sizeof(values), &values) != CL_SUCCESS ||
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) !=
			CL_SUCCESS)
		exit(2);
	clFinish(queue);
	starpu_opencl_release_kernel(kernel);
}

static const char source[] = "__kernel void twice(__global float *values)\n"
			     "{\n"
			     "	const int i = get_global_id(0);\n"
			     "	values[i] = 2 * values[i] + 1;\n"
			     "}\n";

static struct starpu_codelet anywhere = {.cpu_funcs = {twice},
	.opencl_funcs = {twice_opencl},
	.nbuffers = 1,
	.modes = {STARPU_RW},
	.name = "anywhere"};
static struct starpu_codelet on_cpu = {
	.cpu_funcs = {twice}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "on a processor"};
static struct starpu_codelet on_device = {
	.opencl_funcs = {twice_opencl}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "on a device"};

static void submit_all(starpu_data_handle_t *handles)
{
	for (int i = 0; i < 10; i++)
		for (int k = 0; k < 4; k++) {
			if (starpu_task_insert(
				    i % 2 ? &on_cpu : &on_device, STARPU_RW, handles[k], 0) != 0 ||
				starpu_task_insert(&anywhere, STARPU_RW, handles[k], 0) != 0)
				exit(2);
		}
}

/* What has gone over all busses of StarPU. */
static void print_transfers(FILE *facts)
{
	unsigned long long nr = 0, bytes = 0;

	for (int i = 0; i < starpu_bus_get_count(); i++) {
		struct starpu_profiling_bus_info info;

		starpu_bus_get_profiling_info(i, &info);
		nr += (unsigned long long)info.transfer_count;
		bytes += (unsigned long long)info.transferred_bytes;
	}
	fprintf(facts, "transfers %llu\nbytes %llu\n", nr, bytes);
}

int main(void)
{
	static float vectors[4][NR];
	starpu_data_handle_t handles[4];
	FILE *facts = getenv("T_FACTS") ? fopen(getenv("T_FACTS"), "w") : NULL;

	if (starpu_init(NULL) != 0 || starpu_opencl_worker_get_count() == 0)
		return 77;
	starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
	for (int i = 0; i < starpu_bus_get_count(); i++)
		starpu_bus_get_profiling_info(i, NULL);
	if (starpu_opencl_load_opencl_from_string(source, &program, NULL) != CL_SUCCESS)
		return 77;
	for (int k = 0; k < 4; k++)
		starpu_vector_data_register(&handles[k], STARPU_MAIN_RAM, (uintptr_t)vectors[k], NR,
			sizeof(vectors[k][0]));
	submit_all(handles);
	starpu_task_wait_for_all();
	for (int k = 0; k < 4; k++)
		starpu_data_unregister(handles[k]);
	printf("%g %g\n", (double)vectors[0][0], (double)vectors[3][NR - 1]);
	if (facts) {
		print_transfers(facts);
		fprintf(facts, "type anywhere 40\ntype on a processor 20\ntype on a device 20\n");
		fclose(facts);
	}
	starpu_opencl_unload_opencl(&program);
	starpu_shutdown();
	return 0;
}
