/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deep copies, and memory that views have: attributes say how much, where and what for. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../common/texts.h"
#include "kokkos_interface.h"
#include "kokkos_names.h"

/* The words for memory are those of the adapter for memory. */
#define KOKKOS_ATTRIBUTES                                                                          \
	ROW(BYTES, "TRANSFER_SIZE", "Bytes copied", UINT64)                                        \
	ROW(TO_SPACE, "DESTINATION_SPACE", "Memory space that is copied to", STRING)               \
	ROW(TO_LABEL, "DESTINATION", "View that is copied to", STRING)                             \
	ROW(FROM_SPACE, "SOURCE_SPACE", "Memory space that is copied from", STRING)                \
	ROW(FROM_LABEL, "SOURCE", "View that is copied from", STRING)                              \
	ROW(SPACE, "MEMORY_SPACE", "Memory space", STRING)                                         \
	ROW(LABEL, "VIEW", "View that has the memory", STRING)                                     \
	ROW(ALLOCATED, "ALLOCATION_SIZE", "Bytes requested", UINT64)                               \
	ROW(RELEASED, "DEALLOCATION_SIZE", "Bytes released", UINT64)                               \
	ROW(RESULT, "RESULT_ADDRESS", "Address of the memory; 0 if the allocation failed", UINT64) \
	ROW(ARGUMENT, "ARGUMENT_ADDRESS", "Address of the memory that is freed or resized", UINT64)

enum kokkos_attribute {
#define ROW(NAME, name, description, type) KOKKOS_##NAME,
	KOKKOS_ATTRIBUTES
#undef ROW
		NR_KOKKOS_ATTRIBUTES
};

static struct measure_site attributes[] = {
#define ROW(NAME, attribute, description, type)                                                    \
	{.name = attribute, .text = description, .kind = OTF2_TYPE_##type},
	KOKKOS_ATTRIBUTES
#undef ROW
};

static uint32_t kokkos_define_attribute(struct measure_site *site)
{
	return measure_attribute_define(site->name, site->text, (uint8_t)site->kind);
}

/* Before a transaction: makes definitions. */
static struct measure_typed_value kokkos_number(enum kokkos_attribute attribute, uint64_t number)
{
	return (struct measure_typed_value){
		.attribute = measure_site_id(&attributes[attribute], kokkos_define_attribute) - 1,
		.type = OTF2_TYPE_UINT64,
		.unsigned_int = number};
}

static struct measure_typed_value kokkos_text(enum kokkos_attribute attribute, const char *text)
{
	return (struct measure_typed_value){
		.attribute = measure_site_id(&attributes[attribute], kokkos_define_attribute) - 1,
		.type = OTF2_TYPE_STRING,
		.id = measure_text_value(text ? text : "") - 1};
}

#define NR(values) ((uint32_t)(sizeof(values) / sizeof((values)[0])))

/* ------------------------------------------------------------------------ deep copies --- */

static measure_region_t copy_region(void)
{
	return kokkos_region(KOKKOS_DEEP_COPY, KOKKOS_HOST, "Kokkos::deep_copy");
}

void kokkosp_begin_deep_copy(struct kokkos_space to, const char *to_label, const void *to_address,
	struct kokkos_space from, const char *from_label, const void *from_address, uint64_t bytes)
{
	const measure_region_t region = copy_region();
	struct measure_location *location;

