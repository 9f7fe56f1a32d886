/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of the calls, made when they are first needed; see calls.h. */
#include "config.h"

#include "calls.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>

#include "../callers/callers.h"
#include "call_groups.h"

enum {
#define GROUP(name, when) GROUP_##name,
#include "groups_io.def"
#undef GROUP
	NR_GROUPS
};

static const struct measure_call_group items[NR_GROUPS] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_io.def"
#undef GROUP
};
static const struct measure_call_groups groups = {items, NR_GROUPS};

static const struct {
	const char *name;
	uint8_t role;
	uint8_t group;
} calls[NR_CALLS] = {
#define ROW(type, name, group, role, parameters) {#name, OTF2_REGION_ROLE_##role, GROUP_##group},
#include "posixio_calls.def"
};

static _Atomic(measure_region_t) regions[NR_CALLS]; /* id + 1; 0: not yet defined */
static _Atomic uint32_t chosen;                     /* groups, as bits */

/* Release pairs with the acquire in measure_call_is_on(): the paradigms are defined. */
void measure_calls_choose(const char *text)
{
	atomic_store_explicit(&chosen, measure_groups_choose(&groups, text), memory_order_release);
}

/* Two threads may come at once: the first one's is everybody's, as a Leave has to name what was
 * entered. */
static __attribute__((noinline)) measure_region_t define(enum measure_call call)
{
	const struct measure_region_info info = {
		.name = calls[call].name,
		.role = calls[call].role,
		.paradigm = OTF2_PARADIGM_NONE,
	};
	measure_region_t region = measure_region_define(&info), known = 0;

	if (region == MEASURE_UNDEFINED ||
		atomic_compare_exchange_strong_explicit(&regions[call], &known, region + 1,
			memory_order_relaxed, memory_order_relaxed))
		return region;
	return known - 1;
}

static measure_region_t region_of(enum measure_call call)
{
	measure_region_t region = atomic_load_explicit(&regions[call], memory_order_relaxed);

	return region ? region - 1 : define(call);
}

const char *const measure_callers_silent[] = {
#define SILENT(beginning) beginning,
#include "silent.def"
#undef SILENT
	NULL,
};

bool measure_call_is_on(enum measure_call call, const void *caller)
{
	return atomic_load_explicit(&chosen, memory_order_acquire) & 1u << calls[call].group &&
	       measure_is_recording() && !measure_caller_is_silent(caller);
}

struct measure_location *measure_call_enter(enum measure_call call)
{
	const measure_region_t region = region_of(call);
	struct measure_location *location = measure_record_begin();

	if (location)
		measure_write_enter(location, region);
	return location;
}

/* The region is there: it was entered. */
void measure_call_leave(struct measure_location *location, enum measure_call call)
{
	measure_write_leave(location, region_of(call));
	measure_record_end(location);
}

bool measure_plain_enter(enum measure_call call, const void *caller)
{
	struct measure_location *location = NULL;

	if (measure_call_is_on(call, caller))
		location = measure_call_enter(call);
	if (location)
		measure_record_end(location);
	return location;
}

void measure_plain_leave(enum measure_call call)
{
	struct measure_location *location = measure_record_begin();

	if (location)
		measure_call_leave(location, call);
}
