/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that put commands into queues; see opencl_enqueue.h. */
#include "config.h"

#include "opencl_enqueue.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/named_regions.h"

static _Atomic uint64_t nr_commands;

/* ---------------------------------------------------------------------- what it is --- */

/* By its name at each launch: a handle may be that of another kernel next time. */
measure_region_t measure_opencl_kernel_region(cl_kernel kernel)
{
	char name[256];

	if (!measure_opencl_is_on())
		return MEASURE_UNDEFINED;
	if (REAL(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL) !=
		CL_SUCCESS)
		return measure_opencl_records.commands[COMMAND_NDRANGE_KERNEL];
	return measure_named_region(name, NULL, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_OPENCL);
}

uint64_t measure_opencl_work_items(cl_uint nr_dimensions, const size_t *sizes)
{
	uint64_t nr = 1;

	for (cl_uint i = 0; sizes && i < nr_dimensions && i < 3; i++)
		nr *= sizes[i];
	return nr;
}

uint64_t measure_opencl_box(const size_t *region)
{
	return region ? measure_opencl_work_items(3, region) : 0;
}

uint64_t measure_opencl_pixels(cl_mem image, const size_t *region)
{
	size_t size = 0;

	if (measure_opencl_is_on())
		REAL(clGetImageInfo)(image, CL_IMAGE_ELEMENT_SIZE, sizeof(size), &size, NULL);
	return size * measure_opencl_box(region);
}

/* --------------------------------------------------------------------- the command --- */

void measure_opencl_enqueue_begin(struct measure_opencl_enqueue *enqueue,
	enum measure_opencl_call call, cl_command_queue queue, enum measure_opencl_kind kind,
	uint64_t size, cl_event **event)
{
	const struct measure_opencl_records *records = &measure_opencl_records;
	uint64_t values[2];

	enqueue->is_recorded = false;
	enqueue->queue = NULL;
	enqueue->event = NULL;
	if (!measure_opencl_is_on())
		return;
	values[0] = atomic_fetch_add_explicit(&nr_commands, 1, memory_order_relaxed) + 1;
	values[1] = size;
	enqueue->is_recorded = measure_record_enter(records->calls[call],
		kind == MEASURE_OPENCL_KERNEL ? &records->launches : &records->transfers, values,
		NULL);
	enqueue->queue = enqueue->is_recorded ? measure_opencl_queue_find(queue) : NULL;
	if (!enqueue->queue)
		return;
	enqueue->wanted = *event;
	*event = &enqueue->event;
	enqueue->command = (struct measure_opencl_command){.kind = (uint8_t)kind,
		.host = measure_location_index(),
		.size = size,
		.number = values[0],
		.begin = measure_clock_now()};
}

static void command_put(
	struct measure_opencl_enqueue *enqueue, measure_region_t region, bool is_blocking)
{
	struct measure_opencl_command *command = &enqueue->command;

	command->event = enqueue->event;
	command->region = region;
	if (enqueue->wanted) {
		*enqueue->wanted = enqueue->event;
		REAL(clRetainEvent)(enqueue->event);
	}
	measure_opencl_queue_put(enqueue->queue, command);
	if (is_blocking)
		measure_opencl_queue_drain(enqueue->queue);
}

/* The call is over before the adapter does its own work. */
void measure_opencl_enqueue_end(struct measure_opencl_enqueue *enqueue,
	enum measure_opencl_call call, measure_region_t region, bool is_blocking)
{
	if (enqueue->queue)
		enqueue->command.end = measure_clock_now();
	if (enqueue->is_recorded)
		measure_opencl_leave(call);
	if (enqueue->queue && enqueue->event)
		command_put(enqueue, region, is_blocking);
}
