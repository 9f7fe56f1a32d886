/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: tasks of a trace have the times, workers, types, data and states that it says, in
 * the order of creation, whatever of it is missing */
#include "config.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <unistd.h>

#include "../t_suite.h"
#include "t_tasks.h"

/* One task, with all that can be said of it. */
static void test_one(void)
{
	const struct measure_task *task;

	t_begin();
	t_create_with(T_SUBMITTER, 100, 1, T_POTRF, 7, 42, 1e9);
	t_fact(T_SUBMITTER, 101, T_PRIORITY, 5);
	t_fact(T_SUBMITTER, 101, T_SUBITERATION, 3);
	t_fact(T_SUBMITTER, 101, T_FLAGS, 8);
	t_fact(T_CPU1, 150, T_READY, 1);
	t_run(T_CPU1, 200, 260, 1);
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_tasks, 1);
	task = t_find(1);
	CU_ASSERT_EQUAL(task->create, 100);
	CU_ASSERT_EQUAL(task->ready, 150);
	CU_ASSERT_EQUAL(task->start, 200);
	CU_ASSERT_EQUAL(task->end, 260);
	CU_ASSERT_EQUAL(task->executed, 60);
	CU_ASSERT_EQUAL(task->iteration, 7);
	CU_ASSERT_EQUAL(task->parent, MEASURE_NONE);
	CU_ASSERT_EQUAL(task->process, 0);
	CU_ASSERT_EQUAL(t_tasks.tags[0], 42);
	CU_ASSERT_EQUAL(t_tasks.flops[0], 1e9);
	CU_ASSERT_EQUAL(t_tasks.priorities[0], 5);
	CU_ASSERT_EQUAL(t_tasks.subiterations[0], 3);
	CU_ASSERT_EQUAL(t_tasks.flags[0], 8);
	CU_ASSERT_PTR_NULL(t_tasks.footprints);
	CU_ASSERT_PTR_NULL(t_tasks.spawned);
	CU_ASSERT_PTR_NULL(t_tasks.partners);
	CU_ASSERT_STRING_EQUAL(t_tasks.types[task->type].name, "potrf");
	CU_ASSERT_TRUE(t_tasks.types[task->type].is_application);
	CU_ASSERT_EQUAL(t_tasks.workers[task->worker].location, T_CPU1);
	t_end();
}

/* Without a codelet it is the region that is entered first; that of the run-time is no
 * application's. */
static void test_types(void)
{
	t_begin();
	for (uint32_t i = 1; i <= 4; i++)
		t_create(T_SUBMITTER, i, i);
	t_run_region(T_CPU0, 10, 20, 1, T_TRSM);
	t_switch(T_CPU0, 30, 2);
	t_enter(T_CPU0, 31, T_GEMM);
	t_enter(T_CPU0, 32, T_FUNCTION);
	t_leave(T_CPU0, 33, T_FUNCTION);
	t_leave(T_CPU0, 34, T_GEMM);
	t_complete(T_CPU0, 35, 2);
	t_switch(T_CPU0, 35, 0);
	t_run_region(T_CPU1, 10, 20, 3, T_OWN);
	t_complete(T_SUBMITTER, 50, 4);
	t_read();
	CU_ASSERT_STRING_EQUAL(t_tasks.types[t_find(1)->type].name, "trsm");
	CU_ASSERT_STRING_EQUAL(t_tasks.types[t_find(2)->type].name, "gemm");
	CU_ASSERT_FALSE(t_tasks.types[t_find(3)->type].is_application);
	CU_ASSERT_EQUAL(t_tasks.types[t_find(3)->type].nr_executed, 1);
	CU_ASSERT_EQUAL(t_tasks.types[t_find(3)->type].executed, 10);
	CU_ASSERT_EQUAL(t_find(4)->type, MEASURE_NONE);
	CU_ASSERT_EQUAL(t_find(4)->worker, MEASURE_NONE);
	CU_ASSERT_EQUAL(t_find(4)->start, MEASURE_TASK_NO_TIME);
	CU_ASSERT_EQUAL(t_find(4)->end, 50);
	CU_ASSERT_EQUAL(t_tasks.nr_types, 3);
	t_end();
}

