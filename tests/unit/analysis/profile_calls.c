/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: visits and times of call paths: nested calls, recursion, calls that are not
 * balanced, recording off, flushes, idle threads, iterations, samples; times add up. */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"

/* Case P2, and on another thread the same a little later. */
static void t_nesting(void)
{
	t_begin();
	for (uint32_t i = 0; i < 2; i++) {
		T_ENTER(i, i, T_MAIN);
		T_ENTER(i, 10, T_F);
		T_ENTER(i, 20, T_F);
		T_LEAVE(i, 50, T_F);
		T_LEAVE(i, 60, T_F);
		T_ENTER(i, 70, i == 0 ? T_G : T_G_AGAIN);
		T_LEAVE(i, 80, i == 0 ? T_G : T_G_AGAIN);
		T_LEAVE(i, 100, T_MAIN);
	}
	for (unsigned threads = 1; threads <= 3; threads++) {
		CU_ASSERT_EQUAL(t_read_with(threads), MEASURE_OK);
		T_TIMES("main", 2, 199, 79);
		T_TIMES("main/f", 2, 100, 40);
		T_TIMES("main/f/f", 2, 60, 60);
		T_TIMES("main/g", 2, 20, 20);
		CU_ASSERT_EQUAL(t_profile.nr_paths, 5);
		CU_ASSERT_EQUAL(T_FIND("main")->min, 99);
		CU_ASSERT_EQUAL(T_FIND("main")->max, 100);
		CU_ASSERT_EQUAL(measure_histogram_total(T_FIND("main/g")->calls), 2);
		CU_ASSERT_EQUAL(t_profile.nr_locations, 2);
		CU_ASSERT_EQUAL(t_sum(), 199);
		CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_ENTER, 0), 8);
		CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_LEAVE, 0), 8);
	}
	t_end();
}

/* Both g are one; a call begins as one and ends as the other. */
static void t_equal_regions(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_ENTER(0, 10, T_G);
	T_LEAVE(0, 20, T_G);
	T_ENTER(0, 30, T_G_AGAIN);
	T_LEAVE(0, 50, T_G_AGAIN);
	T_LEAVE(0, 60, T_MAIN);
	t_read();
	T_TIMES("main/g", 2, 30, 30);
	T_TIMES("main", 1, 60, 30);
	CU_ASSERT_EQUAL(T_FIND("main/g")->min, 10);
	CU_ASSERT_EQUAL(T_FIND("main/g")->max, 20);
	CU_ASSERT_EQUAL(t_profile.nr_paths, 3);
	t_end();
}

static void t_unbalanced(void)
{
	t_begin();
	T_LEAVE(0, 0, T_G); /* not open */
	T_ENTER(0, 10, T_MAIN);
	T_ENTER(0, 20, T_F);
	T_ENTER(0, 30, T_G);
	T_LEAVE(0, 40, T_MAIN); /* f and g end here */
	T_ENTER(0, 50, T_MAIN);
	T_ENTER(0, 60, T_F);
	T_LEAVE(0, 65, T_G);
	T_EVENT(ProgramEnd, 0, 80, 0); /* main and f are open */
	t_read();
	T_TIMES("main", 2, 60, 20);
	T_TIMES("main/f", 2, 40, 30);
	T_TIMES("main/f/g", 1, 10, 10);
	CU_ASSERT_EQUAL(t_profile.faults.unopened, 2);
	CU_ASSERT_EQUAL(t_profile.faults.repaired, 2);
	CU_ASSERT_EQUAL(t_profile.faults.cut, 2);
	CU_ASSERT_EQUAL(measure_histogram_total(T_FIND("main")->calls), 1);
	CU_ASSERT_EQUAL(T_FIND("main")->max, 30);
	CU_ASSERT_PTR_NULL(T_FIND("main/f")->calls);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main"), 1);
	CU_ASSERT_EQUAL(T_VALUE(CUT_TICKS, "main"), 30);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main/f"), 2);
	CU_ASSERT_EQUAL(T_VALUE(CUT_TICKS, "main/f"), 40);
	CU_ASSERT_EQUAL(t_exclusive(""), 20);
	CU_ASSERT_EQUAL(t_sum(), 80);
	t_end();
}

