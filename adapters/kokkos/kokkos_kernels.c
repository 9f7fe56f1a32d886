/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels and fences, each a region of the thread that calls. Of a kernel on an accelerator it is
 * the launch: no fence is asked for, so that the program's own order of work stays. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/site_ids.h"
#include "kokkos_interface.h"
#include "kokkos_names.h"

void kokkosp_request_tool_settings(uint32_t nr, struct kokkos_tool_settings *settings)
{
	(void)nr;
	settings->requires_global_fencing = false;
}

static uint32_t define_device(struct measure_site *site)
{
	return measure_attribute_define(
		site->name, "device and instance, as Kokkos numbers them", OTF2_TYPE_UINT64);
}

static __attribute__((noinline)) void enter_on_device(measure_region_t region, uint32_t device)
{
	static struct measure_site site = {.name = "Kokkos device"};
	const measure_attribute_t attribute = measure_site_id(&site, define_device) - 1;
	struct measure_location *location = measure_record_begin_followed();

	if (!location)
		return;
	measure_write_attribute_uint64(location, attribute, device & 0xffffff);
	measure_write_enter(location, region);
	measure_record_end(location);
}

/* The number of what begins is its region. */
static inline void kokkos_begin(
	enum kokkos_kind kind, const char *name, uint32_t device, uint64_t *number)
{
	const uint32_t accelerator = kokkos_accelerator(device);
	const measure_region_t region = kokkos_region(kind, accelerator, name);

	*number = region;
	if (region == MEASURE_UNDEFINED)
		return;
	if (__builtin_expect(accelerator != KOKKOS_HOST, 0))
		enter_on_device(region, device);
	else
		measure_region_enter(region);
}

/* A program's mistake may be any number: the core drops what is not open. */
static inline void kokkos_end(uint64_t number)
{
	if (__builtin_expect(number < MEASURE_UNDEFINED, 1))
		measure_region_leave((measure_region_t)number);
}

/* What Kokkos calls at the begin and end of one kind. */
#define KIND(name, kind)                                                                           \
	void kokkosp_begin_##name(const char *label, uint32_t device, uint64_t *number)            \
	{                                                                                          \
		kokkos_begin(kind, label, device, number);                                         \
	}                                                                                          \
	void kokkosp_end_##name(uint64_t number)                                                   \
	{                                                                                          \
		kokkos_end(number);                                                                \
	}

KIND(parallel_for, KOKKOS_FOR)
KIND(parallel_reduce, KOKKOS_REDUCE)
KIND(parallel_scan, KOKKOS_SCAN)
KIND(fence, KOKKOS_FENCE)
