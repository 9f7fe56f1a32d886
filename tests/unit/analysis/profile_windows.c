/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a window of time: calls that begin in it are visits, time in it counts whenever a
 * call began, what was outside leaves no trace; windows side by side add up to the whole. */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"

#define T_LOCK_NAME ((uint64_t)OTF2_PARADIGM_PTHREAD << 32 | 5)

static void t_write_calls(void)
{
	T_ENTER(0, 0, T_MAIN);
	for (uint64_t i = 0; i < 10; i++) {
		T_ENTER(0, 10 * i + 2, T_F);
		T_LEAVE(0, 10 * i + 8, T_F);
	}
	T_LEAVE(0, 100, T_MAIN);
}

/* f runs from 32 to 38, ..., 62 to 68: the first is cut by the begin, the last by the end. */
static void t_calls(void)
{
	t_begin();
	t_set_window(35, 65);
	t_write_calls();
	t_read();
	T_TIMES("main", 0, 30, 12);
	T_TIMES("main/f", 3, 18, 18);
	CU_ASSERT_EQUAL(measure_histogram_total(T_FIND("main/f")->calls), 2);
	CU_ASSERT_EQUAL(T_FIND("main/f")->max, 6);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main/f"), 2);
	CU_ASSERT_EQUAL(T_VALUE(CUT_TICKS, "main/f"), 6);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main"), 1);
	CU_ASSERT_EQUAL(t_profile.first, 35);
	CU_ASSERT_EQUAL(t_profile.last, 65);
	CU_ASSERT_EQUAL(t_sum(), 30);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_ENTER, 0), 11);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_LEAVE, 0), 11);
	t_end();
}

/* [from, until): an Enter at its begin is in it, one at its end is not. */
static void t_edges(void)
{
	t_begin();
	t_set_window(32, 62);
	t_write_calls();
	t_read();
	T_TIMES("main/f", 3, 18, 18);
	CU_ASSERT_EQUAL(measure_histogram_total(T_FIND("main/f")->calls), 3);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main/f"), 0);
	t_end();
}

/* Parts of 7 ticks. */
static void t_parts(void)
{
	uint64_t visits = 0, inclusive = 0, exclusive = 0, complete = 0;

	for (uint64_t from = 0; from <= 100; from += 7) {
		t_begin();
		t_set_window(from, from + 7);
		t_write_calls();
		t_read();
		visits += T_FIND("main/f")->visits;
		inclusive += T_FIND("main/f")->inclusive;
		exclusive += t_exclusive("main");
		complete += measure_histogram_total(T_FIND("main/f")->calls);
		CU_ASSERT_EQUAL(t_sum(), from + 7 <= 100 ? 7 : 100 - from);
		t_end();
	}
	CU_ASSERT_EQUAL(visits, 10);
	CU_ASSERT_EQUAL(inclusive, 60);
	CU_ASSERT_EQUAL(exclusive, 40);
	CU_ASSERT(complete > 0 && complete < 10);
}

/* Before all, after all, and in nothing. */
static void t_empty(void)
{
	static const uint64_t windows[][2] = {{200, 300}, {50, 50}};

	for (size_t i = 0; i < 2; i++) {
		t_begin();
		t_set_window(windows[i][0], windows[i][1]);
		t_write_calls();
		t_read();
		T_TIMES("main", 0, 0, 0);
		T_TIMES("main/f", 0, 0, 0);
		CU_ASSERT_EQUAL(t_sum(), 0);
		CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_VALUES].nr, 0);
		t_end();
	}
}