/* Case P4. */
static void t_interruptions(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(MeasurementOnOff, 0, 10, OTF2_MEASUREMENT_OFF);
	T_EVENT(MeasurementOnOff, 0, 30, OTF2_MEASUREMENT_ON);
	T_ENTER(0, 40, T_F);
	T_EVENT(BufferFlush, 0, 50, 70);
	T_LEAVE(0, 90, T_F);
	T_EVENT(ProgramEnd, 0, 100, 0);
	t_read();
	T_TIMES("main", 1, 100, 30);
	T_TIMES("main/(recording off)", 1, 20, 20);
	T_TIMES("main/f", 1, 50, 30);
	T_TIMES("main/f/(buffer flush)", 1, 20, 20);
	CU_ASSERT_EQUAL(T_VALUE(CUT_CALLS, "main"), 1);
	CU_ASSERT_EQUAL(t_sum(), 100);
	t_end();
}

/* A flush while recording is off, one that lasts beyond the next event, and an off without an on.
 */
static void t_interrupted_interruptions(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(MeasurementOnOff, 0, 10, OTF2_MEASUREMENT_OFF);
	T_EVENT(BufferFlush, 0, 20, 50);
	T_ENTER(0, 60, T_F);
	T_EVENT(BufferFlush, 0, 65, 500);
	T_LEAVE(0, 80, T_F);
	T_EVENT(MeasurementOnOff, 0, 90, OTF2_MEASUREMENT_OFF);
	T_LEAVE(0, 100, T_MAIN);
	t_read();
	T_TIMES("main/(buffer flush)", 1, 30, 30);
	T_TIMES("main/(recording off)", 1, 40, 40);
	T_TIMES("main/f/(recording off)", 0, 5, 5);
	T_TIMES("main/f/(buffer flush)", 1, 15, 15);
	T_TIMES("main/f", 1, 20, 0);
	T_TIMES("main", 1, 100, 10);
	CU_ASSERT_EQUAL(t_sum(), 100);
	t_end();
}

/* The end of a flush is a time of the location's clock, too. */
static void t_flush_with_offset(void)
{
	t_begin();
	t_add_offset(0, 0, 1000000);
	t_add_offset(0, 100, 1000000);
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(BufferFlush, 0, 10, 30);
	T_LEAVE(0, 100, T_MAIN);
	t_read();
	T_TIMES("main", 1, 100, 80);
	T_TIMES("main/(buffer flush)", 1, 20, 20);
	CU_ASSERT_EQUAL(t_profile.first, 1000000);
	CU_ASSERT_EQUAL(t_profile.last, 1000100);
	t_end();
}

/* A worker is idle between its teams, unless it flushes; the master is not. */
static void t_idle(void)
{
	t_begin();
	T_EVENT(ThreadFork, 0, 0, OTF2_PARADIGM_OPENMP, 2);
	for (uint32_t i = 0; i < 2; i++) {
		T_EVENT(ThreadTeamBegin, i, 10, T_TEAM);
		T_EVENT(ThreadTeamEnd, i, 30, T_TEAM);
		if (i == 1)
			T_EVENT(BufferFlush, i, 40, 55);
		T_EVENT(ThreadTeamBegin, i, 70, T_TEAM);
		T_ENTER(i, 80, T_F);
		T_LEAVE(i, 90, T_F);
		T_EVENT(ThreadTeamEnd, i, 100, T_TEAM);
	}
	t_read();
	T_TIMES("(idle)", 2, 25, 25);
	T_TIMES("(buffer flush)", 1, 15, 15);
	T_TIMES("f", 2, 20, 20);
	CU_ASSERT_EQUAL(t_exclusive(""), 190 - 25 - 15 - 20);
	CU_ASSERT_EQUAL(t_sum(), 190);
	t_end();
}

