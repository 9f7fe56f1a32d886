/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: dependences follow from data in the order of creation; critical paths, chains and
 * gaps are those of cases worked by hand; traces that contradict themselves come to an end */
#include "config.h"

#include <CUnit/CUnit.h>

#include "../t_suite.h"
#include "t_tasks.h"

static const enum t_parameter R = T_ACCESS_IN, W = T_ACCESS_OUT, RW = T_ACCESS_INOUT,
			      COMMUTE = T_ACCESS_MUTEXINOUTSET, REDUCE = T_ACCESS_INOUTSET;

static uint32_t last_task;

static void start(void)
{
	t_begin();
	last_task = 0;
}

/* The next task, with an access of data. */
static uint32_t use(enum t_parameter mode, uint64_t handle)
{
	t_create(T_SUBMITTER, 10 + last_task, last_task + 1);
	t_fact(T_SUBMITTER, 10 + last_task, mode, handle);
	return ++last_task;
}

static bool waits(uint32_t task, uint32_t before)
{
	const struct measure_task_edge *edge = t_edge(T_TASK(task), T_TASK(before));

	return edge && edge->is_inferred;
}

/* ---------------------------------------------------------------------- inference --- */

static void test_groups(void)
{
	start();
	use(R, 1); /* nobody has written it */
	use(W, 1);
	use(R, 1);
	use(R, 1);
	use(RW, 1);
	use(COMMUTE, 1);
	use(COMMUTE, 1);
	use(R, 1);
	use(REDUCE, 1);
	use(REDUCE, 1);
	use(COMMUTE, 1);
	use(W, 2);
	t_read();
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(1)), 0);
	CU_ASSERT_TRUE(waits(2, 1));
	CU_ASSERT_TRUE(waits(3, 2) && waits(4, 2) && !waits(4, 3));
	CU_ASSERT_TRUE(waits(5, 3) && waits(5, 4));
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(5)), 2);
	CU_ASSERT_TRUE(waits(6, 5) && waits(7, 5) && !waits(7, 6));
	CU_ASSERT_TRUE(waits(8, 6) && waits(8, 7));
	CU_ASSERT_TRUE(waits(9, 8) && waits(10, 8) && !waits(10, 9));
	CU_ASSERT_TRUE(waits(11, 9) && waits(11, 10));
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(12)), 0);
	CU_ASSERT_EQUAL(t_tasks.nr_joins, 0);
	CU_ASSERT_PTR_NULL(t_tasks.order);
	t_end();
}

/* Read and written by one task is both; used twice is used. */
static void test_twice(void)
{
	start();
	use(R, 1);
	use(R, 1);
	t_fact(T_SUBMITTER, 11, W, 1);
	use(R, 1);
	t_fact(T_SUBMITTER, 12, R, 1);
	t_fact(T_SUBMITTER, 12, R, 2);
	t_read();
	CU_ASSERT_TRUE(waits(2, 1) && waits(3, 2) && !waits(3, 1));
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(2)), 1);
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(3)), 1);
	t_end();
}

/* An address orders the tasks of one parent; a registered handle those of the process. */
static void test_scopes(void)
{
	for (int is_registered = 0; is_registered < 2; is_registered++) {
		start();
		if (is_registered)
			t_fact(T_CPU0, 1, T_DATA_REGISTER, 1);
		use(RW, 1);
		use(RW, 1);
		use(RW, 1);
		t_fact(T_SUBMITTER, 12, T_PARENT, 1);
		use(RW, 1);
		t_fact(T_SUBMITTER, 13, T_PARENT, 1);
		use(RW, 1);
		t_create(T_SUBMITTER1, 50, 1);
		t_fact(T_SUBMITTER1, 50, RW, 1);
		t_read();
		CU_ASSERT_TRUE(waits(2, 1) && waits(4, 3));
		CU_ASSERT_EQUAL(waits(3, 2), is_registered);
		CU_ASSERT_EQUAL(waits(5, 4), is_registered);
		CU_ASSERT_EQUAL(waits(5, 2), !is_registered);
		CU_ASSERT_EQUAL(t_nr_edges(t_task(T_TEAM1, 1)), 0);
		t_end();
	}
}

