/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of the calls; see calls.h. What a call takes away is counted before it, and what it
 * gives after it: at no time is memory of two threads counted at one address. */
#include "config.h"

#include "calls.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

#include "../callers/callers.h"
#include "sizes.h"
#include "thread.h"

static const struct {
	const char *name;
	const char *symbol;
	uint8_t role;
} calls[NR_CALLS] = {
#define ROW(symbol, name, role)                                        {name, #symbol, OTF2_REGION_ROLE_##role},
#define ALLOCATE(symbol, name, size, otherwise, parameters, arguments) ROW(symbol, name, ALLOCATE)
#define NEW(symbol, name, size, otherwise, parameters, arguments)      ROW(symbol, name, ALLOCATE)
#define FREE(symbol, name, address, otherwise, parameters, arguments)  ROW(symbol, name, DEALLOCATE)
#define OTHER(type, symbol, role, otherwise, parameters, arguments)    ROW(symbol, #symbol, role)
#include "memory_calls.def"
};

/* Ours is not the program's. */
const char *const measure_callers_silent[] = {
	"libmeasure", "libotf2", "libopen-trace-format2", NULL};

static _Atomic bool is_on;

/* Made before it is on, also the regions: the core may allocate memory by way of the C library,
 * with the lock of definitions. */
static measure_region_t regions[NR_CALLS];
static measure_attribute_t allocated_size, released_size, argument_address, result_address;
static struct measure_metric_class usage;
static size_t smallest; /* that is recorded */

/* Bytes in use, of all threads; alone in its cache line. Threads that write to it again and again
 * would slow each other down: each adds up its own, and counts them here when they come to this
 * part of all, and else soon enough. */
static _Alignas(64) _Atomic int64_t in_use;
static _Alignas(64) char behind __attribute__((unused));
#define NOTABLE_BITS 12 /* 1/4096 */

/* -------------------------------------------------------------------- definitions --- */

static void define_region(enum measure_memory_call call)
{
	const struct measure_region_info info = {
		.name = calls[call].name,
		.canonical_name = calls[call].symbol,
		.role = calls[call].role,
		.paradigm = OTF2_PARADIGM_NONE,
	};

	regions[call] = measure_region_define(&info);
}

void measure_memory_start(void)
{
	const struct measure_metric_info metric = {
		.name = "Allocated memory",
		.description = "Bytes that all threads of the process have allocated and not yet "
			       "freed, as asked for",
		.unit = "bytes",
		.type = OTF2_METRIC_TYPE_OTHER,
		.mode = OTF2_METRIC_ABSOLUTE_NEXT,
		.value_type = OTF2_TYPE_UINT64,
		.base = OTF2_BASE_DECIMAL,
	};

	allocated_size =
		measure_attribute_define("ALLOCATION_SIZE", "Bytes asked for", OTF2_TYPE_UINT64);
	released_size =
		measure_attribute_define("DEALLOCATION_SIZE", "Bytes given back", OTF2_TYPE_UINT64);
	argument_address = measure_attribute_define(
		"ARGUMENT_ADDRESS", "Address of what is given back or changed", OTF2_TYPE_UINT64);
	result_address = measure_attribute_define(
		"RESULT_ADDRESS", "Address of the memory; 0: there was none", OTF2_TYPE_UINT64);
	for (int call = 0; call < NR_CALLS; call++)
		define_region(call);
	measure_metric_class_define(&metric, 1, OTF2_METRIC_SYNCHRONOUS, &usage);
	smallest = measure_option_size("memory_min");
	atomic_store_explicit(&is_on, true, memory_order_release);
}

/* ------------------------------------------------------------------------ records --- */

static inline struct measure_typed_value value_of(measure_attribute_t attribute, uint64_t value)
{
	return (struct measure_typed_value){
		.attribute = attribute, .type = OTF2_TYPE_UINT64, .unsigned_int = value};
}

/* True: what is in use has changed notably, to *now. The record comes a little later; two threads'
 * values may have changed places by then. */
static inline bool count(int64_t bytes, union measure_metric_value *now)
{
	struct measure_memory_thread *self = measure_memory_self;
	int64_t pending = self->pending + bytes;
	int64_t known = atomic_load_explicit(&in_use, memory_order_relaxed);

	if ((pending < 0 ? -pending : pending) <= known >> NOTABLE_BITS) {
		self->pending = pending;
		return false;
	}
	self->pending = 0;
	known = atomic_fetch_add_explicit(&in_use, pending, memory_order_relaxed) + pending;
	now->unsigned_int = known > 0 ? (uint64_t)known : 0;
	return true;
}

