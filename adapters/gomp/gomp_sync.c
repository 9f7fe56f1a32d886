/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers and cancellations. What GCC makes of the implicit barrier of some constructs is an
 * explicit one: at run time the two look the same. */
#include "config.h"

#include "gomp_construct.h"
#include "ordered.h"

/* The barrier of a team, for whoever asks who has come to it. In a transaction. */
void measure_gomp_barrier_note(
	struct measure_location *location, const struct measure_gomp_level *level, bool is_last)
{
	struct measure_pending_item item = measure_pending_object(
		MEASURE_PENDING_GATHER, OTF2_PARADIGM_OPENMP, (uintptr_t)level->team);

	item.number = level->nr_barriers;
	item.operation = is_last;
	measure_pending_note(location, item);
}

static measure_region_t wait_begin(
	const void *address, const char *name, uint8_t role, bool is_barrier)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_gomp_level *level;
	struct measure_location *location;
	measure_region_t region;

	if (!thread)
		return MEASURE_UNDEFINED;
	region = measure_gomp_region(thread, address, name, role);
	location = measure_record_begin();
	if (!location)
		return MEASURE_UNDEFINED;
	if (is_barrier)
		measure_gomp_leave_works(thread, location);
	measure_write_enter(location, region);
	if (is_barrier && (level = measure_gomp_level(thread)) && level->team) {
		measure_gomp_barrier_note(location, level, false);
		level->nr_barriers++;
	}
	measure_record_end(location);
	return region;
}

measure_region_t measure_gomp_wait_begin(const void *address, const char *name, uint8_t role)
{
	return wait_begin(address, name, role, false);
}

measure_region_t measure_gomp_barrier_begin(const void *address, const char *name, uint8_t role)
{
	return wait_begin(address, name, role, true);
}

void measure_gomp_wait_end(measure_region_t region)
{
	struct measure_location *location;

	measure_order_clock();
	location = region != MEASURE_UNDEFINED ? measure_record_begin() : NULL;
	if (!location)
		return;
	measure_write_leave(location, region);
	measure_record_end(location);
}

uint8_t measure_gomp_role_of_cancellable(uint8_t role)
{
	return measure_gomp_real.omp_get_cancellation() ? OTF2_REGION_ROLE_WRAPPER : role;
}

void measure_gomp_moment(const void *address, const char *name, uint8_t role)
{
	struct measure_gomp_thread *thread = measure_gomp_thread_recording();
	struct measure_location *location;
	measure_region_t region;

	if (!thread)
		return;
	region = measure_gomp_region(thread, address, name, role);
	location = measure_record_begin();
	if (!location)
		return;
	measure_write_enter(location, region);
	measure_write_leave(location, region);
	measure_record_end(location);
}

MEASURE_GOMP_WAITS(GOMP_barrier, (void), (),
	measure_gomp_barrier_begin(address, "!$omp barrier", OTF2_REGION_ROLE_BARRIER))
MEASURE_GOMP_WAITS_CANCEL(
	GOMP_barrier_cancel, measure_gomp_barrier_begin(address, "!$omp barrier",
				     measure_gomp_role_of_cancellable(OTF2_REGION_ROLE_BARRIER)))

/* ------------------------------------------------------------------ cancellations --- */

bool GOMP_cancel(int which, bool is_asked)
{
	bool is_cancelled;

	measure_gomp_resolve();
	is_cancelled = measure_gomp_real.GOMP_cancel(which, is_asked);
	if (is_cancelled)
		measure_gomp_moment(__builtin_return_address(0),
			is_asked ? "!$omp cancel" : "!$omp cancellation point",
			OTF2_REGION_ROLE_WRAPPER);
	return is_cancelled;
}

bool GOMP_cancellation_point(int which)
{
	bool is_cancelled;

	measure_gomp_resolve();
	is_cancelled = measure_gomp_real.GOMP_cancellation_point(which);
	if (is_cancelled)
		measure_gomp_moment(__builtin_return_address(0), "!$omp cancellation point",
			OTF2_REGION_ROLE_WRAPPER);
	return is_cancelled;
}