	(void)to_address, (void)from_address;
	if (region == MEASURE_UNDEFINED)
		return;
	const struct measure_typed_value values[] = {
		kokkos_number(KOKKOS_BYTES, bytes),
		kokkos_text(KOKKOS_TO_SPACE, to.name),
		kokkos_text(KOKKOS_TO_LABEL, to_label),
		kokkos_text(KOKKOS_FROM_SPACE, from.name),
		kokkos_text(KOKKOS_FROM_LABEL, from_label),
	};
	location = measure_record_begin_followed();
	if (!location)
		return;
	measure_write_attributes(location, values, NR(values));
	measure_write_enter(location, region);
	measure_record_end(location);
}

void kokkosp_end_deep_copy(void)
{
	const measure_region_t region = copy_region();

	if (region != MEASURE_UNDEFINED)
		measure_region_leave(region);
}

/* ----------------------------------------------------------------------------- memory --- */

#define MOST_SPACES 32

/* Each name once, and what is in use there. Further spaces are not counted. */
static struct kokkos_memory {
	struct measure_site metric; /* its name is that of the space; NULL: not used yet */
	_Atomic int64_t bytes;
} memories[MOST_SPACES];

static uint32_t kokkos_define_metric(struct measure_site *site)
{
	char name[128];
	const struct measure_metric_info info = {.name = name,
		.description = "Bytes of views in this memory space",
		.unit = "bytes",
		.type = OTF2_METRIC_TYPE_USER,
		.mode = OTF2_METRIC_ABSOLUTE_NEXT,
		.value_type = OTF2_TYPE_UINT64,
		.base = OTF2_BASE_DECIMAL};
	struct measure_metric_class metric_class;

	snprintf(name, sizeof(name), "Kokkos memory [%s]", site->name);
	return measure_metric_class_define(&info, 1, OTF2_METRIC_ASYNCHRONOUS, &metric_class)
		       ? metric_class.id
		       : MEASURE_UNDEFINED;
}

/* A name that is kept: equal names are one text. */
static struct kokkos_memory *memory_of(const char *space)
{
	struct measure_text *text = measure_text_find(space, MEASURE_TEXT_VALUE);

	for (uint32_t i = 0; text && i < MOST_SPACES; i++) {
		const char *known = NULL;
		if (__atomic_compare_exchange_n(&memories[i].metric.name, &known, text->site.name,
			    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
			known == text->site.name)
			return &memories[i];
	}
	return NULL;
}

/* Kokkos tells of what has happened: a region without time. What is in use follows it. */
static void write_memory(enum kokkos_kind kind, const char *label, const char *space, int64_t added,
	const struct measure_typed_value *values, uint32_t nr)
{
	struct kokkos_memory *memory = memory_of(space);
	const uint32_t metric = memory ? measure_site_id(&memory->metric, kokkos_define_metric) : 0;
	const measure_region_t region = kokkos_region(kind, KOKKOS_HOST, label);
	struct measure_location *location =
		region == MEASURE_UNDEFINED ? NULL : measure_record_begin_followed();

	if (!location)
		return;
	measure_write_attributes(location, values, nr);
	measure_write_enter(location, region);
	measure_write_leave(location, region);
	if (metric) {
		const struct measure_metric_class metric_class = {
			metric - 1, 1, {OTF2_TYPE_UINT64}};
		const int64_t now = atomic_fetch_add(&memory->bytes, added) + added;
		measure_write_metric(location, &metric_class,
			&(union measure_metric_value){.unsigned_int = now > 0 ? (uint64_t)now : 0});
	}
	measure_record_end(location);
}

void kokkosp_allocate_data(
	struct kokkos_space space, const char *label, const void *address, uint64_t bytes)
{
	if (!measure_is_recording_followed())
		return;
	const struct measure_typed_value values[] = {
		kokkos_number(KOKKOS_ALLOCATED, bytes),
		kokkos_number(KOKKOS_RESULT, (uintptr_t)address),
		kokkos_text(KOKKOS_SPACE, space.name),
		kokkos_text(KOKKOS_LABEL, label),
	};
	write_memory(KOKKOS_ALLOCATE, "Kokkos::allocate", space.name, (int64_t)bytes, values,
		NR(values));
}

void kokkosp_deallocate_data(
	struct kokkos_space space, const char *label, const void *address, uint64_t bytes)
{
	if (!measure_is_recording_followed())
		return;
	const struct measure_typed_value values[] = {
		kokkos_number(KOKKOS_RELEASED, bytes),
		kokkos_number(KOKKOS_ARGUMENT, (uintptr_t)address),
		kokkos_text(KOKKOS_SPACE, space.name),
		kokkos_text(KOKKOS_LABEL, label),
	};
	write_memory(KOKKOS_DEALLOCATE, "Kokkos::deallocate", space.name, -(int64_t)bytes, values,
		NR(values));
}
