/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: hook calls of this very program are taken out of its code and put back, while other
 * threads run through them; what is recorded is right all the time. */
#include "config.h"

#include <pthread.h>
#include <string.h>

#include "adapter.h"
#include "runtime/patch/machine_code.h"
#include "runtime/patch/patch.h"
#include "../../t_suite.h"
#include "../event/t_recording.h"
#include "patched.h"

#define CHUNK      (256 * 1024)
#define NR_THREADS 3
#define NR_ROUNDS  2000

static _Atomic uint32_t nr_taken_out;
static _Atomic bool is_done;

/* Of cyg_profile.c, which is linked in. */
measure_status_t measure_adapter_register(const struct measure_adapter *adapter)
{
	(void)adapter;
	return MEASURE_OK;
}

static void t_taken_out(void)
{
	atomic_fetch_add(&nr_taken_out, 1);
}

static const struct measure_patch_host host = {measure_stacks_may_hold, t_taken_out};

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static int t_start(void)
{
	struct measure_segment_size size = {128 * CHUNK, CHUNK, 16, 1 << 20};

	if (!t_make_segment(&size))
		return 1;
	segment.layout.is_kept = 1;
	measure_patch_start(&host);
	measure_function_hooks(
		(const void *)__cyg_profile_func_enter, (const void *)__cyg_profile_func_exit);
	return !t_record() || measure_location_index() != 0;
}

void t_switch_off(const void *function)
{
	t_switch(function, false);
}

static void t_call(int times)
{
	for (int i = 0; i < times; i++) {
		leaf();
		sum(i);
	}
}

static void test_bytes(void)
{
	uint8_t before[PATCHED_BYTES], patched[PATCHED_BYTES];
	uint64_t nr_events;
	int nr_changed = 0;

	if (!measure_machine_call)
		return;
	t_call(1);
	memcpy(before, (const void *)(uintptr_t)leaf, PATCHED_BYTES);
	t_switch((const void *)leaf, false);
	t_switch((const void *)sum, false);
	t_call(MEASURE_PATCH_CALLS - 1);
	CU_ASSERT_EQUAL(atomic_load(&nr_taken_out), 0);
	t_call(ENOUGH);
	memcpy(patched, (const void *)(uintptr_t)leaf, PATCHED_BYTES);
	for (int i = 0; i < PATCHED_BYTES; i++)
		nr_changed += before[i] != patched[i];
	CU_ASSERT(nr_changed >= 1);
	CU_ASSERT(atomic_load(&nr_taken_out) >= 3); /* with the other function's */
	nr_events = t_events(0);
	t_call(ENOUGH);
	CU_ASSERT_EQUAL(t_events(0), nr_events);

	t_switch((const void *)leaf, true);
	CU_ASSERT_EQUAL(memcmp(before, (const void *)(uintptr_t)leaf, PATCHED_BYTES), 0);
	t_call(ENOUGH);
	CU_ASSERT_EQUAL(t_events(0), nr_events + 2 * ENOUGH);
	t_switch((const void *)leaf, false);
	t_call(ENOUGH);
	CU_ASSERT_EQUAL(memcmp(patched, (const void *)(uintptr_t)leaf, PATCHED_BYTES), 0);
	t_switch((const void *)leaf, true);
	t_switch((const void *)sum, true);
}

/* As long as a call is open that was recorded, its exits are not taken out. */
static void test_open(void)
{
	uint64_t before = t_events(0), repairs = t_repairs();

	open_and_off(1);
	CU_ASSERT_EQUAL(t_events(0), before + 2 + 0);
	CU_ASSERT_EQUAL(t_repairs(), repairs);
	for (int i = 0; i < ENOUGH * 8; i++)
		open_and_off(0);
	CU_ASSERT_EQUAL(t_events(0), before + 2);
}

/* As in a forked child: what was seen before does not count. */
static void test_restart(void)
{
	uint32_t before = atomic_load(&nr_taken_out);

	if (!measure_machine_call)
		return;
	t_switch((const void *)watched, false);
	for (int i = 0; i <= MEASURE_PATCH_CALLS + MEASURE_PATCH_WATCHED / 2; i++)
		watched(i);
	CU_ASSERT_FALSE(measure_gate_is_plain());
	measure_patch_restart();
	CU_ASSERT_TRUE(measure_gate_is_plain());
	for (int i = 0; i < 2 * MEASURE_PATCH_CALLS; i++)
		watched(i);
	CU_ASSERT_EQUAL(atomic_load(&nr_taken_out), before);
	for (int i = 0; i < 2 * ENOUGH; i++)
		watched(i);
	CU_ASSERT(atomic_load(&nr_taken_out) > before);
}

static void *work(void *unused)
{
	for (int i = 0; i < NR_ROUNDS && !atomic_load(&is_done); i++) {
		t_call(50);
		recurse(20);
	}
	return unused;
}

/* All threads run through code that is being changed. */
static void test_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, NULL), 0);
	for (int i = 0; i < 60; i++) {
		t_switch((const void *)leaf, i % 2);
		t_switch((const void *)sum, i % 2);
		t_switch((const void *)recurse, i % 2);
		t_call(ENOUGH);
		recurse(ENOUGH);
	}
	atomic_store(&is_done, true);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < atomic_load(&segment.header->nr_locations); i++) {
		uint64_t committed = atomic_load(&segment.locations[i].committed);

		CU_ASSERT_EQUAL(measure_committed_depth(committed), 0);
		CU_ASSERT_EQUAL(measure_committed_events(committed) % 2, 0);
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"bytes", test_bytes},
		{"open", test_open},
		{"restart", test_restart},
		{"threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("live", t_start, NULL, tests);
}
