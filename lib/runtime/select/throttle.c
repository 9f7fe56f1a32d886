/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --overhead; see throttle.h. Each thread decides by its own time; a function is switched off
 * for all of them. */
#include "config.h"

#include "runtime/select/throttle.h"

#include <errno.h>
#include <stdatomic.h>

#include "adapter.h"
#include "clock/clock.h"
#include "config/settings.h"
#include "runtime/definitions/code_region.h"
#include "runtime/definitions/define.h"
#include "format/segment.h"
#include "runtime/gate/gate.h"
#include "runtime/select/recent_profile.h"

/* A byte of events counts as so long beside the event's own time. Keeper and disk need less; this
 * bounds what is written, to 100 KB for each per cent of each second. */
#define BYTE_COST 100e-9 /* seconds */

/* What may always be spent, half a megabyte: functions of short programs, and of the start of long
 * ones, are not worth it. */
#define ALLOWANCE 50e-3 /* seconds */

/* What was spent before and was more counts at most so much. */
#define DEBT 1e-3 /* seconds */

/* Time of the past that counts: a burst of events after a quiet time is none too much. */
#define MEMORY 1.0 /* seconds */

/* Of an event, until some have timed themselves. */
#define FIRST_COST    15e-9 /* seconds */
#define LEAST_SAMPLES 4

/* What is kept costs at most so much of what is allowed: functions are called at other rates
 * in a moment. */
#define ROOM 0.75

/* A function whose own events cost less than this of what is allowed is not switched off. */
#define OF_NO_USE 0.1

#define MOST_SKIPPED 64

static double share;  /* of a thread's time; 0: not asked for */
static double second; /* in ticks */
static const char *option;

/* One thread at a time: the others come again. */
static _Atomic bool is_looking;
static struct measure_recent_profile profile;

/* What other processes have switched off. */
static struct measure_segment_header *header;
static _Atomic uint32_t nr_taken; /* changed by who is looking */

static _Atomic bool polls_are_dropped;

void measure_throttle_start(const struct measure_segment *segment, const char *percent)
{
	header = segment->header;
	atomic_store(&nr_taken, 0);
	measure_share_parse(percent, &share);
	option = percent;
	second = (double)measure_clock_frequency();
	atomic_store(&is_looking, false);
	atomic_store(&polls_are_dropped, false);
}

void measure_throttle_describe(void)
{
	const struct measure_def_property def = {"MEASURE::OVERHEAD", option};
	struct measure_signals saved;

	if (share == 0)
		return;
	measure_define_lock(&saved);
	MEASURE_JOURNAL(property, &def);
	measure_define_unlock(&saved);
}

/* Ticks: the median of this thread's functions that timed themselves. */
static double cost_of_event(const struct measure_timing_histograms *timings)
{
	const struct measure_timing_histogram *kinds = timings->kinds;
	const struct measure_timing_histogram *enter = &kinds[MEASURE_TIMING_FUNCTION_ENTER];
	const struct measure_timing_histogram *leave = &kinds[MEASURE_TIMING_FUNCTION_LEAVE];
	uint64_t nr = 0, below = 0;

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS; i++)
		nr += enter->buckets[i] + leave->buckets[i];
	if (nr < LEAST_SAMPLES)
		return FIRST_COST * second;
	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS; i++) {
		below += enter->buckets[i] + leave->buckets[i];
		if (2 * below >= nr)
			return (double)(measure_timing_floor(i) + measure_timing_floor(i + 1)) / 2;
	}
	return FIRST_COST * second;
}

/* The mean of an event and of what stands before it: values of metrics, that belong to its cost. */
static double of_record(double cost)
{
	return cost / (1 + measure_gate.nr_counters);
}

/* Of an event, with its bytes. */
static double price_of_event(double cost, uint64_t nr_records, uint64_t bytes)
{
	double mean = nr_records ? (double)bytes / (double)nr_records : 0;

	return cost + mean * (1 + measure_gate.nr_counters) * BYTE_COST * second;
}

