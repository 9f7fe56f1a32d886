/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slices: messages, collectives, operations and calls that cross a cut; what is made up there. */
#include "config.h"

#include "t_slice.h"

#include "../t_suite.h"

/* ------------------------------------------------------------------- calls, messages --- */

/* Case X1 of the specification. */
static void test_calls_and_requests(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_ENTER(0, 20, T_WORK);
	T_EVENT(MpiIsend, 0, 30, 1, T_WORLD, 0, 8, 77);
	CU_ASSERT_EQUAL(OTF2_EvtWriter_MpiIsendComplete(t_on[0], NULL, T_START + 70, 77), 0);
	T_LEAVE(0, 80, T_WORK);
	T_LEAVE(0, 100, T_MAIN);
	T_ENTER(1, 0, T_MAIN);
	T_EVENT(MpiIrecvRequest, 1, 10, 5);
	T_EVENT(MpiIrecv, 1, 60, 0, T_WORLD, 0, 8, 5);
	T_LEAVE(1, 100, T_MAIN);
	t_slice(50, 90);
	T_SAYS(0, "50* Enter 0; 50* Enter 1; 80 Leave 1; 90* Leave 0");
	T_SAYS(1, "50* Enter 0; 90* Leave 0");
	T_SAYS(2, "");
	CU_ASSERT_STRING_EQUAL(t_property(), "1050 1090");
	t_slice_end();
}

/* The second of three is received after the window: it goes, and the third stays. */
static void test_order_of_messages(void)
{
	t_begin();
	for (uint32_t i = 0; i < 3; i++)
		t_send(0, 10 + 30 * i, 15 + 30 * i, 20 + 30 * i, 1);
	T_ENTER(1, 5, T_WAITSOME);
	for (uint32_t i = 0; i < 3; i++)
		T_EVENT(MpiIrecvRequest, 1, 6, i);
	T_EVENT(MpiIrecv, 1, 25, 0, T_WORLD, 0, 8, 0);
	T_EVENT(MpiIrecv, 1, 76, 0, T_WORLD, 0, 8, 2);
	T_EVENT(MpiIrecv, 1, 90, 0, T_WORLD, 0, 8, 1);
	T_LEAVE(1, 95, T_WAITSOME);
	t_slice(0, 85);
	T_SAYS(0, "10 Enter 7; 15 MpiSend 1 0 0 8; 20 Leave 7; 40 Enter 7; 50 Leave 7; "
		  "70 Enter 7; 75 MpiSend 1 0 0 8; 80 Leave 7");
	T_SAYS(1, "5 Enter 17; 6 MpiIrecvRequest 0; 6 MpiIrecvRequest 2; 25 MpiIrecv 0 0 0 8 0; "
		  "76 MpiIrecv 0 0 0 8 2; 85* Leave 17");
	t_slice_end();
}

