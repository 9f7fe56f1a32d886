/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of the calls; see memory_calls.h. What a call takes away is counted before it, and what it
 * gives after it: at no time is memory of two threads counted at one address. */
#include "config.h"

#include "memory_calls_inline.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

static const struct {
	const char *name;
	const char *symbol;
	uint8_t role;
} calls[NR_CALLS] = {
#define ROW(type, symbol, name, role, otherwise, parameters, arguments)                            \
	{name, #symbol, OTF2_REGION_ROLE_##role},
#include "memory_calls.def"
};

/* Ours is not the program's. */
const char *const measure_callers_silent[] = {
	"libmeasure", "libotf2", "libopen-trace-format2", NULL};

struct measure_memory_records measure_memory_records;
struct measure_memory_use measure_memory_use;
#define records measure_memory_records

/* -------------------------------------------------------------------- definitions --- */

static void call_define_region(enum measure_memory_call call)
{
	const struct measure_region_info info = {
		.name = calls[call].name,
		.canonical_name = calls[call].symbol,
		.role = calls[call].role,
		.paradigm = OTF2_PARADIGM_NONE,
	};

	records.regions[call] = measure_region_define(&info);
}

#define LIST(list, ...)                                                                            \
	measure_attribute_list_make(&records.list, (const measure_attribute_t[]){__VA_ARGS__},     \
		sizeof((measure_attribute_t[]){__VA_ARGS__}) / sizeof(measure_attribute_t))

static void make_lists(void)
{
	const measure_attribute_t allocated_size =
		measure_attribute_define("ALLOCATION_SIZE", "Bytes requested", OTF2_TYPE_UINT64);
	const measure_attribute_t released_size =
		measure_attribute_define("DEALLOCATION_SIZE", "Bytes released", OTF2_TYPE_UINT64);
	const measure_attribute_t address = measure_attribute_define("ARGUMENT_ADDRESS",
		"Address of the memory that is freed or resized", OTF2_TYPE_UINT64);
	const measure_attribute_t result = measure_attribute_define("RESULT_ADDRESS",
		"Address of the memory; 0 if the allocation failed", OTF2_TYPE_UINT64);

	LIST(allocates, allocated_size);
	LIST(frees_unknown, address);
	LIST(frees, address, released_size);
	LIST(changes_unknown, address, allocated_size);
	LIST(changes, address, allocated_size, released_size);
	LIST(returns, result);
}

void measure_memory_start(void)
{
	const struct measure_metric_info metric = {
		.name = "Allocated memory",
		.description = "Bytes requested by all threads of the process and not yet freed",
		.unit = "bytes",
		.type = OTF2_METRIC_TYPE_OTHER,
		.mode = OTF2_METRIC_ABSOLUTE_NEXT,
		.value_type = OTF2_TYPE_UINT64,
		.base = OTF2_BASE_DECIMAL,
	};

	make_lists();
	for (int call = 0; call < NR_CALLS; call++)
		call_define_region(call);
	measure_metric_class_define(&metric, 1, OTF2_METRIC_SYNCHRONOUS, &records.usage);
	records.smallest = measure_option_size("memory_min");
	atomic_store_explicit(&records.is_on, true, memory_order_release);
}

/* ------------------------------------------------------------------------- before --- */

void measure_memory_changes(struct measure_memory_open *open, const void *address, size_t size)
{
	const size_t before = measure_size_take(address);
	const bool is_known = before != MEASURE_SIZE_UNKNOWN;
	const uint64_t values[] = {(uintptr_t)address, size, before};

	open->released = before;
	if (size >= records.smallest || (is_known && before >= records.smallest))
		measure_memory_enter(
			open, is_known ? &records.changes : &records.changes_unknown, values, NULL);
}

void measure_memory_unmaps(struct measure_memory_open *open, const void *address, size_t size)
{
	const uint64_t values[] = {(uintptr_t)address, size};

	if (size >= records.smallest)
		measure_memory_enter(open, &records.frees, values, NULL);
}

void measure_memory_remaps(
	struct measure_memory_open *open, const void *address, size_t old_size, size_t size)
{
	const uint64_t values[] = {(uintptr_t)address, size, old_size};

	if (size >= records.smallest || old_size >= records.smallest)
		measure_memory_enter(open, &records.changes, values, NULL);
}

/* -------------------------------------------------------------------------- after --- */

/* A size of 0 frees, and may return NULL, which is no failure then. */
void measure_memory_changed(
	struct measure_memory_open *open, const void *address, const void *result, size_t size)
{
	const bool was_known = open->released != MEASURE_SIZE_UNKNOWN;
	int64_t added = was_known ? -(int64_t)open->released : 0;

	if (result)
		added += measure_size_put(result, size);
	else if (was_known && size > 0)
		added += measure_size_put(address, open->released);
	measure_memory_leave_with(open, result, added);
}

void measure_memory_mapped(struct measure_memory_open *open, const void *result)
{
	measure_memory_leave_with(open, result, 0);
}
