/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses OpenCL in the way that its argument names, and says on stdout what a trace of it must
 * contain: "command NAME NS" for each command that has taken NS on the device, "calls NAME N",
 * "bytes_to N", "bytes_from N". Exit status 77: there is no device. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 4096

static cl_device_id device;
static cl_context context;
static cl_program program;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of stdout */

static const char *source =
	"kernel void scale(global float *x, float a) { x[get_global_id(0)] *= a; }\n"
	"kernel void spin(global float *x, int n)\n"
	"{ float y = x[get_global_id(0)]; for (int i = 0; i < n; i++) y = y * 0.5f + 1; x[get_global_id(0)] = y; }\n";

static void check(cl_int result, const char *what)
{
	if (result == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: error %d\n", what, result);
	exit(1);
}

static cl_command_queue queue_make(cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
	cl_int error;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(context, device, list, &error);

	check(error, "clCreateCommandQueueWithProperties");
	return queue;
}

static cl_mem buffer_make(void)
{
	cl_int error;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &error);

	check(error, "clCreateBuffer");
	return buffer;
}

static cl_kernel kernel_make(const char *name, cl_mem buffer, int n)
{
	const float a = 2;
	cl_int error;
	cl_kernel kernel = clCreateKernel(program, name, &error);

	check(error, "clCreateKernel");
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	if (strcmp(name, "spin") == 0)
		clSetKernelArg(kernel, 1, sizeof(n), &n);
	else
		clSetKernelArg(kernel, 1, sizeof(a), &a);
	return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_event *event)
{
	const size_t nr_items = SIZE / sizeof(float);

	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &nr_items, NULL, 0, NULL, event),
		"clEnqueueNDRangeKernel");
}

/* What the device says of a command. */
static void tell(cl_event event, const char *name)
{
	cl_ulong start, end;

	check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL),
		"clGetEventProfilingInfo");
	check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
		"clGetEventProfilingInfo");
	pthread_mutex_lock(&mutex);
	printf("command %s %llu\n", name, (unsigned long long)(end - start));
	pthread_mutex_unlock(&mutex);
	clReleaseEvent(event);
}

/* Transfers and kernels in order, told by events of their own. */
static void *basic(void *data)
{
	cl_command_queue queue = queue_make(CL_QUEUE_PROFILING_ENABLE);
	cl_mem buffer = buffer_make();
	cl_kernel scale = kernel_make("scale", buffer, 0), spin = kernel_make("spin", buffer, 1000);
	float x[SIZE / sizeof(float)] = {1};
	cl_event events[4];

	(void)data;
	for (int i = 0; i < 10; i++) {
		check(clEnqueueWriteBuffer(
			      queue, buffer, CL_FALSE, 0, SIZE, x, 0, NULL, &events[0]),
			"clEnqueueWriteBuffer");
		launch(queue, scale, &events[1]);
		launch(queue, spin, &events[2]);
		check(clEnqueueReadBuffer(
			      queue, buffer, CL_TRUE, 0, SIZE / 2, x, 0, NULL, &events[3]),
			"clEnqueueReadBuffer");
		tell(events[0], "CL_COMMAND_WRITE_BUFFER");
		tell(events[1], "scale");
		tell(events[2], "spin");
		tell(events[3], "CL_COMMAND_READ_BUFFER");
	}
	pthread_mutex_lock(&mutex);
	printf("bytes_to %d\nbytes_from %d\n", 10 * SIZE, 10 * SIZE / 2);
	pthread_mutex_unlock(&mutex);
	clReleaseKernel(scale);
	clReleaseKernel(spin);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	return NULL;
}

