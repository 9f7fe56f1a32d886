/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times of all events: records have theirs from the replay, the others lie in between as they did
 * when steps were made. */
#include "config.h"

#include "compensation.h"

#include "base/array.h"

void measure_compensated_reading_start(struct measure_compensated_reading *reading,
	const struct measure_compensation *compensation, uint32_t location)
{
	*reading = (struct measure_compensated_reading){.compensation = compensation,
		.location = location,
		.removal = compensation_removal(compensation, location)};
}

/* The step of the next record where its receives begin at this tick; else NULL. */
static const struct measure_compensation_step *find_wait(
	const struct measure_compensated_reading *reading, uint64_t raw)
{
	const struct measure_compensation *compensation = reading->compensation;
	const struct measure_compensation_location *location =
		&compensation->locations[reading->location];
	const uint32_t index =
		reading->next < location->nr ? location->records[reading->next] : MEASURE_NONE;
	const struct measure_sync_record *record;

	if (index == MEASURE_NONE || !reading->removal.is_new_tick)
		return NULL;
	record = &compensation->graph->records[index];
	return !record->is_send && record->raw == raw && compensation->steps[index].rest != -1
		       ? &compensation->steps[index]
		       : NULL;
}

/* The last of the records of an event has its time. */
static void pass_records(struct measure_compensated_reading *reading, uint64_t position)
{
	const struct measure_sync_graph *graph = reading->compensation->graph;
	const struct measure_compensation_location *location =
		&reading->compensation->locations[reading->location];

	for (; reading->next < location->nr; reading->next++) {
		const uint32_t index = location->records[reading->next];

		if (graph->records[index].position != position)
			return;
		reading->time = (uint64_t)graph->values[index];
	}
}

uint64_t measure_compensated_time(
	struct measure_compensated_reading *reading, const struct measure_event *event)
{
	const struct measure_compensation *compensation = reading->compensation;
	const struct measure_compensation_location *location =
		&compensation->locations[reading->location];
	const struct measure_compensation_step *step;

	if (location->leader != MEASURE_NONE)
		return reading->time = measure_compensated_time_at(
			       compensation, reading->location, event->raw);
	measure_removal_begin(&reading->removal, event,
		compensation_measured_time(compensation, &reading->clock, reading->location,
			event->raw, event->position));
	step = find_wait(reading, event->raw);
	if (step) {
		measure_removal_receive(
			&reading->removal, compensation_rest_of(step), step->rest < -1);
		reading->time =
			(uint64_t)compensation->graph->values[location->records[reading->next]];
	} else {
		reading->time += (uint64_t)measure_removal_local(&reading->removal);
	}
	pass_records(reading, event->position);
	return reading->time;
}

/* ---------------------------------------------------------------- between events --- */

static int64_t measured_at(
	const struct measure_compensation *compensation, uint32_t location, uint64_t raw)
{
	return (int64_t)measure_sync_correct_at(
		&compensation->corrections[compensation->graph->domains[location]], raw, location,
		UINT64_MAX);
}

/* A tick is what it was in the clock of the process; between two records it is as far along as it
 * was, and outside of all as far away. */
uint64_t measure_compensated_time_at(
	const struct measure_compensation *compensation, uint32_t location, uint64_t raw)
{
	const struct measure_sync_graph *graph = compensation->graph;
	const uint32_t leader = compensation->locations[location].leader;
	const uint32_t by = leader == MEASURE_NONE ? location : leader;
	const struct measure_compensation_location *of = &compensation->locations[by];
	const size_t nr = measure_count_first(of->nr, i, graph->records[of->records[i]].raw <= raw);
	const int64_t time = measured_at(compensation, location, raw);
	int64_t from, to, span;

	if (of->nr == 0)
		return (uint64_t)time;
	if (nr == 0 || nr == of->nr) {
		const uint32_t edge = of->records[nr ? nr - 1 : 0];

		return (uint64_t)(graph->values[edge] + time -
				  measured_at(compensation, by, graph->records[edge].raw));
	}
	from = measured_at(compensation, by, graph->records[of->records[nr - 1]].raw);
	to = measured_at(compensation, by, graph->records[of->records[nr]].raw);
	if (to <= from)
		return (uint64_t)graph->values[of->records[nr - 1]];
	span = graph->values[of->records[nr]] - graph->values[of->records[nr - 1]];
	return (uint64_t)(graph->values[of->records[nr - 1]] +
			  (int64_t)((measure_wide_t)(time - from) * span / (to - from)));
}

bool measure_compensated_span(const struct measure_compensation *compensation, uint32_t location,
	uint64_t *first, uint64_t *last)
{
	const struct measure_compensation_location *of = &compensation->locations[location];
	const int64_t *values = compensation->graph->values;
	const bool is_begun =
		of->nr > 0 && compensation->steps[of->records[0]].local == MEASURE_STEP_BEGUN;

	if (of->nr_events == 0)
		return false;
	if (of->leader != MEASURE_NONE) {
		const struct measure_sync_span *span = &compensation->graph->spans[location];

		*first = measure_compensated_time_at(compensation, location, span->first);
		*last = measure_compensated_time_at(compensation, location, span->last);
		return true;
	}
	*first = is_begun ? (uint64_t)values[of->records[0]] : of->first;
	*last = (uint64_t)((of->nr ? values[of->records[of->nr - 1]] : 0) + of->tail);
	return true;
}
