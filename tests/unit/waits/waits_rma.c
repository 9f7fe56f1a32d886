/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: waits in one-sided communication have the lengths and causes that their definitions
 * give: late posts, early waits, late completes, locks of windows */
#include "config.h"

#include "../t_suite.h"
#include "t_waits.h"

/* A call that says with whom it opens or closes an epoch. */
static void epoch(
	uint32_t location, uint64_t enter, uint64_t leave, uint32_t region, uint32_t partner)
{
	T_ENTER(location, enter, region);
	T_EVENT(RmaGroupSync, location, leave - 1, OTF2_RMA_SYNC_LEVEL_MEMORY, T_WINDOW,
		T_ALONE + partner);
	T_LEAVE(location, leave, region);
}

static void put(uint32_t location, uint64_t enter, uint64_t leave)
{
	T_ENTER(location, enter, T_PUT);
	T_LEAVE(location, leave, T_PUT);
}

/* Rank 0 puts something into the window of rank 1. */
static void access_epoch(uint64_t post, uint64_t wait)
{
	t_begin();
	epoch(0, 100, 110, T_START_EPOCH, 1);
	put(0, 120, 130);
	epoch(0, 200, 350, T_COMPLETE, 1);
	epoch(1, post, post + 5, T_POST, 0);
	epoch(1, wait, 410, T_WIN_WAIT, 0);
	t_read();
}

static uint32_t region_of(enum measure_wait_pattern pattern, uint32_t location)
{
	return t_waits.profile.paths[t_row(pattern, location)->path].region;
}

static void test_late_post(void)
{
	access_epoch(300, 400);
	T_WAITED(LATE_POST, 0, 100);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_LATE_POST, 0), T_COMPLETE);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_POST, 0)->worst.cause, 1);
	CU_ASSERT_EQUAL(t_total(), 100);
	t_end();
	access_epoch(126, 400);
	T_WAITED(LATE_POST, 0, 6);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_LATE_POST, 0), T_PUT);
	t_end();
	access_epoch(107, 400);
	T_WAITED(LATE_POST, 0, 7);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_LATE_POST, 0), T_START_EPOCH);
	t_end();
	access_epoch(115, 400);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
	access_epoch(360, 400);
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.faults[MEASURE_RELATION_RMA_POST].disproved, 1);
	t_end();
}

/* The epoch before has nothing to do with the post. */
static void test_late_post_of_second_epoch(void)
{
	t_begin();
	epoch(0, 100, 110, T_START_EPOCH, 1);
	epoch(0, 120, 180, T_COMPLETE, 1);
	epoch(0, 190, 195, T_START_EPOCH, 1);
	epoch(0, 200, 350, T_COMPLETE, 1);
	epoch(1, 100, 105, T_POST, 0);
	epoch(1, 121, 150, T_WIN_WAIT, 0);
	epoch(1, 170, 175, T_POST, 0);
	epoch(1, 202, 210, T_WIN_WAIT, 0);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

static void test_early_wait(void)
{
	t_begin();
	epoch(0, 300, 310, T_START_EPOCH, 1);
	put(0, 320, 360);
	epoch(0, 400, 405, T_COMPLETE, 1);
	epoch(1, 290, 295, T_POST, 0);
	epoch(1, 330, 410, T_WIN_WAIT, 0);
	t_read();
	T_WAITED(EARLY_WAIT, 1, 70);
	T_WAITED(LATE_COMPLETE, 1, 40);
	CU_ASSERT_EQUAL(t_total(), 70);
	t_end();
}

/* Holds a lock of the window on rank 3. */
static void lock(uint32_t location, uint64_t enter, uint64_t unlock_leave, OTF2_LockType type)
{
	T_ENTER(location, enter, T_LOCK);
	T_EVENT(RmaRequestLock, location, enter + 1, T_WINDOW, 3, 0, type);
	T_LEAVE(location, enter + 10, T_LOCK);
	put(location, enter + 20, enter + 30);
	T_ENTER(location, enter + 40, T_UNLOCK);
	T_EVENT(RmaReleaseLock, location, unlock_leave - 1, T_WINDOW, 3, 0);
	T_LEAVE(location, unlock_leave, T_UNLOCK);
}

/* Rank 0 has it first; rank 1 asks meanwhile, and learns of it in its MPI_Win_unlock. */
static void locks(OTF2_LockType type)
{
	t_begin();
	lock(0, 100, 250, type);
	lock(1, 110, 300, type);
	lock(2, 310, 400, type);
	t_read();
}

/* Who gives it back may learn that late. */
static void test_late_unlock(void)
{
	t_begin();
	lock(0, 100, 500, OTF2_LOCK_EXCLUSIVE);
	T_ENTER(1, 110, T_LOCK);
	T_EVENT(RmaRequestLock, 1, 111, T_WINDOW, 3, 0, OTF2_LOCK_EXCLUSIVE);
	T_LEAVE(1, 200, T_LOCK);
	T_ENTER(1, 300, T_UNLOCK);
	T_EVENT(RmaReleaseLock, 1, 309, T_WINDOW, 3, 0);
	T_LEAVE(1, 310, T_UNLOCK);
	t_read();
	T_WAITED(WINDOW_LOCK, 1, 30);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_WINDOW_LOCK, 1), T_LOCK);
	T_WAITED(WINDOW_LOCK, 0, 0);
	t_end();
}

