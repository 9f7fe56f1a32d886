/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the matcher knows what waits for tasks (taskwait, the end of a taskgroup, barriers)
 * and which tasks went on elsewhere. */
#include "config.h"

#include "t_match.h"
#include "../t_suite.h"

enum { TASKWAIT = T_NR_REGIONS, TASKWAIT_DEPEND, TASKGROUP, TASKGROUP_WAIT, NR_REGIONS };

enum { READY, DEPENDENCE, READS, WRITES, REGISTER, NR_FACTS };

static const char *const facts[NR_FACTS] = {
	"task.ready", "task.dep", "task.access.R", "task.access.RW", "data.register"};

static void define_regions(OTF2_GlobalDefWriter *writer)
{
	static const char *const names[] = {"!$omp taskwait @file.c:1",
		"!$omp taskwait depend @file.c:2", "!$omp taskgroup @file.c:3",
		"!$omp taskgroup wait @file.c:3"};

	for (uint32_t i = TASKWAIT; i < NR_REGIONS; i++) {
		OTF2_GlobalDefWriter_WriteString(writer, 100 + i, names[i - TASKWAIT]);
		OTF2_GlobalDefWriter_WriteRegion(writer, i, 100 + i, T_NAME, T_EMPTY_STRING,
			OTF2_REGION_ROLE_TASK_WAIT, OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE,
			T_EMPTY_STRING, 10, 20);
	}
	for (uint32_t i = 0; i < NR_FACTS; i++) {
		OTF2_GlobalDefWriter_WriteString(writer, 100 + NR_REGIONS + i, facts[i]);
		OTF2_GlobalDefWriter_WriteParameter(
			writer, i, 100 + NR_REGIONS + i, OTF2_PARAMETER_TYPE_UINT64);
	}
}

static void enter(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t region)
{
	t_add(archive, location, time, MEASURE_EVENT_ENTER, region);
}

static void leave(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t region)
{
	t_add(archive, location, time, MEASURE_EVENT_LEAVE, region);
}

static void task(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t generation)
{
	struct measure_event *event = t_add(archive, location, time, kind, T_TEAM);

	event->peer = 1;
	event->tag = generation;
}

static void create(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t number)
{
	task(archive, location, time, MEASURE_EVENT_THREAD_TASK_CREATE, number);
}

static void switch_to(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t number)
{
	task(archive, location, time, MEASURE_EVENT_THREAD_TASK_SWITCH, number);
}

/* And back to the implicit one. */
static void complete(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t number)
{
	task(archive, location, time, MEASURE_EVENT_THREAD_TASK_COMPLETE, number);
	switch_to(archive, location, time, 0);
}

/* A second instance of the team, from 280 on. */
static void begin(struct t_archive *archive)
{
	t_archive_make(archive);
	archive->define_more = define_regions;
	t_add(archive, T_RANK0, 280, MEASURE_EVENT_THREAD_FORK, 0)->op = OTF2_PARADIGM_OPENMP;
	t_add(archive, T_RANK0, 280, MEASURE_EVENT_THREAD_TEAM_BEGIN, T_TEAM);
	t_add(archive, T_THREAD, 280, MEASURE_EVENT_THREAD_TEAM_BEGIN, T_TEAM);
}

static void end(struct t_archive *archive, struct t_result *result)
{
	t_add(archive, T_THREAD, 296, MEASURE_EVENT_THREAD_TEAM_END, T_TEAM);
	t_add(archive, T_RANK0, 296, MEASURE_EVENT_THREAD_TEAM_END, T_TEAM);
	t_add(archive, T_RANK0, 297, MEASURE_EVENT_THREAD_JOIN, 0)->op = OTF2_PARADIGM_OPENMP;
	run(archive, result);
	CU_ASSERT_EQUAL(nr_findings(result), 0);
}

/* The other thread runs a task and, later, the one that this made. */
static void run_two(struct t_archive *archive)
{
	enter(archive, T_THREAD, 282, T_BARRIER);
	switch_to(archive, T_THREAD, 283, 1);
	create(archive, T_THREAD, 284, 2);
	complete(archive, T_THREAD, 285, 1);
	switch_to(archive, T_THREAD, 286, 2);
	complete(archive, T_THREAD, 290, 2);
	leave(archive, T_THREAD, 294, T_BARRIER);
}

static void join_barrier(struct t_archive *archive, uint64_t time)
{
	enter(archive, T_RANK0, time, T_BARRIER);
	leave(archive, T_RANK0, 295, T_BARRIER);
}

/* A taskwait waits for children only, a barrier for all. */
static void test_taskwait(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	create(&archive, T_RANK0, 281, 1);
	enter(&archive, T_RANK0, 282, TASKWAIT);
	leave(&archive, T_RANK0, 288, TASKWAIT);
	enter(&archive, T_RANK0, 289, TASKWAIT);
	leave(&archive, T_RANK0, 289, TASKWAIT);
	join_barrier(&archive, 291);
	run_two(&archive);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_WAIT), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_WAIT, 285, 288));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_BARRIER), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_BARRIER, 290, 295));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_GROUP), 0);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_RESUME), 0);
	finish(&archive, &result);
}

