/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock offsets of all processes; see clock_correction.h. */
#include "config.h"

#include "clock_correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock_domains.h"

#define NS 1e9

/* Triples nearer than this give no frequency: 100 ns each are 20 ppm of it. */
#define SHORTEST_FIT 10000000 /* ns */

/* How well two nodes' wall clocks keep the same pace, while nobody sets them. */
#define WALL_CLOCK_DRIFT 10e-6

/* Numbers of a damaged part may be anything. */
#define MOST_DISTANCE  0x1p61 /* ticks */
#define MOST_FREQUENCY 1e15   /* Hz */

/* A clock domain's wall clock. */
struct wall_clock {
	bool is_known;
	struct measure_clock_line line; /* ns since the epoch, over ticks */
	double error; /* of its slope, relative; without what the wall clock itself is off */
};

static bool is_in_domain(const struct measure_part *part, uint64_t domain)
{
	return part && part->has_process && part->process.clock_domain == domain;
}

/* Ticks per second of a domain's clock against MONOTONIC_RAW; 0: unknown. */
static double fit_frequency(const struct measure_clock_domain *domain)
{
	const struct measure_def_clock_triple *first = &domain->first, *last = &domain->last;

	if (!domain->has_triples || last->monotonic_raw <= first->monotonic_raw)
		return 0;
	return (double)(last->ticks - first->ticks) /
	       (double)(last->monotonic_raw - first->monotonic_raw) * NS;
}

static double frequency_of(
	const struct measure_clock_domains *domains, const struct measure_part *part)
{
	double fitted = part->process.clock_is_exact
				? 0
				: fit_frequency(measure_clock_domain_of(domains, part));

	return fitted > 0 ? fitted : part->process.clock_frequency;
}

static void find_wall_clock(const struct measure_clock_domains *domains,
	const struct measure_part *part, struct wall_clock *wall)
{
	const struct measure_clock_domain *domain = measure_clock_domain_of(domains, part);
	const struct measure_def_clock_triple *first = &domain->first, *last = &domain->last;
	double frequency = frequency_of(domains, part);

	wall->is_known = domain->has_triples;
	if (!wall->is_known)
		return;
	if (last->realtime - first->realtime < SHORTEST_FIT) {
		wall->line = (struct measure_clock_line){
			first->ticks, first->realtime, frequency > 0 ? NS / frequency : 1};
		wall->error = 1;
		return;
	}
	wall->line = measure_clock_line_between(
		&(struct measure_clock_knot){first->ticks, first->realtime, 0},
		&(struct measure_clock_knot){last->ticks, last->realtime, 0});
	wall->error = (double)(first->bound + last->bound) / (double)(last->ticks - first->ticks);
}

static uint64_t wall_ticks(const struct wall_clock *wall, int64_t realtime)
{
	double distance = (double)(int64_t)((uint64_t)realtime - (uint64_t)wall->line.offset);

	return wall->line.time + (uint64_t)measure_clock_round(distance / wall->line.slope);
}

/* ------------------------------------------------------------------- corrections --- */

/* Knots that would make readers stop, or time stand still, are left out. */
static measure_status_t add_knot(struct measure_correction *correction, uint64_t ticks,
	int64_t offset, double bound)
{
	const struct measure_clock_function *function = &correction->function;
	struct measure_clock_knot knot = {ticks, offset, bound};

	if (function->nr) {
		const struct measure_clock_knot *last = &function->items[function->nr - 1];
		if (ticks <= last->time ||
			measure_clock_knot_corrected(&knot) <= measure_clock_knot_corrected(last))
			return MEASURE_OK;
	}
	return measure_array_push(&correction->function, knot);
}

/* A line, and by how much it may be wrong at its point and, beyond that, per tick. */
struct uncertain_line {
	struct measure_clock_line line;
	double bound;
	double slope_error;
};

static measure_status_t add_line(struct measure_correction *correction, uint64_t from, uint64_t to,
	const struct uncertain_line *line)
{
	uint64_t ends[2] = {from, to > from ? to : from + 1};
	measure_status_t status = MEASURE_OK;

	for (int i = 0; i < 2 && status == MEASURE_OK; i++) {
		double distance = (double)(int64_t)(ends[i] - line->line.time);
		status = add_knot(correction, ends[i], measure_clock_line_at(&line->line, ends[i]),
			line->bound + line->slope_error * fabs(distance));
	}
	return status;
}

