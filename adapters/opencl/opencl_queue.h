/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Command queues, and the commands in them that may not be complete. Whoever learns that commands
 * may be complete drains the queue: the times of those that are become records of the queue's
 * locations, of which a queue that executes commands out of order may have several. */
#ifndef MEASURE_OPENCL_QUEUE_H
#define MEASURE_OPENCL_QUEUE_H

#include "mutex.h"
#include "opencl_calls.h"
#include "opencl_clock.h"

enum measure_opencl_kind {
	MEASURE_OPENCL_KERNEL,
	MEASURE_OPENCL_TO_DEVICE,   /* a transfer between host and device */
	MEASURE_OPENCL_FROM_DEVICE,
	MEASURE_OPENCL_ON_DEVICE,   /* data is moved, nobody knows from where to where */
	MEASURE_OPENCL_OTHER
};

struct measure_opencl_command {
	cl_event event; /* ours; NULL: its device does not tell */
	uint8_t kind;   /* enum measure_opencl_kind */
	measure_region_t region;
	uint32_t host; /* location that put it into the queue */
	uint64_t size; /* bytes, or work items */
	uint64_t number;
	uint64_t begin, end; /* ticks around the call */
};

struct measure_opencl_device {
	cl_device_id id;
	char name[128]; /* of its location group */
	uint32_t nr_queues;
	bool is_probed;
	struct measure_mutex mutex; /* of the clock */
	struct measure_opencl_clock clock;
	struct measure_opencl_device *next;
};

/* Commands of one location do not overlap. */
struct measure_opencl_lane {
	struct measure_location *stream;
	uint64_t end; /* of the last command, ns of the device */
	uint64_t ticks; /* the same, as recorded */
};
#define MEASURE_OPENCL_MOST_LANES 64

#define MEASURE_OPENCL_MOST_PROPERTIES 15
struct measure_opencl_queue {
	_Atomic(cl_command_queue) handle; /* NULL: released */
	struct measure_opencl_device *device;
	uint32_t number; /* of the device's queues */
	bool is_in_order;
	bool is_profiled; /* the program asked for it */
	cl_command_queue_properties properties; /* as the program gave them */
	uint32_t nr_listed;                     /* 0: it gave no list */
	cl_queue_properties listed[MEASURE_OPENCL_MOST_PROPERTIES];
	_Atomic uint32_t nr_references; /* the program's */

	struct measure_mutex mutex; /* of the commands */
	struct measure_opencl_command *commands;
	uint32_t room;
	_Atomic uint32_t nr_commands;
	uint32_t nr_since; /* put into it since it was drained last */

	struct measure_mutex draining;
	struct measure_opencl_lane lanes[MEASURE_OPENCL_MOST_LANES];
	uint32_t nr_lanes;
	_Atomic uint64_t nr_lost; /* whose times could not be recorded */
	struct measure_opencl_queue *next;
};

/* A queue of the program; NULL: it is not known, as it was made before recording, or on a device. */
struct measure_opencl_queue *measure_opencl_queue_find(cl_command_queue handle);

/* That of an event's command. */
struct measure_opencl_queue *measure_opencl_queue_of(cl_event event);

/* The program has made one; `listed`: properties of clCreateCommandQueueWithProperties(), or
 * NULL. */
void measure_opencl_queue_add(cl_context context, cl_device_id device, cl_command_queue handle,
	cl_command_queue_properties properties, const cl_queue_properties *listed);

/* The program has given up its last reference. */
void measure_opencl_queue_remove(struct measure_opencl_queue *queue);

/* A command is in the queue; it takes over the event. */
void measure_opencl_queue_put(
	struct measure_opencl_queue *queue, const struct measure_opencl_command *command);

/* Is this an event that the adapter has a reference to? */
bool measure_opencl_queue_holds(struct measure_opencl_queue *queue, cl_event event);

/* Records what is complete. Never waits. */
void measure_opencl_queue_drain(struct measure_opencl_queue *queue);

/* The same of all queues, when the program ends. */
void measure_opencl_queues_finish(void);

/* One more location. NULL: there are too many. */
struct measure_opencl_lane *measure_opencl_lane_add(struct measure_opencl_queue *queue);

/* Writes the records of a complete command, ns of its device. */
struct measure_opencl_times {
	cl_ulong queued, start, end;
};
void measure_opencl_command_write(struct measure_opencl_queue *queue,
	const struct measure_opencl_command *command, const struct measure_opencl_times *times);

#endif
