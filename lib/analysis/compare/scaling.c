/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups runs by their number of locations; see scaling.h. */
#include "config.h"

#include "scaling.h"

#include <stdlib.h>

static bool is_of_step(
	const struct measure_scaling_step *step, const struct measure_compared_run *run)
{
	return step->nr_processes == run->nr_processes && step->nr_locations == run->nr_locations;
}

static int compare_steps(const void *left, const void *right)
{
	const struct measure_scaling_step *a = left, *b = right;

	if (a->nr_locations != b->nr_locations)
		return a->nr_locations < b->nr_locations ? -1 : 1;
	return (a->nr_processes > b->nr_processes) - (a->nr_processes < b->nr_processes);
}

static void add_step(struct measure_scaling *scaling, const struct measure_compared_run *run)
{
	for (size_t i = 0; i < scaling->nr_steps; i++) {
		if (!is_of_step(&scaling->steps[i], run))
			continue;
		scaling->steps[i].nr_runs++;
		return;
	}
	scaling->steps = measure_grow(
		scaling->steps, scaling->nr_steps, &scaling->room_steps, sizeof(*scaling->steps));
	scaling->steps[scaling->nr_steps++] =
		(struct measure_scaling_step){run->nr_processes, run->nr_locations, 1};
}

/* What a run has of a row. */
static double run_seconds(const struct measure_alignment *alignment, uint32_t frame, size_t number)
{
	const struct measure_compared_run *run = alignment->runs[number];
	const double resolution = (double)run->resolution;

	if (frame == MEASURE_NONE)
		return (double)run->span / resolution;
	return (double)alignment->by_frame[frame * alignment->nr_runs + number] / resolution /
	       (run->nr_locations ? run->nr_locations : 1);
}

static void add_row(
	struct measure_scaling *scaling, const struct measure_alignment *alignment, uint32_t frame)
{
	struct measure_scaling_row *row = &scaling->rows[scaling->nr_rows++];

	row->frame = frame;
	row->seconds = measure_zeroed(scaling->nr_steps, sizeof(*row->seconds));
	for (size_t step = 0; step < scaling->nr_steps; step++)
		for (size_t run = 0; run < alignment->nr_runs; run++)
			if (is_of_step(&scaling->steps[step], alignment->runs[run]))
				row->seconds[step] += run_seconds(alignment, frame, run) /
						      (double)scaling->steps[step].nr_runs;
}

/* The frame with the most time of those that are not in rows yet, or MEASURE_NONE. */
static uint32_t find_next(
	const struct measure_scaling *scaling, const struct measure_alignment *alignment)
{
	uint32_t found = MEASURE_NONE;
	double most = 0;

	for (uint32_t frame = 0; frame < alignment->frames->nr; frame++) {
		double sum = 0;
		bool is_there = !measure_alignment_keeps(alignment, frame);

		for (size_t i = 0; i < scaling->nr_rows; i++)
			is_there |= scaling->rows[i].frame == frame;
		for (size_t run = 0; run < alignment->nr_runs && !is_there; run++)
			sum += run_seconds(alignment, frame, run);
		if (sum > most) {
			most = sum;
			found = frame;
		}
	}
	return found;
}

void measure_scaling_make(
	struct measure_scaling *scaling, const struct measure_comparison *comparison)
{
	const struct measure_alignment *alignment = comparison->alignment;

	*scaling = (struct measure_scaling){.nr_steps = 0};
	if (!comparison->is_by_location)
		return;
	for (size_t i = 0; i < alignment->nr_runs; i++)
		add_step(scaling, alignment->runs[i]);
	qsort(scaling->steps, scaling->nr_steps, sizeof(*scaling->steps), compare_steps);
	add_row(scaling, alignment, MEASURE_NONE);
	for (uint32_t frame; scaling->nr_rows <= MEASURE_SCALING_REGIONS &&
			     (frame = find_next(scaling, alignment)) != MEASURE_NONE;)
		add_row(scaling, alignment, frame);
}

void measure_scaling_free(struct measure_scaling *scaling)
{
	for (size_t i = 0; i < scaling->nr_rows; i++)
		measure_free(scaling->rows[i].seconds);
	measure_free(scaling->steps);
	*scaling = (struct measure_scaling){.nr_steps = 0};
}

double measure_scaling_speedup(const struct measure_scaling_row *row, size_t step)
{
	return row->seconds[step] > 0 ? row->seconds[0] / row->seconds[step] : 0;
}

double measure_scaling_efficiency(
	const struct measure_scaling *scaling, const struct measure_scaling_row *row, size_t step)
{
	return measure_scaling_speedup(row, step) * scaling->steps[0].nr_locations /
	       scaling->steps[step].nr_locations;
}
