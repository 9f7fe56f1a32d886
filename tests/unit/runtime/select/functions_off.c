/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: functions that are switched off and on: nothing is recorded of them, but what was
 * entered is left, at its time, whatever is on the stack. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "runtime/definitions/code_region_inline.h"
#include "../event/t_recording.h"
#include "../../t_suite.h"

#define CHUNK      (256 * 1024)
#define SITE       ((char *)0x1000) /* where functions are called, and go back to */
#define INSIDE     ((char *)0x2000) /* where hooks do */
#define NR_MANY    3000
#define NR_THREADS 4
#define NR_CALLS   80000

static const char functions[NR_MANY * 16 + 16], *const f = functions, *const g = functions + 16;

static bool t_verdict(uint32_t region, const void *function, uint32_t module)
{
	(void)region, (void)module;
	return function != f + 32;
}

static int t_start(void)
{
	struct measure_segment_size size = {128 * CHUNK, CHUNK, 16, 1 << 20};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.is_kept = 1;
	measure_code_verdict = t_verdict;
	return !t_record() || measure_location_index() != 0;
}

static void t_call(const char *function)
{
	char frame = 0;

	measure_function_enter(function, SITE, &frame, INSIDE);
	measure_function_leave(function, SITE, &frame, INSIDE);
}

static void test_switch(void)
{
	uint64_t before = t_events(0);

	t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
	t_switch(f, false);
	for (int i = 0; i < 100; i++)
		t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
	t_call(g);
	CU_ASSERT_EQUAL(t_events(0), before + 4);
	t_switch(f, true);
	t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before + 6);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

static void test_verdict(void)
{
	uint64_t before = t_events(0);

	t_call(f + 32);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT(measure_code_is_off(measure_code_find((uintptr_t)(f + 32))));
	CU_ASSERT(measure_region_at(f + 32, NULL, 0, 0) < MEASURE_CODE_OFF);
	t_switch(f + 32, true);
	t_call(f + 32);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
}

/* A region of another kind than functions has no switch. */
static void test_construct(void)
{
	measure_region_t region = measure_region_at(f, "construct", 0, 0);

	measure_code_switch(region, false);
	CU_ASSERT_EQUAL(measure_region_at(f, "construct", 0, 0), region);
	measure_code_switch(MEASURE_CODE_OFF - 1, false);
}

/* As f calls itself, on a stack that grows down: frames[3] is the first call's. */
static void leave_after_recursion(const void *inner_address, const void *inner_return,
	const void *address, const void *return_address)
{
	char frames[4] = "";
	uint64_t before = t_events(0), repairs = t_repairs();

	measure_function_enter(f, SITE, &frames[2], INSIDE);
	t_switch(f, false);
	for (int i = 0; i < 3; i++) {
		measure_function_enter(f, SITE, &frames[1], INSIDE);
		measure_function_leave(
			f, SITE, inner_address ? inner_address : &frames[2], inner_return);
	}
	CU_ASSERT_EQUAL(t_events(0), before + 1);
	measure_function_leave(f, SITE + 64, &frames[2], INSIDE);
	CU_ASSERT_EQUAL(t_events(0), before + 1);
	measure_function_leave(f, SITE, address ? address : &frames[2], return_address);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_repairs(), repairs);
	t_switch(f, true);
}

/* Switched off inside: its Leave is written, not at the end of calls from inside of it. */
static void test_off_while_open(void)
{
	char *deeper = __builtin_alloca(1), *higher = __builtin_frame_address(0);

	leave_after_recursion(functions, INSIDE, NULL, INSIDE);
	leave_after_recursion(deeper - 4096, INSIDE, higher, SITE);
	leave_after_recursion(NULL, SITE, higher, SITE);
}

static __attribute__((noinline)) void enter_hook(const void *function, const void *call_site)
{
	measure_function_enter(function, call_site, __builtin_frame_address(0),
		__builtin_return_address(0));
}

static __attribute__((noinline)) void exit_hook(const void *function, const void *call_site)
{
	measure_function_leave(function, call_site, __builtin_frame_address(0),
		__builtin_return_address(0));
}

/* As the compiler does it for f. It is switched off in the outermost call; those from inside
 * return to one place. */
static __attribute__((noinline)) void grow(size_t size, int depth)
{
	enter_hook(f, __builtin_return_address(0));
	char *variable = __builtin_alloca(size);
	uint64_t before = t_events(0);

	memset(variable, 0, size);
	if (depth == 3)
		t_switch(f, false);
	for (int i = 0; i < 2 && depth > 0; i++)
		grow(16 * (size_t)depth, depth - 1);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT_EQUAL(variable[size - 1], 0);
	exit_hook(f, __builtin_return_address(0));
}

