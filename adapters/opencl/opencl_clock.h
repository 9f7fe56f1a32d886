/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock of a device, related to that of the recording. A device says in ns of its own clock
 * when a command entered its queue, which the host knows to be during the call that put it there.
 * So each command bounds the distance of the clocks, and the tightest recent bounds are kept. */
#ifndef MEASURE_OPENCL_CLOCK_H
#define MEASURE_OPENCL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: not known. At `ns` of the device the recording clock had `ticks`, with an error of at
 * most `error` ticks. */
struct measure_opencl_clock {
	bool is_known;
	uint64_t ns;
	uint64_t ticks;
	double error;
	double worst; /* error of the times that were converted, ticks */
	double rate;  /* ticks in a ns; known better the longer the run goes on */
	uint64_t begin, next_look;
};

/* It was `ns` on the device at a time between these ticks. */
void measure_opencl_clock_note(
	struct measure_opencl_clock *clock, uint64_t ns, uint64_t begin, uint64_t end);

/* Ticks of a time of the device. */
uint64_t measure_opencl_clock_ticks(struct measure_opencl_clock *clock, uint64_t ns);

/* Ticks in so many ns. */
uint64_t measure_opencl_clock_length(struct measure_opencl_clock *clock, uint64_t ns);

/* Error of all that were converted, ns. */
uint64_t measure_opencl_clock_error(const struct measure_opencl_clock *clock);

#endif