static void test_workers(void)
{
	const struct measure_worker *device;

	t_begin();
	t_create(T_SUBMITTER, 5, 1);
	t_create(T_SUBMITTER1, 6, 1);
	t_run(T_DEVICE, 10, 20, 1);
	t_run(T_THREAD, 10, 25, 1);
	t_enter(T_CPU0, 3, T_FUNCTION);
	t_leave(T_CPU0, 90, T_FUNCTION);
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_workers, 5); /* T_CPU0 to T_DEVICE, T_CPU2, T_THREAD */
	CU_ASSERT_EQUAL(t_tasks.nr_classes, 3);
	CU_ASSERT_EQUAL(t_tasks.location_workers[T_SUBMITTER], MEASURE_NONE);
	device = &t_tasks.workers[t_tasks.location_workers[T_DEVICE]];
	CU_ASSERT_EQUAL(device->number, 2);
	CU_ASSERT_EQUAL(device->memory_node, 1);
	CU_ASSERT_EQUAL(device->core, 12);
	CU_ASSERT_EQUAL(device->process, 0);
	CU_ASSERT_EQUAL(device->host, 0);
	CU_ASSERT_STRING_EQUAL(t_tasks.classes[device->class].name, "OpenCL");
	CU_ASSERT_EQUAL(t_tasks.workers[0].first, 3);
	CU_ASSERT_EQUAL(t_tasks.workers[0].last, 90);
	CU_ASSERT_STRING_EQUAL(t_tasks.classes[t_tasks.workers[4].class].name, "thread");
	CU_ASSERT_EQUAL(t_tasks.workers[4].process, 1);
	CU_ASSERT_EQUAL(t_tasks.workers[4].number, MEASURE_NONE);
	CU_ASSERT_EQUAL(t_tasks.tasks[t_task(T_TEAM1, 1)].process, 1);
	CU_ASSERT_EQUAL(t_tasks.tasks[t_task(T_TEAM1, 1)].worker, 4);
	CU_ASSERT_EQUAL(t_tasks.length, 90);
	t_end();
	t_begin_without_workers();
	t_create(T_SUBMITTER, 5, 1);
	t_run(T_DEVICE, 10, 20, 1);
	t_read();
	CU_ASSERT_EQUAL(t_tasks.nr_workers, 1);
	CU_ASSERT_STRING_EQUAL(t_tasks.classes[0].name, "thread");
	t_end();
}

/* A task makes others and executes one while it waits; its own time is without that. */
static void test_nested(void)
{
	t_begin_without_workers();
	t_create(T_SUBMITTER, 1, 1);
	t_switch(T_SUBMITTER, 10, 1);
	t_enter(T_SUBMITTER, 10, T_POTRF);
	t_create(T_SUBMITTER, 20, 2);
	t_create(T_SUBMITTER, 25, 3);
	t_run_region(T_SUBMITTER, 30, 70, 3, T_TRSM);
	t_switch(T_SUBMITTER, 70, 1);
	t_create(T_SUBMITTER, 75, 4);
	t_fact(T_SUBMITTER, 75, T_PARENT, 3); /* says so, whoever runs */
	t_leave(T_SUBMITTER, 80, T_POTRF);
	t_complete(T_SUBMITTER, 80, 1);
	t_switch(T_SUBMITTER, 80, 0);
	t_run(T_CPU1, 30, 40, 2);
	t_read();
	CU_ASSERT_EQUAL(t_find(1)->start, 10);
	CU_ASSERT_EQUAL(t_find(1)->end, 80);
	CU_ASSERT_EQUAL(t_find(1)->executed, 30);
	CU_ASSERT_EQUAL(t_find(3)->executed, 40);
	CU_ASSERT_EQUAL(t_find(2)->parent, T_TASK(1));
	CU_ASSERT_EQUAL(t_find(3)->parent, T_TASK(1));
	CU_ASSERT_EQUAL(t_find(4)->parent, T_TASK(3));
	CU_ASSERT_EQUAL(t_tasks.spawned[T_TASK(2)], 10);
	CU_ASSERT_EQUAL(t_tasks.spawned[T_TASK(3)], 15);
	CU_ASSERT_EQUAL(t_tasks.spawned[T_TASK(4)], 0);
	t_end();
}

/* Waiting for others is no execution: in a taskwait before and behind the task that it executes
 * meanwhile, and in a state within that. */