struct reference {
	const struct measure_job *job;
	struct measure_clock_domains domains; /* of the job */
	const struct measure_part *part;
	const struct measure_clock_function *function; /* its own; NULL: it is the time */
	struct wall_clock wall;
};

/* Samples are against rank 0 of the process's world. They are of use where that is the reference
 * or reads the same clock: spawned processes may be anywhere. */
static bool is_against_reference(
	const struct reference *reference, const struct measure_process *process)
{
	if (process->world == 0 || process->world == MEASURE_NO_ID)
		return true;
	const struct measure_world *world = &reference->job->worlds.items[process->world];
	return is_in_domain(reference->job->processes.items[world->first].part,
		reference->part->process.clock_domain);
}

static measure_status_t add_samples(
	const struct measure_part *part, struct measure_clock_function *samples)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < part->samples.nr && status == MEASURE_OK; i++) {
		const struct measure_def_clock_sample *sample = &part->samples.items[i];

		status = measure_array_push(
			samples, (struct measure_clock_knot){sample->ticks, sample->offset,
					 (double)sample->bound});
	}
	return status;
}

/* The process's own samples, or else those of its clock domain: one process of each measures. */
static measure_status_t collect_samples(const struct reference *reference,
	const struct measure_process *process, struct measure_clock_function *samples)
{
	const struct measure_clock_domain *domain =
		measure_clock_domain_of(&reference->domains, process->part);
	measure_status_t status = MEASURE_OK;

	if (process->part->samples.nr >= 2 && is_against_reference(reference, process))
		return add_samples(process->part, samples);
	for (size_t i = 0; i < domain->measuring.nr && status == MEASURE_OK; i++)
		if (is_against_reference(reference, domain->measuring.items[i]))
			status = add_samples(domain->measuring.items[i]->part, samples);
	return status;
}

static measure_status_t use_samples(
	struct measure_correction *correction, const struct measure_clock_function *samples)
{
	measure_status_t status = MEASURE_OK;

	correction->source = MEASURE_OFFSET_MEASURED;
	for (size_t i = 0; i < samples->nr && status == MEASURE_OK; i++)
		status = add_knot(correction, samples->items[i].time, samples->items[i].offset,
			samples->items[i].bound);
	return status;
}

/* The first and last moment at which any process of the part's clock domain knew the time: all are
 * corrected by the same knots, or they would not seem to share a clock. */
static void span_of(const struct reference *reference, const struct measure_part *part,
	uint64_t *from, uint64_t *to)
{
	const struct measure_clock_domain *domain =
		measure_clock_domain_of(&reference->domains, part);

	*from = domain->begin;
	*to = part->process.begin_ticks + 1;
	if (domain->end > *to)
		*to = domain->end;
}

/* The drift between a process's clock and the reference as their wall clocks have it. */
static void drift_of(const struct reference *reference, const struct measure_part *part,
	double *drift, double *error)
{
	struct wall_clock wall;

	find_wall_clock(&reference->domains, part, &wall);
	*drift = 0;
	*error = 1;
	if (!wall.is_known || !reference->wall.is_known)
		return;
	*drift = wall.line.slope / reference->wall.line.slope - 1;
	*error = WALL_CLOCK_DRIFT + wall.error + reference->wall.error;
}

static measure_status_t use_one_sample(const struct reference *reference,
	const struct measure_part *part,
	const struct measure_clock_knot *sample, struct measure_correction *correction)
{
	struct uncertain_line line = {{sample->time, sample->offset, 0}, sample->bound, 0};
	uint64_t from, to;

	drift_of(reference, part, &line.line.slope, &line.slope_error);
	if (line.slope_error >= 1)
		line.slope_error = 0; /* nothing is known of it */
	span_of(reference, part, &from, &to);
	correction->source = MEASURE_OFFSET_ONE_SAMPLE;
	return add_line(correction, from, to, &line);
}

static int64_t wall_offset(const struct reference *reference, const struct wall_clock *wall,
	uint64_t ticks)
{
	uint64_t there = wall_ticks(&reference->wall, measure_clock_line_at(&wall->line, ticks));

	if (reference->function)
		there = measure_clock_function_apply(reference->function, there);
	return (int64_t)(there - ticks);
}

