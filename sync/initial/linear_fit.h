/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A clock's offset as a straight line, and the line that fits best between bounds. */
#ifndef MEASURE_SYNC_INITIAL_LINEAR_FIT_H
#define MEASURE_SYNC_INITIAL_LINEAR_FIT_H

#include <stddef.h>
#include <stdint.h>

/* offset = `offset` + `slope` * (time - `time`): exact at one time, and a slope. */
struct measure_line {
	uint64_t time;
	int64_t offset;
	double slope;
};

/* The offset at a time. */
int64_t measure_line_at(const struct measure_line *line, uint64_t time);

/* From the other clock's time back to this one's. */
struct measure_line measure_line_invert(const struct measure_line *line);

/* First one line, then another one from the time that the first one gives. */
struct measure_line measure_line_join(
	const struct measure_line *first, const struct measure_line *then);

/* At `time` the offset is no less than that, or no more. */
struct measure_line_bound {
	uint64_t time;
	int64_t offset;
};

/* The line in the middle between `nr_lows` lower and `nr_highs` upper bounds, both in the order of
 * time (and moved about in place). Where they leave the slope open it is the one nearest to 0;
 * where no line fits, the one that misses by least. `*half`: how far at most from it the
 * true line can be between `first` and `last`; HUGE_VAL: no line fits, or one side has no
 * bounds. One bound at least. */
struct measure_line measure_line_fit(struct measure_line_bound *lows, size_t nr_lows,
	struct measure_line_bound *highs, size_t nr_highs, uint64_t first, uint64_t last,
	double *half);

#endif
