/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices, command queues and commands; see opencl_queue.h. */
#include "config.h"

#include "opencl_queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

static struct measure_opencl_queue *_Atomic queues; /* all that there ever were */
static struct measure_opencl_device *devices;
static uint32_t nr_devices;
static struct measure_mutex mutex; /* of the lists, and of those who add and remove */

/* ------------------------------------------------------------------------ devices --- */

/* Of the system, as drivers may hold locks of the allocator. */
static void *make(size_t size)
{
	const int saved_errno = errno;
	void *made = measure_pages_get(size);

	errno = saved_errno;
	return made;
}

/* Commands of our own, in a queue that lives no longer: how far apart the clocks are before the
 * program's first command. */
#define NR_PROBES 4

static void clock_probe_once(struct measure_opencl_device *device, cl_command_queue probe)
{
	const uint64_t begin = measure_clock_now();
	cl_event event = NULL;
	cl_ulong queued = 0;
	uint64_t end;

	if (REAL(clEnqueueMarkerWithWaitList)(probe, 0, NULL, &event) != CL_SUCCESS)
		return;
	end = measure_clock_now();
	if (REAL(clWaitForEvents)(1, &event) == CL_SUCCESS &&
		REAL(clGetEventProfilingInfo)(event, CL_PROFILING_COMMAND_QUEUED, sizeof(queued),
			&queued, NULL) == CL_SUCCESS &&
		queued != 0) {
		measure_mutex_lock(&device->mutex);
		measure_opencl_clock_note(&device->clock, queued, begin, end);
		measure_mutex_unlock(&device->mutex);
	}
	REAL(clReleaseEvent)(event);
}

static void clock_probe(struct measure_opencl_device *device, cl_context context)
{
	cl_command_queue probe;

	if (!REAL(clEnqueueMarkerWithWaitList))
		return;
	probe = REAL(clCreateCommandQueue)(context, device->id, CL_QUEUE_PROFILING_ENABLE, NULL);
	for (int i = 0; probe && i < NR_PROBES; i++)
		clock_probe_once(device, probe);
	if (probe)
		REAL(clReleaseCommandQueue)(probe);
}

/* Under the mutex. */
static struct measure_opencl_device *device_find(cl_device_id id, const char *name)
{
	struct measure_opencl_device *device = devices;

	while (device && device->id != id)
		device = device->next;
	if (device)
		return device;
	device = make(sizeof(*device));
	if (!device)
		return NULL;
	device->id = id;
	snprintf(device->name, sizeof(device->name), "OpenCL device %u%s%.90s", nr_devices++,
		*name ? ": " : "", name);
	device->next = devices;
	devices = device;
	return device;
}

/* ------------------------------------------------------------------------- queues --- */

struct measure_opencl_queue *measure_opencl_queue_find(cl_command_queue handle)
{
	struct measure_opencl_queue *queue = atomic_load_explicit(&queues, memory_order_acquire);

	if (!handle)
		return NULL;
	while (queue && atomic_load_explicit(&queue->handle, memory_order_relaxed) != handle)
		queue = queue->next;
	return queue;
}

struct measure_opencl_queue *measure_opencl_queue_of(cl_event event)
{
	cl_command_queue handle = NULL;

	if (REAL(clGetEventInfo)(event, CL_EVENT_COMMAND_QUEUE, sizeof(handle), &handle, NULL) !=
		CL_SUCCESS)
		return NULL;
	return measure_opencl_queue_find(handle);
}

static struct measure_opencl_queue *queue_new(struct measure_opencl_device *device)
{
	struct measure_opencl_queue *queue = make(sizeof(*queue));

	if (!queue)
		return NULL;
	queue->device = device;
	queue->number = ++device->nr_queues;
	measure_opencl_lane_add(queue);
	queue->next = atomic_load(&queues);
	/* pairs with the load in measure_opencl_queue_find() */
	atomic_store_explicit(&queues, queue, memory_order_release);
	return queue;
}

/* What there is left in queues that are gone. */
static void queues_drain_gone(void)
{
	for (struct measure_opencl_queue *queue = queues; queue; queue = queue->next)
		if (!atomic_load(&queue->handle))
			measure_opencl_queue_drain(queue);
}