static void test_waiting(void)
{
	t_begin_without_workers();
	t_create(T_SUBMITTER, 1, 1);
	t_switch(T_SUBMITTER, 10, 1);
	t_enter(T_SUBMITTER, 10, T_POTRF);
	t_create(T_SUBMITTER, 20, 2);
	t_enter(T_SUBMITTER, 22, T_TASKWAIT);
	t_run_region(T_SUBMITTER, 30, 70, 2, T_TRSM);
	t_switch(T_SUBMITTER, 70, 1);
	t_enter(T_SUBMITTER, 72, T_FIRST_STATE + MEASURE_WORKER_WAITING);
	t_leave(T_SUBMITTER, 74, T_FIRST_STATE + MEASURE_WORKER_WAITING);
	t_leave(T_SUBMITTER, 75, T_TASKWAIT);
	t_create(T_SUBMITTER, 77, 3);
	t_leave(T_SUBMITTER, 80, T_POTRF);
	t_complete(T_SUBMITTER, 80, 1);
	t_switch(T_SUBMITTER, 80, 0);
	t_enter(T_SUBMITTER, 90, T_TASKWAIT); /* of no task */
	t_leave(T_SUBMITTER, 95, T_TASKWAIT);
	t_run(T_SUBMITTER, 96, 99, 3);
	t_read();
	CU_ASSERT_EQUAL(t_find(1)->start, 10);
	CU_ASSERT_EQUAL(t_find(1)->end, 80);
	CU_ASSERT_EQUAL(t_find(1)->executed, 12 + 5);
	CU_ASSERT_EQUAL(t_find(2)->executed, 40);
	CU_ASSERT_EQUAL(t_find(3)->executed, 3);
	CU_ASSERT_EQUAL(t_tasks.spawned[T_TASK(2)], 10);
	CU_ASSERT_EQUAL(t_tasks.spawned[T_TASK(3)], 12 + 2);
	t_end();
}

/* An untied task goes on elsewhere: its first piece is where it started, its pieces add up. */
static void test_pieces(void)
{
	for (unsigned threads = 1; threads <= 4; threads++) {
		t_begin_without_workers();
		t_create(T_SUBMITTER, 1, 1);
		t_switch(T_CPU1, 10, 1);
		t_enter(T_CPU1, 10, T_POTRF);
		t_leave(T_CPU1, 30, T_POTRF);
		t_switch(T_CPU1, 30, 0);
		t_switch(T_CPU0, 50, 1);
		t_enter(T_CPU0, 50, T_TRSM);
		t_leave(T_CPU0, 55, T_TRSM);
		t_complete(T_CPU0, 55, 1);
		t_switch(T_CPU0, 55, 0);
		CU_ASSERT_EQUAL(t_read_with(threads, false), MEASURE_OK);
		CU_ASSERT_EQUAL(t_find(1)->start, 10);
		CU_ASSERT_EQUAL(t_find(1)->end, 55);
		CU_ASSERT_EQUAL(t_find(1)->executed, 25);
		CU_ASSERT_EQUAL(t_tasks.workers[t_find(1)->worker].location, T_CPU1);
		CU_ASSERT_STRING_EQUAL(t_tasks.types[t_find(1)->type].name, "potrf");
		t_end();
	}
}

/* Inside of a team that a task makes, its implicit task goes on with the task's work. */
static void test_teams(void)
{
	t_begin_without_workers();
	t_create(T_SUBMITTER, 1, 1);
	t_switch(T_CPU0, 10, 1);
	t_enter(T_CPU0, 10, T_GEMM);
	OTF2_EvtWriter_ThreadTeamBegin(t_on[T_CPU0], NULL, 20, T_OTHER_TEAM);
	OTF2_EvtWriter_ThreadTaskCreate(t_on[T_CPU0], NULL, 25, T_OTHER_TEAM, 0, 1);
	OTF2_EvtWriter_ThreadTaskSwitch(t_on[T_CPU0], NULL, 30, T_OTHER_TEAM, 0, 1);
	OTF2_EvtWriter_ThreadTaskComplete(t_on[T_CPU0], NULL, 50, T_OTHER_TEAM, 0, 1);
	OTF2_EvtWriter_ThreadTaskSwitch(t_on[T_CPU0], NULL, 50, T_OTHER_TEAM, 0, 0);
	OTF2_EvtWriter_ThreadTeamEnd(t_on[T_CPU0], NULL, 60, T_OTHER_TEAM);
	t_leave(T_CPU0, 70, T_GEMM);
	t_complete(T_CPU0, 70, 1);
	t_switch(T_CPU0, 70, 0);
	t_read();
	CU_ASSERT_EQUAL(t_find(1)->executed, 40);
	CU_ASSERT_EQUAL(t_tasks.tasks[t_task(T_OTHER_TEAM, 1)].executed, 20);
	CU_ASSERT_EQUAL(t_tasks.tasks[t_task(T_OTHER_TEAM, 1)].parent, T_TASK(1));
	t_end();
}