/* An array of variable length: the exit lies further down the stack than the entry. */
static void test_growing_stack(void)
{
	static const size_t sizes[] = {16, 100, 4096, 200000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t before = t_events(0), repairs = t_repairs();

		grow(sizes[i], 3);
		CU_ASSERT_EQUAL(t_events(0), before + 2);
		CU_ASSERT_EQUAL(t_depth(0), 0);
		CU_ASSERT_EQUAL(t_repairs(), repairs);
		t_switch(f, true);
	}
}

/* Switched on inside: the Leave of what was not entered is none. */
static void test_on_while_open(void)
{
	char frames[2] = "";
	uint64_t before = t_events(0);

	t_switch(f, false);
	measure_function_enter(g, SITE, &frames[1], INSIDE);
	measure_function_enter(f, SITE, &frames[0], INSIDE);
	t_switch(f, true);
	measure_function_leave(f, SITE, &frames[0], INSIDE);
	measure_function_leave(g, SITE, &frames[1], INSIDE);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
	CU_ASSERT_EQUAL(t_depth(0), 0);
}

/* g calls f, which is off by then or not yet, f calls others, and an exception ends those. */
static void leave_after_unwinding(bool is_entered)
{
	char frames[4] = "";
	uint64_t before = t_events(0), repairs = t_repairs();

	t_switch(f, is_entered);
	measure_function_enter(g, SITE, &frames[3], INSIDE);
	measure_function_enter(f, SITE, &frames[2], INSIDE);
	t_switch(f, false);
	measure_function_enter(g, SITE + 16, &frames[1], INSIDE);
	measure_function_enter(g, SITE + 32, &frames[0], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), is_entered ? 4 : 3);
	measure_function_leave(f, SITE, &frames[2], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 1);
	CU_ASSERT_EQUAL(t_repairs(), repairs + 2);
	measure_function_leave(g, SITE, &frames[3], INSIDE);
	CU_ASSERT_EQUAL(t_depth(0), 0);
	CU_ASSERT_EQUAL(t_events(0), before + (is_entered ? 8 : 6));
	t_switch(f, true);
}

static void test_unwinding(void)
{
	leave_after_unwinding(false);
	leave_after_unwinding(true);
}

/* What is off is not lost, in a bracket either. */
static void test_nested(void)
{
	struct measure_location *location = measure_record_begin();
	uint64_t lost = atomic_load(&segment.header->counts[MEASURE_COUNT_LOST_NESTED]);

	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	t_switch(f, false);
	t_call(f);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->counts[MEASURE_COUNT_LOST_NESTED]), lost);
	t_switch(f, true);
	measure_record_end(location);
}

static void recurse(const char *function, int depth)
{
	char *frame = __builtin_frame_address(0);

	measure_function_enter(function, SITE, frame, INSIDE);
	if (depth > 0)
		recurse(function == f ? g : f, depth - 1);
	measure_function_leave(function, SITE, frame, INSIDE);
}

/* As from a signal handler. */
static __attribute__((noinline)) void t_call_deeper(const char *function)
{
	char room[4096];

	memset(room, 0, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	recurse(function, 2);
}

/* Handlers that interrupt a record: what they call is recorded in another location, each time in
 * the same one, and that of the thread stays as it was. */
static void test_beside(void)
{
	struct measure_location *location = measure_record_begin();
	const uint32_t beside = atomic_load(&segment.header->nr_locations);
	const uint64_t lost = t_count(MEASURE_COUNT_LOST_NESTED), before = t_events(0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	t_call_deeper(f);
	t_call_deeper(g);
	measure_record_end(location);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_NESTED), lost);
	CU_ASSERT_EQUAL(atomic_load(&segment.header->nr_locations), beside + 1);
	CU_ASSERT_EQUAL(t_events(beside), 2 * 2 * 3);
	CU_ASSERT_EQUAL(t_depth(beside), 0);
	CU_ASSERT_EQUAL(t_events(0), before);
	CU_ASSERT_EQUAL(measure_location_index(), 0);
	t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
}

/* A function that is switched off meanwhile is left there all the same. */
static void test_beside_off(void)
{
	const uint32_t beside = atomic_load(&segment.header->nr_locations) - 1;
	const uint64_t before = t_events(beside);
	struct measure_location *location = measure_record_begin();
	char frame = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	location->opened_at = (uintptr_t)&frame + 4096;
	measure_function_enter(f, SITE, &frame, INSIDE);
	t_switch(f, false);
	measure_function_leave(f, SITE, &frame, INSIDE);
	CU_ASSERT_EQUAL(t_events(beside), before + 2);
	CU_ASSERT_EQUAL(t_depth(beside), 0);
	t_switch(f, true);
	measure_record_end(location);
}

static void *interrupted(void *unused)
{
	struct measure_location *location = measure_record_begin();

	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	t_call_deeper(f);
	measure_record_end(location);
	return unused;
}

