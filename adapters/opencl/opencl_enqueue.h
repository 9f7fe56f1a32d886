/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that put commands into queues. */
#ifndef MEASURE_OPENCL_ENQUEUE_H
#define MEASURE_OPENCL_ENQUEUE_H

#include "opencl_queue.h"

/* A call in work. */
struct measure_opencl_enqueue {
	bool is_recorded;
	struct measure_opencl_queue *queue; /* NULL: not known */
	cl_event event;                     /* of the command */
	cl_event *wanted;                   /* where the program wants it; NULL: nowhere */
	struct measure_opencl_command command;
};

/* Before the call; `event` becomes ours if we need one. */
void measure_opencl_enqueue_begin(struct measure_opencl_enqueue *enqueue,
	enum measure_opencl_call call, cl_command_queue queue, enum measure_opencl_kind kind,
	uint64_t size, cl_event **event);

/* After it. `is_blocking`: the command is complete. */
void measure_opencl_enqueue_end(struct measure_opencl_enqueue *enqueue,
	enum measure_opencl_call call, measure_region_t region, bool is_blocking);

measure_region_t measure_opencl_kernel_region(cl_kernel kernel);

/* Sizes of commands. */
uint64_t measure_opencl_work_items(cl_uint nr_dimensions, const size_t *sizes);
uint64_t measure_opencl_box(const size_t *region);
uint64_t measure_opencl_pixels(cl_mem image, const size_t *region);

#endif
