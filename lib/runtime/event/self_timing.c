/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that time themselves; see self_timing.h. */
#include "config.h"

#include "runtime/event/self_timing.h"

#include "runtime/event/transaction.h"
#include "format/event_chunk.h"

/* One event of so many bytes of events: 1 in 5000, which costs all others 0.03 ns. Short programs
 * have some early. */
#define FIRST_STRIDE 512
#define LAST_STRIDE  (64 * 1024)

static void timing_plan(struct measure_location *location)
{
	struct measure_self_timing *timing = &location->timing;
	uint64_t left = (uint64_t)(timing->limit - location->writer.position);
	/* no loop of the program has just this length */
	uint64_t stride = timing->stride - (location->time & (timing->stride / 8 - 1));

	location->writer.limit = left > stride ? location->writer.position + stride : timing->limit;
}

cold void measure_timing_plan(struct measure_location *location)
{
	struct measure_self_timing *timing = &location->timing;

	timing->limit = location->writer.limit;
	if (timing->stride == 0)
		timing->stride = FIRST_STRIDE;
	timing_plan(location);
}

cold bool measure_timing_choose(struct measure_location *location)
{
	struct measure_self_timing *timing = &location->timing;

	if (location->writer.limit == timing->limit || location->writer.position > timing->limit) {
		location->writer.limit = timing->limit;
		return false;
	}
	if (timing->stride < LAST_STRIDE)
		timing->stride *= 2;
	timing_plan(location);
	location->flags |= MEASURE_LOCATION_CHOSEN;
	return true;
}

cold void measure_timing_begin(struct measure_location *location, uint64_t now)
{
	struct measure_self_timing *timing = &location->timing;

	timing->is_function = location->top[-1].function != 0;
	timing->position = location->writer.position;
	timing->nr_chunks = measure_location_nr_chunks(location);
	timing->events = measure_committed_events(measure_location_committed(location));
	timing->begin = now;
	location->flags ^= MEASURE_LOCATION_CHOSEN | MEASURE_LOCATION_TIMED;
}

uint8_t measure_timing_first_type(const uint8_t *place, uint64_t events, uint64_t *nr_metrics)
{
	place += *place == MEASURE_OTF2_TIMESTAMP ? 9 : 0;
	for (*nr_metrics = 0; *place == MEASURE_OTF2_METRIC &&
			      *nr_metrics < measure_gate.nr_counters && *nr_metrics + 1 < events;
		++*nr_metrics)
		place += MEASURE_OTF2_SIZED + place[1];
	return *place;
}

static enum measure_timing_kind timing_kind(const struct measure_location *location, uint8_t type)
{
	const struct measure_self_timing *timing = &location->timing;

	if (type == MEASURE_OTF2_ENTER)
		return location->top[-1].function ? MEASURE_TIMING_FUNCTION_ENTER
						  : MEASURE_TIMING_CALL_ENTER;
	if (type == MEASURE_OTF2_LEAVE)
		return timing->is_function ? MEASURE_TIMING_FUNCTION_LEAVE
					   : MEASURE_TIMING_CALL_LEAVE;
	return MEASURE_TIMING_OTHER;
}

/* --------------------------------------------------------------- reference events --- */

#define WARMING    8    /* events before those that are timed */
#define MOST_TICKS 8192 /* more is an interruption */

#define NR_EVENTS (WARMING + MEASURE_REFERENCE_EVENTS)

/* A location that nobody reads. */
static struct {
	struct measure_location location;
	struct measure_segment_location shared;
	struct measure_segment_frame frames[3];
	/* with the line that a commit fetches in advance */
	_Alignas(64) uint8_t memory[NR_EVENTS * 16 + MEASURE_AHEAD + MEASURE_RECORD_ROOM];
} reference;

static atomic_flag is_taken = ATOMIC_FLAG_INIT;

/* As transactions are, but for what is rare. */
static inline uint8_t *reference_open(struct measure_location *location)
{
	measure_transaction_claim(location, (uintptr_t)__builtin_frame_address(0));
	location->time = measure_clock_read();
	return measure_put_time(&location->writer, location->time);
}

static inline void reference_close(struct measure_location *location)
{
	atomic_signal_fence(memory_order_seq_cst);
	location->flags = 0;
}

static __attribute__((noinline)) void reference_pairs(
	struct measure_location *location, int nr_events)
{
	for (int i = 0; i < nr_events; i += 2) {
		measure_enter_at(location, reference_open(location), 1, 1, 1, MEASURE_COMMIT_ENTER);
		reference_close(location);
		measure_leave_at(location, reference_open(location), MEASURE_COMMIT_LEAVE);
		reference_close(location);
	}
}

/* No more than a flag: the thread that has it may be gone in a forked child, or wait for a signal
 * handler that comes here. */
uint64_t measure_reference_ticks(void)
{
	struct measure_location *location = &reference.location;
	uint64_t ticks;

	if (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire))
		return 0;
	location->shared = &reference.shared;
	location->top = &reference.frames[1];
	location->ceiling = &reference.frames[3];
	location->flags = 0;
	location->writer = (struct measure_otf2_writer){
		.position = reference.memory, .time = UINT64_MAX};
	reference_pairs(location, WARMING);
	ticks = measure_clock_read();
	reference_pairs(location, MEASURE_REFERENCE_EVENTS);
	ticks = measure_clock_read() - ticks;
	atomic_flag_clear_explicit(&is_taken, memory_order_release);
	return ticks < MOST_TICKS ? ticks : 0;
}

/* Beside each of the first that time themselves, and beside few of those that follow: all others
 * pay 0.01 ns for it. */
#define FIRST_REFERENCES 32
#define LATER_REFERENCES 8

static void timing_refer(const struct measure_self_timing *timing)
{
	struct measure_timing_histogram *histogram =
		&timing->histograms->kinds[MEASURE_TIMING_REFERENCE];
	uint64_t ticks;

	if (histogram->events >= FIRST_REFERENCES * MEASURE_REFERENCE_EVENTS &&
		timing->begin / FIRST_STRIDE % LATER_REFERENCES != 0)
		return;
	ticks = measure_reference_ticks();
	if (ticks == 0)
		return;
	histogram->buckets[measure_timing_bucket(ticks)]++;
	histogram->ticks += ticks;
	histogram->events += MEASURE_REFERENCE_EVENTS;
}

/* -------------------------------------------------------------------------- end --- */

/* One that wrote nothing, took something back, or went to another chunk, is of no kind. */
cold void measure_timing_end(struct measure_location *location)
{
	const struct measure_self_timing *timing = &location->timing;
	uint64_t ticks = measure_clock_read() - timing->begin;
	uint64_t events = measure_committed_events(measure_location_committed(location));
	uint64_t nr_metrics;

	location->flags &= ~(uint32_t)MEASURE_LOCATION_TIMED;
	if (events <= timing->events || timing->nr_chunks != measure_location_nr_chunks(location) ||
		(int64_t)ticks < 0)
		return;
	uint8_t type =
		measure_timing_first_type(timing->position, events - timing->events, &nr_metrics);
	struct measure_timing_histogram *histogram =
		&timing->histograms->kinds[timing_kind(location, type)];
	histogram->buckets[measure_timing_bucket(ticks)]++;
	histogram->ticks += ticks;
	histogram->events += events - timing->events - nr_metrics;
	timing_refer(timing);
}
