/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the time of tasks is theirs alone: tasks in barriers, in each other, suspended, on
 * two threads, in parallel regions inside of tasks, completed late or never. */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"
#include "analysis/fold/fold.h"

#define T_SWITCH(location, time, team, number)                                                     \
	T_EVENT(ThreadTaskSwitch, location, time, team, 0, number)
#define T_COMPLETE(location, time, team, number)                                                   \
	T_EVENT(ThreadTaskComplete, location, time, team, 0, number)

/* Case P3. */
static void t_task_in_barrier(void)
{
	t_begin();
	T_ENTER(0, 0, T_PARALLEL);
	T_EVENT(ThreadTaskCreate, 0, 50, T_TEAM, 0, 1);
	T_ENTER(0, 100, T_BARRIER);
	T_SWITCH(0, 110, T_TEAM, 1);
	T_ENTER(0, 110, T_TASK);
	T_LEAVE(0, 150, T_TASK);
	T_COMPLETE(0, 150, T_TEAM, 1);
	T_SWITCH(0, 150, T_TEAM, 0);
	T_LEAVE(0, 200, T_BARRIER);
	T_LEAVE(0, 200, T_PARALLEL);
	t_read();
	T_TIMES("parallel", 1, 160, 100);
	T_TIMES("parallel/barrier", 1, 60, 60);
	T_TIMES("(tasks)", 1, 40, 0);
	T_TIMES("(tasks)/task", 1, 40, 40);
	CU_ASSERT_EQUAL(T_FIND("parallel/barrier/(running tasks)")->inclusive, 40);
	CU_ASSERT_EQUAL(T_FIND("parallel/barrier")->max, 60);
	CU_ASSERT_EQUAL(t_profile.nr_tasks_created, 1);
	CU_ASSERT_EQUAL(t_profile.nr_tasks_completed, 1);
	CU_ASSERT_EQUAL(t_sum(), 200);
	t_end();
}

/* Task 1 is suspended in f while task 2 runs, and goes on there; both have calls of the same
 * regions open at once. */
static void t_nested_tasks(void)
{
	t_begin();
	T_ENTER(0, 0, T_PARALLEL);
	T_SWITCH(0, 10, T_TEAM, 1);
	T_ENTER(0, 10, T_TASK);
	T_ENTER(0, 20, T_F);
	T_SWITCH(0, 30, T_TEAM, 2);
	T_ENTER(0, 30, T_TASK);
	T_ENTER(0, 35, T_F);
	T_LEAVE(0, 45, T_F);
	T_LEAVE(0, 50, T_TASK);
	T_COMPLETE(0, 50, T_TEAM, 2);
	T_SWITCH(0, 50, T_TEAM, 1);
	T_LEAVE(0, 60, T_F);
	T_LEAVE(0, 70, T_TASK);
	T_COMPLETE(0, 70, T_TEAM, 1);
	T_SWITCH(0, 80, T_TEAM, 0);
	T_LEAVE(0, 100, T_PARALLEL);
	t_read();
	T_TIMES("parallel", 1, 30, 30);
	T_TIMES("(tasks)", 2, 70, 10);
	T_TIMES("(tasks)/task", 2, 60, 30);
	T_TIMES("(tasks)/task/f", 2, 30, 30);
	CU_ASSERT_EQUAL(T_FIND("(tasks)/task")->min, 20);
	CU_ASSERT_EQUAL(T_FIND("(tasks)/task")->max, 40);
	CU_ASSERT_EQUAL(T_FIND("parallel/(running tasks)")->inclusive, 70);
	CU_ASSERT_EQUAL(T_FIND("(tasks)/task/f/(running tasks)")->inclusive, 20);
	CU_ASSERT_EQUAL(t_profile.faults.unopened + t_profile.faults.repaired, 0);
	CU_ASSERT_EQUAL(t_sum(), 100);
	t_end();
}

/* In task 1 of the outer team a thread works in an inner team, whose implicit task the task is
 * then: what ends after an inner task is what the outer task began. */
static void t_parallel_region_in_task(void)
{
	t_begin();
	T_ENTER(0, 0, T_PARALLEL);
	T_SWITCH(0, 10, T_TEAM, 1);
	T_ENTER(0, 10, T_TASK);
	for (uint64_t i = 0; i < 2; i++) {
		const uint64_t begin = 20 + 30 * i;

		T_ENTER(0, begin, T_PARALLEL);
		T_ENTER(0, begin + 2, T_BARRIER);
		T_SWITCH(0, begin + 5, T_INNER_TEAM, 1 + (uint32_t)i);
		T_ENTER(0, begin + 5, T_F);
		T_LEAVE(0, begin + 15, T_F);
		T_COMPLETE(0, begin + 15, T_INNER_TEAM, 1 + (uint32_t)i);
		T_SWITCH(0, begin + 16, T_INNER_TEAM, 0);
		T_LEAVE(0, begin + 20, T_BARRIER);
		T_LEAVE(0, begin + 25, T_PARALLEL);
	}
	T_LEAVE(0, 80, T_TASK);
	T_COMPLETE(0, 80, T_TEAM, 1);
	T_SWITCH(0, 80, T_TEAM, 0);
	T_LEAVE(0, 100, T_PARALLEL);
	t_read();
	CU_ASSERT_EQUAL(
		t_profile.faults.unopened + t_profile.faults.repaired + t_profile.faults.cut, 0);
	T_TIMES("parallel", 1, 30, 30);
	T_TIMES("(tasks)", 3, 70, 2);
	T_TIMES("(tasks)/task", 1, 48, 20);
	T_TIMES("(tasks)/task/parallel", 2, 28, 14);
	T_TIMES("(tasks)/task/parallel/barrier", 2, 14, 14);
	T_TIMES("(tasks)/f", 2, 20, 20);
	CU_ASSERT_EQUAL(t_sum(), 100);
	t_end();
}

