/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions, phases and iterations of the program's own. What is on the path of an event ends in a
 * tail call, as the hooks of functions do. */
#include "config.h"

#include "sites.h"

#include "slow_calls.h"
#include "user_start.h"

static __attribute__((noinline)) void enter_watched(
	const struct measure_site *site, measure_region_t region)
{
	if (region == MEASURE_UNDEFINED)
		return;
	measure_region_enter(region);
	measure_slow_call_begin(site);
}

void measure_user_enter(struct measure_site *site)
{
	measure_region_t region = measure_site_region(site);

	if (__builtin_expect(measure_slow_calls_are_watched, 0)) {
		enter_watched(site, region);
		return;
	}
	if (__builtin_expect(region != MEASURE_UNDEFINED, 1))
		measure_region_enter(region);
}

/* Behind the Leave, which an archive that is asked for has then. */
static __attribute__((noinline)) void leave_watched(
	const struct measure_site *site, measure_region_t region)
{
	if (region == MEASURE_UNDEFINED)
		return;
	measure_region_leave(region);
	measure_slow_call_end(site);
}

void measure_user_leave(struct measure_site *site)
{
	measure_region_t region = measure_site_region(site);

	if (__builtin_expect(measure_slow_calls_are_watched, 0)) {
		leave_watched(site, region);
		return;
	}
	if (__builtin_expect(region != MEASURE_UNDEFINED, 1))
		measure_region_leave(region);
}

void measure_user_phase_end(struct measure_site *site)
{
	measure_user_leave(site);
	measure_phase_end(false);
}

static uint32_t define_number(struct measure_site *site)
{
	return measure_parameter_define(site->name, MEASURE_PARAMETER_UNSIGNED_INT);
}

void measure_user_iteration(struct measure_site *site, uint64_t number)
{
	static struct measure_site iteration = {.name = "iteration"};
	measure_region_t region = measure_site_region(site);
	measure_parameter_t parameter = measure_site_id(&iteration, define_number) - 1;
	struct measure_location *location;

	if (region == MEASURE_UNDEFINED || !(location = measure_record_begin_followed()))
		return;
	measure_write_enter(location, region);
	measure_write_parameter_unsigned_int(location, parameter, number);
	measure_record_end(location);
	if (__builtin_expect(measure_slow_calls_are_watched, 0))
		measure_slow_call_begin(site);
}
