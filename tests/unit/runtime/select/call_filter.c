/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: calls that a filter decides about one by one: recorded, left out and counted, taken
 * back; also while their function is switched off and on, and what stands around them is left
 * otherwise. */
#include "config.h"

#include <pthread.h>

#include "adapter.h"
#include "runtime/definitions/code_region_inline.h"
#include "runtime/definitions/region_filter.h"
#include "runtime/select/call_filter.h"
#include "format/filter_area.h"
#include "../event/t_recording.h"
#include "../../t_suite.h"

#define CHUNK      (256 * 1024)
#define SITE       ((char *)0x1000) /* where functions are called, and go back to */
#define INSIDE     ((char *)0x2000) /* where hooks do */
#define NR_THREADS 24
#define NR_CALLS   300 /* all of a location are in one chunk */

/* Every second call of `half` is left out, the first one too; `brief` is too short unless something
 * is recorded in it; of `plain` the filter knows nothing. */
static const char functions[64];
static const char *const half = functions, *const brief = functions + 16,
			 *const plain = functions + 32;
static const char text[] = "exclude every=2\nexclude shorter=1000s\0\0";

static uint64_t t_left_out(const char *function)
{
	uint32_t region = measure_region_at(function, NULL, 0, 0);
	uint64_t sum = 0;

	for (uint32_t row = 0; row < MEASURE_FILTER_ROWS; row++)
		sum += atomic_load(&measure_filter_counters(&segment, row)[region]);
	return sum;
}

/* As the keeper has judged it. */
static void t_meet(const char *function, uint32_t outcome)
{
	segment.filter->modules[0].otherwise = outcome;
	measure_region_at(function, NULL, 0, 0);
}

static int t_start(void)
{
	struct measure_segment_size size = {.buffer_size = 128 * CHUNK,
		.chunk_size = CHUNK,
		.max_locations = 64,
		.journal_size = 1 << 20,
		.filter_text = text,
		.filter_text_size = sizeof(text)};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.is_kept = 1;
	atomic_store(&segment.filter->nr_decided, MEASURE_FILTER_MODULES);
	measure_region_filter_start(&segment, 0);
	if (!t_record() || measure_location_index() != 0)
		return 1;
	t_meet(half, 1);
	t_meet(brief, 2);
	t_meet(plain, 0);
	return 0;
}

static void t_call_at(const char *function, const char *frame)
{
	measure_function_enter(function, SITE, frame, INSIDE);
	measure_function_leave(function, SITE, frame, INSIDE);
}

static void t_call(const char *function)
{
	char frame = 0;

	t_call_at(function, &frame);
}

