/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: waits of threads have the lengths and causes that their definitions give: OpenMP
 * barriers with and without tasks, critical sections, mutexes, joins, taskwait */
#include "config.h"

#include <time.h>

#include "../t_suite.h"
#include "t_waits.h"

/* Times of tasks are those of switches; number 0 is the implicit task. */
#define SWITCH(location, time, number) T_EVENT(ThreadTaskSwitch, location, time, T_TEAM, 0, number)
#define COMPLETE(location, time, number)                                                           \
	T_EVENT(ThreadTaskComplete, location, time, T_TEAM, 0, number)

static void run_task(uint32_t location, uint64_t begin, uint64_t end, uint32_t number)
{
	SWITCH(location, begin, number);
	T_ENTER(location, begin, T_TASK);
	T_LEAVE(location, end, T_TASK);
	COMPLETE(location, end, number);
	SWITCH(location, end, 0);
}

static void begin_team(uint32_t nr_tasks)
{
	t_begin();
	T_EVENT(ThreadFork, T_A, 10, OTF2_PARADIGM_OPENMP, 2);
	T_EVENT(ThreadTeamBegin, T_A, 20, T_TEAM);
	T_EVENT(ThreadTeamBegin, T_B, 20, T_TEAM);
	for (uint32_t i = 1; i <= nr_tasks; i++)
		T_EVENT(ThreadTaskCreate, T_A, 30, T_TEAM, 0, i);
}

static void end_team(void)
{
	T_EVENT(ThreadTeamEnd, T_A, 500, T_TEAM);
	T_EVENT(ThreadTeamEnd, T_B, 500, T_TEAM);
	T_EVENT(ThreadJoin, T_A, 510, OTF2_PARADIGM_OPENMP);
	t_read();
}

static void test_barriers(void)
{
	begin_team(0);
	T_ENTER(T_A, 100, T_BARRIER);
	T_LEAVE(T_A, 320, T_BARRIER);
	T_ENTER(T_A, 330, T_IMPLICIT);
	T_LEAVE(T_A, 410, T_IMPLICIT);
	T_ENTER(T_B, 300, T_BARRIER);
	T_LEAVE(T_B, 321, T_BARRIER);
	T_ENTER(T_B, 400, T_IMPLICIT);
	T_LEAVE(T_B, 410, T_IMPLICIT);
	end_team();
	T_WAITED(OPENMP_BARRIER, T_A, 200);
	T_WAITED(OPENMP_IMPLICIT_BARRIER, T_A, 70);
	CU_ASSERT_EQUAL(t_total(), 270);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_OPENMP_BARRIER, T_A)->worst.cause, T_B);
	t_end();
}

/* Tasks that a thread runs while it waits are work; when all have come, who has none starves, until
 * the last task of others has ended. */
static void test_barrier_with_tasks(void)
{
	begin_team(2);
	T_ENTER(T_A, 100, T_IMPLICIT);
	run_task(T_A, 150, 250, 1);
	run_task(T_A, 310, 400, 2);
	T_LEAVE(T_A, 420, T_IMPLICIT);
	T_ENTER(T_B, 300, T_IMPLICIT);
	T_LEAVE(T_B, 421, T_IMPLICIT);
	end_team();
	T_WAITED(OPENMP_IMPLICIT_BARRIER, T_A, 100);
	T_WAITED(STARVATION, T_A, 0);
	T_WAITED(OPENMP_IMPLICIT_BARRIER, T_B, 0);
	T_WAITED(STARVATION, T_B, 100);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_STARVATION, T_B)->worst.cause, T_A);
	t_end();
}

/* Until the last task of others has ended: for its own ones a thread does not wait. */
static void test_taskwait(void)
{
	begin_team(2);
	T_ENTER(T_A, 100, T_TASKWAIT);
	run_task(T_B, 50, 150, 1);
	run_task(T_A, 160, 280, 2);
	T_LEAVE(T_A, 300, T_TASKWAIT);
	end_team();
	T_WAITED(TASK_WAIT, T_A, 50);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_TASK_WAIT, T_A)->worst.cause, T_B);
	CU_ASSERT_EQUAL(t_total(), 50);
	t_end();
	/* it has run all of them itself: that is no waiting */
	begin_team(2);
	T_ENTER(T_A, 100, T_TASKWAIT);
	run_task(T_A, 110, 150, 1);
	run_task(T_A, 160, 280, 2);
	T_LEAVE(T_A, 300, T_TASKWAIT);
	end_team();
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* Each task waits for the next one, which the same thread runs. What has been suspended is not gone
 * through for each of them: that would take minutes. */
static void test_many_suspended_tasks(void)
{
	enum { NR_TASKS = 200000 };
	const clock_t begin = clock();

	begin_team(0);
	for (uint32_t i = 1; i <= NR_TASKS; i++)
		SWITCH(T_A, 50 + i, i);
	for (uint32_t i = NR_TASKS; i > 0; i--) {
		COMPLETE(T_A, 50 + 2 * (uint64_t)NR_TASKS - i, i);
		SWITCH(T_A, 50 + 2 * (uint64_t)NR_TASKS - i, i - 1);
	}
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.nr_cut, 0);
	CU_ASSERT((double)(clock() - begin) < 10.0 * CLOCKS_PER_SEC);
	t_end();
}

/* A critical section inside a task is no part of the barrier that runs the task, and neither is the
 * barrier what that waits in. */