/* Nobody has said so: a task is ready when it is created and all before it have ended. */
static void test_ready(void)
{
	t_begin();
	for (uint32_t i = 1; i <= 4; i++)
		t_create(T_SUBMITTER, 10 * i, i);
	t_fact(T_SUBMITTER, 40, T_DEPENDENCE, 1);
	t_fact(T_SUBMITTER, 40, T_DEPENDENCE, 2);
	t_create(T_SUBMITTER, 50, 5);
	t_fact(T_SUBMITTER, 50, T_DEPENDENCE, 3);
	t_create(T_SUBMITTER, 60, 6);
	t_fact(T_SUBMITTER, 60, T_DEPENDENCE, 3);
	t_create(T_SUBMITTER, 500, 7);
	t_fact(T_SUBMITTER, 500, T_DEPENDENCE, 1);
	t_run(T_CPU0, 70, 100, 1);
	t_run(T_CPU1, 70, 120, 2);
	t_run(T_CPU0, 110, 130, 5);
	t_run(T_CPU0, 150, 160, 4);
	t_read();
	CU_ASSERT_EQUAL(t_find(1)->ready, 10);
	CU_ASSERT_EQUAL(t_find(4)->ready, 120);
	CU_ASSERT_EQUAL(t_find(5)->ready, 50);                   /* it ran: what is known */
	CU_ASSERT_EQUAL(t_find(6)->ready, MEASURE_TASK_NO_TIME); /* waits for one that did not */
	CU_ASSERT_EQUAL(t_find(7)->ready, 500);
	t_end();
}

static void test_states(void)
{
	const struct measure_worker_interval *interval;

	t_begin();
	t_create(T_SUBMITTER, 1, 1);
	t_enter(T_CPU0, 10, T_FIRST_STATE + MEASURE_WORKER_IDLE);
	t_enter(T_CPU0, 20, T_FIRST_STATE + MEASURE_WORKER_SCHEDULING);
	t_leave(T_CPU0, 25, T_FIRST_STATE + MEASURE_WORKER_SCHEDULING);
	t_leave(T_CPU0, 30, T_FIRST_STATE + MEASURE_WORKER_IDLE);
	t_enter(T_CPU0, 40, T_FIRST_STATE + MEASURE_WORKER_EXECUTING);
	t_run(T_CPU0, 42, 60, 1);
	t_leave(T_CPU0, 63, T_FIRST_STATE + MEASURE_WORKER_EXECUTING);
	t_enter(T_SUBMITTER, 5, T_FIRST_STATE + MEASURE_WORKER_WAITING);
	t_enter(T_SUBMITTER, 50, T_FUNCTION);
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_intervals, 6);
	interval = t_tasks.intervals;
#define T_INTERVAL(from, until, at, of_worker, STATE)                                              \
	do {                                                                                       \
		CU_ASSERT_EQUAL(interval->start, from);                                            \
		CU_ASSERT_EQUAL(interval->end, until);                                             \
		CU_ASSERT_EQUAL(interval->location, at);                                           \
		CU_ASSERT_EQUAL(interval->worker, of_worker);                                      \
		CU_ASSERT_EQUAL(interval->state, MEASURE_WORKER_##STATE);                          \
		interval++;                                                                        \
	} while (0)
	T_INTERVAL(5, 50, T_SUBMITTER, MEASURE_NONE, WAITING);
	T_INTERVAL(10, 20, T_CPU0, 0, IDLE);
	T_INTERVAL(20, 25, T_CPU0, 0, SCHEDULING);
	T_INTERVAL(25, 30, T_CPU0, 0, IDLE);
	T_INTERVAL(40, 42, T_CPU0, 0, EXECUTING);
	T_INTERVAL(60, 63, T_CPU0, 0, EXECUTING);
	t_end();
}

