/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adapter for OpenACC: what the run-time library says through its profiling interface. It has
 * no times of devices: all records are on the host. */
#define _GNU_SOURCE
#include "config.h"

#include <acc_prof.h>
#include <dlfcn.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../common/named_regions.h"
#include "adapter.h"

enum openacc_event {
#define SPAN(event, name, role)  EVENT_##event,
#define POINT(event, name, role) EVENT_##event,
#include "openacc_events.def"
	NR_EVENTS
};

static const struct {
	const char *name;
	uint8_t role;
} events[NR_EVENTS] = {
#define SPAN(event, name, role)  {name, OTF2_REGION_ROLE_##role},
#define POINT(event, name, role) {name, OTF2_REGION_ROLE_##role},
#include "openacc_events.def"
};

#define NR_CONSTRUCTS (acc_construct_serial + 1)
static const char *const constructs[NR_CONSTRUCTS] = {
	[acc_construct_parallel] = "parallel",
	[acc_construct_kernels] = "kernels",
	[acc_construct_loop] = "loop",
	[acc_construct_data] = "data",
	[acc_construct_enter_data] = "enter data",
	[acc_construct_exit_data] = "exit data",
	[acc_construct_host_data] = "host_data",
	[acc_construct_atomic] = "atomic",
	[acc_construct_declare] = "declare",
	[acc_construct_init] = "init",
	[acc_construct_shutdown] = "shutdown",
	[acc_construct_set] = "set",
	[acc_construct_update] = "update",
	[acc_construct_routine] = "routine",
	[acc_construct_wait] = "wait",
	[acc_construct_runtime_api] = "runtime API",
	[acc_construct_serial] = "serial",
};

static measure_attribute_t async_attribute, device_attribute, bytes_attribute;

/* Of events without a place in the source, on a device and on the host; id + 1, 0: not yet
 * defined. */
static _Atomic(measure_region_t) regions[NR_EVENTS][NR_CONSTRUCTS][2];

/* ------------------------------------------------------------------------ regions --- */

static bool is_construct_itself(enum openacc_event event, acc_construct_t construct)
{
	return event == EVENT_compute_construct ||
	       strcmp(events[event].name, constructs[construct]) == 0;
}

static bool is_on_host(const acc_prof_info *info)
{
	return info->device_type == acc_device_host;
}

/* What is computed on the host is a function of it. */
static uint8_t region_role(enum openacc_event event, const acc_prof_info *info)
{
	return event == EVENT_compute_construct && is_on_host(info) ? OTF2_REGION_ROLE_FUNCTION
								    : events[event].role;
}

static measure_region_t region_make(
	enum openacc_event event, acc_construct_t construct, const acc_prof_info *info)
{
	const bool is_itself = is_construct_itself(event, construct);
	const char *file = info->src_file ? strrchr(info->src_file, '/') : NULL;
	char name[512], place[256] = "";

	file = file ? file + 1 : info->src_file;
	if (file && info->line_no > 0)
		snprintf(place, sizeof(place), " @%s:%d", file, info->line_no);
	snprintf(name, sizeof(name), "!$acc %s%s%s%s", constructs[construct], is_itself ? "" : ": ",
		is_itself ? "" : events[event].name, place);
	return measure_named_region(
		name, NULL, region_role(event, info), OTF2_PARADIGM_OPENACC);
}

static measure_region_t region_find(
	enum openacc_event event, acc_construct_t construct, const acc_prof_info *info)
{
	_Atomic(measure_region_t) *known = &regions[event][construct][is_on_host(info)];
	measure_region_t region = atomic_load_explicit(known, memory_order_relaxed);

	if (info->src_file && info->line_no > 0)
		return region_make(event, construct, info);
	if (region == 0) {
		region = region_make(event, construct, info) + 1;
		atomic_store_explicit(known, region, memory_order_relaxed);
	}
	return region - 1;
}

/* ------------------------------------------------------------------------- events --- */

static bool has_bytes(enum openacc_event event)
{
	switch (event) {
#define SPAN(event, name, role)
#define DATA(event, name, role)  case EVENT_##event:
#define POINT(event, name, role) case EVENT_##event:
#include "openacc_events.def"
		return true;
	default:
		return false;
	}
}