/* Several threads with a queue each. */
static void threads(void)
{
	pthread_t others[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&others[i], NULL, basic, NULL);
	basic(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(others[i], NULL);
}

/* Commands that may overlap, in one queue, whose events come out of order. */
static void out_of_order(void)
{
	cl_command_queue queue =
		queue_make(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem buffers[4];
	cl_kernel kernels[4];
	cl_event events[40], gate = clCreateUserEvent(context, NULL);
	const size_t nr_items = 16;

	for (int i = 0; i < 4; i++) {
		buffers[i] = buffer_make();
		kernels[i] = kernel_make("spin", buffers[i], i % 2 ? 100 : 2000000);
	}
	for (int i = 0; i < 40; i++)
		check(clEnqueueNDRangeKernel(queue, kernels[i % 4], 1, NULL, &nr_items, NULL,
			      i == 0, i == 0 ? &gate : NULL, &events[i]),
			"clEnqueueNDRangeKernel");
	clFlush(queue);
	check(clWaitForEvents(1, &events[39]), "clWaitForEvents");
	clSetUserEventStatus(gate, CL_COMPLETE);
	clFinish(queue);
	for (int i = 0; i < 40; i++)
		tell(events[i], "spin");
	for (int i = 0; i < 4; i++) {
		clReleaseKernel(kernels[i]);
		clReleaseMemObject(buffers[i]);
	}
	clReleaseEvent(gate);
	clReleaseCommandQueue(queue);
}

/* No events, no waiting but for the last one: what it has put in is all done, and nobody asked. */
static void never_waits(void)
{
	cl_command_queue queue = queue_make(0);
	cl_mem buffer = buffer_make();
	cl_kernel kernel = kernel_make("scale", buffer, 0);

	for (int i = 0; i < 1000; i++)
		launch(queue, kernel, NULL);
	clFlush(queue);
	usleep(500000);
	printf("count scale 1000\n");
}

/* A command that fails, as what it waits for does. */
static void failed(void)
{
	cl_command_queue queue = queue_make(CL_QUEUE_PROFILING_ENABLE);
	cl_mem buffer = buffer_make();
	cl_kernel kernel = kernel_make("scale", buffer, 0);
	const size_t nr_items = 16;
	cl_event events[2], gate = clCreateUserEvent(context, NULL);
	cl_int status = CL_QUEUED;

	launch(queue, kernel, &events[0]);
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &nr_items, NULL, 1, &gate, &events[1]),
		"clEnqueueNDRangeKernel");
	clSetUserEventStatus(gate, -1);
	clFinish(queue);
	clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	printf("failed %d\n", status < 0);
	tell(events[0], "scale");
	clReleaseEvent(events[1]);
	clReleaseEvent(gate);
	clReleaseCommandQueue(queue);
}

/* Callbacks that put in more; user events; markers. */
static _Atomic int nr_called;

static void CL_CALLBACK called(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	launch(data, kernel_make("scale", buffer_make(), 0), NULL);
	clFlush(data);
	nr_called++;
}

static void callbacks(void)
{
	cl_command_queue queue = queue_make(CL_QUEUE_PROFILING_ENABLE), other = queue_make(0);
	cl_kernel kernel = kernel_make("spin", buffer_make(), 1000);
	cl_event events[10], marker;

	for (int i = 0; i < 10; i++) {
		launch(queue, kernel, &events[i]);
		check(clSetEventCallback(events[i], CL_COMPLETE, called, other),
			"clSetEventCallback");
	}
	check(clEnqueueMarkerWithWaitList(queue, 10, events, &marker), "marker");
	check(clWaitForEvents(1, &marker), "clWaitForEvents");
	while (nr_called < 10)
		usleep(1000);
	clFinish(other);
	for (int i = 0; i < 10; i++)
		tell(events[i], "spin");
	printf("count scale 10\n");
	clReleaseEvent(marker);
}

/* Parts of a buffer, rectangles, fills, copies, maps. */
static void parts(void)
{
	cl_command_queue queue = queue_make(CL_QUEUE_PROFILING_ENABLE);
	cl_mem buffer = buffer_make(), other = buffer_make(), part;
	const cl_buffer_region region = {1024, 2048};
	const size_t origin[3] = {0, 0, 0}, box[3] = {64, 4, 2};
	const float zero = 0;
	char x[SIZE];
	cl_event events[6];
	cl_int error;
	void *mapped;

	part = clCreateSubBuffer(
		buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
	check(error, "clCreateSubBuffer");
	check(clEnqueueFillBuffer(queue, part, &zero, sizeof(zero), 0, 2048, 0, NULL, &events[0]),
		"fill");
	check(clEnqueueCopyBuffer(queue, part, other, 0, 0, 1024, 0, NULL, &events[1]), "copy");
	check(clEnqueueWriteBufferRect(queue, part, CL_FALSE, origin, origin, box, 64, 256, 64, 256, x,
		      0, NULL, &events[2]),
		"write");
	check(clEnqueueReadBuffer(queue, part, CL_FALSE, 0, 100, x, 0, NULL, &events[3]), "read");
	mapped = clEnqueueMapBuffer(
		queue, buffer, CL_TRUE, CL_MAP_READ, 0, 256, 0, NULL, &events[4], &error);
	check(error, "map");
	check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, &events[5]), "unmap");
	clFinish(queue);
	tell(events[0], "CL_COMMAND_FILL_BUFFER");
	tell(events[1], "CL_COMMAND_COPY_BUFFER");
	tell(events[2], "CL_COMMAND_WRITE_BUFFER_RECT");
	tell(events[3], "CL_COMMAND_READ_BUFFER");
	tell(events[4], "CL_COMMAND_MAP_BUFFER");
	tell(events[5], "CL_COMMAND_UNMAP_MEM_OBJECT");
	printf("bytes_to %d\nbytes_from %d\n", 64 * 4 * 2, 100);
}