static void test_critical_in_task(void)
{
	begin_team(1);
	T_EVENT(ThreadAcquireLock, T_B, 100, OTF2_PARADIGM_OPENMP, 7, 1);
	T_EVENT(ThreadReleaseLock, T_B, 180, OTF2_PARADIGM_OPENMP, 7, 1);
	T_ENTER(T_A, 110, T_IMPLICIT);
	SWITCH(T_A, 120, 1);
	T_ENTER(T_A, 130, T_CRITICAL);
	T_EVENT(ThreadAcquireLock, T_A, 182, OTF2_PARADIGM_OPENMP, 7, 2);
	T_EVENT(ThreadReleaseLock, T_A, 190, OTF2_PARADIGM_OPENMP, 7, 2);
	T_LEAVE(T_A, 192, T_CRITICAL);
	COMPLETE(T_A, 200, 1);
	SWITCH(T_A, 200, 0);
	T_LEAVE(T_A, 310, T_IMPLICIT);
	T_ENTER(T_B, 300, T_IMPLICIT);
	T_LEAVE(T_B, 310, T_IMPLICIT);
	end_team();
	T_WAITED(CRITICAL, T_A, 50);
	T_WAITED(OPENMP_IMPLICIT_BARRIER, T_A, 110);
	CU_ASSERT_EQUAL(t_total(), 160);
	t_end();
}

static void lock(uint32_t region, OTF2_Paradigm paradigm, uint64_t release)
{
	t_begin();
	T_EVENT(ThreadAcquireLock, T_B, 50, paradigm, 7, 1);
	T_EVENT(ThreadReleaseLock, T_B, release, paradigm, 7, 1);
	T_ENTER(T_A, 100, region);
	T_EVENT(ThreadAcquireLock, T_A, 182, paradigm, 7, 2);
	T_LEAVE(T_A, 190, region);
	T_EVENT(ThreadReleaseLock, T_A, 200, paradigm, 7, 2);
	t_read();
}

static void test_locks(void)
{
	lock(T_CRITICAL, OTF2_PARADIGM_OPENMP, 180);
	T_WAITED(CRITICAL, T_A, 80);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_CRITICAL, T_A)->worst.cause, T_B);
	CU_ASSERT_EQUAL(t_total(), 80);
	t_end();
	lock(T_CRITICAL, OTF2_PARADIGM_OPENMP, 90);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
	lock(T_MUTEX_LOCK, OTF2_PARADIGM_PTHREAD, 180);
	T_WAITED(MUTEX, T_A, 80);
	CU_ASSERT_EQUAL(t_total(), 80);
	t_end();
}

static void test_join(void)
{
	t_begin();
	T_EVENT(ThreadCreate, T_A, 50, T_TEAM, 1);
	T_EVENT(ThreadBegin, T_B, 60, T_TEAM, 1);
	T_EVENT(ThreadEnd, T_B, 300, T_TEAM, 1);
	T_ENTER(T_A, 100, T_JOIN);
	T_EVENT(ThreadWait, T_A, 319, T_TEAM, 1);
	T_LEAVE(T_A, 320, T_JOIN);
	t_read();
	T_WAITED(JOIN, T_A, 200);
	CU_ASSERT_EQUAL(t_total(), 200);
	t_end();
}

/* A team of the two threads, or of the first alone. */
static void team(uint32_t ref, uint64_t fork, uint64_t join, uint32_t nr)
{
	T_EVENT(ThreadFork, T_A, fork, OTF2_PARADIGM_OPENMP, nr);
	for (uint32_t i = 0; i < nr; i++)
		T_EVENT(ThreadTeamBegin, T_A + i, fork + 2 + i, ref);
	for (uint32_t i = 0; i < nr; i++)
		T_EVENT(ThreadTeamEnd, T_A + i, join - 5 + i, ref);
	T_EVENT(ThreadJoin, T_A, join, OTF2_PARADIGM_OPENMP);
}

static void test_idle_threads(void)
{
	t_begin();
	T_ENTER(T_A, 0, T_MAIN);
	team(T_BIG_TEAM, 100, 300, 4);
	team(T_TEAM, 350, 500, 2);
	T_LEAVE(T_A, 600, T_MAIN);
	t_read();
	T_WAITED(IDLE, T_A, 750);
	T_WAITED(LIMITED_PARALLELISM, T_A, 300);
	T_WAITED(FORK, T_A, 4);
	T_WAITED(FORK, T_B, 6);
	T_WAITED(TEAM_JOIN, T_A, 2 + 4);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_IDLE, T_A)->count, 3);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_IDLE, T_A)->worst.enter, T_START);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_IDLE, T_A)->worst.until, T_START + 100);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* An upper bound, beside what is known. */
static void test_semaphore(void)
{
	t_begin();
	T_ENTER(T_A, 100, T_SEM_WAIT);
	T_LEAVE(T_A, 320, T_SEM_WAIT);
	T_ENTER(T_A, 400, T_SEM_WAIT);
	T_LEAVE(T_A, 430, T_SEM_WAIT);
	t_read();
	T_WAITED(UNKNOWN, T_A, 250);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_UNKNOWN, T_A)->max, 220);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_UNKNOWN, T_A)->worst.cause, MEASURE_NONE);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"barriers", test_barriers},
		{"barrier with tasks", test_barrier_with_tasks},
		{"taskwait", test_taskwait},
		{"many suspended tasks", test_many_suspended_tasks},
		{"critical in task", test_critical_in_task},
		{"locks", test_locks},
		{"join", test_join},
		{"idle threads", test_idle_threads},
		{"semaphore", test_semaphore},
		CU_TEST_INFO_NULL,
	};

	return t_suite("waits_threads", NULL, NULL, tests);
}