static void test_data(void)
{
	const struct measure_task_data *data;

	t_begin();
	t_fact(T_SUBMITTER, 1, T_DATA_REGISTER, 11);
	t_fact(T_SUBMITTER, 1, T_DATA_BYTES, 800);
	t_fact(T_SUBMITTER, 1, T_DATA_HOME, 0);
	t_fact(T_SUBMITTER, 1, T_DATA_COORDINATE, 3);
	t_fact(T_SUBMITTER, 1, T_DATA_COORDINATE, 4);
	t_fact(T_SUBMITTER, 2, T_DATA_REGISTER, 12);
	t_create(T_SUBMITTER, 3, 1);
	t_fact(T_SUBMITTER, 3, T_ACCESS_IN, 12);
	t_fact(T_SUBMITTER, 3, T_ACCESS_INOUT, 99);
	t_fact(T_SUBMITTER, 3, T_DATA_BYTES, 5); /* of nothing */
	t_fact(T_SUBMITTER, 4, T_DATA_HANDLE, 12);
	t_fact(T_SUBMITTER, 4, T_DATA_TAG, 77);
	CU_ASSERT_EQUAL(OTF2_EvtWriter_ParameterString(t_on[T_SUBMITTER], NULL, 4, T_DATA_NAME, 0),
		OTF2_SUCCESS);
	t_fact(T_CPU0, 5, T_DATA_TRANSFER, 1);
	t_fact(T_CPU0, 5, T_DATA_HANDLE, 12);
	t_fact(T_CPU0, 5, T_DATA_FROM, 0);
	t_fact(T_CPU0, 5, T_DATA_TO, 1);
	t_fact(T_CPU0, 5, T_DATA_BYTES, 640);
	t_fact(T_DEVICE, 9, T_DATA_TRANSFERRED, 1);
	t_fact(T_SUBMITTER, 20, T_DATA_UNREGISTER, 11);
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_data, 3);
	data = t_tasks.data;
	CU_ASSERT_EQUAL(data[0].handle, 11);
	CU_ASSERT_TRUE(data[0].is_registered);
	CU_ASSERT_EQUAL(data[0].bytes, 800);
	CU_ASSERT_EQUAL(data[0].home, 0);
	CU_ASSERT_EQUAL(data[0].nr_coordinates, 2);
	CU_ASSERT_EQUAL(t_tasks.coordinates[data[0].first_coordinate], 3);
	CU_ASSERT_EQUAL(t_tasks.coordinates[data[0].first_coordinate + 1], 4);
	CU_ASSERT_EQUAL(data[0].from, 1);
	CU_ASSERT_EQUAL(data[0].until, 20);
	CU_ASSERT_EQUAL(data[1].bytes, 0);
	CU_ASSERT_EQUAL(data[1].tag, 77);
	CU_ASSERT_STRING_EQUAL(data[1].name, "task.parent"); /* string 0 */
	CU_ASSERT_FALSE(data[2].is_registered);
	CU_ASSERT_EQUAL(data[2].handle, 99);
	CU_ASSERT_EQUAL_FATAL(t_tasks.nr_transfers, 1);
	CU_ASSERT_EQUAL(t_tasks.transfers[0].data, 1);
	CU_ASSERT_EQUAL(t_tasks.transfers[0].bytes, 640);
	CU_ASSERT_EQUAL(t_tasks.transfers[0].start, 5);
	CU_ASSERT_EQUAL(t_tasks.transfers[0].end, 9);
	CU_ASSERT_EQUAL(t_tasks.transfers[0].to, 1);
	CU_ASSERT_EQUAL(t_tasks.first_accesses[1], 2);
	CU_ASSERT_EQUAL(t_tasks.accesses[0].data, 1);
	CU_ASSERT_EQUAL(t_tasks.accesses[0].mode, MEASURE_TASK_ACCESS_R);
	CU_ASSERT_EQUAL(t_tasks.accesses[1].mode, MEASURE_TASK_ACCESS_RW);
	t_end();
}