/* Interruptions and tasks that begin before the window, and end after it. */
static void t_interruptions(void)
{
	t_begin();
	t_set_window(50, 150);
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(MeasurementOnOff, 0, 10, OTF2_MEASUREMENT_OFF);
	T_EVENT(MeasurementOnOff, 0, 60, OTF2_MEASUREMENT_ON);
	T_EVENT(BufferFlush, 0, 140, 190);
	T_LEAVE(0, 200, T_MAIN);
	T_ENTER(1, 0, T_PARALLEL);
	T_EVENT(ThreadTaskSwitch, 1, 20, T_TEAM, 0, 1);
	T_ENTER(1, 20, T_TASK);
	T_LEAVE(1, 70, T_TASK);
	T_EVENT(ThreadTaskSwitch, 1, 80, T_TEAM, 0, 0);
	T_EVENT(ThreadTaskSwitch, 1, 120, T_TEAM, 0, 2);
	T_ENTER(1, 120, T_TASK);
	T_LEAVE(1, 180, T_TASK);
	T_EVENT(ThreadTaskSwitch, 1, 180, T_TEAM, 0, 0);
	T_LEAVE(1, 200, T_PARALLEL);
	t_read();
	T_TIMES("main", 0, 100, 80);
	T_TIMES("main/(recording off)", 0, 10, 10);
	T_TIMES("main/(buffer flush)", 1, 10, 10);
	T_TIMES("parallel", 0, 40, 40);
	T_TIMES("(tasks)", 1, 60, 10);
	T_TIMES("(tasks)/task", 1, 50, 50);
	CU_ASSERT_EQUAL(t_sum(), 200);
	t_end();
}

/* What happened at a moment is in the window or not; times of locks and files are cut. */
static void t_traffic(void)
{
	t_begin();
	t_set_window(50, 150);
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(MpiSend, 0, 10, 1, T_WORLD, 0, 100);
	T_EVENT(ThreadAcquireLock, 0, 20, OTF2_PARADIGM_PTHREAD, 4, 1);
	T_EVENT(ThreadReleaseLock, 0, 30, OTF2_PARADIGM_PTHREAD, 4, 1);
	T_EVENT(ThreadAcquireLock, 0, 40, OTF2_PARADIGM_PTHREAD, 5, 1);
	T_EVENT(IoOperationBegin, 0, 45, T_STANDARD, OTF2_IO_OPERATION_MODE_READ,
		OTF2_IO_OPERATION_FLAG_NONE, 5, 1);
	T_EVENT(IoOperationComplete, 0, 46, T_STANDARD, UINT64_MAX, 1);
	T_EVENT(IoOperationBegin, 0, 47, T_DATA, OTF2_IO_OPERATION_MODE_READ,
		OTF2_IO_OPERATION_FLAG_NONE, 5, 1);
	T_EVENT(IoOperationComplete, 0, 60, T_DATA, 5, 1);
	T_EVENT(MpiSend, 0, 70, 1, T_WORLD, 0, 10);
	T_EVENT(ThreadReleaseLock, 0, 80, OTF2_PARADIGM_PTHREAD, 5, 1);
	T_EVENT(MpiCollectiveBegin, 0, 140);
	T_EVENT(MpiCollectiveEnd, 0, 160, OTF2_COLLECTIVE_OP_BARRIER, T_WORLD,
		OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	T_LEAVE(0, 200, T_MAIN);
	t_read();
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, COUNT, 0, 1), 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, BYTES, 0, 1), 10);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, ACQUISITIONS, 0, T_LOCK_NAME), 0);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, HOLD_TICKS, 0, T_LOCK_NAME), 30);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_LOCKS].nr, 1);
	CU_ASSERT_EQUAL(T_CELL(FILES, OPERATIONS, 0, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(FILES, BYTES_READ, 0, 0), 5);
	CU_ASSERT_EQUAL(T_CELL(FILES, TICKS, 0, 0), 10);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_FILES].nr, 1);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_COLLECTIVES].nr, 0);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"calls", t_calls},
		{"edges", t_edges},
		{"parts", t_parts},
		{"empty", t_empty},
		{"interruptions", t_interruptions},
		{"traffic", t_traffic},
		CU_TEST_INFO_NULL,
	};

	return t_suite("profile_windows", NULL, NULL, tests);
}
