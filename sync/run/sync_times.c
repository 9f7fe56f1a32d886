/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Corrections by location, as a trace takes them; see sync_times.h. */
#include "config.h"

#include "sync_times.h"

#include "sync_gather.h"
#include "trace/common/containers.h"

/* Of a location whose events at the tick all come before: no position. */
static uint64_t first_position(const struct measure_sync_piece *piece, uint32_t location)
{
	for (size_t i = 0; i < piece->nr_starts; i++)
		if (piece->starts[i].location == location)
			return piece->starts[i].position;
	return UINT64_MAX;
}

static struct measure_event_clock make_clock(
	const struct measure_sync_correction *correction, uint32_t location)
{
	const struct measure_sync_piece *pieces = correction->pieces;
	const size_t nr = correction->nr - 1;
	struct measure_clock_step *steps = nr ? measure_zeroed(nr, sizeof(*steps)) : NULL;

	for (size_t i = 0; i < nr; i++)
		steps[i] = (struct measure_clock_step){pieces[i + 1].raw,
			first_position(&pieces[i + 1], location), &pieces[i + 1].offsets};
	return (struct measure_event_clock){&pieces[0].offsets, steps, nr};
}

static void keep_corrections(struct sync_times *times, struct sync_run *run)
{
	struct measure_sync_emission emission = {
		.graph = &run->graph, .corrections = run->corrections};
	const size_t nr = run->trace->definitions.nr_locations;

	*times = (struct sync_times){.corrections = run->corrections,
		.nr_corrections = run->graph.nr_domains,
		.by_location = measure_zeroed(nr, sizeof(*times->by_location)),
		.clocks = measure_zeroed(nr, sizeof(*times->clocks)),
		.nr_locations = nr,
		.clock = measure_sync_emission_clock(&emission)};
	run->corrections = NULL;
	for (uint32_t i = 0; i < nr; i++) {
		times->by_location[i] = times->corrections[run->graph.domains[i]];
		times->clocks[i] = make_clock(&times->by_location[i], i);
	}
}

measure_status_t sync_times_find(struct sync_times *times, const struct measure_sync_job *job,
	const struct sync_options *options, measure_sync_progress_fn progress)
{
	struct sync_run run;
	const measure_status_t status = sync_run_correct(&run, job, options, progress);

	if (status == MEASURE_OK) {
		sync_share_corrections(&run);
		keep_corrections(times, &run);
	}
	sync_run_free(&run);
	return status;
}

void sync_times_use(const struct sync_times *times, struct measure_trace *trace)
{
	trace->clocks = times->clocks;
	trace->definitions.clock = times->clock;
}

void sync_times_free(struct sync_times *times)
{
	for (size_t i = 0; i < times->nr_locations; i++)
		measure_free((void *)(uintptr_t)times->clocks[i].steps);
	measure_free(times->clocks);
	measure_free(times->by_location);
	for (size_t i = 0; i < times->nr_corrections; i++)
		measure_sync_correction_free(&times->corrections[i]);
	measure_free(times->corrections);
	*times = (struct sync_times){.nr_corrections = 0};
}