/* Nobody knows which tasks it waits for. */
static void test_taskwait_depend(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	create(&archive, T_RANK0, 281, 1);
	enter(&archive, T_RANK0, 282, TASKWAIT_DEPEND);
	leave(&archive, T_RANK0, 283, TASKWAIT_DEPEND);
	join_barrier(&archive, 291);
	run_two(&archive);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_WAIT), 0);
	finish(&archive, &result);
}

/* A taskgroup waits for grandchildren too, and not for what was made before it. */
static void test_taskgroup(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	create(&archive, T_RANK0, 281, 3);
	enter(&archive, T_RANK0, 281, TASKGROUP);
	create(&archive, T_RANK0, 281, 1);
	enter(&archive, T_RANK0, 282, TASKGROUP_WAIT);
	leave(&archive, T_RANK0, 291, TASKGROUP_WAIT);
	leave(&archive, T_RANK0, 291, TASKGROUP);
	join_barrier(&archive, 291);
	run_two(&archive);
	switch_to(&archive, T_THREAD, 292, 3);
	complete(&archive, T_THREAD, 293, 3);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_GROUP), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_GROUP, 290, 291));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_BARRIER, 293, 295));
	finish(&archive, &result);
}

/* A task waits for the one it made; who runs below it made something else in a taskgroup. */
static void test_nested_waits(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	enter(&archive, T_RANK0, 281, TASKGROUP);
	create(&archive, T_RANK0, 281, 1);
	enter(&archive, T_RANK0, 282, TASKGROUP_WAIT);
	switch_to(&archive, T_RANK0, 282, 1);
	create(&archive, T_RANK0, 282, 2);
	enter(&archive, T_RANK0, 283, TASKWAIT);
	leave(&archive, T_RANK0, 287, TASKWAIT);
	complete(&archive, T_RANK0, 288, 1);
	leave(&archive, T_RANK0, 289, TASKGROUP_WAIT);
	leave(&archive, T_RANK0, 289, TASKGROUP);
	join_barrier(&archive, 291);
	enter(&archive, T_THREAD, 282, T_BARRIER);
	switch_to(&archive, T_THREAD, 283, 2);
	complete(&archive, T_THREAD, 286, 2);
	leave(&archive, T_THREAD, 294, T_BARRIER);
	end(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_WAIT, 286, 287));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_GROUP, 286, 289));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_WAIT), 1);
	finish(&archive, &result);
}

/* Who is still in one barrier may run a task that belongs to the next one. */
static void test_late_thread(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	enter(&archive, T_RANK0, 281, T_BARRIER);
	leave(&archive, T_RANK0, 282, T_BARRIER);
	create(&archive, T_RANK0, 282, 1);
	join_barrier(&archive, 291);
	run_two(&archive);
	enter(&archive, T_THREAD, 294, T_BARRIER);
	leave(&archive, T_THREAD, 295, T_BARRIER);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_BARRIER), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_BARRIER, 290, 295));
	finish(&archive, &result);
}

/* Away and back again is no move; two places, and the last one of them. */
static void test_moved(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	create(&archive, T_RANK0, 281, 1);
	create(&archive, T_RANK0, 281, 2);
	switch_to(&archive, T_RANK0, 282, 1);
	switch_to(&archive, T_RANK0, 283, 0);
	switch_to(&archive, T_RANK0, 288, 1);
	complete(&archive, T_RANK0, 289, 1);
	switch_to(&archive, T_RANK0, 290, 2);
	switch_to(&archive, T_RANK0, 291, 0);
	switch_to(&archive, T_THREAD, 284, 1);
	switch_to(&archive, T_THREAD, 285, 0);
	switch_to(&archive, T_THREAD, 292, 2);
	switch_to(&archive, T_THREAD, 293, 0);
	switch_to(&archive, T_THREAD, 294, 2);
	complete(&archive, T_THREAD, 295, 2);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_RESUME), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_RESUME, 285, 288));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_RESUME, 291, 294));
	finish(&archive, &result);
}

static void fact(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t parameter,
	uint64_t value)
{
	t_add(archive, location, time, MEASURE_EVENT_PARAMETER_UNSIGNED_INT, parameter)->number =
		value;
}

static void ready(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t number)
{
	fact(archive, location, time, READY, UINT64_C(1) << 32 | number);
}