static void test_collectives(void)
{
	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		t_collective(i, 10 + 10 * i, 50 + i, T_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE,
			OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
		t_collective(i, 60, 70, T_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE,
			OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
	}
	t_slice(20, 70);
	T_SAYS(0, "20* Enter 23; 50 Leave 23; 60 Enter 23; 60 MpiCollectiveBegin; "
		  "70 MpiCollectiveEnd 11 0 4294967295 8 8; 70 Leave 23");
	T_SAYS(3, "40 Enter 23; 53 Leave 23; 60 Enter 23; 60 MpiCollectiveBegin; "
		  "70 MpiCollectiveEnd 11 0 4294967295 8 8; 70 Leave 23");
	t_slice_end();
}

/* Others than that process are not there, nor what it did with them. */
static void test_one_process(void)
{
	t_begin();
	t_send(0, 10, 15, 20, 1);
	t_receive(1, 10, 18, 20, 0);
	t_send(0, 30, 35, 40, 0);
	t_receive(0, 41, 42, 43, 0);
	t_slice_location(0, 100, 0);
	T_SAYS(0,
		"10 Enter 7; 20 Leave 7; 30 Enter 7; 35 MpiSend 0 0 0 8; 40 Leave 7; 41 Enter 10; "
		"42 MpiRecv 0 0 0 8; 43 Leave 10");
	T_SAYS(1, "");
	t_slice_end();
}

/* --------------------------------------------------------------------------- threads --- */

/* One thread has left the barrier, the other one is in it; then one is in the next one. */
static void test_teams(void)
{
	t_begin();
	T_EVENT(ThreadFork, T_A, 10, OTF2_PARADIGM_OPENMP, 2);
	for (uint32_t i = T_A; i <= T_B; i++) {
		T_EVENT(ThreadTeamBegin, i, 12, T_TEAM);
		T_ENTER(i, 12, T_PARALLEL);
		T_ENTER(i, 20, T_BARRIER);
		T_LEAVE(i, i == T_A ? 30 : 40, T_BARRIER);
		T_ENTER(i, i == T_A ? 50 : 60, T_IMPLICIT);
		T_LEAVE(i, 70, T_IMPLICIT);
		T_LEAVE(i, 70, T_PARALLEL);
		T_EVENT(ThreadTeamEnd, i, 70, T_TEAM);
	}
	T_EVENT(ThreadJoin, T_A, 75, OTF2_PARADIGM_OPENMP);
	t_slice(35, 55);
	T_SAYS(T_A, "35* ThreadFork 3 2; 35* ThreadTeamBegin 1; 35* Enter 35; 35* Leave 35; "
		    "35* Enter 4; 50 Enter 36; 55* Leave 36; 55* Leave 4; 55* ThreadTeamEnd 1; "
		    "55* ThreadJoin 3");
	T_SAYS(T_B, "35* ThreadTeamBegin 1; 35* Enter 4; 35* Enter 35; 40 Leave 35; 55* Leave 4; "
		    "55* Enter 36; 55* Leave 36; 55* ThreadTeamEnd 1");
	t_slice_end();
}

/* The master has gone on, the other one learns of the end of the team later. */
static void test_late_team(void)
{
	t_begin();
	T_ENTER(T_A, 5, T_MAIN);
	T_EVENT(ThreadFork, T_A, 10, OTF2_PARADIGM_OPENMP, 2);
	T_EVENT(ThreadTeamBegin, T_A, 12, T_TEAM);
	T_EVENT(ThreadTeamEnd, T_A, 20, T_TEAM);
	T_EVENT(ThreadJoin, T_A, 21, OTF2_PARADIGM_OPENMP);
	T_LEAVE(T_A, 90, T_MAIN);
	T_EVENT(ThreadTeamBegin, T_B, 12, T_TEAM);
	T_EVENT(ThreadTeamEnd, T_B, 60, T_TEAM);
	t_slice(50, 80);
	T_SAYS(T_A, "50* ThreadFork 3 2; 50* ThreadTeamBegin 1; 50* ThreadTeamEnd 1; "
		    "50* ThreadJoin 3; 50* Enter 0; 80* Leave 0");
	T_SAYS(T_B, "50* ThreadTeamBegin 1; 60 ThreadTeamEnd 1");
	t_slice_end();
}

static void test_created_threads(void)
{
	t_begin();
	T_EVENT(ThreadCreate, T_A, 10, T_TEAM, 1);
	T_EVENT(ThreadCreate, T_A, 11, T_TEAM, 2);
	T_EVENT(ThreadBegin, T_B, 12, T_TEAM, 1);
	T_ENTER(T_B, 13, T_WORK);
	T_LEAVE(T_B, 50, T_WORK);
	T_EVENT(ThreadEnd, T_B, 60, T_TEAM, 1);
	T_EVENT(ThreadBegin, T_A + 2, 12, T_TEAM, 2);
	T_EVENT(ThreadEnd, T_A + 2, 20, T_TEAM, 2);
	T_ENTER(T_A, 15, T_JOIN);
	T_EVENT(ThreadWait, T_A, 35, T_TEAM, 2);
	T_EVENT(ThreadWait, T_A, 65, T_TEAM, 1);
	T_LEAVE(T_A, 66, T_JOIN);
	t_slice(30, 40);
	T_SAYS(T_A, "30* ThreadCreate 1 1; 30* Enter 44; 40* Leave 44");
	T_SAYS(T_B, "30* ThreadBegin 1 1; 30* Enter 1; 40* Leave 1; 40* ThreadEnd 1 1");
	T_SAYS(T_A + 2, "");
	t_slice_end();
}

/* Task 1 waits for 2, which runs; 3 has not begun. */
static void test_tasks(void)
{
	t_begin();
	T_EVENT(ThreadFork, T_A, 1, OTF2_PARADIGM_OPENMP, 2);
	T_EVENT(ThreadTeamBegin, T_A, 2, T_TEAM);
	T_EVENT(ThreadTeamBegin, T_B, 2, T_TEAM);
	T_ENTER(T_A, 3, T_PARALLEL);
	T_EVENT(ThreadTaskCreate, T_A, 4, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, T_A, 5, T_TEAM, 0, 1);
	T_ENTER(T_A, 5, T_TASK);
	T_EVENT(ThreadTaskCreate, T_A, 6, T_TEAM, 0, 2);
	T_EVENT(ThreadTaskCreate, T_A, 7, T_TEAM, 0, 3);
	T_ENTER(T_A, 8, T_TASKWAIT);
	T_EVENT(ThreadTaskSwitch, T_A, 9, T_TEAM, 0, 2);
	T_ENTER(T_A, 9, T_TASK);
	T_LEAVE(T_A, 50, T_TASK);
	T_EVENT(ThreadTaskComplete, T_A, 50, T_TEAM, 0, 2);
	T_EVENT(ThreadTaskSwitch, T_A, 50, T_TEAM, 0, 1);
	T_LEAVE(T_A, 60, T_TASKWAIT);
	T_LEAVE(T_A, 61, T_TASK);
	T_EVENT(ThreadTaskComplete, T_A, 61, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, T_A, 61, T_TEAM, 0, 0);
	T_LEAVE(T_A, 70, T_PARALLEL);
	T_EVENT(ThreadTeamEnd, T_A, 70, T_TEAM);
	T_EVENT(ThreadJoin, T_A, 71, OTF2_PARADIGM_OPENMP);
	T_EVENT(ThreadTaskSwitch, T_B, 62, T_TEAM, 0, 3);
	T_EVENT(ThreadTaskComplete, T_B, 65, T_TEAM, 0, 3);
	T_EVENT(ThreadTeamEnd, T_B, 70, T_TEAM);
	t_slice(20, 30);
	T_SAYS(T_A, "20* ThreadFork 3 2; 20* ThreadTeamBegin 1; 20* Enter 4; "
		    "20* ThreadTaskCreate 1 0 1; 20* ThreadTaskSwitch 1 0 1; 20* Enter 39; "
		    "20* ThreadTaskCreate 1 0 2; 20* ThreadTaskCreate 1 0 3; 20* Enter 38; "
		    "20* ThreadTaskSwitch 1 0 2; 20* Enter 39; 30* Leave 39; "
		    "30* ThreadTaskComplete 1 0 2; 30* ThreadTaskSwitch 1 0 1; 30* Leave 38; "
		    "30* Leave 39; 30* ThreadTaskComplete 1 0 1; 30* Leave 4; "
		    "30* ThreadTaskComplete 1 0 3; 30* ThreadTeamEnd 1; 30* ThreadJoin 3");
	T_SAYS(T_B, "20* ThreadTeamBegin 1; 30* ThreadTeamEnd 1");
	t_slice_end();
}

static void test_locks(void)
{
	t_begin();
	T_ENTER(T_A, 5, T_CRITICAL);
	T_EVENT(ThreadAcquireLock, T_A, 10, OTF2_PARADIGM_OPENMP, 3, 7);
	T_EVENT(ThreadReleaseLock, T_A, 50, OTF2_PARADIGM_OPENMP, 3, 7);
	T_LEAVE(T_A, 51, T_CRITICAL);
	t_slice(20, 30);
	T_SAYS(T_A, "20* Enter 37; 20* ThreadAcquireLock 3 3 7; 30* ThreadReleaseLock 3 3 7; "
		    "30* Leave 37");
	t_slice_end();
}

/* ----------------------------------------------------------------- windows and files --- */

static void test_windows(void)
{
	t_begin();
	T_EVENT(RmaWinCreate, 0, 5, T_MADE_WINDOW);
	T_EVENT(RmaPut, 0, 10, T_MADE_WINDOW, 1, 8, 1);
	T_EVENT(RmaOpCompleteNonBlocking, 0, 25, T_MADE_WINDOW, 1);
	T_EVENT(RmaOpCompleteRemote, 0, 26, T_MADE_WINDOW, 1);
	T_EVENT(RmaPut, 0, 27, T_MADE_WINDOW, 1, 8, 2);
	T_EVENT(RmaOpCompleteNonBlocking, 0, 28, T_MADE_WINDOW, 2);
	T_EVENT(RmaOpCompleteRemote, 0, 29, T_MADE_WINDOW, 2);
	T_EVENT(RmaPut, 0, 30, T_MADE_WINDOW, 1, 8, 3);
	T_EVENT(RmaOpCompleteNonBlocking, 0, 31, T_MADE_WINDOW, 3);
	T_EVENT(RmaOpCompleteRemote, 0, 50, T_MADE_WINDOW, 3);
	T_EVENT(RmaWinDestroy, 0, 60, T_MADE_WINDOW);
	t_slice(20, 40);
	T_SAYS(0, "20* RmaWinCreate 1; 27 RmaPut 1 1 8 2; 28 RmaOpCompleteNonBlocking 1 2; "
		  "29 RmaOpCompleteRemote 1 2; 40* RmaWinDestroy 1");
	t_slice_end();
}

static void test_files(void)
{
	t_begin();
	T_EVENT(IoCreateHandle, 0, 5, T_OWN_FILE, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
		OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
	for (uint32_t i = 0; i < 3; i++) {
		T_EVENT(IoOperationBegin, 0, 10 + 15 * i, T_OWN_FILE, OTF2_IO_OPERATION_MODE_WRITE,
			OTF2_IO_OPERATION_FLAG_NONE, 8, i);
		T_EVENT(IoOperationComplete, 0, 20 + 15 * i, T_OWN_FILE, 8, i);
	}
	T_EVENT(IoDestroyHandle, 0, 60, T_OWN_FILE);
	t_slice(15, 45);
	T_SAYS(0, "15* IoCreateHandle 3 1 0 0; 25 IoOperationBegin 3 1 0 8 1; "
		  "35 IoOperationComplete 3 8 1; 45* IoDestroyHandle 3");
	t_slice_end();
}

/* One has closed the file before, one opens it after. */
static void test_shared_files(void)
{
	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		T_EVENT(IoCreateHandle, i, i == 3 ? 35 : 5, T_FILE, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
			OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
		T_EVENT(IoDestroyHandle, i, i == 0 ? 6 : 40, T_FILE);
	}
	t_slice(10, 30);
	T_SAYS(0, "10* IoCreateHandle 0 1 0 0; 10* IoDestroyHandle 0");
	T_SAYS(1, "10* IoCreateHandle 0 1 0 0; 30* IoDestroyHandle 0");
	T_SAYS(3, "30* IoCreateHandle 0 0 0 0; 30* IoDestroyHandle 0");
	t_slice_end();
}

/* ----------------------------------------------------------------------------- other --- */

static void test_recording_off(void)
{
	t_begin();
	T_ENTER(0, 5, T_MAIN);
	T_EVENT(MeasurementOnOff, 0, 10, OTF2_MEASUREMENT_OFF);
	T_EVENT(MeasurementOnOff, 0, 50, OTF2_MEASUREMENT_ON);
	T_LEAVE(0, 60, T_MAIN);
	t_slice(20, 30);
	T_SAYS(0, "20* Enter 0; 20* MeasurementOnOff 2; 30* MeasurementOnOff 1; 30* Leave 0");
	t_slice_end();
}

static void test_flushes(void)
{
	t_begin();
	T_ENTER(0, 5, T_MAIN);
	T_EVENT(BufferFlush, 0, 10, T_START + 25);
	T_EVENT(BufferFlush, 0, 28, T_START + 40);
	T_LEAVE(0, 60, T_MAIN);
	t_slice(20, 30);
	T_SAYS(0, "20* Enter 0; 20* BufferFlush 25; 28 BufferFlush 30; 30* Leave 0");
	t_slice_end();
}

static void write_metric(uint32_t location, uint64_t time, uint64_t value)
{
	static const OTF2_Type types[] = {OTF2_TYPE_UINT64};
	const OTF2_MetricValue values[] = {{.unsigned_int = value}};

	T_EVENT(Metric, location, time, T_METRIC, 1, types, values);
}

static void test_metrics(void)
{
	t_begin();
	write_metric(0, 5, 11);
	write_metric(0, 10, 12);
	write_metric(0, 25, 13);
	write_metric(0, 50, 14);
	t_slice(20, 30);
	T_SAYS(0, "20* Metric 0 1 12; 25 Metric 0 1 13");
	t_slice_end();
}

/* The first call stack is new as a whole. */
static void test_calling_contexts(void)
{
	t_begin();
	T_EVENT(CallingContextEnter, 0, 5, T_CONTEXT_MAIN, 2);
	T_EVENT(CallingContextSample, 0, 10, T_CONTEXT_WORK, 2, 0);
	T_EVENT(CallingContextSample, 0, 25, T_CONTEXT_WORK, 1, 0);
	T_EVENT(CallingContextSample, 0, 26, T_CONTEXT_WORK, 1, 0);
	T_EVENT(CallingContextLeave, 0, 50, T_CONTEXT_MAIN);
	t_slice(20, 30);
	T_SAYS(0, "20* CallingContextEnter 0 2; 25 CallingContextSample 1 3 0; "
		  "26 CallingContextSample 1 1 0; 30* CallingContextLeave 0");
	t_slice_end();
}

static void test_programs(void)
{
	t_begin();
	T_EVENT(ProgramBegin, 0, 5, 0, 0, NULL);
	T_ENTER(0, 6, T_MAIN);
	T_LEAVE(0, 60, T_MAIN);
	T_EVENT(ProgramEnd, 0, 61, 0);
	t_slice(20, 30);
	T_SAYS(0, "20* ProgramBegin 0 0 0; 20* Enter 0; 30* Leave 0; 30* ProgramEnd "
		  "-9223372036854775808");
	t_slice_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"calls and requests", test_calls_and_requests},
		{"order of messages", test_order_of_messages},
		{"collectives", test_collectives},
		{"one process", test_one_process},
		{"teams", test_teams},
		{"late team", test_late_team},
		{"created threads", test_created_threads},
		{"tasks", test_tasks},
		{"locks", test_locks},
		{"windows", test_windows},
		{"files", test_files},
		{"shared files", test_shared_files},
		{"recording off", test_recording_off},
		{"flushes", test_flushes},
		{"metrics", test_metrics},
		{"calling contexts", test_calling_contexts},
		{"programs", test_programs},
		CU_TEST_INFO_NULL,
	};

	return t_suite("slices", NULL, NULL, tests);
}
