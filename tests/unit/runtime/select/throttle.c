/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: --overhead switches off what is short and called often, shortest first, and nothing
 * else; what is open is left. Stretches of records are counted as they are. */
#include "config.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "runtime/definitions/code_region_inline.h"
#include "format/journal.h"
#include "runtime/select/recent_profile.h"
#include "format/event_encode.h"
#include "../event/t_recording.h"
#include "../../t_suite.h"

#define CHUNK  (256 * 1024)
#define NR_THREADS 4
#define SITE   ((void *)0x1000)
#define INSIDE ((void *)0x2000)
#define MOST   20000000 /* calls: a loaded machine may need many to see what they cost */

static const char functions[112], *const f = functions, *const g = functions + 16,
					*const outer = functions + 32, *const h = functions + 48,
					*const much = functions + 64,
					*const offered = functions + 80,
					*const resting = functions + 96;

static int t_start(void)
{
	struct measure_segment_size size = {1024 * CHUNK, CHUNK, 16, 1 << 20};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.is_kept = 1;
	measure_throttle_start(&segment, "0.1");
	return !t_record() || measure_location_index() != 0;
}

static bool t_is_off(const char *function)
{
	return measure_code_is_off(measure_code_find((uintptr_t)function));
}

/* Decisions in the journal about this function. */
static uint32_t t_journaled(const char *function)
{
	const uint32_t region = measure_region_at(function, NULL, 0, 0);
	struct measure_journal_reader reader = {
		segment.journal, atomic_load(&segment.header->journal_committed), 0};
	struct measure_decoder payload;
	struct measure_def_throttle def;
	uint32_t kind, nr = 0;

	while (measure_journal_next(&reader, &kind, &payload) == MEASURE_OK)
		if (kind == MEASURE_RECORD_THROTTLE &&
			measure_def_throttle_decode(&payload, &def) == MEASURE_OK &&
			def.region == region && def.calls > 0)
			nr++;
	return nr;
}

/* ---------------------------------------------------------------------- stretches --- */

static struct measure_recent_profile profile;
static struct measure_otf2_writer writer;
static uint8_t bytes[64 * 1024];

static void t_put(bool is_enter, uint32_t region, uint64_t time)
{
	uint8_t *place = measure_put_time(&writer, time);

	writer.position =
		is_enter ? measure_put_enter(place, region) : measure_put_leave(place, region);
}

static void t_call_at(uint32_t region, uint64_t time, uint64_t ticks)
{
	t_put(true, region, time);
	t_put(false, region, time + ticks);
}

static void t_begin_stretch(void)
{
	writer = (struct measure_otf2_writer){.position = bytes, .time = 1000};
}

static void t_read(uint64_t end)
{
	measure_recent_profile_read(&profile, bytes, writer.position, 1000, end);
}

