/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Devices: target constructs, operations on data with their bytes, kernels that are submitted. By
 * the callbacks that tell begin and end; where a library lacks these, by those that tell once. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>

#include "../common/named_regions.h"
#include "ompt_construct.h"

static const char *const targets[] = {
#define TARGET(number, name) [number] = name,
#include "ompt_target.def"
};
#define NR_TARGETS (sizeof(targets) / sizeof(targets[0]))

static const struct {
	const char *name;
	uint8_t role;
} data_operations[] = {
#define DATA(number, name, role) [number] = {name, OTF2_REGION_ROLE_##role},
#include "ompt_target.def"
};
#define NR_DATA_OPERATIONS (sizeof(data_operations) / sizeof(data_operations[0]))

static measure_attribute_t device_attribute, bytes_attribute, teams_attribute;

/* ------------------------------------------------------------------------- regions --- */

/* What is to be entered: its kind by OMPT's number, and a value of an attribute. */
struct target_region {
	enum measure_ompt_open_what what;
	int kind;
	measure_region_t region;
	measure_attribute_t attribute;
	uint64_t value;
};

static void target_enter(
	struct measure_ompt_thread *thread, const struct target_region *target)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_attribute_uint64(location, target->attribute, target->value);
	measure_ompt_enter(thread, location, target->what, target->kind, target->region);
	measure_record_end(location);
}

static void target_leave(
	struct measure_ompt_thread *thread, enum measure_ompt_open_what what, int kind)
{
	const uint32_t index = measure_ompt_find(thread, what, kind);
	struct measure_location *location;

	if (index == UINT32_MAX)
		return;
	location = measure_record_begin();
	if (!location) {
		thread->nr_open = index;
		return;
	}
	measure_ompt_leave(thread, location, index);
	measure_record_end(location);
}

/* NULL: nothing is recorded. */
static struct measure_ompt_thread *target_thread(void)
{
	return measure_location_index() == MEASURE_UNDEFINED ? NULL : measure_ompt_thread_self();
}

static bool begins(ompt_scope_endpoint_t endpoint)
{
	return (int)endpoint != ompt_scope_end;
}

static bool ends(ompt_scope_endpoint_t endpoint)
{
	return (int)endpoint != ompt_scope_begin;
}

/* ---------------------------------------------------------------------- constructs --- */

static void construct_note(
	ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, const void *codeptr)
{
	struct measure_ompt_thread *thread = target_thread();

	if (!thread || (size_t)kind >= NR_TARGETS || !targets[kind])
		return;
	if (begins(endpoint)) {
		const struct target_region target = {.what = MEASURE_OMPT_TARGET,
			.kind = (int)kind,
			.region = measure_ompt_region(
				thread, codeptr, targets[kind], OTF2_REGION_ROLE_CODE),
			.attribute = device_attribute,
			.value = device < 0 ? UINT64_MAX : (uint64_t)device};

		target_enter(thread, &target);
	}
	if (ends(endpoint))
		target_leave(thread, MEASURE_OMPT_TARGET, (int)kind);
}

static void target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
	ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target, const void *codeptr)
{
	(void)task;
	(void)target_task;
	(void)target;
	construct_note(kind, endpoint, device, codeptr);
}

static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
	ompt_data_t *task, ompt_id_t id, const void *codeptr)
{
	(void)task;
	(void)id;
	construct_note(kind, endpoint, device, codeptr);
}

/* ------------------------------------------------------------- operations on data --- */

/* The source of these is in the construct around them. */
static void data_note(ompt_scope_endpoint_t endpoint, ompt_target_data_op_t kind, size_t bytes)
{
	struct measure_ompt_thread *thread = target_thread();

	if (!thread || (size_t)kind >= NR_DATA_OPERATIONS || !data_operations[kind].name)
		return;
	if (begins(endpoint)) {
		const struct target_region target = {.what = MEASURE_OMPT_DATA,
			.kind = (int)kind,
			.region = measure_named_region(data_operations[kind].name, NULL,
				data_operations[kind].role, OTF2_PARADIGM_OPENMP),
			.attribute = bytes_attribute,
			.value = bytes};

		target_enter(thread, &target);
	}
	if (ends(endpoint))
		target_leave(thread, MEASURE_OMPT_DATA, (int)kind);
}

static void target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task,
	ompt_data_t *target, ompt_id_t *id, ompt_target_data_op_t kind, void *from,
	int from_device, void *to, int to_device, size_t bytes, const void *codeptr)
{
	(void)target_task;
	(void)target;
	(void)id;
	(void)from;
	(void)from_device;
	(void)to;
	(void)to_device;
	(void)codeptr;
	data_note(endpoint, kind, bytes);
}

static void target_data_op(ompt_id_t target_id, ompt_id_t id, ompt_target_data_op_t kind,
	void *from, int from_device, void *to, int to_device, size_t bytes, const void *codeptr)
{
	(void)target_id;
	(void)id;
	(void)from;
	(void)from_device;
	(void)to;
	(void)to_device;
	(void)codeptr;
	data_note(ompt_scope_beginend, kind, bytes);
}

/* ------------------------------------------------------------------------- kernels --- */

static void submit_note(ompt_scope_endpoint_t endpoint, unsigned nr_teams)
{
	struct measure_ompt_thread *thread = target_thread();

	if (!thread)
		return;
	if (begins(endpoint)) {
		const struct target_region target = {.what = MEASURE_OMPT_SUBMIT,
			.region = measure_named_region("!$omp target: kernel", NULL,
				OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_OPENMP),
			.attribute = teams_attribute,
			.value = nr_teams};

		target_enter(thread, &target);
	}
	if (ends(endpoint))
		target_leave(thread, MEASURE_OMPT_SUBMIT, 0);
}

static void target_submit_emi(
	ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id, unsigned nr_teams)
{
	(void)target;
	(void)id;
	submit_note(endpoint, nr_teams);
}

static void target_submit(ompt_id_t target_id, ompt_id_t id, unsigned nr_teams)
{
	(void)target_id;
	(void)id;
	submit_note(ompt_scope_beginend, nr_teams);
}

/* ------------------------------------------------------------------------- devices --- */

static void device_initialize(int number, const char *type, ompt_device_t *device,
	ompt_function_lookup_t look_up, const char *documentation)
{
	char name[64];

	(void)device;
	(void)look_up;
	(void)documentation;
	if (measure_location_index() == MEASURE_UNDEFINED)
		return;
	snprintf(name, sizeof(name), "OPENMP_DEVICE_%d", number);
	measure_property_define(name, type ? type : "unknown");
}

#define SET(event)                                                                                 \
	__extension__({                                                                            \
		ompt_callback_##event##_t function_ = event;                                       \
		set(ompt_callback_##event, (ompt_callback_t)function_) >= ompt_set_sometimes;      \
	})

void measure_ompt_target_start(ompt_set_callback_t set)
{
	device_attribute = measure_attribute_define("OPENMP::DEVICE",
		"Number of the device; of the host, or unknown: 2^64 - 1", OTF2_TYPE_UINT64);
	bytes_attribute = measure_attribute_define(
		"OPENMP::BYTES", "Bytes transferred or allocated", OTF2_TYPE_UINT64);
	teams_attribute = measure_attribute_define(
		"OPENMP::TEAMS", "Teams that the kernel was submitted for", OTF2_TYPE_UINT64);
	if (!SET(target_emi))
		SET(target);
	if (!SET(target_data_op_emi))
		SET(target_data_op);
	if (!SET(target_submit_emi))
		SET(target_submit);
	SET(device_initialize);
}