/* One that the other thread runs, one that nobody runs, and two of which too little is known. */
static void test_ready(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	ready(&archive, T_RANK0, 280, 3);
	for (uint32_t number = 1; number <= 4; number++)
		create(&archive, T_RANK0, 281, number);
	ready(&archive, T_RANK0, 282, 1);
	ready(&archive, T_RANK0, 282, 4);
	ready(&archive, T_RANK0, 283, 4);
	ready(&archive, T_RANK0, 283, 5);
	task(&archive, T_RANK0, 284, MEASURE_EVENT_THREAD_TASK_COMPLETE, 3);
	switch_to(&archive, T_THREAD, 285, 1);
	complete(&archive, T_THREAD, 286, 1);
	switch_to(&archive, T_THREAD, 287, 4);
	complete(&archive, T_THREAD, 288, 4);
	switch_to(&archive, T_THREAD, 289, 2);
	complete(&archive, T_THREAD, 290, 2);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_READY), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_READY, 282, 285));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_READY, 280, 284));
	finish(&archive, &result);
}

/* A task on the other thread, from `time` on. */
static void run_there(struct t_archive *archive, uint64_t time, uint32_t number)
{
	switch_to(archive, T_THREAD, time, number);
	complete(archive, T_THREAD, time + 1, number);
}

static void create_user(
	struct t_archive *archive, uint32_t number, uint32_t parameter, uint64_t data)
{
	create(archive, T_RANK0, 281, number);
	fact(archive, T_RANK0, 281, parameter, data);
}

/* Times are those of the first task on each side. */
static bool has_dependence(const struct t_result *result, uint64_t send, size_t nr_sends,
	uint64_t receive, size_t nr_receives)
{
	for (size_t i = 0; i < result->nr_instances; i++)
		if (result->instances[i].relation == MEASURE_RELATION_TASK_DEPENDENCE &&
			result->instances[i].send == send &&
			result->instances[i].receive == receive)
			return result->instances[i].nr_sends == nr_sends &&
			       result->instances[i].nr_receives == nr_receives;
	return false;
}

/* 1 writes, 2 and 3 read, 4 writes while 3 is still reading, which is exempt then; 5 and 6 use data
 * that nobody registered; 6 names 5. */
static void test_dependence(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	fact(&archive, T_RANK0, 280, REGISTER, 7);
	create_user(&archive, 1, WRITES, 7);
	create_user(&archive, 2, READS, 7);
	create_user(&archive, 3, READS, 7);
	create_user(&archive, 4, WRITES, 7);
	create_user(&archive, 5, WRITES, 8);
	create_user(&archive, 6, WRITES, 8);
	fact(&archive, T_RANK0, 281, DEPENDENCE, UINT64_C(1) << 32 | 5);
	switch_to(&archive, T_RANK0, 285, 3);
	complete(&archive, T_RANK0, 289, 3);
	run_there(&archive, 282, 1);
	run_there(&archive, 284, 2);
	run_there(&archive, 288, 4);
	run_there(&archive, 290, 5);
	run_there(&archive, 292, 6);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_DEPENDENCE), 2);
	CU_ASSERT_TRUE(has_dependence(&result, 283, 1, 284, 2));
	CU_ASSERT_TRUE(has_dependence(&result, 291, 1, 292, 1));
	finish(&archive, &result);
}

/* What reads waits for what wrote; who writes next waits for all who read. */
static void test_dependence_on_readers(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	fact(&archive, T_RANK0, 280, REGISTER, 7);
	create_user(&archive, 1, READS, 7);
	create_user(&archive, 2, READS, 7);
	create_user(&archive, 3, READS, 7);
	fact(&archive, T_RANK0, 281, WRITES, 7);
	run_there(&archive, 282, 1);
	run_there(&archive, 284, 2);
	run_there(&archive, 286, 3);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_DEPENDENCE), 1);
	CU_ASSERT_TRUE(has_dependence(&result, 283, 2, 286, 1));
	finish(&archive, &result);
}

/* Where it was going on when it completed is not known. */
static void test_completed_by_another(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	create(&archive, T_RANK0, 281, 1);
	switch_to(&archive, T_RANK0, 282, 1);
	switch_to(&archive, T_RANK0, 283, 0);
	enter(&archive, T_RANK0, 284, TASKWAIT);
	leave(&archive, T_RANK0, 289, TASKWAIT);
	task(&archive, T_THREAD, 288, MEASURE_EVENT_THREAD_TASK_COMPLETE, 1);
	end(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_RESUME), 0);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_WAIT, 288, 289));
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"taskwait", test_taskwait},
		{"a taskwait with dependences", test_taskwait_depend},
		{"taskgroup", test_taskgroup},
		{"waits in waits", test_nested_waits},
		{"a thread that is still in the barrier", test_late_thread},
		{"tasks on two threads", test_moved},
		{"tasks that become ready", test_ready},
		{"tasks that use the same data", test_dependence},
		{"a task that waits for readers", test_dependence_on_readers},
		{"a task completed by another thread", test_completed_by_another},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("match_tasks", NULL, NULL, tests);

	t_clean();
	return failed;
}
