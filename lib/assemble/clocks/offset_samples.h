/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples of one clock's offset, and which of them are worth a knot. */
#ifndef MEASURE_ASSEMBLE_CLOCKS_OFFSET_SAMPLES_H
#define MEASURE_ASSEMBLE_CLOCKS_OFFSET_SAMPLES_H

#include "clock/clock_function.h"

/* drift: of the wall clocks; error: of that, in ticks per tick.
 * The line through two samples that are near to each other, or were taken on a busy machine,
 * drifts by more than the wall clocks do. From the best sample on, those are kept that tell the
 * drift better, or that show that it changes. */
void measure_samples_drop_poor(struct measure_clock_function *samples, double drift, double error);

#endif
