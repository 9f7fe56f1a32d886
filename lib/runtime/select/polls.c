/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Leaving out unsuccessful polls; see polls.h. */
#include "config.h"

#include "polls.h"

#include <string.h>

#include "adapter.h"
#include "runtime/event/counters.h"
#include "runtime/event/record_internal.h"
#include "format/event_chunk.h"

static struct measure_segment_header *header;
static _Atomic bool are_left_out;

void measure_polls_start(struct measure_segment_header *segment)
{
	header = segment;
	atomic_store(&are_left_out, false);
}

bool measure_polls_leave_out(void)
{
	return !atomic_exchange(&are_left_out, true);
}

/* The counter of a region, which it gets with its first poll. NULL: there is none left. */
static struct measure_segment_poll *counter_of(uint32_t region)
{
	for (uint32_t i = 0; i < MEASURE_POLLS; i++) {
		struct measure_segment_poll *poll = &header->polls[i];
		uint32_t found = atomic_load_explicit(&poll->region, memory_order_relaxed);

		if (found == region + 1 ||
			(found == 0 && (atomic_compare_exchange_strong(
						&poll->region, &found, region + 1) ||
					       found == region + 1)))
			return poll;
	}
	return NULL;
}

/* The location has recorded nothing since the last poll but the Enter of this one, and the metrics
 * that belong to it. A value that was only told as it has changed must stay. */
static bool is_repeated(const struct measure_location *location, measure_region_t region)
{
	const struct measure_polls *polls = &location->polls;
	uint64_t committed = measure_location_committed(location), nr_metrics;

	if (polls->committed == 0 ||
		measure_committed_depth(committed) !=
			measure_committed_depth(polls->committed) + 1 ||
		location->overflow > 0 || location->top[-1].region != region ||
		location->flags & MEASURE_LOCATION_STOPPED || measure_gap_is_open(location) ||
		measure_attributes_stand(location) || location->has_news)
		return false;
	uint64_t nr =
		measure_committed_events(committed) - measure_committed_events(polls->committed);
	return measure_probe_first_type(polls->position, nr, &nr_metrics) == MEASURE_CHUNK_ENTER &&
	       nr == nr_metrics + 1;
}

/* Of the Enter behind the last poll: where it has no timestamp, it came at the same time. */
static uint64_t time_of_enter(const struct measure_polls *polls)
{
	uint64_t time = polls->time;

	if (*polls->position == MEASURE_RECORD_TIMESTAMP)
		memcpy(&time, polls->position + 1, sizeof(time));
	return time;
}

static bool leave_out(struct measure_location *location, measure_region_t region)
{
	struct measure_polls *polls = &location->polls;
	struct measure_segment_poll *counter = counter_of(region);

	if (!counter)
		return false;
	atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(
		&counter->ticks, location->time - time_of_enter(polls), memory_order_relaxed);
	measure_record_take_back(location, polls->position, polls->committed);
	return true;
}

/* Where the filter leaves the call out, nothing was recorded. */
void measure_write_poll_leave(struct measure_location *location, measure_region_t region)
{
	uint64_t before = measure_location_committed(location);
	struct measure_polls *polls = &location->polls;

	if (is_repeated(location, region)) {
		if (atomic_load_explicit(&are_left_out, memory_order_relaxed) &&
			leave_out(location, region))
			return;
		polls->nr_repeated++;
	}
	measure_write_leave(location, region);
	if (measure_location_committed(location) == before)
		return;
	location->has_news = false;
	polls->committed = measure_location_committed(location);
	polls->position = location->writer.position;
	polls->time = location->time;
}
