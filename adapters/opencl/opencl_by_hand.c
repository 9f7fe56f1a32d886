/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that make, wait for or ask about command queues and events. All queues are profiled; the
 * program does not see that. */
#include "config.h"

#include <string.h>

#include "opencl_queue.h"

#define EXPORT __attribute__((visibility("default")))

/* ------------------------------------------------------------------------ creation --- */

EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
	cl_command_queue_properties properties, cl_int *error)
{
	const bool is_recorded = measure_opencl_enter(CALL_clCreateCommandQueue);
	cl_command_queue queue;

	if (!is_recorded)
		return REAL(clCreateCommandQueue)(context, device, properties, error);
	queue = REAL(clCreateCommandQueue)(
		context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
	measure_opencl_leave(CALL_clCreateCommandQueue);
	if (queue)
		measure_opencl_queue_add(context, device, queue, properties, NULL);
	return queue;
}

/* The list with profiling, and what it said of properties. False: it is too long, or the queue is
 * one that the device fills itself. */
static bool list_change(const cl_queue_properties *listed, cl_queue_properties *changed,
	cl_command_queue_properties *properties)
{
	bool is_said = false;
	uint32_t nr = 0;

	*properties = 0;
	for (; listed && listed[nr] != 0; nr += 2) {
		if (nr + 4 >= MEASURE_OPENCL_MOST_PROPERTIES)
			return false;
		changed[nr] = listed[nr];
		changed[nr + 1] = listed[nr + 1];
		if (listed[nr] != CL_QUEUE_PROPERTIES)
			continue;
		is_said = true;
		*properties = listed[nr + 1];
		changed[nr + 1] |= CL_QUEUE_PROFILING_ENABLE;
	}
	if (!is_said) {
		changed[nr++] = CL_QUEUE_PROPERTIES;
		changed[nr++] = CL_QUEUE_PROFILING_ENABLE;
	}
	changed[nr] = 0;
	return !(*properties & CL_QUEUE_ON_DEVICE);
}

EXPORT cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
	const cl_queue_properties *properties, cl_int *error)
{
	const bool is_recorded = measure_opencl_enter(CALL_clCreateCommandQueueWithProperties);
	cl_queue_properties changed[MEASURE_OPENCL_MOST_PROPERTIES + 1];
	cl_command_queue_properties given = 0;
	const bool is_changed = is_recorded && list_change(properties, changed, &given);
	cl_command_queue queue = REAL(clCreateCommandQueueWithProperties)(
		context, device, is_changed ? changed : properties, error);

	if (is_recorded)
		measure_opencl_leave(CALL_clCreateCommandQueueWithProperties);
	if (is_changed && queue)
		measure_opencl_queue_add(context, device, queue, given, properties);
	return queue;
}

EXPORT cl_int clRetainCommandQueue(cl_command_queue handle)
{
	struct measure_opencl_queue *queue = measure_opencl_queue_find(handle);

	if (queue)
		atomic_fetch_add(&queue->nr_references, 1);
	return REAL(clRetainCommandQueue)(handle);
}

/* Forgotten before the call: the next queue may well get the same handle. */
EXPORT cl_int clReleaseCommandQueue(cl_command_queue handle)
{
	struct measure_opencl_queue *queue = measure_opencl_queue_find(handle);
	const bool is_recorded = measure_opencl_enter(CALL_clReleaseCommandQueue);
	cl_int result;

	if (queue && atomic_fetch_sub(&queue->nr_references, 1) == 1)
		measure_opencl_queue_remove(queue);
	result = REAL(clReleaseCommandQueue)(handle);
	if (is_recorded)
		measure_opencl_leave(CALL_clReleaseCommandQueue);
	if (is_recorded && queue)
		measure_opencl_queue_drain(queue);
	return result;
}

/* ------------------------------------------------------------------------- waiting --- */

