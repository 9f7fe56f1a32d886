/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions that opencl_calls.def describes, and the adapter itself. */
#include "config.h"

#include "opencl_enqueue.h"

#define EXPORT __attribute__((visibility("default")))

/* A call with nothing but a region, which the end of its wrapper leaves: some return nothing. */
struct opencl_open_call {
	enum measure_opencl_call call;
	bool is_recorded;
};

static inline void call_close(const struct opencl_open_call *open)
{
	if (open->is_recorded)
		measure_opencl_leave(open->call);
}

#define REGION(type, name, enter, parameters, arguments)                                           \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		__attribute__((cleanup(call_close), unused)) const struct opencl_open_call open = {       \
			CALL_##name, enter};                                                       \
                                                                                                   \
		return REAL(name) arguments;                                                       \
	}
#define PLAIN(type, name, role, parameters, arguments)                                             \
	REGION(type, name, measure_opencl_enter(CALL_##name), parameters, arguments)
#define ALLOCATES(type, name, bytes, parameters, arguments)                                        \
	REGION(type, name, measure_opencl_enter_with(CALL_##name, bytes), parameters, arguments)
#define POINT(name, parameters, arguments)                                                         \
	REGION(cl_int, name, measure_opencl_enter(CALL_##name), parameters, arguments)

#define COMMAND(type, name, kind, size, region, is_blocking, parameters, arguments)                \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct measure_opencl_enqueue enqueue;                                             \
		type result;                                                                       \
                                                                                                   \
		measure_opencl_enqueue_begin(&enqueue, CALL_##name, queue,                         \
			MEASURE_OPENCL_##kind, size, &event);                                      \
		result = REAL(name) arguments;                                                     \
		measure_opencl_enqueue_end(&enqueue, CALL_##name, region, is_blocking);            \
		return result;                                                                     \
	}
#define LAUNCH(name, command, size, parameters, arguments)                                         \
	COMMAND(cl_int, name, KERNEL, size,                                                        \
		enqueue.event ? measure_opencl_kernel_region(kernel) : MEASURE_UNDEFINED, false,   \
		parameters, arguments)
#define ENQUEUE(type, name, command, kind, size, is_blocking, parameters, arguments)               \
	COMMAND(type, name, kind, size, measure_opencl_records.commands[COMMAND_##command],        \
		is_blocking, parameters, arguments)
#include "opencl_calls.def"

static const struct measure_adapter measure_opencl_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "opencl",
	.started = measure_opencl_calls_start,
};

__attribute__((constructor)) static void opencl_init(void)
{
	measure_adapter_register(&measure_opencl_adapter);
}