bool measure_memory_is_call(struct measure_memory_open *open, enum measure_memory_call call,
	const void *caller, char *frame)
{
	struct measure_memory_thread *self = measure_memory_self;

	/* acquire: what measure_memory_start() has made */
	if (!atomic_load_explicit(&is_on, memory_order_acquire) || (self && frame < self->inside) ||
		!measure_is_recording() || measure_caller_is_silent(caller))
		return false;
	if (!self && !(self = measure_memory_thread_begin()))
		return false;
	self->inside = frame;
	*open = (struct measure_memory_open){call, true, false, MEASURE_SIZE_UNKNOWN};
	return true;
}

static void enter(struct measure_memory_open *open, const struct measure_beside *beside)
{
	open->is_recorded = measure_record_enter(regions[open->call], beside);
}

static void leave(struct measure_memory_open *open, const struct measure_beside *beside)
{
	if (open->is_recorded)
		measure_record_leave(regions[open->call], beside);
	open->is_open = false;
	measure_memory_self->inside = NULL;
}

/* `now`: what is in use after it, or NULL; behind the Leave, as that may be one that a filter takes
 * back with its Enter. */
static void leave_with(
	struct measure_memory_open *open, const void *result, const union measure_metric_value *now)
{
	const struct measure_typed_value value = value_of(result_address, (uintptr_t)result);

	leave(open, &(struct measure_beside){&value, 1, now ? &usage : NULL, now});
}

/* ------------------------------------------------------------------------- before --- */

void measure_memory_allocates(struct measure_memory_open *open, size_t size)
{
	const struct measure_typed_value value = value_of(allocated_size, size);

	if (size >= smallest)
		enter(open, &(struct measure_beside){&value, 1, NULL, NULL});
}

/* The size of an address that is not known stays open: of one that was given back already, or never
 * allocated, or before recording began. The allocator will say what is to be said. */
void measure_memory_frees(struct measure_memory_open *open, const void *address)
{
	const size_t size = measure_size_take(address);
	const bool is_known = size != MEASURE_SIZE_UNKNOWN;
	const struct measure_typed_value values[] = {
		value_of(argument_address, (uintptr_t)address), value_of(released_size, size)};
	union measure_metric_value now;
	const bool is_notable = is_known && count(-(int64_t)size, &now);

	if (is_known ? size >= smallest : address || smallest == 0)
		enter(open, &(struct measure_beside){
				    values, 1 + is_known, is_notable ? &usage : NULL, &now});
}

void measure_memory_changes(struct measure_memory_open *open, const void *address, size_t size)
{
	const size_t before = measure_size_take(address);
	const bool is_known = before != MEASURE_SIZE_UNKNOWN;
	const struct measure_typed_value values[] = {value_of(argument_address, (uintptr_t)address),
		value_of(allocated_size, size), value_of(released_size, before)};

	open->released = before;
	if (size >= smallest || (is_known && before >= smallest))
		enter(open, &(struct measure_beside){values, 2 + is_known, NULL, NULL});
}

void measure_memory_unmaps(struct measure_memory_open *open, const void *address, size_t size)
{
	const struct measure_typed_value values[] = {
		value_of(argument_address, (uintptr_t)address), value_of(released_size, size)};

	if (size >= smallest)
		enter(open, &(struct measure_beside){values, 2, NULL, NULL});
}

void measure_memory_remaps(
	struct measure_memory_open *open, const void *address, size_t old_size, size_t size)
{
	const struct measure_typed_value values[] = {value_of(argument_address, (uintptr_t)address),
		value_of(allocated_size, size), value_of(released_size, old_size)};

	if (size >= smallest || old_size >= smallest)
		enter(open, &(struct measure_beside){values, 3, NULL, NULL});
}

/* -------------------------------------------------------------------------- after --- */

/* What is at a new address is in use from now on: how much more that is. */
static int64_t keep(const void *address, size_t size)
{
	bool is_kept;
	size_t before = measure_size_put(address, size, &is_kept);

	return (is_kept ? (int64_t)size : 0) -
	       (before != MEASURE_SIZE_UNKNOWN ? (int64_t)before : 0);
}

void measure_memory_allocated(struct measure_memory_open *open, const void *result, size_t size)
{
	union measure_metric_value now;
	const bool is_notable = result && count(keep(result, size), &now);

	leave_with(open, result, is_notable ? &now : NULL);
}

/* A size of 0 frees, and may return NULL, which is no failure then. */
void measure_memory_changed(
	struct measure_memory_open *open, const void *address, const void *result, size_t size)
{
	const bool was_known = open->released != MEASURE_SIZE_UNKNOWN;
	int64_t added = was_known ? -(int64_t)open->released : 0;
	union measure_metric_value now;

	if (result)
		added += keep(result, size);
	else if (was_known && size > 0)
		added += keep(address, open->released);
	leave_with(open, result, count(added, &now) ? &now : NULL);
}

void measure_memory_mapped(struct measure_memory_open *open, const void *result)
{
	leave_with(open, result, NULL);
}

void measure_memory_freed(struct measure_memory_open *open)
{
	leave(open, &(struct measure_beside){0});
}