/* Calls after which commands of a queue may be complete. */
#define WAITS_FOR_QUEUE(name)                                                                      \
	EXPORT cl_int name(cl_command_queue handle)                                                \
	{                                                                                          \
		const bool is_recorded = measure_opencl_enter(CALL_##name);                        \
		const cl_int result = REAL(name)(handle);                                          \
		struct measure_opencl_queue *queue;                                                \
                                                                                                   \
		if (!is_recorded)                                                                  \
			return result;                                                             \
		measure_opencl_leave(CALL_##name);                                                 \
		queue = measure_opencl_queue_find(handle);                                         \
		if (queue)                                                                         \
			measure_opencl_queue_drain(queue);                                         \
		return result;                                                                     \
	}
WAITS_FOR_QUEUE(clFlush)
WAITS_FOR_QUEUE(clFinish)

static void queue_drain_of(cl_event event)
{
	struct measure_opencl_queue *queue = measure_opencl_queue_of(event);

	if (queue)
		measure_opencl_queue_drain(queue);
}

EXPORT cl_int clWaitForEvents(cl_uint nr_events, const cl_event *events)
{
	const bool is_recorded = measure_opencl_enter(CALL_clWaitForEvents);
	const cl_int result = REAL(clWaitForEvents)(nr_events, events);

	if (!is_recorded)
		return result;
	measure_opencl_leave(CALL_clWaitForEvents);
	if (result == CL_SUCCESS || result == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		for (cl_uint i = 0; i < nr_events; i++)
			queue_drain_of(events[i]);
	return result;
}

/* ----------------------------------------------------------------------- questions --- */

/* An answer of `size` bytes. */
static cl_int answer(const void *text, size_t size, size_t room, void *value, size_t *needed)
{
	if (value && room < size)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, text, size);
	if (needed)
		*needed = size;
	return CL_SUCCESS;
}

EXPORT cl_int clGetCommandQueueInfo(cl_command_queue handle, cl_command_queue_info name,
	size_t room, void *value, size_t *needed)
{
	const struct measure_opencl_queue *queue = measure_opencl_queue_find(handle);
	const cl_int result = REAL(clGetCommandQueueInfo)(
		handle, name, queue && name == CL_QUEUE_PROPERTIES_ARRAY ? 0 : room,
		queue && name == CL_QUEUE_PROPERTIES_ARRAY ? NULL : value, needed);
	cl_uint nr_references;

	if (result != CL_SUCCESS || !queue)
		return result;
	switch (name) {
	case CL_QUEUE_PROPERTIES:
		return answer(&queue->properties, sizeof(queue->properties), room, value, needed);
	case CL_QUEUE_PROPERTIES_ARRAY:
		return answer(queue->listed, queue->nr_listed * sizeof(*queue->listed), room,
			value, needed);
	case CL_QUEUE_REFERENCE_COUNT:
		nr_references = atomic_load(&queue->nr_references);
		return answer(&nr_references, sizeof(nr_references), room, value, needed);
	default:
		return result;
	}
}

/* Profiling stays on. */
EXPORT cl_int clSetCommandQueueProperty(cl_command_queue handle,
	cl_command_queue_properties properties, cl_bool is_on, cl_command_queue_properties *before)
{
	struct measure_opencl_queue *queue = measure_opencl_queue_find(handle);
	const cl_command_queue_properties mask =
		queue && !is_on ? ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE
				: ~(cl_command_queue_properties)0;
	const cl_int result =
		REAL(clSetCommandQueueProperty)(handle, properties & mask, is_on, before);

	if (result != CL_SUCCESS || !queue)
		return result;
	if (before)
		*before = queue->properties;
	if (is_on)
		queue->properties |= properties;
	else
		queue->properties &= ~properties;
	queue->is_profiled = queue->properties & CL_QUEUE_PROFILING_ENABLE;
	queue->is_in_order = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	return result;
}

/* The program may learn by it that a command is complete. Our reference is not the program's. */
EXPORT cl_int clGetEventInfo(
	cl_event event, cl_event_info name, size_t room, void *value, size_t *needed)
{
	const cl_int result = REAL(clGetEventInfo)(event, name, room, value, needed);
	struct measure_opencl_queue *queue;

	if (result != CL_SUCCESS || !value || !measure_opencl_is_on())
		return result;
	if (name == CL_EVENT_COMMAND_EXECUTION_STATUS && *(const cl_int *)value <= CL_COMPLETE)
		queue_drain_of(event);
	if (name == CL_EVENT_REFERENCE_COUNT) {
		queue = measure_opencl_queue_of(event);
		if (queue && measure_opencl_queue_holds(queue, event))
			--*(cl_uint *)value;
	}
	return result;
}

EXPORT cl_int clGetEventProfilingInfo(
	cl_event event, cl_profiling_info name, size_t room, void *value, size_t *needed)
{
	const struct measure_opencl_queue *queue = measure_opencl_queue_of(event);

	if (queue && !queue->is_profiled)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return REAL(clGetEventProfilingInfo)(event, name, room, value, needed);
}