static void write_attributes(struct measure_location *location, enum openacc_event event,
	const acc_prof_info *prof, const acc_event_info *info)
{
	const struct measure_typed_value values[] = {
		{device_attribute, OTF2_TYPE_UINT64,
			{.unsigned_int = (uint64_t)(prof->device_number < 0 ? 0 : prof->device_number)}},
		{async_attribute, OTF2_TYPE_INT64, {.signed_int = prof->async}},
		{bytes_attribute, OTF2_TYPE_UINT64, {.unsigned_int = info->data_event.bytes}},
	};

	measure_write_attributes(location, values, has_bytes(event) ? 3 : 2);
}

/* A region that begins, that ends, or both at once. */
static void event_write(enum openacc_event event, const acc_prof_info *prof,
	const acc_event_info *info, bool begins, bool ends)
{
	const unsigned construct = info->other_event.parent_construct;
	struct measure_location *location;
	measure_region_t region;

	if (!measure_is_recording() || construct >= NR_CONSTRUCTS)
		return;
	region = region_find(event, construct, prof);
	location = measure_record_begin();
	if (!location)
		return;
	if (begins) {
		write_attributes(location, event, prof, info);
		measure_write_enter(location, region);
	}
	if (ends)
		measure_write_leave(location, region);
	measure_record_end(location);
}

#define SPAN(event, name, role)                                                                    \
	static void event##_start(acc_prof_info *prof, acc_event_info *info, acc_api_info *api)    \
	{                                                                                          \
		(void)api;                                                                         \
		event_write(EVENT_##event, prof, info, true, false);                               \
	}                                                                                          \
	static void event##_end(acc_prof_info *prof, acc_event_info *info, acc_api_info *api)      \
	{                                                                                          \
		(void)api;                                                                         \
		event_write(EVENT_##event, prof, info, false, true);                               \
	}
#define POINT(event, name, role)                                                                   \
	static void event##_point(acc_prof_info *prof, acc_event_info *info, acc_api_info *api)    \
	{                                                                                          \
		(void)api;                                                                         \
		event_write(EVENT_##event, prof, info, true, true);                                \
	}
#include "openacc_events.def"

/* ------------------------------------------------------------------- registration --- */

static void callbacks_register(acc_prof_reg reg)
{
	static atomic_flag are_registered = ATOMIC_FLAG_INIT;

	if (atomic_flag_test_and_set(&are_registered))
		return;
#define SPAN(event, name, role)                                                                    \
	reg(acc_ev_##event##_start, event##_start, acc_reg);                                       \
	reg(acc_ev_##event##_end, event##_end, acc_reg);
#define POINT(event, name, role) reg(acc_ev_##event, event##_point, acc_reg);
#include "openacc_events.def"
}

/* What libraries for this interface export; some run-time libraries call it when they start.
 * GCC's does so only with those that ACC_PROFLIB names, which stays free for the program's. */
__attribute__((visibility("default"))) void acc_register_library(
	acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func look_up)
{
	(void)unreg;
	(void)look_up;
	if (measure_is_recording())
		callbacks_register(reg);
}

/* By memcpy: ISO C has no cast from object to function pointer. */
static void openacc_started(void)
{
	void *address = dlsym(RTLD_DEFAULT, "acc_prof_register");
	acc_prof_reg reg;

	async_attribute = measure_attribute_define(
		"OPENACC::ASYNC", "Asynchronous queue; negative: special values", OTF2_TYPE_INT64);
	device_attribute = measure_attribute_define(
		"OPENACC::DEVICE", "Number of the device", OTF2_TYPE_UINT64);
	bytes_attribute = measure_attribute_define(
		"OPENACC::BYTES", "Bytes transferred or allocated", OTF2_TYPE_UINT64);
	memcpy(&reg, &address, sizeof(reg));
	if (reg)
		callbacks_register(reg);
}

static const struct measure_adapter measure_openacc_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "openacc",
	.started = openacc_started,
};

__attribute__((constructor)) static void openacc_init(void)
{
	measure_adapter_register(&measure_openacc_adapter);
}
