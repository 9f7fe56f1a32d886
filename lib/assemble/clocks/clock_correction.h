/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One time for all processes: that of the reference, the first process of the job. Offsets
 * were measured while the job ran (CLOCK_SAMPLE), or follow from the clocks that the keepers
 * compared (CLOCK_TRIPLE). */
#ifndef MEASURE_ASSEMBLE_CLOCKS_CLOCK_CORRECTION_H
#define MEASURE_ASSEMBLE_CLOCKS_CLOCK_CORRECTION_H

#include <stdint.h>

#include "assemble/unify/job.h"
#include "base/array.h"
#include "clock/clock_function.h"
#include "status.h"

/* Where the offsets of a process come from. */
enum measure_offset_source {
	MEASURE_OFFSET_SAME_CLOCK,  /* it reads the reference's clock */
	MEASURE_OFFSET_MEASURED,    /* two samples or more */
	MEASURE_OFFSET_ONE_SAMPLE,  /* one, and the keepers' frequencies */
	MEASURE_OFFSET_WALL_CLOCK,  /* the nodes' wall clocks, as good as they agree */
	MEASURE_OFFSET_UNKNOWN	    /* nothing is known: taken for 0 */
};

struct measure_correction {
	enum measure_offset_source source;
	struct measure_clock_function function; /* to the reference's ticks; at least two knots */
};

struct measure_clock_correction {
	uint64_t resolution; /* ticks per second of the reference */
	bool is_resolution_known;
	MEASURE_ARRAY(struct measure_correction) corrections; /* by process of the job */
	uint64_t begin;	   /* smallest corrected time */
	uint64_t length;   /* to the greatest */
	uint64_t realtime; /* ns since the epoch at `begin`; UINT64_MAX: unknown */
	uint64_t bound;	   /* largest of the samples, ticks */
};

measure_status_t measure_clock_correction_make(
	const struct measure_job *job, struct measure_clock_correction *timeline);
void measure_clock_correction_free(struct measure_clock_correction *timeline);

/* Samples of one clock's offset, which are worth a knot. drift: of the wall clocks; error: of that,
 * in ticks per tick. The line through two samples that are near to each other, or were taken on a
 * busy machine, drifts by more than the wall clocks do. From the best sample on, those are kept
 * that tell the drift better, or that show that it changes. */
void measure_samples_drop_poor(struct measure_clock_function *samples, double drift, double error);

#endif