/* --------------------------------------------------------------- unsuccessful polls --- */

/* The counter of a region, which it gets with its first poll. NULL: there is none left. */
static struct measure_segment_poll *throttle_poll_counter(uint32_t region)
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

bool measure_throttle_leave_out(struct measure_throttle *throttle, uint32_t region, uint64_t ticks)
{
	bool is_dropped = atomic_load_explicit(&polls_are_dropped, memory_order_relaxed);
	struct measure_segment_poll *counter = is_dropped ? throttle_poll_counter(region) : NULL;

	if (!counter) {
		throttle->nr_repeated++;
		return false;
	}
	atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&counter->ticks, ticks, memory_order_relaxed);
	return true;
}

/* ------------------------------------------------------------------------ functions --- */

/* Under the definition lock: a process that dies has it in its journal before it lacks a call. */
static bool throttle_journal(const struct measure_recent_region *region, uint64_t now)
{
	struct measure_def_throttle def = {region->region, now, region->calls, region->ticks};
	struct measure_signals saved;
	bool is_recorded;

	measure_define_lock(&saved);
	is_recorded = measure_code_is_recorded(region->region);
	if (is_recorded)
		MEASURE_JOURNAL(throttle, &def);
	measure_define_unlock(&saved);
	return is_recorded;
}

/* What a thread has done since it was looked at last. */
struct spending {
	double ticks; /* of its time */
	double cost;  /* ticks an event takes it ... */
	double price; /* ... and is counted as */
	uint64_t nr_records;
};

/* How many records fewer there are without the polls that were repeated; 0: they are too few, or
 * are left out already. */
static double leave_out_polls(uint32_t nr_repeated, const struct spending *spending)
{
	double records = 2.0 * nr_repeated;

	if (records * spending->price < OF_NO_USE * share * spending->ticks ||
		atomic_exchange(&polls_are_dropped, true))
		return 0;
	return records;
}

/* Unsuccessful polls first, because nothing is lost with them, then functions, shortest first,
 * until what is left fits. Returns whether any was switched off. */
static bool switch_off(const struct spending *spending, uint32_t nr_repeated, uint64_t now)
{
	const uint64_t shorter = (uint64_t)(2 * spending->price / (share * OF_NO_USE));
	struct measure_recent_region *region;
	double of_polls = leave_out_polls(nr_repeated, spending);
	double spent =
		(double)profile.records * of_record(spending->price) - of_polls * spending->price;
	double ticks = spending->ticks - of_polls * spending->cost;
	bool is_any = of_polls > 0;

	while (spent > ROOM * share * ticks &&
		(region = measure_recent_profile_take(&profile, shorter))) {
		if (!throttle_journal(region, now))
			continue;
		measure_code_switch(region->region, false);
		is_any = true;
		spent -= region->records * spending->price;
		ticks -= region->records * spending->cost;
	}
	return is_any;
}

/* No signal handler may leave this half done, by siglongjmp(). */
static bool read_and_switch_off(const struct measure_throttle *throttle,
	const struct measure_recorded *recorded, const struct spending *spending)
{
	struct measure_signals saved;
	bool is_any;

	measure_signals_block(&saved);
	measure_recent_profile_read(
		&profile, throttle->from, recorded->position, throttle->from_time, recorded->now);
	is_any = switch_off(spending, throttle->nr_repeated, recorded->now);
	atomic_store(&is_looking, false);
	measure_signals_restore(&saved);
	return is_any;
}

/* Where it was of no use, the next looks are left out: twice as many each time. */
static void relieve(struct measure_throttle *throttle, const struct measure_recorded *recorded,
	const struct spending *spending)
{
	if (throttle->nr_skipped < throttle->to_skip) {
		throttle->nr_skipped++;
		return;
	}
	if (measure_define_is_locked_here() || atomic_exchange(&is_looking, true))
		return;
	throttle->nr_skipped = 0;
	if (read_and_switch_off(throttle, recorded, spending)) {
		throttle->to_skip = 0;
		throttle->credit = 0;
	} else if (throttle->to_skip < MOST_SKIPPED) {
		throttle->to_skip = 2 * throttle->to_skip + 1;
	}
}