/* 7 is short, 8 longer, 9 called too seldom, 10 too long; the records of 3 and 4 are not calls. */
static void test_stretch(void)
{
	const struct measure_recent_region *region;

	t_begin_stretch();
	t_put(false, 3, 1000);
	for (uint64_t i = 0; i < 200; i++)
		t_call_at(7, 1000 + 10 * i, 5);
	for (uint64_t i = 0; i < 100; i++)
		t_call_at(8, 3000 + 10 * i, 9);
	for (uint64_t i = 0; i < 7; i++)
		t_call_at(9, 4000 + 10 * i, 1);
	for (uint64_t i = 0; i < 20; i++)
		t_call_at(10, 5000 + 1000 * i, 1000);
	t_put(true, 4, 25000);
	t_read(26000);
	CU_ASSERT_EQUAL(profile.records, 1 + 2 * (200 + 100 + 7 + 20) + 1);
	region = measure_recent_profile_take(&profile, 1000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(region);
	CU_ASSERT(region->region == 7 && region->calls == 200 && region->records == 400);
	CU_ASSERT_EQUAL(region->ticks, 200 * 5);
	region = measure_recent_profile_take(&profile, 1000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(region);
	CU_ASSERT(region->region == 8 && region->ticks == 100 * 9);
	CU_ASSERT_PTR_NULL(measure_recent_profile_take(&profile, 1000));
}

/* A caller's time has its callees in it; what is open counts, though not as a call; regions whose
 * places meet are told apart. */
static void test_nesting(void)
{
	const uint32_t far = 7 + MEASURE_RECENT_PROFILE_REGIONS;
	const struct measure_recent_region *region;

	t_begin_stretch();
	t_put(true, 5, 1000);
	for (uint64_t i = 0; i < 50; i++) {
		t_put(true, far, 1000 + 100 * i);
		t_call_at(7, 1010 + 100 * i, 20);
		t_put(false, far, 1090 + 100 * i);
	}
	t_put(true, 7, 6000);
	t_read(6500);
	region = measure_recent_profile_take(&profile, 1000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(region);
	CU_ASSERT(region->region == 7 && region->calls == 50 && region->ticks == 50 * 20 + 500);
	region = measure_recent_profile_take(&profile, 1000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(region);
	CU_ASSERT(region->region == far && region->calls == 50 && region->ticks == 50 * 90);
	CU_ASSERT_PTR_NULL(measure_recent_profile_take(&profile, UINT32_MAX));
}

/* Deeper than there are places, and more regions than there are. */
static void test_too_many(void)
{
	const struct measure_recent_region *region;

	t_begin_stretch();
	for (uint32_t i = 0; i < 2 * MEASURE_RECENT_PROFILE_DEPTH; i++)
		t_put(true, 1, 1000 + i);
	for (uint32_t i = 0; i < 2 * MEASURE_RECENT_PROFILE_DEPTH; i++)
		t_put(false, 1, 2000 + i);
	t_read(3000);
	region = measure_recent_profile_take(&profile, 10000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(region);
	CU_ASSERT_EQUAL(region->calls, MEASURE_RECENT_PROFILE_DEPTH);

	t_begin_stretch();
	for (uint32_t i = 0; i < 2 * MEASURE_RECENT_PROFILE_REGIONS; i++)
		t_call_at(i, 1000 + i, 1);
	t_read(5000);
	CU_ASSERT_EQUAL(profile.records, 4 * MEASURE_RECENT_PROFILE_REGIONS);
	CU_ASSERT_PTR_NULL(measure_recent_profile_take(&profile, 10000));
}

/* ---------------------------------------------------------------------- decisions --- */

/* Its frame lies below that of its caller. */
static __attribute__((noinline)) void t_call(const char *function)
{
	char frame = 0;

	measure_function_enter(function, SITE, &frame, INSIDE);
	measure_function_leave(function, SITE, &frame, INSIDE);
}

/* Goes on although nothing can be switched off. */
static void test_construct(void)
{
	const struct measure_region_info info = {.name = "call"};
	const measure_region_t call = measure_region_define(&info);
	const uint64_t before = t_events(0);

	for (int i = 0; i < 500000; i++) {
		struct measure_location *location = measure_record_begin();
		measure_write_enter(location, call);
		measure_write_leave(location, call);
		measure_record_end(location);
	}
	CU_ASSERT_EQUAL(t_events(0), before + 1000000);
}

static void test_short(void)
{
	char frame = 0;
	uint32_t nr = 0;

	measure_function_enter(outer, SITE, &frame, INSIDE);
	for (; nr < MOST && !t_is_off(f); nr++)
		t_call(f);
	CU_ASSERT(t_is_off(f));
	CU_ASSERT(!t_is_off(outer));
	uint64_t before = t_events(0);
	for (int i = 0; i < 1000; i++)
		t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before);
	measure_function_leave(outer, SITE, &frame, INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_repairs(), 0);
	CU_ASSERT_EQUAL(t_journaled(f), 1);
	CU_ASSERT_EQUAL(t_journaled(outer), 0);
}

static void t_recurse(const char *function, int depth)
{
	char *frame = __builtin_frame_address(0);

	measure_function_enter(function, SITE, frame, INSIDE);
	if (depth > 0)
		t_recurse(function, depth - 1);
	measure_function_leave(function, SITE, frame, INSIDE);
}

/* It is switched off inside of calls of itself: all of those are left. */
static void test_recursion(void)
{
	for (uint32_t nr = 0; nr < MOST / 8 && !t_is_off(g); nr++) {
		t_recurse(g, 7);
		CU_ASSERT_EQUAL_FATAL(t_depth(0), 0);
	}
	CU_ASSERT(t_is_off(g));
	CU_ASSERT_EQUAL(t_events(0) % 2, 0);
	CU_ASSERT_EQUAL(t_repairs(), 0);
	CU_ASSERT_EQUAL(t_journaled(g), 1);
}

static void *call_often(void *unused)
{
	uint32_t index = measure_location_index();

	for (uint32_t nr = 0; nr < MOST / 8 && !t_is_off(h); nr++)
		t_recurse(h, 7);
	CU_ASSERT_EQUAL(t_depth(index), 0);
	CU_ASSERT_EQUAL(t_events(index) % 2, 0);
	return unused;
}

/* One of them switches it off, while the others are in the middle of calls. */
static void test_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, call_often, NULL), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT(t_is_off(h));
	CU_ASSERT_EQUAL(t_repairs(), 0);
	CU_ASSERT_EQUAL(t_journaled(h), 1);
}

static void t_call_for(const char *function, uint64_t ticks)
{
	char frame = 0;

	measure_function_enter(function, SITE, &frame, INSIDE);
	for (uint64_t begin = measure_clock_now(); measure_clock_now() - begin < ticks;)
		;
	measure_function_leave(function, SITE, &frame, INSIDE);
}

/* Called often, but for 10 us each. */
static void test_long(void)
{
	const uint64_t ticks = (uint64_t)(10e-6 * measure_clock_frequency());

	measure_throttle_start(&segment, "100");
	t_switch(outer, true);
	for (int i = 0; i < 20000; i++)
		t_call_for(outer, ticks);
	CU_ASSERT(!t_is_off(outer));
	CU_ASSERT_EQUAL(t_journaled(outer), 0);
}

/* By another process: its own thread would not. */
static void test_offer(void)
{
	struct measure_segment_header *header = segment.header;
	uint32_t nr = 0;

	t_call(offered);
	atomic_store(&header->offers[0], UINT32_MAX); /* none */
	atomic_store(&header->offers[1], measure_region_at(offered, NULL, 0, 0));
	atomic_store(&header->nr_offers, 2);
	CU_ASSERT(!t_is_off(offered));
	for (; nr < MOST && !t_is_off(offered); nr++)
		t_call(outer);
	CU_ASSERT(t_is_off(offered));
	CU_ASSERT(nr < 10000);
	CU_ASSERT(!t_is_off(outer));
}

/* Its events take a tenth of what is allowed, but fill many times as much as is. */
static void test_much(void)
{
	const uint64_t ticks = (uint64_t)(1e-6 * measure_clock_frequency());

	measure_throttle_start(&segment, "40");
	for (uint32_t nr = 0; nr < 2000000 && !t_is_off(much); nr++)
		t_call_for(much, ticks);
	CU_ASSERT(t_is_off(much));
	CU_ASSERT_EQUAL(t_journaled(much), 1);
}

static void t_poll(measure_region_t region, bool has_found)
{
	struct measure_location *location = measure_record_begin();

	measure_write_enter(location, region);
	measure_record_end(location);
	location = measure_record_begin();
	if (has_found)
		measure_write_leave(location, region);
	else
		measure_write_poll_leave(location, region);
	measure_record_end(location);
}

/* What a poll adds to the records of this thread. */
static uint64_t t_added(measure_region_t region, bool has_found)
{
	const uint64_t before = t_events(0);

	t_poll(region, has_found);
	return t_events(0) - before;
}

static void test_polls(void)
{
	const measure_region_t test =
		measure_region_define(&(struct measure_region_info){.name = "test"});
	const measure_region_t probe =
		measure_region_define(&(struct measure_region_info){.name = "probe"});
	struct measure_segment_poll *polls = segment.header->polls;
	const uint64_t before = t_events(0);
	uint64_t nr = 0;

	measure_throttle_start(&segment, "0.1");
	for (; nr < MOST && atomic_load(&polls[0].calls) == 0; nr++)
		t_poll(test, false);
	CU_ASSERT_EQUAL(atomic_load(&polls[0].region), test + 1);
	CU_ASSERT_EQUAL(atomic_load(&polls[0].calls), 1);
	CU_ASSERT_EQUAL(t_events(0) - before, 2 * (nr - 1));
	CU_ASSERT_EQUAL(t_added(test, false), 0);
	CU_ASSERT_EQUAL(t_added(probe, false), 0);
	CU_ASSERT_EQUAL(atomic_load(&polls[1].region), probe + 1);
	CU_ASSERT_EQUAL(t_added(test, true), 2);
	CU_ASSERT_EQUAL(t_added(test, false), 2);
	CU_ASSERT_EQUAL(t_added(test, false), 0);
	t_poll(probe, true); /* something comes between */
	CU_ASSERT_EQUAL(t_added(test, false), 2);
	CU_ASSERT_EQUAL(atomic_load(&polls[0].calls), 3);
	CU_ASSERT_EQUAL(atomic_load(&polls[1].calls), 1);
	CU_ASSERT(atomic_load(&polls[0].ticks) > 0);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

/* All of them are recorded where none is to be left out. */
static void test_all_polls(void)
{
	const measure_region_t test =
		measure_region_define(&(struct measure_region_info){.name = "test"});
	const uint64_t before = t_events(0);

	measure_throttle_start(&segment, "off");
	for (int i = 0; i < 500000; i++)
		t_poll(test, false);
	CU_ASSERT_EQUAL(t_events(0), before + 1000000);
	measure_throttle_start(&segment, "0.1");
}

static void *call_and_rest(void *nr_rests)
{
	for (; *(uint32_t *)nr_rests < 200 && !t_is_off(resting); ++*(uint32_t *)nr_rests) {
		for (int i = 0; i < 2000; i++)
			t_call(resting);
		usleep(10000);
	}
	return NULL;
}

/* Half of what is allowed in the time that goes by, but a hundred times as much as is in the
 * processor time. */
static void test_resting(void)
{
	uint32_t nr_rests = 0;
	pthread_t thread;

	measure_throttle_start(&segment, "100");
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, call_and_rest, &nr_rests), 0);
	pthread_join(thread, NULL);
	CU_ASSERT(t_is_off(resting));
	CU_ASSERT(nr_rests < 100);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"profile", test_stretch},
		{"nesting", test_nesting},
		{"too many", test_too_many},
		{"construct", test_construct},
		{"short", test_short},
		{"recursion", test_recursion},
		{"threads", test_threads},
		{"long", test_long},
		{"offer", test_offer},
		{"much", test_much},
		{"resting", test_resting},
		{"all polls", test_all_polls},
		{"polls", test_polls},
		CU_TEST_INFO_NULL,
	};

	return t_suite("throttle", t_start, NULL, tests);
}
