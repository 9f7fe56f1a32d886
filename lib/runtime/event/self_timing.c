/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that time themselves; see self_timing.h. */
#include "config.h"

#include "self_timing.h"

#include "counters.h"
#include "record_internal.h"
#include "format/event_chunk.h"

/* One event of so many bytes of events: 1 in 5000, which costs all others 0.03 ns. Short programs
 * have some early. */
#define FIRST_STRIDE 512
#define LAST_STRIDE  (64 * 1024)

static void plan(struct measure_location *location)
{
	struct measure_probing *probing = &location->probing;
	uint64_t left = (uint64_t)(probing->limit - location->writer.position);
	/* no loop of the program has just this length */
	uint64_t stride = probing->stride - (location->time & (probing->stride / 8 - 1));

	location->writer.limit =
		left > stride ? location->writer.position + stride : probing->limit;
}

cold void measure_probe_plan(struct measure_location *location)
{
	struct measure_probing *probing = &location->probing;

	probing->limit = location->writer.limit;
	if (probing->stride == 0)
		probing->stride = FIRST_STRIDE;
	plan(location);
}

cold bool measure_probe_choose(struct measure_location *location)
{
	struct measure_probing *probing = &location->probing;

	if (location->writer.limit == probing->limit ||
		location->writer.position > probing->limit) {
		location->writer.limit = probing->limit;
		return false;
	}
	if (probing->stride < LAST_STRIDE)
		probing->stride *= 2;
	plan(location);
	measure_location_populate(location);
	location->flags |= MEASURE_LOCATION_CHOSEN;
	return true;
}

cold void measure_probe_begin(struct measure_location *location, uint64_t now)
{
	struct measure_probing *probing = &location->probing;

	probing->is_function = location->top[-1].function != 0;
	probing->position = location->writer.position;
	probing->nr_chunks = measure_location_nr_chunks(location);
	probing->events = measure_committed_events(measure_location_committed(location));
	probing->begin = now;
	location->flags ^= MEASURE_LOCATION_CHOSEN | MEASURE_LOCATION_TIMED;
}

uint8_t measure_probe_first_type(const uint8_t *place, uint64_t events, uint64_t *nr_metrics)
{
	place += *place == MEASURE_RECORD_TIMESTAMP ? 9 : 0;
	for (*nr_metrics = 0; *place == MEASURE_TYPE_Metric && *nr_metrics < measure_meters_nr() &&
			      *nr_metrics + 1 < events;
		++*nr_metrics)
		place += MEASURE_SIZED + place[1];
	return *place;
}

static enum measure_probe_kind kind_of(const struct measure_location *location, uint8_t type)
{
	const struct measure_probing *probing = &location->probing;

	if (type == MEASURE_CHUNK_ENTER)
		return location->top[-1].function ? MEASURE_PROBE_FUNCTION_ENTER
						  : MEASURE_PROBE_CALL_ENTER;
	if (type == MEASURE_CHUNK_LEAVE)
		return probing->is_function ? MEASURE_PROBE_FUNCTION_LEAVE
					    : MEASURE_PROBE_CALL_LEAVE;
	return MEASURE_PROBE_OTHER;
}

/* One that wrote nothing, took something back, or went to another chunk, is of no kind. */
cold void measure_probe_end(struct measure_location *location)
{
	const struct measure_probing *probing = &location->probing;
	uint64_t ticks = measure_clock_read() - probing->begin;
	uint64_t events = measure_committed_events(measure_location_committed(location));
	uint64_t nr_metrics;

	location->flags &= ~(uint32_t)MEASURE_LOCATION_TIMED;
	if (events <= probing->events ||
		probing->nr_chunks != measure_location_nr_chunks(location) || (int64_t)ticks < 0)
		return;
	uint8_t type =
		measure_probe_first_type(probing->position, events - probing->events, &nr_metrics);
	struct measure_probe *probe = &probing->probes->kinds[kind_of(location, type)];
	probe->buckets[measure_probe_bucket(ticks)]++;
	probe->ticks += ticks;
	probe->events += events - probing->events - nr_metrics;
}