static void test_declared(void)
{
	start();
	use(W, 1);
	use(R, 1);
	t_fact(T_SUBMITTER, 11, T_DEPENDENCE, 1);
	t_fact(T_SUBMITTER, 11, T_DEPENDENCE, 1);
	use(R, 2);
	t_fact(T_SUBMITTER, 12, T_DEPENDENCE, 2);
	t_read();
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(2)), 1);
	CU_ASSERT_TRUE(t_edge(T_TASK(2), T_TASK(1))->is_declared);
	CU_ASSERT_TRUE(t_edge(T_TASK(2), T_TASK(1))->is_inferred);
	CU_ASSERT_TRUE(t_edge(T_TASK(3), T_TASK(2))->is_declared);
	CU_ASSERT_FALSE(t_edge(T_TASK(3), T_TASK(2))->is_inferred);
	CU_ASSERT_EQUAL(t_read_with(1, true), MEASURE_OK);
	CU_ASSERT_FALSE(t_edge(T_TASK(2), T_TASK(1))->is_inferred);
	t_end();
}

/* 100 writers in any order, then 100 readers: 100 edges, a join, and its 100 edges. */
static void test_joins(void)
{
	uint32_t chain[3];

	start();
	for (int i = 0; i < 100; i++)
		use(COMMUTE, 1);
	for (int i = 0; i < 100; i++)
		use(R, 1);
	for (uint32_t i = 1; i <= 100; i++)
		t_run(T_CPU0, 1000 + 10 * i, 1005 + 10 * i, i);
	for (uint32_t i = 101; i <= 200; i++)
		t_run(T_CPU1, 2000 + 10 * i, 2005 + 10 * i, i);
	t_read();
	CU_ASSERT_EQUAL(t_tasks.nr_joins, 1);
	CU_ASSERT_EQUAL(t_tasks.nr_tasks, 201);
	CU_ASSERT_EQUAL(t_tasks.first_edges[201], 100 + 99 + 100);
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(101)), 100);
	CU_ASSERT_TRUE(waits(101, 100));
	CU_ASSERT_EQUAL(t_nr_edges(T_TASK(102)), 1);
	CU_ASSERT_EQUAL(t_tasks.edges[t_tasks.first_edges[T_TASK(102)]].task, 200);
	CU_ASSERT_EQUAL(t_nr_edges(200), 100);
	CU_ASSERT_EQUAL(t_find(102)->ready, 2005); /* the last writer has ended */
	CU_ASSERT_EQUAL(t_tasks.tasks[200].process, 0);
	CU_ASSERT_EQUAL(measure_tasks_chain(&t_tasks, T_TASK(150), 2, chain), 2);
	CU_ASSERT_EQUAL(chain[1], T_TASK(100));
	t_end();
}

/* ----------------------------------------------------------------- critical paths --- */

static uint64_t path_of(enum measure_task_durations durations, bool has_messages, uint32_t process,
	struct measure_tasks_path *path)
{
	const struct measure_tasks_path_options options = {durations, has_messages, process};

	measure_tasks_critical_path(&t_tasks, &options, path);
	return path->length;
}

static uint64_t length_of(
	enum measure_task_durations durations, bool has_messages, uint32_t process)
{
	struct measure_tasks_path path;
	const uint64_t length = path_of(durations, has_messages, process, &path);

	measure_tasks_path_free(&path);
	return length;
}

#define OBSERVED MEASURE_TASK_DURATIONS_OBSERVED
#define FASTEST  MEASURE_TASK_DURATIONS_FASTEST

/* potrf 1 (10) -> trsm 2 (20), trsm 3 (40 on the device, else 20) -> gemm 4 (30). */
static void test_path(void)
{
	struct measure_tasks_path path;

	start();
	use(RW, 1);
	for (uint32_t i = 2; i <= 3; i++) {
		use(R, 1);
		t_fact(T_SUBMITTER, 9 + i, RW, i);
	}
	use(R, 2);
	t_fact(T_SUBMITTER, 13, R, 3);
	t_run_region(T_CPU0, 100, 110, 1, T_POTRF);
	t_run_region(T_CPU0, 120, 140, 2, T_TRSM);
	t_run_region(T_DEVICE, 120, 160, 3, T_TRSM);
	t_run_region(T_CPU0, 200, 230, 4, T_GEMM);
	t_read();
	CU_ASSERT_EQUAL(path_of(OBSERVED, false, MEASURE_NONE, &path), 80);
	CU_ASSERT_EQUAL_FATAL(path.nr_tasks, 3);
	CU_ASSERT_EQUAL(path.tasks[0], T_TASK(1));
	CU_ASSERT_EQUAL(path.tasks[1], T_TASK(3));
	CU_ASSERT_EQUAL(path.tasks[2], T_TASK(4));
	CU_ASSERT_EQUAL(path.messages, 0);
	measure_tasks_path_free(&path);
	CU_ASSERT_EQUAL(length_of(FASTEST, false, MEASURE_NONE), 60);
	CU_ASSERT_EQUAL(length_of(OBSERVED, false, 1), 0);
	t_end();
}

