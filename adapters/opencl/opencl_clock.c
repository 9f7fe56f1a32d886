/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock of a device; see opencl_clock.h. */
#include "config.h"

#include "opencl_clock.h"

#include "adapter.h"

/* By how much the distance of two clocks may change meanwhile; also what is not known yet of the
 * recording clock's frequency. */
#define DRIFT 50e-6

/* Asking takes 20 us, as long as the run is short. */
static double ticks_per_ns(struct measure_opencl_clock *clock)
{
	const uint64_t now = measure_clock_now();

	if (now >= clock->next_look) {
		clock->begin = clock->begin ? clock->begin : now;
		clock->next_look = now + (now - clock->begin) + 1;
		clock->rate = measure_clock_frequency() * 1e-9;
	}
	return clock->rate;
}

/* Signed: the clock is known for some time that may be later. */
static double ticks_since(struct measure_opencl_clock *clock, uint64_t ns)
{
	return (double)(int64_t)(ns - clock->ns) * ticks_per_ns(clock);
}

static double error_at(const struct measure_opencl_clock *clock, double ticks)
{
	return clock->error + DRIFT * (ticks < 0 ? -ticks : ticks);
}

/* The common part of what was known and what is known now; if there is none, the clock has jumped.
 */
void measure_opencl_clock_note(
	struct measure_opencl_clock *clock, uint64_t ns, uint64_t begin, uint64_t end)
{
	const double half = (double)(end - begin) / 2;
	double low = -half, high = half; /* around the middle of the new bounds */

	if (clock->is_known) {
		const double since = ticks_since(clock, ns), error = error_at(clock, since);
		const double expected =
			(double)(int64_t)(clock->ticks - begin) - half + since;

		if (error <= half && expected - error >= low && expected + error <= high)
			return;
		if (expected - error > low && expected - error <= high)
			low = expected - error;
		if (expected + error < high && expected + error >= low)
			high = expected + error;
	}
	clock->is_known = true;
	clock->ns = ns;
	clock->ticks = begin + (uint64_t)(half + (low + high) / 2);
	clock->error = (high - low) / 2;
}

uint64_t measure_opencl_clock_ticks(struct measure_opencl_clock *clock, uint64_t ns)
{
	const double ticks = ticks_since(clock, ns), error = error_at(clock, ticks);

	if (error > clock->worst)
		clock->worst = error;
	return clock->ticks + (uint64_t)(int64_t)ticks;
}

uint64_t measure_opencl_clock_length(struct measure_opencl_clock *clock, uint64_t ns)
{
	return (uint64_t)((double)ns * ticks_per_ns(clock));
}

uint64_t measure_opencl_clock_error(const struct measure_opencl_clock *clock)
{
	return clock->rate > 0 ? (uint64_t)(clock->worst / clock->rate) : 0;
}
