/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which calls are recorded, and their regions; see recorded_calls.h. */
#include "config.h"

#include "recorded_calls.h"

#include <stdatomic.h>

#include "caller_filter.h"

static _Atomic uint32_t chosen; /* groups, as bits */

/* Release pairs with the acquire in measure_call_is_on(). */
void measure_calls_choose(const char *text)
{
	atomic_store_explicit(&chosen,
		measure_groups_choose(&measure_call_groups, text ? text : "auto"),
		memory_order_release);
}

void measure_calls_choose_none(void)
{
	atomic_store_explicit(&chosen, 0, memory_order_release);
}

bool measure_calls_are_on(void)
{
	return atomic_load_explicit(&chosen, memory_order_acquire) != 0;
}

bool measure_call_is_on(unsigned call, const void *caller)
{
	return atomic_load_explicit(&chosen, memory_order_acquire) &
		       1u << measure_call_rows[call].group &&
	       measure_is_recording() && !measure_caller_is_silent(caller);
}

/* Two threads may come at once: the first one's is everybody's, as a Leave has to name what was
 * entered. */
static __attribute__((noinline)) measure_region_t row_define(struct measure_call_row *row)
{
	const struct measure_region_info info = {
		.name = row->name,
		.role = row->role,
		.paradigm = measure_calls_paradigm,
	};
	measure_region_t region = measure_region_define(&info), known = 0;

	if (region == MEASURE_UNDEFINED ||
		atomic_compare_exchange_strong_explicit(&row->region, &known, region + 1,
			memory_order_relaxed, memory_order_relaxed))
		return region;
	return known - 1;
}

measure_region_t measure_call_region(unsigned call)
{
	struct measure_call_row *row = &measure_call_rows[call];
	measure_region_t region = atomic_load_explicit(&row->region, memory_order_relaxed);

	return region ? region - 1 : row_define(row);
}

struct measure_location *measure_call_enter(unsigned call)
{
	const measure_region_t region = measure_call_region(call);
	struct measure_location *location = measure_record_begin();

	if (location)
		measure_write_enter(location, region);
	return location;
}

/* The region is there: it was entered. */
void measure_call_leave(struct measure_location *location, unsigned call)
{
	measure_write_leave(location, measure_call_region(call));
	measure_record_end(location);
}

bool measure_plain_enter(unsigned call, const void *caller)
{
	struct measure_location *location = NULL;

	if (measure_call_is_on(call, caller))
		location = measure_call_enter(call);
	if (location)
		measure_record_end(location);
	return location;
}

void measure_plain_leave(unsigned call)
{
	struct measure_location *location = measure_record_begin();

	if (location)
		measure_call_leave(location, call);
}