/* Both sides are ready at 250, and it has arrived at 300. */
static void test_message(void)
{
	struct measure_tasks_path path;

	start();
	use(RW, 1);
	t_create_with(T_SUBMITTER, 20, 2, UINT64_MAX, UINT64_MAX, 7, 0);
	t_fact(T_SUBMITTER, 20, T_SEND, 1);
	t_fact(T_SUBMITTER, 20, R, 1);
	t_create_with(T_SUBMITTER1, 15, 1, UINT64_MAX, UINT64_MAX, 7, 0);
	t_fact(T_SUBMITTER1, 15, T_RECEIVE, 0);
	t_fact(T_SUBMITTER1, 15, W, 5);
	t_create(T_SUBMITTER1, 16, 2);
	t_fact(T_SUBMITTER1, 16, R, 5);
	t_create_with(T_SUBMITTER1, 17, 3, UINT64_MAX, UINT64_MAX, 7, 0);
	t_fact(T_SUBMITTER1, 17, T_RECEIVE, 0); /* nobody sends */
	t_run(T_CPU0, 100, 200, 1);
	t_fact(T_CPU0, 200, T_READY, 2);
	t_complete(T_SUBMITTER, 310, 2);
	t_fact(T_SUBMITTER1, 250, T_READY, 1);
	t_complete(T_SUBMITTER1, 300, 1);
	t_run(T_CPU2, 400, 430, 2);
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_hops, 1);
	CU_ASSERT_EQUAL(t_tasks.hops[0].send, T_TASK(2));
	CU_ASSERT_EQUAL(t_tasks.hops[0].receive, t_task(T_TEAM1, 1));
	CU_ASSERT_TRUE(t_edge(t_task(T_TEAM1, 1), T_TASK(2))->is_message);
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_unmatched, 1);
	CU_ASSERT_EQUAL(measure_tasks_hop_ticks(&t_tasks, &t_tasks.hops[0]), 50);
	CU_ASSERT_EQUAL(length_of(OBSERVED, false, MEASURE_NONE), 130);
	CU_ASSERT_EQUAL(path_of(OBSERVED, true, MEASURE_NONE, &path), 180);
	CU_ASSERT_EQUAL(path.messages, 50);
	CU_ASSERT_EQUAL(path.nr_tasks, 4);
	measure_tasks_path_free(&path);
	CU_ASSERT_EQUAL(length_of(OBSERVED, true, 0), 100);
	CU_ASSERT_EQUAL(length_of(OBSERVED, true, 1), 30);
	t_end();
}

/* The k-th of each side, whatever comes between them. */
static void test_order_of_messages(void)
{
	start();
	for (uint32_t i = 1; i <= 4; i++) {
		t_create_with(T_SUBMITTER, 10 * i, i, UINT64_MAX, UINT64_MAX, i % 2, 0);
		t_fact(T_SUBMITTER, 10 * i, T_SEND, 1);
		t_create_with(T_SUBMITTER1, 10 * i, i, UINT64_MAX, UINT64_MAX, i > 2, 0);
		t_fact(T_SUBMITTER1, 10 * i, T_RECEIVE, 0);
	}
	t_create_with(T_SUBMITTER, 100, 5, UINT64_MAX, UINT64_MAX, 1, 0);
	t_fact(T_SUBMITTER, 100, T_SEND, 9); /* there is no such rank */
	t_read();
	CU_ASSERT_EQUAL(t_tasks.nr_hops, 4);
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 1), T_TASK(2)));
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 2), T_TASK(4)));
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 3), T_TASK(1)));
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 4), T_TASK(3)));
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_unmatched, 1);
	t_end();
}