static void test_locks(void)
{
	locks(OTF2_LOCK_EXCLUSIVE);
	T_WAITED(WINDOW_LOCK, 0, 0);
	T_WAITED(WINDOW_LOCK, 1, 100);
	T_WAITED(WINDOW_LOCK, 2, 0);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_WINDOW_LOCK, 1), T_UNLOCK);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_WINDOW_LOCK, 1)->worst.cause, 0);
	CU_ASSERT_EQUAL(t_total(), 100);
	t_end();
	locks(OTF2_LOCK_SHARED);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* Rank 3 computes when the first one gives its lock back, and is in MPI at the second time. */
static void progress(uint64_t unlock_leave)
{
	t_begin();
	lock(0, 100, unlock_leave, OTF2_LOCK_EXCLUSIVE);
	lock(1, 500, 560, OTF2_LOCK_EXCLUSIVE);
	T_ENTER(3, 90, T_PUT);
	T_LEAVE(3, 120, T_PUT);
	T_ENTER(3, 240, T_FENCE);
	T_LEAVE(3, 600, T_FENCE);
	t_read();
}

static void test_progress(void)
{
	progress(250);
	T_WAITED(PROGRESS, 0, 100);
	CU_ASSERT_EQUAL(region_of(MEASURE_WAIT_PROGRESS, 0), T_UNLOCK);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_PROGRESS, 0)->worst.cause, 3);
	T_WAITED(PROGRESS, 1, 0);
	CU_ASSERT_EQUAL(t_total(), 100);
	t_end();
	progress(230);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* One was over without its target: none needs it. */
static void test_needless_progress(void)
{
	t_begin();
	lock(0, 100, 250, OTF2_LOCK_EXCLUSIVE);
	lock(1, 300, 350, OTF2_LOCK_EXCLUSIVE);
	T_ENTER(3, 240, T_PUT);
	T_LEAVE(3, 255, T_PUT);
	T_ENTER(3, 400, T_FENCE);
	T_LEAVE(3, 600, T_FENCE);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"late post", test_late_post},
		{"late post of a second epoch", test_late_post_of_second_epoch},
		{"early wait", test_early_wait},
		{"locks", test_locks},
		{"late unlock", test_late_unlock},
		{"progress", test_progress},
		{"needless progress", test_needless_progress},
		CU_TEST_INFO_NULL,
	};

	return t_suite("waits_rma", NULL, NULL, tests);
}
