/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integrates step functions; see slices.h. Each interval costs the same, however many slices it
 * covers. */
#include "config.h"

#include "slices.h"

#include <math.h>

#include "trace/common/containers.h"

struct measure_slices measure_slices_of(uint64_t from, uint64_t until, uint64_t step)
{
	struct measure_slices slices = {.from = from, .until = until, .step = step > 0 ? step : 1};

	if (until > from)
		slices.nr = (until - from - 1) / slices.step + 1;
	return slices;
}

static uint64_t slice_begin(const struct measure_slices *slices, size_t index)
{
	return slices->from + index * slices->step;
}

static uint64_t slice_end(const struct measure_slices *slices, size_t index)
{
	return index + 1 < slices->nr ? slice_begin(slices, index + 1) : slices->until;
}

uint64_t measure_slice_length(const struct measure_slices *slices, size_t index)
{
	return slice_end(slices, index) - slice_begin(slices, index);
}

void measure_step_function_start(
	struct measure_step_function *function, const struct measure_slices *slices)
{
	function->slices = slices;
	function->parts = measure_zeroed(slices->nr, sizeof(*function->parts));
	function->levels = measure_zeroed(slices->nr, sizeof(*function->levels));
}

void measure_step_function_free(struct measure_step_function *function)
{
	measure_free(function->parts);
	measure_free(function->levels);
}

void measure_step_function_add(
	struct measure_step_function *function, uint64_t start, uint64_t end, double height)
{
	const struct measure_slices *slices = function->slices;
	size_t first, last;

	start = start > slices->from ? start : slices->from;
	end = end < slices->until ? end : slices->until;
	if (start >= end)
		return;
	first = (start - slices->from) / slices->step;
	last = (end - 1 - slices->from) / slices->step;
	if (first == last) {
		function->parts[first] += height * (double)(end - start);
		return;
	}
	function->parts[first] += height * (double)(slice_end(slices, first) - start);
	function->parts[last] += height * (double)(end - slice_begin(slices, last));
	function->levels[first + 1] += height;
	function->levels[last] -= height;
}

/* Sums of heights that are no integers leave less than that of the highest one. */
#define REMAINDER 1e-13

void measure_step_function_means(const struct measure_step_function *function, double *means)
{
	double level = 0, highest = 0;

	for (size_t i = 0; i < function->slices->nr; i++) {
		level += function->levels[i];
		highest = fabs(level) > highest ? fabs(level) : highest;
		if (fabs(level) < REMAINDER * highest)
			level = 0;
		means[i] = level +
			   function->parts[i] / (double)measure_slice_length(function->slices, i);
	}
}