/* Creations were filtered, events lost, names used twice: what is there is told. */
static void test_incomplete(void)
{
	for (unsigned threads = 1; threads <= 4; threads++) {
		t_begin();
		t_create(T_SUBMITTER, 10, 1);
		t_create(T_SUBMITTER, 20, 2);
		t_create(T_SUBMITTER, 30, 1); /* again */
		t_fact(T_SUBMITTER, 30, T_ACCESS_IN, 5);
		t_create(T_SUBMITTER, 40, 3);
		t_fact(T_SUBMITTER, 40, T_DEPENDENCE, 1000);
		t_fact(T_SUBMITTER, 40, T_READY, 1000);
		t_switch(T_CPU0, 50, 1); /* never ends */
		t_enter(T_CPU0, 60, T_GEMM);
		t_run_region(T_CPU1, 50, 70, 77, T_POTRF); /* never created */
		t_switch(T_DEVICE, 90, 77);
		t_switch(T_DEVICE, 95, 0);
		t_complete(T_DEVICE, 95, 2);
		t_complete(T_CPU2, 96, 2); /* of T_TEAM1 */
		CU_ASSERT_EQUAL(t_read_with(threads, false), MEASURE_OK);
		CU_ASSERT_EQUAL_FATAL(t_tasks.nr_tasks, 5);
		CU_ASSERT_EQUAL(t_tasks.nr_created, 3);
		CU_ASSERT_EQUAL(t_tasks.first_accesses[5], 0);
		CU_ASSERT_EQUAL(t_find(1)->create, 10);
		CU_ASSERT_EQUAL(t_find(1)->end, MEASURE_TASK_NO_TIME);
		CU_ASSERT_EQUAL(t_find(1)->executed, 10);
		CU_ASSERT_EQUAL(t_find(77)->create, MEASURE_TASK_NO_TIME);
		CU_ASSERT_EQUAL(t_find(77)->executed, 25);
		CU_ASSERT_EQUAL(t_find(77)->end, 70);
		CU_ASSERT_STRING_EQUAL(t_tasks.types[t_find(77)->type].name, "potrf");
		CU_ASSERT_EQUAL(t_find(77)->process, 0);
		CU_ASSERT_EQUAL(t_tasks.tasks[t_task(T_TEAM1, 2)].process, 1);
		CU_ASSERT_EQUAL(t_tasks.troubles.nr_uncreated, 2);
		CU_ASSERT_EQUAL(t_tasks.troubles.nr_unfinished, 1);
		CU_ASSERT_EQUAL(t_tasks.troubles.nr_twice, 1);
		CU_ASSERT_EQUAL(t_tasks.troubles.nr_unknown, 1);
		t_end();
	}
}

/* The file of a worker ends in the middle: what is in front of that counts. */
static void test_truncated(void)
{
	char path[128];

	t_begin();
	for (uint32_t i = 1; i <= 100; i++) {
		t_create(T_SUBMITTER, i, i);
		t_run(i % 2 ? T_CPU0 : T_CPU1, 1000 * i, 1000 * i + 10, i);
	}
	t_write();
	snprintf(path, sizeof(path), "%s/traces/%d.evt", t_directory(), T_CPU1);
	CU_ASSERT_EQUAL(truncate(path, 1500), 0);
	CU_ASSERT_EQUAL(t_read_with(2, false), MEASURE_ERROR_FORMAT);
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_broken, 1);
	CU_ASSERT_EQUAL(t_tasks.nr_tasks, 100);
	CU_ASSERT_TRUE(measure_task_is_executed(t_find(2)));
	CU_ASSERT_TRUE(measure_task_is_executed(t_find(99)));
	CU_ASSERT_EQUAL(t_find(100)->start, MEASURE_TASK_NO_TIME);
	t_end();
}

static void test_none(void)
{
	const struct measure_tasks_path_options options = {.process = MEASURE_NONE};
	struct measure_task_gap gap;
	struct measure_tasks_path path;

	t_begin();
	t_enter(T_CPU0, 10, T_FUNCTION);
	t_read();
	CU_ASSERT_EQUAL(t_tasks.nr_tasks, 0);
	CU_ASSERT_EQUAL(t_tasks.first_edges[0], 0);
	measure_tasks_critical_path(&t_tasks, &options, &path);
	CU_ASSERT_EQUAL(path.length, 0);
	measure_tasks_path_free(&path);
	CU_ASSERT_EQUAL(measure_tasks_find_gaps(&t_tasks, 1, &gap), 0);
	t_end();
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"all of a task", test_one},
		{"types", test_types},
		{"workers", test_workers},
		{"tasks in tasks", test_nested},
		{"waiting for tasks", test_waiting},
		{"pieces of untied tasks", test_pieces},
		{"teams in tasks", test_teams},
		{"when tasks became ready", test_ready},
		{"states of workers", test_states},
		{"data and transfers", test_data},
		{"incomplete traces", test_incomplete},
		{"a truncated file", test_truncated},
		{"no tasks", test_none},
		CU_TEST_INFO_NULL,
	};

	return t_suite("tasks_read", NULL, NULL, tests);
}
