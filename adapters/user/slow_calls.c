/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that take too long; see slow_calls.h. The median is that of a histogram with 16 classes
 * between a time and its double, which a cursor follows: each call moves it by few classes. Nobody
 * waits: who comes while another thread counts is judged, but not counted. */
#include "config.h"

#include "slow_calls.h"

#include <stdatomic.h>
#include <string.h>

#include "adapter.h"
#include "snapshot_condition.h"

#define LEAST_CALLS 5    /* before one is judged by the median */
#define PAUSE_S     10.0 /* between two archives that are asked for by this */

#define CLASS_BITS 4
#define CLASSES    (64 << CLASS_BITS)

bool measure_slow_calls_are_watched;

static struct measure_snapshot_condition condition;
static uint64_t limit, pause_ticks;

/* Of a location, whose thread alone uses it: of calls within each other the outermost counts. Those
 * of later locations are not looked at. */
#define MOST_LOCATIONS 4096
static struct open_call {
	uint64_t begin;
	uint32_t depth;
} open_calls[MOST_LOCATIONS];

static struct {
	atomic_flag is_taken;
	uint32_t calls[CLASSES];
	uint32_t nr, cursor, nr_below; /* calls of classes below the cursor */
	_Atomic uint64_t median;       /* 0: not known yet */
	_Atomic uint64_t asked;        /* when an archive was asked for last; 0: never */
} seen;

void measure_slow_calls_start(void)
{
	const char *text = measure_option_text("snapshot_if"), *why;

	if (!text || !*text || !measure_snapshot_condition_parse(text, &condition, &why))
		return;
	limit = (uint64_t)(condition.seconds * measure_clock_frequency());
	pause_ticks = (uint64_t)(PAUSE_S * measure_clock_frequency());
	measure_slow_calls_are_watched = true;
}

void measure_slow_calls_restart(void)
{
	atomic_flag_clear(&seen.is_taken);
}

/* ------------------------------------------------------------------------ the median --- */

static uint32_t class_of(uint64_t ticks)
{
	uint32_t octave;

	if (ticks < 1 << CLASS_BITS)
		return (uint32_t)ticks;
	octave = 63 - (uint32_t)__builtin_clzll(ticks) - CLASS_BITS;
	return (octave << CLASS_BITS) + (uint32_t)(ticks >> octave);
}

/* The least time of a class. */
static uint64_t class_begin(uint32_t class)
{
	const uint32_t octave = class >> CLASS_BITS;

	if (octave == 0)
		return class;
	return (uint64_t)((class & ((1 << CLASS_BITS) - 1)) | 1 << CLASS_BITS) << (octave - 1);
}

static uint64_t find_median(void)
{
	const uint32_t middle = (seen.nr - 1) / 2;

	while (seen.nr_below > middle)
		seen.nr_below -= seen.calls[--seen.cursor];
	while (seen.nr_below + seen.calls[seen.cursor] <= middle)
		seen.nr_below += seen.calls[seen.cursor++];
	const uint64_t begin = class_begin(seen.cursor);
	const uint64_t width = class_begin(seen.cursor + 1) - begin;
	return begin +
	       (uint64_t)((double)width * (middle - seen.nr_below + 0.5) / seen.calls[seen.cursor]);
}

static void count(uint64_t ticks)
{
	const uint32_t class = class_of(ticks);

	if (seen.nr == UINT32_MAX ||
		atomic_flag_test_and_set_explicit(&seen.is_taken, memory_order_acquire))
		return;
	seen.nr++;
	seen.calls[class]++;
	seen.nr_below += class < seen.cursor;
	if (seen.nr >= LEAST_CALLS)
		atomic_store_explicit(&seen.median, find_median(), memory_order_relaxed);
	atomic_flag_clear_explicit(&seen.is_taken, memory_order_release);
}

/* ------------------------------------------------------------------------- the calls --- */

static bool is_meant(const struct measure_site *site, uint32_t location)
{
	return location < MOST_LOCATIONS &&
	       site->kind == (condition.is_iteration ? MEASURE_SITE_LOOP : MEASURE_SITE_PHASE) &&
	       site->name && strcmp(site->name, condition.name) == 0;
}

static bool is_slow(uint64_t ticks)
{
	const uint64_t median = atomic_load_explicit(&seen.median, memory_order_relaxed);

	if (condition.factor == 0)
		return ticks > limit;
	return median > 0 && (double)ticks > condition.factor * (double)median;
}

static void ask(uint64_t now)
{
	uint64_t last = atomic_load(&seen.asked);

	if ((last == 0 || now - last >= pause_ticks) &&
		atomic_compare_exchange_strong(&seen.asked, &last, now))
		measure_snapshot_want();
}

void measure_slow_call_begin(const struct measure_site *site)
{
	const uint32_t location = measure_location_index();

	if (is_meant(site, location) && open_calls[location].depth++ == 0)
		open_calls[location].begin = measure_clock_now();
}

void measure_slow_call_end(const struct measure_site *site)
{
	const uint32_t location = measure_location_index();
	uint64_t now, ticks;

	if (!is_meant(site, location) || open_calls[location].depth == 0 ||
		--open_calls[location].depth > 0)
		return;
	now = measure_clock_now();
	if (now < open_calls[location].begin)
		return;
	ticks = now - open_calls[location].begin;
	if (is_slow(ticks))
		ask(now);
	count(ticks);
}
