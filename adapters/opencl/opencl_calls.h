/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of OpenCL on the host: their regions, and what all records of the adapter refer to. */
#ifndef MEASURE_OPENCL_CALLS_H
#define MEASURE_OPENCL_CALLS_H

#include "adapter.h"
#include "opencl_real.h"

enum measure_opencl_call {
#define BY_HAND(type, name, role, parameters) CALL_##name,
#include "opencl_calls.def"
	MEASURE_OPENCL_CALLS
};

/* Commands that take time on a device, by CL_COMMAND_... */
enum measure_opencl_device_command {
#define LAUNCH(name, command, size, parameters, arguments) COMMAND_##command,
#define ENQUEUE(type, name, command, kind, size, is_blocking, parameters, arguments)               \
	COMMAND_##command,
#include "opencl_calls.def"
	MEASURE_OPENCL_COMMANDS
};

/* Attributes: the number of a command in its process, on the host and on the device; bytes, or
 * work items of a kernel; ns from entering the queue to the start. */
struct measure_opencl_records {
	_Atomic bool is_on;
	measure_region_t calls[MEASURE_OPENCL_CALLS];
	measure_region_t commands[MEASURE_OPENCL_COMMANDS];
	measure_attribute_t command;
	measure_attribute_t bytes;
	measure_attribute_t work_items;
	measure_attribute_t queue_time;
	struct measure_attribute_list with_bytes; /* of a call */
	struct measure_attribute_list launches;   /* command, work items */
	struct measure_attribute_list transfers;  /* command, bytes */
};
extern struct measure_opencl_records measure_opencl_records;

/* Defines all of it; recording begins. */
void measure_opencl_calls_start(void);

/* False: nothing is recorded, in a forked child for instance. */
static inline bool measure_opencl_is_on(void)
{
	return atomic_load_explicit(&measure_opencl_records.is_on, memory_order_acquire) &&
	       measure_is_recording();
}

/* A call with nothing but a region. False: not recorded. */
static inline bool measure_opencl_enter(enum measure_opencl_call call)
{
	return measure_opencl_is_on() &&
	       measure_record_enter(measure_opencl_records.calls[call], NULL, NULL, NULL);
}

static inline bool measure_opencl_enter_with(enum measure_opencl_call call, uint64_t bytes)
{
	return measure_opencl_is_on() &&
	       measure_record_enter(measure_opencl_records.calls[call],
		       &measure_opencl_records.with_bytes, &bytes, NULL);
}

static inline void measure_opencl_leave(enum measure_opencl_call call)
{
	measure_record_leave(measure_opencl_records.calls[call], NULL, NULL, NULL);
}

#endif