static measure_status_t use_wall_clock(const struct reference *reference,
	const struct measure_part *part, struct measure_correction *correction)
{
	struct wall_clock wall;
	uint64_t from, to;

	span_of(reference, part, &from, &to);
	find_wall_clock(&reference->domains, part, &wall);
	if (!wall.is_known || !reference->wall.is_known) {
		struct uncertain_line identity = {.line.time = from};
		correction->source = MEASURE_OFFSET_UNKNOWN;
		return add_line(correction, from, to, &identity);
	}
	correction->source = MEASURE_OFFSET_WALL_CLOCK;
	measure_status_t status =
		add_knot(correction, from, wall_offset(reference, &wall, from), 0);
	return status != MEASURE_OK
		       ? status
		       : add_knot(correction, to, wall_offset(reference, &wall, to), 0);
}

static measure_status_t use_same_clock(const struct reference *reference,
	const struct measure_part *part, struct measure_correction *correction)
{
	measure_status_t status = MEASURE_OK;
	uint64_t from, to;

	correction->source = MEASURE_OFFSET_SAME_CLOCK;
	span_of(reference, part, &from, &to);
	if (!reference->function) {
		struct uncertain_line identity = {.line.time = from};
		return add_line(correction, from, to, &identity);
	}
	for (size_t i = 0; i < reference->function->nr && status == MEASURE_OK; i++)
		status = measure_array_push(&correction->function, reference->function->items[i]);
	return status;
}

static measure_status_t correct_by_samples(const struct reference *reference,
	const struct measure_process *process, struct measure_correction *correction)
{
	const struct measure_part *part = process->part;
	struct measure_clock_function samples = {0};
	double drift, drift_error;
	measure_status_t status = collect_samples(reference, process, &samples);

	drift_of(reference, part, &drift, &drift_error);
	measure_samples_drop_poor(&samples, drift, drift_error);
	if (status == MEASURE_OK && samples.nr >= 2)
		status = use_samples(correction, &samples);
	if (status == MEASURE_OK && correction->function.nr == 1)
		correction->function.nr = 0; /* all samples at one time: as one */
	if (status == MEASURE_OK && correction->function.nr == 0 && samples.nr >= 1)
		status = use_one_sample(reference, part, &samples.items[0], correction);
	free(samples.items);
	return status;
}

/* A line needs two points, also where the second one was useless, or there is no later time. */
static measure_status_t clock_correction_complete(struct measure_correction *correction)
{
	struct measure_clock_knot knot = correction->function.items[0];

	if (correction->function.nr > 1)
		return MEASURE_OK;
	if (knot.time == UINT64_MAX)
		correction->function.items[0].time--;
	else
		knot.time++;
	return measure_array_push(&correction->function, knot);
}

static measure_status_t correct(const struct reference *reference,
	const struct measure_process *process, struct measure_correction *correction)
{
	const struct measure_part *part = process->part;
	measure_status_t status;

	if (is_in_domain(part, reference->part->process.clock_domain)) {
		status = use_same_clock(reference, part, correction);
	} else {
		status = correct_by_samples(reference, process, correction);
		if (status == MEASURE_OK && correction->function.nr == 0)
			status = use_wall_clock(reference, part, correction);
	}
	return status == MEASURE_OK ? clock_correction_complete(correction) : status;
}

/* ---------------------------------------------------------------------- the whole --- */

/* The first process; samples are relative to rank 0, which may have left no part. */
static measure_status_t choose_reference(
	struct measure_correction *own, struct reference *reference)
{
	const struct measure_job *job = reference->job;

	for (size_t i = 0; i < job->processes.nr && !reference->part; i++) {
		const struct measure_process *process = &job->processes.items[i];
		if (!process->part || !process->part->has_process)
			continue;
		reference->part = process->part;
		find_wall_clock(&reference->domains, process->part, &reference->wall);
		bool is_zero = process->rank == 0 || process->world == MEASURE_NO_ID;
		measure_status_t status =
			is_zero ? MEASURE_OK
				: correct_by_samples(reference, process, own);
		if (status != MEASURE_OK)
			return status;
		if (own->function.nr >= 2)
			reference->function = &own->function;
	}
	return MEASURE_OK;
}