/* The first send has to wait, so that the second one meets the receive that is ready first. */
static void test_order_of_ready_messages(void)
{
	start();
	for (uint32_t i = 1; i <= 2; i++) {
		t_create_with(T_SUBMITTER, 10 * i, i, UINT64_MAX, UINT64_MAX, 7, 0);
		t_fact(T_SUBMITTER, 10 * i, T_SEND, 1);
		t_create_with(T_SUBMITTER1, 10 * i, i, UINT64_MAX, UINT64_MAX, 7, 0);
		t_fact(T_SUBMITTER1, 10 * i, T_RECEIVE, 0);
	}
	t_fact(T_CPU0, 40, T_READY, 2);
	t_fact(T_CPU0, 50, T_READY, 1);
	t_read();
	CU_ASSERT_EQUAL(t_tasks.nr_hops, 2);
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 1), T_TASK(2)));
	CU_ASSERT_PTR_NOT_NULL(t_edge(t_task(T_TEAM1, 2), T_TASK(1)));
	t_end();
}

/* Task 1 has run for 15 of its 30 ticks when it makes task 2, of 40. */
static void test_spawned(void)
{
	struct measure_tasks_path path;

	start();
	t_create(T_SUBMITTER, 1, 1);
	t_switch(T_CPU0, 10, 1);
	t_enter(T_CPU0, 10, T_POTRF);
	t_create(T_CPU0, 25, 2);
	t_leave(T_CPU0, 40, T_POTRF);
	t_complete(T_CPU0, 40, 1);
	t_switch(T_CPU0, 40, 0);
	t_run_region(T_CPU1, 50, 90, 2, T_GEMM);
	t_create(T_SUBMITTER, 91, 3);
	t_run_region(T_CPU1, 100, 120, 3, T_POTRF);
	t_read();
	CU_ASSERT_EQUAL(path_of(OBSERVED, false, MEASURE_NONE, &path), 55);
	CU_ASSERT_EQUAL(path.nr_tasks, 2);
	measure_tasks_path_free(&path);
	/* a potrf takes 25 then, and half of that until it makes the other one */
	CU_ASSERT_EQUAL(length_of(FASTEST, false, MEASURE_NONE), 12 + 40);
	t_end();
}

/* ------------------------------------------------------------------ damaged traces --- */

/* Wherever they lead: each task comes behind what is left of its predecessors. */
static void check_order(void)
{
	static bool is_seen[64];

	for (size_t i = 0; i < t_tasks.nr_tasks; i++)
		is_seen[i] = false;
	for (size_t i = 0; i < t_tasks.nr_tasks; i++) {
		const uint32_t task = t_tasks.order ? t_tasks.order[i] : (uint32_t)i;

		for (uint64_t e = t_tasks.first_edges[task]; e < t_tasks.first_edges[task + 1]; e++)
			CU_ASSERT_TRUE(is_seen[t_tasks.edges[e].task]);
		CU_ASSERT_FALSE(is_seen[task]);
		is_seen[task] = true;
	}
}

static void test_circles(void)
{
	start();
	for (uint32_t i = 1; i <= 4; i++) {
		t_create(T_SUBMITTER, 10 * i, i);
		t_fact(T_SUBMITTER, 10 * i, T_DEPENDENCE, i % 4 + 1);
		t_fact(T_SUBMITTER, 10 * i, T_DEPENDENCE, i);
		t_fact(T_SUBMITTER, 10 * i, T_PARENT, i % 4 + 1);
	}
	for (uint32_t i = 1; i <= 4; i++)
		t_run(T_CPU0, 100 * i, 100 * i + 10, i);
	t_read();
	CU_ASSERT_TRUE(t_tasks.troubles.nr_cyclic >= 4 + 2);
	check_order();
	CU_ASSERT_EQUAL(length_of(OBSERVED, true, MEASURE_NONE), 40);
	t_end();
}