static void t_iterations(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(ParameterUnsignedInt, 0, 0, T_ITERATION, 7);
	for (uint64_t i = 0; i < 3; i++) {
		T_ENTER(0, 10 + 20 * i, T_F);
		T_EVENT(ParameterUnsignedInt, 0, 10 + 20 * i, T_ITERATION, i / 2);
		T_LEAVE(0, 15 + 20 * i + i, T_F);
	}
	T_ENTER(0, 80, T_F); /* none */
	T_LEAVE(0, 90, T_F);
	T_ENTER(0, 92, T_G);
	T_EVENT(ParameterInt, 0, 92, T_SIGNED_ITERATION, 1);
	T_LEAVE(0, 95, T_G);
	T_EVENT(ProgramEnd, 0, 100, 0); /* main is not complete */
	t_read();
	T_TIMES("main/f", 4, 28, 28);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, VISITS, t_path("main/f"), 0), 2);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, TICKS, t_path("main/f"), 0), 11);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, LEAST_TICKS, t_path("main/f"), 0), 5);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, MOST_TICKS, t_path("main/f"), 0), 6);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, TICKS, t_path("main/f"), 1), 7);
	CU_ASSERT_EQUAL(T_CELL(ITERATIONS, TICKS, t_path("main/g"), 1), 3);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_ITERATIONS].nr, 3);
	t_end();
}

/* Samples count for their contexts and for what was recorded; they are no time. */
static void t_samples(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_EVENT(CallingContextSample, 0, 10, T_CONTEXT_MAIN, 2, 0);
	T_ENTER(0, 20, T_G);
	T_EVENT(CallingContextSample, 0, 30, T_CONTEXT_F, 2, 0);
	T_EVENT(CallingContextSample, 0, 35, T_CONTEXT_F, 2, 0);
	T_LEAVE(0, 40, T_G);
	T_LEAVE(0, 50, T_MAIN);
	t_read();
	T_TIMES("main", 1, 50, 30);
	CU_ASSERT_EQUAL(T_VALUE(SAMPLES, "main"), 1);
	CU_ASSERT_EQUAL(T_VALUE(SAMPLES, "main/g"), 2);
	CU_ASSERT_EQUAL(T_CELL(SAMPLES, COUNT, T_CONTEXT_MAIN, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(SAMPLES, COUNT, T_CONTEXT_F, 0), 2);
	t_end();
}

/* Enters with and without calling contexts; an undefined region; what is counted by kind. */
static void t_calling_contexts(void)
{
	t_begin();
	T_EVENT(CallingContextEnter, 0, 0, T_CONTEXT_MAIN, 1);
	T_EVENT(CallingContextEnter, 0, 10, T_CONTEXT_F, 1);
	T_ENTER(0, 20, 4711);
	T_ENTER(0, 25, T_G);
	T_LEAVE(0, 30, T_G);
	T_LEAVE(0, 40, 4711);
	T_EVENT(CallingContextLeave, 0, 50, T_CONTEXT_F);
	T_EVENT(CallingContextLeave, 0, 60, T_CONTEXT_MAIN);
	t_read();
	T_TIMES("main", 1, 60, 20);
	T_TIMES("main/f", 1, 40, 20);
	T_TIMES("main/f/(undefined region)", 1, 20, 15);
	T_TIMES("main/f/(undefined region)/g", 1, 5, 5);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_ENTER, 0), 2);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_LEAVE, 0), 2);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_CALLING_CONTEXT_ENTER, 0), 2);
	CU_ASSERT_EQUAL(t_profile.nr_events, 8);
	t_end();
}

/* Deep enough for any array to grow. */
static void t_deep_recursion(void)
{
	t_begin();
	for (uint64_t i = 0; i < 5000; i++)
		T_ENTER(0, i, T_F);
	for (uint64_t i = 0; i < 5000; i++)
		T_LEAVE(0, 5000 + i, T_F);
	t_read();
	CU_ASSERT_EQUAL(t_profile.nr_paths, 5001);
	T_TIMES("f", 1, 9999, 2);
	CU_ASSERT_EQUAL(t_profile.paths[5000].inclusive, 1);
	CU_ASSERT_EQUAL(t_sum(), 9999);
	t_end();
}