/* The next thread has both locations of one that has ended. */
static void test_beside_ended(void)
{
	const uint32_t nr = atomic_load(&segment.header->nr_locations);
	pthread_t thread;

	for (int i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, interrupted, NULL), 0);
		pthread_join(thread, NULL);
	}
	CU_ASSERT_EQUAL(atomic_load(&segment.header->nr_locations), nr + 2);
	CU_ASSERT_EQUAL(t_events(nr) + t_events(nr + 1), 5 * 2 * 3);
}

/* One of them is in a bracket when the thread ends: a context has it, and may go on. */
static struct measure_location *busy;

static void *ending(void *unused)
{
	interrupted(NULL);
	busy = measure_location_self->next_nested;
	busy->flags = MEASURE_LOCATION_BUSY;
	return unused;
}

static void test_beside_busy(void)
{
	pthread_t thread;
	uint64_t nr_events;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, ending, NULL), 0);
	pthread_join(thread, NULL);
	nr_events = t_events(busy->index);
	CU_ASSERT_EQUAL(busy->flags, MEASURE_LOCATION_BUSY);
	CU_ASSERT_EQUAL(atomic_load(&busy->shared->ended), 1);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, interrupted, NULL), 0);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(t_events(busy->index), nr_events);
}

static __attribute__((noinline)) void t_enter_deeper(struct measure_location *location)
{
	char room[4096];

	memset(room, 0, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	measure_function_enter(f, SITE, __builtin_frame_address(0), INSIDE);
	location->opened_at = (uintptr_t)room; /* of a call that is over soon */
}

/* A handler leaves a bracket by siglongjmp(): the thread goes on where the handler was recorded. */
static void *jumping(void *unused)
{
	struct measure_location *location = measure_record_begin();
	const uint64_t abandoned = t_count(MEASURE_COUNT_ABANDONED);
	struct measure_location *beside;

	CU_ASSERT_PTR_NOT_NULL_FATAL(location);
	t_enter_deeper(location);
	beside = location->next_nested;
	CU_ASSERT_PTR_NOT_NULL_FATAL(beside);
	CU_ASSERT_EQUAL(t_depth(beside->index), 1);
	t_call(g);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_ABANDONED), abandoned + 1);
	CU_ASSERT_EQUAL(atomic_load(&location->shared->ended), 1);
	CU_ASSERT_EQUAL(measure_location_index(), beside->index);
	CU_ASSERT_EQUAL(t_depth(beside->index), 0);
	return unused;
}

static void test_beside_left(void)
{
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, jumping, NULL), 0);
	pthread_join(thread, NULL);
}

/* The table is replaced several times. */
static void test_many(void)
{
	uint64_t before;

	t_switch(f, false);
	for (int i = 2; i < NR_MANY; i++) {
		t_call(functions + 16 * i);
		if (i % 3 == 0)
			t_switch(functions + 16 * i, false);
	}
	before = t_events(0);
	for (int i = 2; i < NR_MANY; i++)
		t_call(functions + 16 * i);
	t_call(f);
	CU_ASSERT_EQUAL(t_events(0), before + 2 * (NR_MANY - 2 - (NR_MANY - 1) / 3));
	t_switch(f, true);
}

static _Atomic uint32_t nr_running;

static void *work(void *unused)
{
	uint32_t index = measure_location_index();

	for (int i = 0; i < NR_CALLS / 8; i++) {
		recurse(i % 2 ? f : g, 7);
		if (t_depth(index) != 0)
			break;
	}
	CU_ASSERT_EQUAL(t_depth(index), 0);
	atomic_fetch_sub(&nr_running, 1);
	return unused;
}

/* Threads are in the middle of calls when these are switched. */
static void test_threads(void)
{
	pthread_t threads[NR_THREADS];
	bool is_recorded = false;
	uint64_t nr_events = 0;
	uint32_t nr_locations = atomic_load(&segment.header->nr_locations);

	for (uint32_t i = 1; i < nr_locations; i++)
		nr_events -= t_events(i);

	atomic_store(&nr_running, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, NULL), 0);
	while (atomic_load(&nr_running) > 0) {
		t_switch(f, is_recorded);
		is_recorded = !is_recorded;
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 1; i < atomic_load(&segment.header->nr_locations); i++) {
		CU_ASSERT_EQUAL(t_events(i) % 2, 0);
		nr_events += t_events(i);
	}
	CU_ASSERT(nr_events >= NR_THREADS * NR_CALLS); /* half of them are of g */
	CU_ASSERT(nr_events <= 2 * NR_THREADS * NR_CALLS);
	t_switch(f, true);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"switch", test_switch},
		{"verdict", test_verdict},
		{"construct", test_construct},
		{"off while open", test_off_while_open},
		{"growing stack", test_growing_stack},
		{"on while open", test_on_while_open},
		{"unwinding", test_unwinding},
		{"nested", test_nested},
		{"beside", test_beside},
		{"beside and off", test_beside_off},
		{"beside ended", test_beside_ended},
		{"beside busy", test_beside_busy},
		{"beside left", test_beside_left},
		{"many", test_many},
		{"threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("off", t_start, NULL, tests);
}