/* A dependence on a task that is created later is none of a circle. */
static void test_forward(void)
{
	start();
	t_create(T_SUBMITTER, 10, 1);
	t_fact(T_SUBMITTER, 10, T_DEPENDENCE, 2);
	t_create(T_SUBMITTER, 20, 2);
	t_run(T_CPU0, 100, 110, 2);
	t_run(T_CPU0, 120, 150, 1);
	t_read();
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_cyclic, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(t_tasks.order);
	CU_ASSERT_EQUAL(t_tasks.order[0], T_TASK(2));
	check_order();
	CU_ASSERT_EQUAL(t_find(1)->ready, 110);
	CU_ASSERT_EQUAL(length_of(OBSERVED, true, MEASURE_NONE), 40);
	t_end();
}

/* ------------------------------------------------------------------ chains, gaps --- */

/* 5 waits for the point of synchronisation 4, that for 3 and 2, 2 for 1. */
static void test_chain(void)
{
	static const uint32_t before[6][2] = {{0, 0}, {0, 0}, {1, 0}, {0, 0}, {2, 3}, {4, 1}};
	uint32_t chain[8];

	start();
	for (uint32_t i = 1; i <= 5; i++) {
		t_create(T_SUBMITTER, 10 * i, i);
		for (int n = 0; n < 2; n++)
			if (before[i][n])
				t_fact(T_SUBMITTER, 10 * i, T_DEPENDENCE, before[i][n]);
	}
	t_run(T_CPU0, 100, 150, 1);
	t_run(T_CPU0, 160, 200, 2);
	t_run(T_CPU1, 100, 180, 3);
	t_complete(T_CPU0, 201, 4);
	t_run(T_CPU0, 210, 220, 5);
	t_read();
	CU_ASSERT_EQUAL(measure_tasks_chain(&t_tasks, T_TASK(5), 7, chain), 3);
	CU_ASSERT_EQUAL(chain[0], T_TASK(5));
	CU_ASSERT_EQUAL(chain[1], T_TASK(2));
	CU_ASSERT_EQUAL(chain[2], T_TASK(1));
	CU_ASSERT_EQUAL(measure_tasks_chain(&t_tasks, T_TASK(5), 1, chain), 2);
	CU_ASSERT_EQUAL(measure_tasks_chain(&t_tasks, T_TASK(5), 0, chain), 1);
	CU_ASSERT_EQUAL(measure_tasks_chain(&t_tasks, T_TASK(3), 7, chain), 1);
	t_end();
}

static void test_gaps(void)
{
	struct measure_task_gap gaps[3];

	start();
	for (uint32_t i = 1; i <= 6; i++)
		t_create(T_SUBMITTER, i, i);
	t_run(T_CPU0, 100, 110, 1);
	t_run(T_CPU0, 150, 160, 2); /* 40 */
	t_run(T_CPU0, 160, 170, 3);
	t_run(T_CPU0, 175, 180, 4); /* 5 */
	t_run(T_CPU1, 100, 110, 5);
	t_run(T_CPU1, 170, 180, 6); /* 60 */
	t_read();
	CU_ASSERT_EQUAL(measure_tasks_find_gaps(&t_tasks, 3, gaps), 3);
	CU_ASSERT_EQUAL(gaps[0].task, T_TASK(6));
	CU_ASSERT_EQUAL(gaps[0].ticks, 60);
	CU_ASSERT_EQUAL(gaps[1].task, T_TASK(2));
	CU_ASSERT_EQUAL(gaps[2].ticks, 5);
	CU_ASSERT_EQUAL(measure_tasks_find_gaps(&t_tasks, 1, gaps), 1);
	CU_ASSERT_EQUAL(gaps[0].task, T_TASK(6));
	CU_ASSERT_EQUAL(measure_tasks_find_gaps(&t_tasks, 0, gaps), 0);
	t_end();
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"groups of accesses", test_groups},
		{"data used twice by a task", test_twice},
		{"addresses and handles", test_scopes},
		{"declared dependences", test_declared},
		{"joins", test_joins},
		{"critical path", test_path},
		{"messages", test_message},
		{"order of messages", test_order_of_messages},
		{"order of ready messages", test_order_of_ready_messages},
		{"tasks made by tasks", test_spawned},
		{"circles", test_circles},
		{"dependences on later tasks", test_forward},
		{"chains", test_chain},
		{"gaps", test_gaps},
		CU_TEST_INFO_NULL,
	};

	return t_suite("tasks_graph", NULL, NULL, tests);
}
