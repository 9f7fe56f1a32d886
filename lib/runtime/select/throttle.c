/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --overhead; see throttle.h. Each thread judges itself by its own time; a function is switched off
 * for all of them. */
#include "config.h"

#include "throttle.h"

#include <errno.h>

#include "adapter.h"
#include "clock/clock.h"
#include "config/settings.h"
#include "runtime/definitions/code_region.h"
#include "runtime/definitions/define.h"
#include "runtime/event/counters.h"
#include "polls.h"
#include "runtime/event/record_internal.h"
#include "recent_profile.h"

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

#define MOST_LEFT_OUT 64

static double share;  /* of a thread's time; 0: not asked for */
static double second; /* in ticks */
static const char *option;

/* One thread at a time: the others come again. */
static _Atomic bool is_looking;
static struct measure_stretch stretch;

/* What other processes have switched off. */
static struct measure_segment_header *header;
static _Atomic uint32_t nr_taken; /* changed by who is looking */

void measure_throttle_start(const struct measure_segment *segment, const char *percent)
{
	header = segment->header;
	atomic_store(&nr_taken, 0);
	measure_share_parse(percent, &share);
	option = percent;
	second = (double)measure_clock_frequency();
	atomic_store(&is_looking, false);
	measure_polls_start(header);
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
static double cost_of_event(const struct measure_location *location)
{
	const struct measure_probe *kinds = location->probing.probes->kinds;
	const struct measure_probe *enter = &kinds[MEASURE_PROBE_FUNCTION_ENTER];
	const struct measure_probe *leave = &kinds[MEASURE_PROBE_FUNCTION_LEAVE];
	uint64_t nr = 0, below = 0;

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS; i++)
		nr += enter->buckets[i] + leave->buckets[i];
	if (nr < LEAST_SAMPLES)
		return FIRST_COST * second;
	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS; i++) {
		below += enter->buckets[i] + leave->buckets[i];
		if (2 * below >= nr)
			return (double)(measure_probe_floor(i) + measure_probe_floor(i + 1)) / 2;
	}
	return FIRST_COST * second;
}

/* The mean of an event and of what stands before it: values of metrics, that belong to its cost. */
static double of_record(double cost)
{
	return cost / (1 + measure_meters_nr());
}

/* Of an event, with its bytes. */
static double price_of_event(double cost, uint64_t nr_records, uint64_t bytes)
{
	double mean = nr_records ? (double)bytes / (double)nr_records : 0;

	return cost + mean * (1 + measure_meters_nr()) * BYTE_COST * second;
}

static void note_place(struct measure_location *location)
{
	struct measure_throttle *throttle = &location->throttle;

	throttle->from = location->writer.position;
	throttle->from_time = location->writer.time;
}

void measure_throttle_begin_chunk(struct measure_location *location)
{
	location->polls.committed = 0;
	note_place(location);
}

void measure_throttle_take_back(struct measure_location *location)
{
	if (location->throttle.from > location->writer.position)
		note_place(location);
}

/* Under the definition lock: a process that dies has it in its journal before it lacks a call. */
static bool journal(const struct measure_stretch_region *region, uint64_t now)
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
		!measure_polls_leave_out())
		return 0;
	return records;
}

/* Unsuccessful polls first, because nothing is lost with them, then functions, shortest first, until what
 * is left fits. Returns whether any was switched off. */
static bool switch_off(const struct spending *spending, uint32_t nr_repeated, uint64_t now)
{
	const uint64_t shorter = (uint64_t)(2 * spending->price / (share * OF_NO_USE));
	struct measure_stretch_region *region;
	double of_polls = leave_out_polls(nr_repeated, spending);
	double spent =
		(double)stretch.records * of_record(spending->price) - of_polls * spending->price;
	double ticks = spending->ticks - of_polls * spending->cost;
	bool is_any = of_polls > 0;

	while (spent > ROOM * share * ticks && (region = measure_stretch_take(&stretch, shorter))) {
		if (!journal(region, now))
			continue;
		measure_code_switch(region->region, false);
		is_any = true;
		spent -= region->records * spending->price;
		ticks -= region->records * spending->cost;
	}
	return is_any;
}

/* No signal handler may leave this half done, by siglongjmp(). */
static bool read_and_switch_off(
	const struct measure_location *location, const struct spending *spending)
{
	const struct measure_throttle *throttle = &location->throttle;
	struct measure_signals saved;
	bool is_any;

	measure_signals_block(&saved);
	measure_stretch_read(&stretch, throttle->from, location->writer.position,
		throttle->from_time, location->time);
	is_any = switch_off(spending, location->polls.nr_repeated, location->time);
	atomic_store(&is_looking, false);
	measure_signals_restore(&saved);
	return is_any;
}

/* Where it was of no use, the next looks are left out: twice as many each time. */
static void relieve(struct measure_location *location, const struct spending *spending)
{
	struct measure_throttle *throttle = &location->throttle;

	if (throttle->left_out < throttle->to_leave_out) {
		throttle->left_out++;
		return;
	}
	if (measure_define_is_locked_here() || atomic_exchange(&is_looking, true))
		return;
	throttle->left_out = 0;
	if (read_and_switch_off(location, spending)) {
		throttle->to_leave_out = 0;
		throttle->credit = 0;
	} else if (throttle->to_leave_out < MOST_LEFT_OUT) {
		throttle->to_leave_out = 2 * throttle->to_leave_out + 1;
	}
}

/* The stretch itself costs too much, and there is nothing left from before to pay for it. */
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

static void look(struct measure_location *location)
{
	struct measure_throttle *throttle = &location->throttle;
	uint64_t events = measure_committed_events(measure_location_committed(location));
	uint64_t cpu = measure_clock_thread_cpu();
	struct spending spending = {.cost = cost_of_event(location)};

	if (throttle->time == 0) {
		throttle->credit = ALLOWANCE * second;
		throttle->time = location->time;
		throttle->cpu = cpu;
	}
	if (events > throttle->events)
		spending.nr_records = events - throttle->events;
	spending.ticks = ticks_since(throttle, location->time, cpu);
	spending.price = price_of_event(spending.cost, spending.nr_records,
		(uint64_t)(location->writer.position - throttle->from));
	if (has_cost_too_much(throttle, (double)spending.nr_records * of_record(spending.price),
		    share * spending.ticks))
		relieve(location, &spending);
	throttle->events = events;
	throttle->time = location->time;
	throttle->cpu = cpu;
	location->polls.nr_repeated = 0;
	note_place(location);
}

static void take_offer(uint32_t number, uint64_t now)
{
	const struct measure_stretch_region region = {
		.region = atomic_load_explicit(&header->offers[number], memory_order_relaxed)};

	if (journal(&region, now))
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

cold void measure_throttle_look(struct measure_location *location)
{
	int saved = errno;

	if (share > 0)
		take_offers(location->time);
	if (share > 0 && !measure_gap_is_open(location))
		look(location);
	errno = saved;
}
