/* SPDX-License-Identifier: BSD-3-Clause
 *
 * y += a x on an OpenCL device, ten times, and what the device says of it. Build and record:
 *
 *	cc -O2 -g -o opencl opencl.c -lOpenCL
 *	measure -o run1 ./opencl
 *	measure-report run1			# kernels and transfers on the device's queue, below the process
 *	measure-profile --by location run1	# how busy is the device? */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define N     (1 << 20)
#define STEPS 10

static const char *source =
	"kernel void saxpy(global float *y, global const float *x, float a)\n"
	"{ y[get_global_id(0)] += a * x[get_global_id(0)]; }\n";

static void check(cl_int result, const char *what)
{
	if (result == CL_SUCCESS)
		return;
	fprintf(stderr, "opencl: %s: error %d\n", what, result);
	exit(1);
}

static cl_ulong device_time(cl_event event)
{
	cl_ulong begin = 0, end = 0;

	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL);
	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
	return end - begin;
}

int main(void)
{
	static float x[N], y[N];
	const size_t size = sizeof(x), nr_items = N;
	const float a = 0.5f;
	cl_ulong on_device = 0;
	cl_platform_id platform;
	cl_device_id device;
	cl_event events[STEPS];
	cl_int error;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
		fprintf(stderr, "opencl: no device\n");
		return 77;
	}
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "context");
	cl_command_queue queue =
		clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
	check(error, "queue");
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	check(clBuildProgram(program, 1, &device, "", NULL, NULL), "program");
	cl_kernel saxpy = clCreateKernel(program, "saxpy", &error);
	check(error, "kernel");
	cl_mem on_device_x = clCreateBuffer(context, CL_MEM_READ_ONLY, size, NULL, &error);
	cl_mem on_device_y = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
	check(error, "buffers");

	for (int i = 0; i < N; i++)
		x[i] = 1;
	clSetKernelArg(saxpy, 0, sizeof(on_device_y), &on_device_y);
	clSetKernelArg(saxpy, 1, sizeof(on_device_x), &on_device_x);
	clSetKernelArg(saxpy, 2, sizeof(a), &a);
	check(clEnqueueWriteBuffer(queue, on_device_x, CL_FALSE, 0, size, x, 0, NULL, NULL), "x");
	check(clEnqueueWriteBuffer(queue, on_device_y, CL_FALSE, 0, size, y, 0, NULL, NULL), "y");
	for (int i = 0; i < STEPS; i++)
		check(clEnqueueNDRangeKernel(queue, saxpy, 1, NULL, &nr_items, NULL, 0, NULL,
			      &events[i]),
			"saxpy");
	check(clEnqueueReadBuffer(queue, on_device_y, CL_TRUE, 0, size, y, 0, NULL, NULL), "y");
	for (int i = 0; i < STEPS; i++)
		on_device += device_time(events[i]);
	printf("%s: %d kernels, %llu ns\n", y[0] == STEPS * a && y[N - 1] == y[0] ? "right" : "wrong",
		STEPS, (unsigned long long)on_device);
	clReleaseCommandQueue(queue);
	return 0;
}