/* What was recorded since then costs too much, and nothing is left from before to pay for it. */
static bool has_cost_too_much(struct measure_throttle *throttle, double spent, double allowed)
{
	throttle->credit += allowed - spent;
	if (throttle->credit > (share * MEMORY + ALLOWANCE) * second)
		throttle->credit = (share * MEMORY + ALLOWANCE) * second;
	if (throttle->credit < -DEBT * second)
		throttle->credit = -DEBT * second;
	return throttle->credit < 0 && spent > allowed;
}

/* Its processor time, where that is less than what has gone by: where many share the processors,
 * what it waits for them is no time in which recording might cost something. Another thread may
 * have taken over the location. */
static double ticks_since(const struct measure_throttle *throttle, uint64_t time, uint64_t cpu)
{
	double ticks = (double)(time - throttle->time);
	uint64_t spent = cpu >= throttle->cpu ? cpu - throttle->cpu : cpu;
	double of_cpu = (double)spent * 1e-9 * second;

	return cpu > 0 && of_cpu < ticks ? of_cpu : ticks;
}

static void throttle_look(
	struct measure_throttle *throttle, const struct measure_recorded *recorded)
{
	uint64_t cpu = measure_clock_thread_cpu();
	struct spending spending = {.cost = cost_of_event(recorded->timings)};

	if (throttle->time == 0) {
		throttle->credit = ALLOWANCE * second;
		throttle->time = recorded->now;
		throttle->cpu = cpu;
	}
	if (recorded->events > throttle->events)
		spending.nr_records = recorded->events - throttle->events;
	spending.ticks = ticks_since(throttle, recorded->now, cpu);
	spending.price = price_of_event(spending.cost, spending.nr_records,
		(uint64_t)(recorded->position - throttle->from));
	if (has_cost_too_much(throttle, (double)spending.nr_records * of_record(spending.price),
		    share * spending.ticks))
		relieve(throttle, recorded, &spending);
	throttle->events = recorded->events;
	throttle->time = recorded->now;
	throttle->cpu = cpu;
	throttle->nr_repeated = 0;
	measure_throttle_note_place(throttle, recorded->position, recorded->last_time);
}

static void take_offer(uint32_t number, uint64_t now)
{
	const struct measure_recent_region region = {
		.region = atomic_load_explicit(&header->offers[number], memory_order_relaxed)};

	if (throttle_journal(&region, now))
		measure_code_switch(region.region, false);
}

/* What the keeper has heard from those of other processes. */
static void take_offers(uint64_t now)
{
	uint32_t nr = atomic_load_explicit(&header->nr_offers, memory_order_acquire);
	uint32_t taken = atomic_load_explicit(&nr_taken, memory_order_relaxed);
	struct measure_signals saved;

	if (taken >= nr || nr > MEASURE_OFFERS || measure_define_is_locked_here() ||
		atomic_exchange(&is_looking, true))
		return;
	measure_signals_block(&saved);
	taken = atomic_load_explicit(&nr_taken, memory_order_relaxed);
	while (taken < nr)
		take_offer(taken++, now);
	atomic_store_explicit(&nr_taken, taken, memory_order_relaxed);
	atomic_store(&is_looking, false);
	measure_signals_restore(&saved);
}

__attribute__((cold)) void measure_throttle_look(
	struct measure_throttle *throttle, const struct measure_recorded *recorded)
{
	int saved = errno;

	if (share > 0)
		take_offers(recorded->now);
	if (share > 0 && !recorded->is_dropped)
		throttle_look(throttle, recorded);
	errno = saved;
}
