/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers. What GCC makes of the implicit barrier of some constructs is an explicit one: at run
 * time the two look the same. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "exports.h"
#include "thread.h"

/* Returns the region, MEASURE_UNDEFINED where nothing was recorded. */
static measure_region_t wait_enter(const void *address, const char *name, uint8_t role)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_location *location;
	measure_region_t region;

	if (!thread)
		return MEASURE_UNDEFINED;
	region = measure_gomp_region(thread, address, name, role);
	location = measure_record_begin();
	if (!location)
		return MEASURE_UNDEFINED;
	measure_gomp_leave_works(thread, location);
	measure_write_enter(location, region);
	measure_record_end(location);
	return region;
}

static void wait_leave(measure_region_t region)
{
	struct measure_location *location;

	location = region != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
	if (!location)
		return;
	measure_write_leave(location, region);
	measure_record_end(location);
}

/* A barrier that can be cancelled need not bring all threads together, so it must not say that
 * it does. */
static uint8_t role_of_cancellable(uint8_t role)
{
	return measure_gomp_real.omp_get_cancellation() ? OTF2_REGION_ROLE_WRAPPER : role;
}

void GOMP_barrier(void)
{
	measure_region_t region;

	measure_gomp_resolve();
	region = wait_enter(__builtin_return_address(0), "!$omp barrier", OTF2_REGION_ROLE_BARRIER);
	measure_gomp_real.GOMP_barrier();
	wait_leave(region);
}

bool GOMP_barrier_cancel(void)
{
	measure_region_t region;
	bool is_cancelled;

	measure_gomp_resolve();
	region = wait_enter(__builtin_return_address(0), "!$omp barrier",
		role_of_cancellable(OTF2_REGION_ROLE_BARRIER));
	is_cancelled = measure_gomp_real.GOMP_barrier_cancel();
	wait_leave(region);
	return is_cancelled;
}
