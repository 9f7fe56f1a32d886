/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transactions of samples: what a signal handler records of its thread, wherever that is. */
#include "config.h"

#include "adapter.h"
#include "runtime/event/transaction.h"

/* What keeps a sample from being taken, in the order of what is counted. An event may be deferred
 * until the next one for as long as a thread of OpenMP waits for work: then the region that the
 * thread has open says all there is to say. */
static cold void sample_count_obstacle(const struct measure_location *location)
{
	if (!location || location->index == MEASURE_UNDEFINED ||
		measure_location_is_stale(location))
		measure_count(MEASURE_COUNT_SAMPLES_HOMELESS);
	else if (location->flags & (MEASURE_LOCATION_BUSY | MEASURE_LOCATION_DETACHED))
		measure_count(MEASURE_COUNT_SAMPLES_BUSY);
	else if (location->flags & MEASURE_LOCATION_DEFERRED || location->is_acting)
		measure_count(MEASURE_COUNT_SAMPLES_IDLE);
	else
		measure_count(MEASURE_COUNT_LOST_AFTER_STOP);
}

#define OBSTACLES                                                                                  \
	(uint32_t)(MEASURE_LOCATION_BUSY | MEASURE_LOCATION_STOPPED | MEASURE_LOCATION_DEFERRED |  \
		   MEASURE_LOCATION_DETACHED | MEASURE_LOCATION_STALE)

/* Flags that are set for other transactions stay. */
struct measure_location *measure_sample_begin(void)
{
	struct measure_location *location = measure_location_self;

	if (!measure_gate_is_open())
		return NULL;
	if (!location || location->index == MEASURE_UNDEFINED || location->flags & OBSTACLES ||
		location->is_acting) {
		sample_count_obstacle(location);
		return NULL;
	}
	location->opened_at = (uintptr_t)__builtin_frame_address(0);
	location->flags |= MEASURE_LOCATION_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	measure_transaction_stamp(location);
	location->sampled = measure_committed_events(measure_location_committed(location));
	return location;
}

/* Samples are so few that each times itself. */
static void sample_note_cost(struct measure_location *location, uint64_t ticks)
{
	struct measure_timing_histogram *histogram =
		&location->timing.histograms->kinds[MEASURE_TIMING_SAMPLE];

	histogram->buckets[measure_timing_bucket(ticks)]++;
	histogram->ticks += ticks;
	histogram->events++;
	measure_count(MEASURE_COUNT_SAMPLES);
}

bool measure_sample_end(struct measure_location *location)
{
	uint64_t now = measure_clock_read();
	bool is_written =
		measure_committed_events(measure_location_committed(location)) != location->sampled;

	if (is_written)
		sample_note_cost(location, now > location->time ? now - location->time : 0);
	atomic_signal_fence(memory_order_seq_cst);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_BUSY;
	return is_written;
}

void measure_sample_lost(enum measure_sample_loss why, uint64_t how_many)
{
	static const enum measure_count counts[] = {
		[MEASURE_SAMPLE_UNDEFINED] = MEASURE_COUNT_SAMPLES_UNDEFINED,
		[MEASURE_SAMPLE_LATE] = MEASURE_COUNT_SAMPLES_MISSED,
		[MEASURE_SAMPLE_REFUSED] = MEASURE_COUNT_SAMPLES_REFUSED,
	};

	if (measure_gate_is_open())
		measure_count_more(counts[why], how_many);
}