static void test_every(void)
{
	uint64_t before = t_events(0), left_out = t_left_out(half);

	for (int i = 0; i < 4; i++)
		t_call(half);
	CU_ASSERT_EQUAL(t_events(0), before + 4);
	CU_ASSERT_EQUAL(t_left_out(half), left_out + 2);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

static void test_shorter(void)
{
	char frames[2] = "";
	uint64_t before = t_events(0), left_out = t_left_out(brief);

	t_call_at(brief, &frames[0]);
	measure_function_enter(brief, SITE, &frames[1], INSIDE);
	t_call_at(brief, &frames[0]);
	measure_function_leave(brief, SITE, &frames[1], INSIDE);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT_EQUAL(t_left_out(brief), left_out + 3);
	CU_ASSERT_EQUAL(atomic_load(&segment.locations[0].nr_taken_back), 3);
	measure_function_enter(brief, SITE, &frames[1], INSIDE);
	t_call_at(brief, &frames[0]);
	t_call_at(plain, &frames[0]);
	t_call_at(brief, &frames[0]);
	measure_function_leave(brief, SITE, &frames[1], INSIDE);
	CU_ASSERT_EQUAL(t_events(0), before + 4);
	CU_ASSERT_EQUAL(t_left_out(brief), left_out + 5);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

/* A first call of `half` that is (not) recorded is open. Its frame is frames[2]. */
static void enter_half(bool is_recorded, char frames[4])
{
	if (is_recorded)
		t_call_at(half, &frames[2]);
	measure_function_enter(half, SITE, &frames[2], INSIDE);
	CU_ASSERT_EQUAL(measure_stacks_may_hold(half), is_recorded);
}

/* The number of the next call of `half` is even again. */
static void even_out(bool is_recorded)
{
	t_switch(half, true);
	if (!is_recorded)
		t_call(half);
}

/* Calls from inside of it while it is off, by way of another place or deeper on the stack. */
static void leave_after_recursion(bool is_recorded, const void *address, const void *returns)
{
	char frames[4] = "";
	uint64_t before, repairs = t_repairs();

	enter_half(is_recorded, frames);
	before = t_events(0);
	t_switch(half, false);
	for (int i = 0; i < 3; i++) {
		measure_function_enter(half, SITE + 64, &frames[1], INSIDE);
		measure_function_leave(half, SITE + 64, &frames[1], INSIDE);
	}
	CU_ASSERT_EQUAL(t_events(0), before);
	measure_function_leave(half, SITE, address ? address : &frames[2], returns);
	CU_ASSERT_EQUAL(t_events(0), before + is_recorded);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_repairs(), repairs);
	CU_ASSERT_EQUAL(measure_call_filter_frame(measure_location_self->calls), 0);
	CU_ASSERT_FALSE(measure_stacks_may_hold(half));
	even_out(is_recorded);
}

static void test_off_while_open(void)
{
	const void *higher = __builtin_frame_address(0);

	leave_after_recursion(false, NULL, INSIDE);
	leave_after_recursion(true, NULL, INSIDE);
	leave_after_recursion(false, higher, SITE);
	leave_after_recursion(true, higher, SITE);
}

/* Entered while it was off: there is nothing to leave, nor to take back. */
static void test_on_while_open(void)
{
	char frames[2] = "";
	uint64_t before = t_events(0), repairs = t_repairs();

	t_switch(brief, false);
	measure_function_enter(plain, SITE, &frames[1], INSIDE);
	measure_function_enter(brief, SITE, &frames[0], INSIDE);
	t_switch(brief, true);
	measure_function_leave(brief, SITE, &frames[0], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 1);
	measure_function_leave(plain, SITE, &frames[1], INSIDE);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
	CU_ASSERT_EQUAL(t_repairs(), repairs);
}

/* An exception ends what a call has called; or longjmp(), and the next call shows it. */
static void leave_after_unwinding(bool is_recorded, bool is_seen)
{
	char frames[4] = "";
	uint64_t repairs = t_repairs();

	measure_function_enter(plain, SITE, &frames[3], INSIDE);
	enter_half(is_recorded, frames);
	measure_function_enter(plain, SITE + 16, &frames[1], INSIDE);
	measure_function_enter(plain, SITE + 32, &frames[0], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 3 + is_recorded);
	if (is_seen)
		measure_function_leave(half, SITE, &frames[2], INSIDE);
	else
		measure_function_enter(brief, SITE + 48, &frames[2], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 1 + !is_seen);
	CU_ASSERT_EQUAL(measure_call_filter_frame(measure_location_self->calls), 0);
	if (!is_seen)
		measure_function_leave(brief, SITE + 48, &frames[2], INSIDE);
	measure_function_leave(plain, SITE, &frames[3], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_repairs(), repairs + 2 + (is_recorded && !is_seen));
	even_out(is_recorded);
}

static void test_unwinding(void)
{
	leave_after_unwinding(false, true);
	leave_after_unwinding(true, true);
	leave_after_unwinding(false, false);
	leave_after_unwinding(true, false);
}

/* An attribute of an Enter or Leave that is not written is not the next record's. */
static void test_attributes(void)
{
	const struct measure_region_info info = {.name = "call", .paradigm = 3, .role = 1};
	measure_region_t region = measure_region_define(&info);
	struct measure_location *location;
	uint8_t *position, *before;

	CU_ASSERT(measure_code_is_asked(region));
	for (int i = 0; i < 4; i++) {
		location = measure_record_begin();
		CU_ASSERT_PTR_NOT_NULL_FATAL(location);
		before = location->writer.position;
		measure_write_attribute_uint64(location, 0, 7);
		measure_write_enter(location, region);
		position = location->writer.position;
		if (i % 2 == 0)
			CU_ASSERT_PTR_EQUAL(position, before);
		measure_write_attribute_uint64(location, 0, 7);
		measure_write_leave(location, region);
		if (i % 2 == 0)
			CU_ASSERT_PTR_EQUAL(location->writer.position, position);
		measure_record_end(location);
		CU_ASSERT_EQUAL(t_depth(0), 0);
	}
}

/* Nor is one of an Enter that is taken back, as that of each second call is here. */
static void test_attributes_taken_back(void)
{
	const struct measure_region_info info = {.name = "brief", .paradigm = 3, .role = 1};
	measure_region_t region = measure_region_define(&info);
	struct measure_location *location = measure_record_begin();

	CU_ASSERT(measure_code_is_asked(region));
	for (uint32_t i = 0; i < 2; i++) {
		uint8_t *before = location->writer.position;

		measure_write_attribute_uint64(location, 0, 7);
		measure_write_enter(location, region);
		CU_ASSERT_EQUAL(t_depth(0), i);
		measure_write_attribute_uint64(location, 0, 7);
		measure_write_leave(location, region);
		CU_ASSERT_EQUAL(t_depth(0), 0);
		CU_ASSERT_PTR_EQUAL(location->writer.position, before);
	}
	measure_record_end(location);
}

static void *work(void *unused)
{
	uint32_t index = measure_location_index();
	uint64_t before = t_events(index);

	for (int i = 0; i < NR_CALLS; i++) {
		t_call(half);
		t_call(plain);
		t_call(brief);
	}
	CU_ASSERT_EQUAL(t_events(index), before + 3 * NR_CALLS);
	return unused;
}

/* More threads than there are rows of counters. */
static void test_threads(void)
{
	pthread_t threads[NR_THREADS];
	uint64_t halves = t_left_out(half), briefs = t_left_out(brief);

	for (int i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, NULL), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(t_left_out(half), halves + NR_THREADS * NR_CALLS / 2);
	CU_ASSERT_EQUAL(t_left_out(brief), briefs + NR_THREADS * NR_CALLS);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"every", test_every},
		{"shorter", test_shorter},
		{"off while open", test_off_while_open},
		{"on while open", test_on_while_open},
		{"unwinding", test_unwinding},
		{"attributes", test_attributes},
		{"attributes taken back", test_attributes_taken_back},
		{"threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("decided", t_start, NULL, tests);
}
