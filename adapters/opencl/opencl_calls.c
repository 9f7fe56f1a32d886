/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the adapter's records refer to; see opencl_calls.h. */
#include "config.h"

#include "opencl_calls.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

struct measure_opencl_records measure_opencl_records;
#define records measure_opencl_records

#define OTF2_REGION_ROLE_NONE UINT8_MAX /* here: it has no region */

static const struct {
	const char *name;
	uint8_t role;
} calls[MEASURE_OPENCL_CALLS] = {
#define BY_HAND(type, name, role, parameters) {#name, OTF2_REGION_ROLE_##role},
#include "opencl_calls.def"
};

enum {
	ROLE_OF_FROM_DEVICE = OTF2_REGION_ROLE_DATA_TRANSFER,
	ROLE_OF_TO_DEVICE = OTF2_REGION_ROLE_DATA_TRANSFER,
	ROLE_OF_ON_DEVICE = OTF2_REGION_ROLE_DATA_TRANSFER,
	ROLE_OF_OTHER = OTF2_REGION_ROLE_FUNCTION
};

static const struct {
	const char *name;
	uint8_t role;
} commands[MEASURE_OPENCL_COMMANDS] = {
#define LAUNCH(name, command, size, parameters, arguments)                                         \
	{"CL_COMMAND_" #command, OTF2_REGION_ROLE_FUNCTION},
#define ENQUEUE(type, name, command, kind, size, is_blocking, parameters, arguments)               \
	{"CL_COMMAND_" #command, ROLE_OF_##kind},
#include "opencl_calls.def"
};

static measure_region_t region_define(const char *name, uint8_t role)
{
	const struct measure_region_info info = {
		.name = name, .role = role, .paradigm = OTF2_PARADIGM_OPENCL};

	return measure_region_define(&info);
}

#define LIST(list, ...)                                                                            \
	measure_attribute_list_make(&records.list, (const measure_attribute_t[]){__VA_ARGS__},     \
		sizeof((measure_attribute_t[]){__VA_ARGS__}) / sizeof(measure_attribute_t))

static void attributes_define(void)
{
	records.command = measure_attribute_define("OPENCL::COMMAND",
		"Number of the command, on the host and on the device", OTF2_TYPE_UINT64);
	records.bytes = measure_attribute_define(
		"OPENCL::BYTES", "Bytes transferred, filled or allocated", OTF2_TYPE_UINT64);
	records.work_items = measure_attribute_define(
		"OPENCL::WORK_ITEMS", "Work items of the kernel", OTF2_TYPE_UINT64);
	records.queue_time = measure_attribute_define("OPENCL::QUEUE_TIME",
		"Time from entering the queue to the start, ns", OTF2_TYPE_UINT64);
	LIST(with_bytes, records.bytes);
	LIST(launches, records.command, records.work_items);
	LIST(transfers, records.command, records.bytes);
}

void measure_opencl_calls_start(void)
{
	attributes_define();
	for (int i = 0; i < MEASURE_OPENCL_CALLS; i++)
		records.calls[i] = calls[i].role == OTF2_REGION_ROLE_NONE
					   ? MEASURE_UNDEFINED
					   : region_define(calls[i].name, calls[i].role);
	for (int i = 0; i < MEASURE_OPENCL_COMMANDS; i++)
		records.commands[i] = region_define(commands[i].name, commands[i].role);
	atomic_store_explicit(&records.is_on, true, memory_order_release);
}
