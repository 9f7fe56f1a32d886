/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a kernel of OpenCL costs the thread that puts it into a queue with an event, waits for the
 * queue once in a hundred, and gives up the events: processor time, in nanoseconds each. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

#define AT_ONCE 100
#define ROUNDS  50

static double thread_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void run(cl_command_queue queue, cl_kernel kernel)
{
	const size_t nr_items = 1;
	cl_event events[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++)
		clEnqueueNDRangeKernel(
			queue, kernel, 1, NULL, &nr_items, &nr_items, 0, NULL, &events[i]);
	clFinish(queue);
	for (int i = 0; i < AT_ONCE; i++)
		clReleaseEvent(events[i]);
}

int main(void)
{
	const char *source = "kernel void nothing(global int *x) { x[get_global_id(0)] = 1; }\n";
	cl_platform_id platform;
	cl_device_id device;
	double begin;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_command_queue queue =
		clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
	cl_kernel kernel;

	if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
		return 77;
	kernel = clCreateKernel(program, "nothing", NULL);
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	for (int i = 0; i < 5; i++)
		run(queue, kernel);
	begin = thread_time();
	for (int i = 0; i < ROUNDS; i++)
		run(queue, kernel);
	printf("enqueue_ns %.1f\n", (thread_time() - begin) / (AT_ONCE * ROUNDS));
	return 0;
}