/* An untied task begins on one thread and goes on on another: two calls; nothing is lost. */
static void t_untied_task(void)
{
	t_begin();
	for (uint32_t i = 0; i < 2; i++) {
		T_ENTER(i, 0, T_PARALLEL);
		T_SWITCH(i, 10 + 30 * i, T_TEAM, 1);
		if (i == 0)
			T_ENTER(0, 10, T_TASK);
		T_ENTER(i, 15 + 30 * i, T_F);
		T_LEAVE(i, 20 + 30 * i, T_F);
		if (i == 1) {
			T_LEAVE(1, 55, T_TASK);
			T_COMPLETE(1, 55, T_TEAM, 1);
		}
		T_SWITCH(i, 30 + 30 * i, T_TEAM, 0);
		T_LEAVE(i, 100, T_PARALLEL);
	}
	t_read();
	T_TIMES("parallel", 2, 160, 160);
	CU_ASSERT_EQUAL(T_FIND("(tasks)")->inclusive, 40);
	T_TIMES("(tasks)/task", 1, 20, 15);
	T_TIMES("(tasks)/task/f", 1, 5, 5);
	T_TIMES("(tasks)/f", 1, 5, 5);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "(tasks)/task"), 1);
	CU_ASSERT_EQUAL(t_profile.faults.unopened, 1);
	CU_ASSERT_EQUAL(t_profile.nr_tasks_completed, 1);
	CU_ASSERT_EQUAL(t_sum(), 200);
	t_end();
}

/* Many tasks that are completed when they do not run any more; their frames serve others. */
static void t_late_completion(void)
{
	t_begin();
	T_ENTER(0, 0, T_PARALLEL);
	for (uint32_t i = 0; i < 1000; i++) {
		T_SWITCH(0, 10 * i + 2, T_TEAM, 1 + i);
		T_ENTER(0, 10 * i + 3, T_TASK);
		T_LEAVE(0, 10 * i + 5, T_TASK);
		T_SWITCH(0, 10 * i + 6, T_TEAM, 0);
		T_COMPLETE(0, 10 * i + 8, T_TEAM, 1 + i);
	}
	T_LEAVE(0, 10000, T_PARALLEL);
	t_read();
	T_TIMES("parallel", 1, 6000, 6000);
	T_TIMES("(tasks)", 1000, 4000, 2000);
	T_TIMES("(tasks)/task", 1000, 2000, 2000);
	CU_ASSERT_EQUAL(t_profile.nr_tasks_completed, 1000);
	CU_ASSERT_EQUAL(t_sum(), 10000);
	t_end();
}

/* The trace ends in one task while another one is suspended. */
static void t_cut_tasks(void)
{
	t_begin();
	T_ENTER(0, 0, T_PARALLEL);
	T_SWITCH(0, 10, T_TEAM, 1);
	T_ENTER(0, 10, T_TASK);
	T_SWITCH(0, 30, T_TEAM, 2);
	T_ENTER(0, 30, T_TASK);
	T_ENTER(0, 40, T_F);
	T_EVENT(ProgramEnd, 0, 60, 0);
	t_read();
	T_TIMES("parallel", 1, 10, 10);
	T_TIMES("(tasks)", 2, 50, 0);
	T_TIMES("(tasks)/task", 2, 50, 30);
	T_TIMES("(tasks)/task/f", 1, 20, 20);
	CU_ASSERT_EQUAL(t_profile.faults.cut, 4);
	CU_ASSERT_EQUAL(t_sum(), 60);
	t_end();
}

/* Chunks are left out while a task runs: their time is nobody's. */
static void t_skipped(void)
{
	const struct measure_record record = {.nr_attributes = 0};
	struct measure_event event = {
		.kind = MEASURE_EVENT_THREAD_TASK_SWITCH, .time = 10, .tag = 1};
	struct measure_profile profile;
	struct measure_ranks ranks;
	struct measure_fold fold;

	t_begin();
	t_read();
	measure_profile_start(&profile, t_trace);
	measure_ranks_start(&ranks, &t_trace->definitions);
	measure_fold_start(&fold, &profile, &ranks, 0);
	profile.first = 0;
	measure_fold_enter(&fold, T_PARALLEL, 0);
	measure_fold_record(&fold, &event, &record, 10);
	measure_fold_enter(&fold, T_TASK, 10);
	fold.last = 15;
	measure_fold_skip(&fold, 1000);
	event.kind = MEASURE_EVENT_THREAD_TEAM_BEGIN;
	measure_fold_record(&fold, &event, &record, 1000);
	fold.last = 1000;
	measure_fold_enter(&fold, T_F, 1000);
	measure_fold_leave(&fold, T_F, 1020);
	fold.last = 1020;
	measure_fold_end(&fold);
	CU_ASSERT_EQUAL(profile.faults.cut, 0);
	CU_ASSERT_EQUAL(profile.paths[0].inclusive, 35);
	for (size_t i = 1; i < profile.nr_paths; i++)
		CU_ASSERT(profile.paths[i].inclusive <= 20);
	measure_ranks_free(&ranks);
	measure_profile_free(&profile);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"task in a barrier", t_task_in_barrier},
		{"nested tasks", t_nested_tasks},
		{"parallel region in a task", t_parallel_region_in_task},
		{"untied task", t_untied_task},
		{"late completion", t_late_completion},
		{"cut tasks", t_cut_tasks},
		{"skipped", t_skipped},
		CU_TEST_INFO_NULL,
	};

	return t_suite("profile_tasks", NULL, NULL, tests);
}