static void note_events(struct measure_clock_correction *timeline,
	const struct measure_location_summary *events,
	const struct measure_clock_function *function, uint64_t *end)
{
	if (events->nr_recorded == 0)
		return;
	uint64_t first = measure_clock_function_apply(function, events->first_time);
	uint64_t last = measure_clock_function_apply(function, events->last_time);
	if (events->nr_events > 0 && first < timeline->begin)
		timeline->begin = first;
	if (last > *end)
		*end = last;
}

static void note_span(struct measure_clock_correction *timeline, const struct measure_part *part,
	const struct measure_clock_function *function, uint64_t *end)
{
	uint64_t first = measure_clock_function_apply(function, part->process.begin_ticks);

	if (first < timeline->begin)
		timeline->begin = first;
	for (size_t i = 0; i < part->locations.nr; i++)
		note_events(timeline, &part->locations.items[i].events, function, end);
	for (uint32_t i = 0; i < MEASURE_SERIES; i++)
		note_events(timeline, &part->sampled[i].events, function, end);
}

static void note_bounds(
	struct measure_clock_correction *timeline, const struct measure_clock_function *function)
{
	for (size_t i = 0; i < function->nr; i++) {
		double bound = fmin(function->items[i].bound, MOST_DISTANCE);
		if (bound > (double)timeline->bound)
			timeline->bound = (uint64_t)rint(bound);
	}
}

static measure_status_t correct_all(
	const struct reference *reference, struct measure_clock_correction *timeline)
{
	const struct measure_job *job = reference->job;
	measure_status_t status = MEASURE_OK;
	uint64_t end = 0;

	for (size_t i = 0; i < job->processes.nr && status == MEASURE_OK; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		struct measure_correction correction = {.source = MEASURE_OFFSET_UNKNOWN};
		struct uncertain_line identity = {.bound = 0};
		if (part && part->has_process)
			status = correct(reference, &job->processes.items[i], &correction);
		else
			status = add_line(&correction, 0, 1, &identity);
		if (status == MEASURE_OK)
			status = measure_array_push(&timeline->corrections, correction);
		if (status == MEASURE_OK && part && part->has_process) {
			note_span(timeline, part, &correction.function, &end);
			note_bounds(timeline, &correction.function);
		}
	}
	if (timeline->begin == UINT64_MAX)
		timeline->begin = 0;
	timeline->length = end > timeline->begin ? end - timeline->begin : 0;
	return status;
}

static void find_realtime(
	const struct reference *reference, struct measure_clock_correction *timeline)
{
	uint64_t ticks = timeline->begin;

	if (!reference->part || !reference->wall.is_known)
		return;
	if (reference->function)
		ticks = measure_clock_function_invert(reference->function, ticks);
	timeline->realtime = (uint64_t)measure_clock_line_at(&reference->wall.line, ticks);
}

measure_status_t measure_clock_correction_make(
	const struct measure_job *job, struct measure_clock_correction *timeline)
{
	struct measure_correction own = {0};
	struct reference reference = {.job = job};

	timeline->begin = UINT64_MAX;
	timeline->realtime = UINT64_MAX;
	timeline->resolution = (uint64_t)NS;
	measure_status_t status = measure_clock_domains_find(job, &reference.domains);
	if (status == MEASURE_OK)
		status = choose_reference(&own, &reference);
	if (status == MEASURE_OK)
		status = correct_all(&reference, timeline);
	if (status == MEASURE_OK && reference.part) {
		double frequency = frequency_of(&reference.domains, reference.part);
		timeline->is_resolution_known = frequency >= 1 && frequency < MOST_FREQUENCY;
		if (timeline->is_resolution_known)
			timeline->resolution = (uint64_t)rint(frequency);
		find_realtime(&reference, timeline);
	}
	free(own.function.items);
	measure_clock_domains_free(&reference.domains);
	return status;
}

void measure_clock_correction_free(struct measure_clock_correction *timeline)
{
	for (size_t i = 0; i < timeline->corrections.nr; i++)
		free(timeline->corrections.items[i].function.items);
	free(timeline->corrections.items);
	memset(timeline, 0, sizeof(*timeline));
}
