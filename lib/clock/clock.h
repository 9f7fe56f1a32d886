/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The recording clock: one per process, chosen once. Nothing else in lib reads time. The
 * keeper chooses the same clock as its process, for the triples. measure_clock_now(),
 * _frequency() and _domain() are declared in adapter.h. */
#ifndef MEASURE_CLOCK_CLOCK_H
#define MEASURE_CLOCK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"
#include "status.h"

struct measure_def_clock_triple;
struct measure_def_clock_truth;

/* What to choose. Specifications:
 *	auto		tsc where it is invariant and the kernel trusts it, else monotonic_raw
 *	tsc monotonic_raw monotonic realtime
 *	simulated[:key=value,...]
 *			the auto clock bent on purpose, for tests: offset=TIME (1ms, 2s, -3us),
 *			drift=PPM (50ppm or 50), walk=PPM (random walk of the drift, changed
 *			every second), step=TIME@TIME (a jump of the first after the second),
 *			seed=N, clock=NAME (the real clock under it). All amounts are multiplied
 *			by the launch rank, so that rank 0 is right and the others are not. */
struct measure_clock_choice {
	const char *specification; /* NULL or "": auto */
	uint32_t rank;		   /* launch rank; 0 without a launcher */
	uint64_t origin;	   /* real ticks at which a simulated clock starts to deviate;
				      0: now. The process must be given the keeper's value. */
};

/* Chooses the clock. MEASURE_ERROR_USAGE: no such clock or bad parameter;
 * MEASURE_ERROR_UNSUPPORTED: not on this machine. On error the clock is auto. */
measure_status_t measure_clock_start(const struct measure_clock_choice *choice);

/* Could it be started? MEASURE_ERROR_USAGE, MEASURE_ERROR_UNSUPPORTED as above; says why not in one
 * line. */
measure_status_t measure_clock_check(const char *specification, const char **why);

/* Real ticks at which a simulated clock starts to deviate, as started. */
uint64_t measure_clock_origin(void);

/* Canonical text of the clock in use: "tsc", "simulated:offset=1ms,...". */
const char *measure_clock_text(void);

/* True where the frequency is nominal and exact by definition (clock_gettime: 1e9). */
bool measure_clock_is_exact(void);

/* Processor time of the calling thread, ns; 0 if unavailable. A system call, some 0.2 us. */
uint64_t measure_clock_thread_cpu(void);

/* One moment on three clocks; best of a few tries. About 1 us. */
void measure_clock_triple(struct measure_def_clock_triple *triple);

/* How the simulated clock deviates; false for real clocks. */
bool measure_clock_truth(struct measure_def_clock_truth *truth);

#endif