/* Queues that are released while there is work in them, one after the other: their locations are
 * used again. */
static void released(void)
{
	for (int i = 0; i < 100; i++) {
		cl_command_queue queue = queue_make(0);
		cl_mem buffer = buffer_make();
		cl_kernel kernel = kernel_make("scale", buffer, 0);
		cl_event event;

		launch(queue, kernel, &event);
		launch(queue, kernel, NULL);
		clRetainCommandQueue(queue);
		clReleaseCommandQueue(queue);
		clReleaseCommandQueue(queue);
		clWaitForEvents(1, &event);
		clReleaseEvent(event);
		clReleaseKernel(kernel);
		clReleaseMemObject(buffer);
	}
	usleep(100000);
	printf("count scale 200\n");
}

/* The child does not touch OpenCL, or it would hang without Measure, too. */
static void forks(void)
{
	basic(NULL);
	fflush(stdout);
	if (fork() == 0)
		exit(0);
	wait(NULL);
	basic(NULL);
}

/* What the program is told of queues and events is what it would be told without Measure. */
static void questions(void)
{
	cl_command_queue queue = queue_make(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), plain;
	cl_command_queue_properties properties = 1234;
	cl_queue_properties list[8];
	cl_kernel kernel = kernel_make("scale", buffer_make(), 0);
	cl_uint nr = 0;
	cl_ulong time;
	size_t size = 0;
	cl_event event;
	cl_int result;

	clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
	printf("properties %llu\n", (unsigned long long)properties);
	result = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size);
	printf("list %d %zu\n", result, result == CL_SUCCESS ? size : 0);
	clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(nr), &nr, NULL);
	printf("references of the queue %u\n", nr);
	launch(queue, kernel, &event);
	clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(nr), &nr, NULL);
	clFinish(queue);
	printf("times %d\n", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
					     sizeof(time), &time, NULL));
	/* the driver has some itself, until it gets round to giving them up */
	clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(nr), &nr, NULL);
	printf("references of the event: %s\n", nr > 0 && nr < 4 ? "few" : "many");
	printf("bad calls %d %d %d\n", clFinish(NULL), clWaitForEvents(0, NULL),
		clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, 1, &time, 0, NULL, NULL));
	plain = clCreateCommandQueue(context, device, 0, &result);
	clGetCommandQueueInfo(plain, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
	printf("properties %llu\n", (unsigned long long)properties);
	result = clGetCommandQueueInfo(plain, CL_QUEUE_PROPERTIES_ARRAY, sizeof(list), list, &size);
	printf("list %d %zu\n", result, result == CL_SUCCESS ? size : 0);
	printf("no room %d\n", clGetCommandQueueInfo(plain, CL_QUEUE_PROPERTIES, 1, list, NULL));
}

static int start(void)
{
	cl_platform_id platform;
	cl_int error;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
		clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return 77;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "clCreateContext");
	program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
	check(error, "clCreateProgramWithSource");
	check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {{"threads", threads}, {"out_of_order", out_of_order},
		{"never_waits", never_waits}, {"failed", failed}, {"callbacks", callbacks},
		{"parts", parts},
		{"released", released}, {"forks", forks}, {"questions", questions}};
	const char *way = argc > 1 ? argv[1] : "basic";

	if (start() != 0)
		return 77;
	if (strcmp(way, "basic") == 0)
		basic(NULL);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(way, ways[i].name) == 0)
			ways[i].run();
	return 0;
}