/* One of a queue that is gone, with its location, or a new one. Under the mutex. */
static struct measure_opencl_queue *queue_take(struct measure_opencl_device *device)
{
	for (struct measure_opencl_queue *queue = queues; queue; queue = queue->next)
		if (!atomic_load(&queue->handle) && queue->device == device &&
			atomic_load(&queue->nr_commands) == 0)
			return queue;
	return queue_new(device);
}

static void note_properties(struct measure_opencl_queue *queue,
	cl_command_queue_properties properties, const cl_queue_properties *listed)
{
	queue->nr_listed = 0;
	while (listed && listed[queue->nr_listed] != 0)
		queue->nr_listed += 2;
	if (listed)
		memcpy(queue->listed, listed, ++queue->nr_listed * sizeof(*listed));
	queue->properties = properties;
	queue->is_profiled = properties & CL_QUEUE_PROFILING_ENABLE;
	queue->is_in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* As in commands_take(), the driver is not asked under the mutex. */
void measure_opencl_queue_add(cl_context context, cl_device_id id, cl_command_queue handle,
	cl_command_queue_properties properties, const cl_queue_properties *listed)
{
	static bool is_finish_known;
	struct measure_opencl_device *device;
	struct measure_opencl_queue *queue;
	bool is_first, is_probed;
	char name[96] = "";

	REAL(clGetDeviceInfo)(id, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
	queues_drain_gone();
	measure_mutex_lock(&mutex);
	is_first = !is_finish_known;
	is_finish_known = true;
	device = device_find(id, name);
	queue = device ? queue_take(device) : NULL;
	if (queue) {
		note_properties(queue, properties, listed);
		atomic_store(&queue->nr_references, 1);
		atomic_store(&queue->handle, handle);
	}
	is_probed = device && device->is_probed;
	if (device)
		device->is_probed = true;
	measure_mutex_unlock(&mutex);
	if (device && !is_probed)
		clock_probe(device, context);
	if (is_first)
		atexit(measure_opencl_queues_finish); /* before the driver's own */
}

void measure_opencl_queue_remove(struct measure_opencl_queue *queue)
{
	measure_mutex_lock(&mutex);
	atomic_store(&queue->handle, NULL);
	measure_mutex_unlock(&mutex);
}

/* ----------------------------------------------------------------------- commands --- */

#define FIRST_ROOM 256
#define LOOK_EVERY 64 /* commands: a program that never waits */

void measure_opencl_queue_put(
	struct measure_opencl_queue *queue, const struct measure_opencl_command *command)
{
	void *commands = queue->commands;
	bool is_full, is_time;

	measure_mutex_lock(&queue->mutex);
	commands = queue->commands;
	is_full = queue->nr_commands == queue->room &&
		  !measure_pages_grow(&commands, &queue->room, FIRST_ROOM, sizeof(*command));
	queue->commands = commands;
	if (!is_full)
		queue->commands[queue->nr_commands++] = *command;
	queue->nr_lost += is_full;
	is_time = ++queue->nr_since >= LOOK_EVERY;
	measure_mutex_unlock(&queue->mutex);
	if (is_full)
		REAL(clReleaseEvent)(command->event);
	if (is_time)
		measure_opencl_queue_drain(queue);
}

bool measure_opencl_queue_holds(struct measure_opencl_queue *queue, cl_event event)
{
	bool is_held = false;

	measure_mutex_lock(&queue->mutex);
	for (uint32_t i = 0; i < queue->nr_commands; i++)
		is_held |= queue->commands[i].event == event;
	measure_mutex_unlock(&queue->mutex);
	return is_held;
}

static bool time_get(cl_event event, cl_profiling_info which, cl_ulong *time)
{
	return REAL(clGetEventProfilingInfo)(event, which, sizeof(*time), time, NULL) == CL_SUCCESS;
}

/* CL_COMPLETE, what it does, or an error below 0. */
static cl_int command_status(const struct measure_opencl_command *command)
{
	cl_int status = CL_INVALID_EVENT;

	REAL(clGetEventInfo)(command->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		&status, NULL);
	return status;
}

/* One that failed, or whose device does not tell, has no times. */
static void command_record(
	struct measure_opencl_queue *queue, const struct measure_opencl_command *command)
{
	struct measure_opencl_times times = {0};

	if (command_status(command) != CL_COMPLETE ||
		!time_get(command->event, CL_PROFILING_COMMAND_START, &times.start) ||
		!time_get(command->event, CL_PROFILING_COMMAND_END, &times.end) ||
		times.end < times.start) {
		queue->nr_lost++;
		return;
	}
	time_get(command->event, CL_PROFILING_COMMAND_QUEUED, &times.queued);
	measure_opencl_command_write(queue, command, &times);
}

/* A command by its place; false: there are not so many. */
static bool command_get(struct measure_opencl_queue *queue, uint32_t place,
	struct measure_opencl_command *command)
{
	bool is_there;

	measure_mutex_lock(&queue->mutex);
	is_there = place < queue->nr_commands;
	if (is_there)
		*command = queue->commands[place];
	measure_mutex_unlock(&queue->mutex);
	return is_there;
}

/* Of places in ascending order. */
static void commands_remove(struct measure_opencl_queue *queue, const uint32_t *places, uint32_t nr)
{
	uint32_t nr_left = nr ? places[0] : 0, taken = 0;

	measure_mutex_lock(&queue->mutex);
	for (uint32_t i = nr_left; nr && i < queue->nr_commands; i++)
		if (taken < nr && places[taken] == i)
			taken++;
		else
			queue->commands[nr_left++] = queue->commands[i];
	queue->nr_commands -= nr;
	queue->nr_since = 0;
	measure_mutex_unlock(&queue->mutex);
}

#define AT_ONCE 64

/* Takes complete commands out of the queue. In order, nothing behind one that is not complete can
 * be. The driver may hold locks of its own while it calls the program, which puts in more commands:
 * it is not asked while we hold one. */
static uint32_t commands_take(
	struct measure_opencl_queue *queue, struct measure_opencl_command taken[AT_ONCE])
{
	uint32_t places[AT_ONCE], nr = 0;

	for (uint32_t i = 0; nr < AT_ONCE && command_get(queue, i, &taken[nr]); i++) {
		if (command_status(&taken[nr]) <= CL_COMPLETE)
			places[nr++] = i;
		else if (queue->is_in_order)
			break;
	}
	commands_remove(queue, places, nr);
	return nr;
}

/* Whoever comes while another thread is at it leaves it to that thread, or to the next who comes. */
void measure_opencl_queue_drain(struct measure_opencl_queue *queue)
{
	struct measure_opencl_command taken[AT_ONCE];
	uint32_t nr = AT_ONCE;

	while (nr == AT_ONCE && atomic_load(&queue->nr_commands) > 0 &&
		measure_mutex_try(&queue->draining)) {
		nr = commands_take(queue, taken);
		for (uint32_t i = 0; i < nr; i++) {
			command_record(queue, &taken[i]);
			REAL(clReleaseEvent)(taken[i].event);
		}
		measure_mutex_unlock(&queue->draining);
	}
}

/* -------------------------------------------------------------------- at the end --- */

/* The last values are those of the archive. */
static void queue_describe(const struct measure_opencl_queue *queue)
{
	const uint64_t error = measure_opencl_clock_error(&queue->device->clock);
	const uint64_t nr_lost = queue->nr_lost + queue->nr_commands;

	for (uint32_t i = 0; i < queue->nr_lanes; i++)
		measure_location_property_uint64(measure_stream_index(queue->lanes[i].stream),
			"MEASURE::DEVICE_CLOCK_ERROR_NS", error);
	if (nr_lost > 0 && queue->nr_lanes > 0)
		measure_location_property_uint64(measure_stream_index(queue->lanes[0].stream),
			"MEASURE::LOST_COMMANDS", nr_lost);
}

/* What goes on still, the program does not wait for. */
void measure_opencl_queues_finish(void)
{
	if (!measure_is_recording())
		return;
	for (struct measure_opencl_queue *queue = queues; queue; queue = queue->next) {
		measure_opencl_queue_drain(queue);
		queue_describe(queue);
	}
}