static void t_refused(void)
{
	OTF2_AttributeList *attributes = OTF2_AttributeList_New();

	t_begin();
	T_ENTER(0, 0, T_SEND);
	OTF2_AttributeList_AddUint64(attributes, T_REFUSED, 1);
	OTF2_EvtWriter_Leave(t_on[0], attributes, 10, T_SEND);
	T_ENTER(0, 20, T_SEND);
	T_LEAVE(0, 25, T_SEND);
	t_read();
	T_TIMES("send", 2, 15, 15);
	CU_ASSERT_EQUAL(T_VALUE(REFUSED_CALLS, "send"), 1);
	CU_ASSERT_EQUAL(measure_histogram_total(T_FIND("send")->calls), 2);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_LEAVE, 0), 2);
	OTF2_AttributeList_Delete(attributes);
	t_end();
}

/* Corrected by offsets that are wrong, the clock goes back from 60 to 20: no time has passed. */
static void t_backward(void)
{
	t_begin();
	t_add_offset(0, 0, 0);
	t_add_offset(0, 60, 0);
	t_add_offset(0, 61, -41);
	t_add_offset(0, 200, -41);
	T_ENTER(0, 0, T_MAIN);
	T_ENTER(0, 50, T_F);
	T_LEAVE(0, 60, T_F);
	T_ENTER(0, 61, T_F);
	T_EVENT(MeasurementOnOff, 0, 70, OTF2_MEASUREMENT_OFF);
	T_EVENT(MeasurementOnOff, 0, 75, OTF2_MEASUREMENT_ON);
	T_EVENT(ThreadTaskSwitch, 0, 80, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, 0, 90, T_TEAM, 0, 0);
	T_LEAVE(0, 111, T_F); /* at 70 */
	T_LEAVE(0, 121, T_MAIN);
	t_read();
	T_TIMES("main", 1, 80, 60);
	T_TIMES("main/f", 2, 20, 20);
	T_TIMES("main/f/(recording off)", 1, 0, 0);
	T_TIMES("(tasks)", 1, 0, 0);
	CU_ASSERT_EQUAL(t_profile.faults.backward, 5);
	CU_ASSERT_EQUAL(t_profile.last, 80);
	CU_ASSERT_EQUAL(t_sum(), 80);
	t_end();
}

static void t_one_event(void)
{
	t_begin();
	T_ENTER(0, 5, T_MAIN);
	t_read();
	T_TIMES("main", 1, 0, 0);
	CU_ASSERT_EQUAL(t_profile.faults.cut, 1);
	CU_ASSERT_EQUAL(t_profile.nr_locations, 1);
	CU_ASSERT_EQUAL(t_sum(), 0);
	t_end();
	t_begin();
	t_read();
	CU_ASSERT_EQUAL(t_profile.nr_paths, 1);
	CU_ASSERT_EQUAL(t_profile.nr_locations, 0);
	CU_ASSERT_EQUAL(t_sum(), 0);
	t_end();
}

/* Numbers of events in definitions may be anything: all events are read. */
static void t_wrong_numbers(void)
{
	static const uint64_t numbers[] = {UINT64_MAX, UINT64_MAX / 2 + 1, UINT64_MAX / 3};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		t_begin();
		t_say_events(numbers[i]);
		for (uint32_t location = 0; location < T_NR_LOCATIONS; location++) {
			T_ENTER(location, 5, T_MAIN);
			T_LEAVE(location, 15, T_MAIN);
		}
		t_read_with(1);
		T_TIMES("main", 3, 30, 30);
		t_end();
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"nesting", t_nesting},
		{"equal regions", t_equal_regions},
		{"unbalanced", t_unbalanced},
		{"interruptions", t_interruptions},
		{"interrupted interruptions", t_interrupted_interruptions},
		{"flush with offset", t_flush_with_offset},
		{"idle", t_idle},
		{"iterations", t_iterations},
		{"samples", t_samples},
		{"calling contexts", t_calling_contexts},
		{"deep recursion", t_deep_recursion},
		{"refused", t_refused},
		{"backward", t_backward},
		{"one event", t_one_event},
		{"wrong numbers", t_wrong_numbers},
		CU_TEST_INFO_NULL,
	};

	return t_suite("profile_calls", NULL, NULL, tests);
}
