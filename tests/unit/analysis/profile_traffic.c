/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: messages, collective operations, locks, files and allocations of a profile: who and
 * how much, what is cancelled or of unknown size, how long locks are waited for and held. */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"

#define T_LOCK_NAME ((uint64_t)OTF2_PARADIGM_PTHREAD << 32 | 5)

static void t_messages(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_ENTER(0, 10, T_SEND);
	T_EVENT(MpiSend, 0, 10, 1, T_WORLD, 0, 100);
	T_EVENT(MpiSend, 0, 11, 1, T_WORLD, 0, 0);
	T_EVENT(MpiIsend, 0, 12, 0, T_WORLD, 0, 127, 1);
	T_EVENT(MpiIsend, 0, 13, 7, T_WORLD, 0, 128, 2); /* to nobody */
	T_EVENT(MpiSend, 0, 14, 1, T_WORLD, 0, UINT64_MAX);
	T_LEAVE(0, 20, T_SEND);
	T_ENTER(0, 30, T_WAIT);
	T_EVENT(MpiIsendComplete, 0, 35, 1);
	T_LEAVE(0, 40, T_WAIT);
	T_LEAVE(0, 50, T_MAIN);
	T_ENTER(2, 0, T_WAIT);
	T_EVENT(MpiRecv, 2, 30, 0, T_WORLD, 0, 100);
	T_EVENT(MpiRecv, 2, 31, 0, T_WORLD, 0, UINT64_MAX);
	T_LEAVE(2, 40, T_WAIT);
	t_read();
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, COUNT, 0, 1), 3);
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, BYTES, 0, 1), 100);
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, COUNT, 0, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, COUNT, 0, MEASURE_NONE), 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGE_SIZES, COUNT, 7, 0), 2); /* 100 and 127 */
	CU_ASSERT_EQUAL(T_CELL(MESSAGE_SIZES, COUNT, 8, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGE_SIZES, COUNT, 0, 0), 2);
	CU_ASSERT_EQUAL(T_VALUE(MESSAGE_BYTES_SENT, "main/send"), 355);
	CU_ASSERT_EQUAL(T_VALUE(UNKNOWN_SIZES, "main/send"), 1);
	CU_ASSERT_EQUAL(T_VALUE(MESSAGE_BYTES_RECEIVED, "wait"), 100);
	CU_ASSERT_EQUAL(T_VALUE(UNKNOWN_SIZES, "wait"), 1);
	t_end();
}

/* What is cancelled elsewhere is taken back where it was sent; a receive is no send. */
static void t_cancelled(void)
{
	t_begin();
	T_ENTER(0, 0, T_SEND);
	T_EVENT(MpiIsend, 0, 1, 1, T_WORLD, 0, 100, 1);
	T_EVENT(MpiIsend, 0, 2, 1, T_WORLD, 0, 50, 2);
	T_EVENT(MpiIsend, 0, 3, 0, T_WORLD, 0, UINT64_MAX, 3);
	T_EVENT(MpiIrecvRequest, 0, 4, 4);
	T_LEAVE(0, 10, T_SEND);
	T_ENTER(0, 20, T_WAIT);
	T_EVENT(MpiRequestCancelled, 0, 25, 1);
	T_EVENT(MpiIsendComplete, 0, 26, 2);
	T_EVENT(MpiRequestCancelled, 0, 27, 2); /* too late */
	T_EVENT(MpiRequestCancelled, 0, 28, 3);
	T_EVENT(MpiRequestCancelled, 0, 29, 4);
	T_LEAVE(0, 30, T_WAIT);
	t_read();
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, COUNT, 0, 1), 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGES, BYTES, 0, 1), 50);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_MESSAGES].nr, 1);
	CU_ASSERT_EQUAL(T_CELL(MESSAGE_SIZES, COUNT, 7, 0), 0);
	CU_ASSERT_EQUAL(T_VALUE(MESSAGE_BYTES_SENT, "send"), 50);
	CU_ASSERT_EQUAL(T_VALUE(UNKNOWN_SIZES, "send"), 0);
	CU_ASSERT_EQUAL(T_VALUE(MESSAGE_BYTES_SENT, "wait"), 0);
	t_end();
}

static void t_collectives(void)
{
	t_begin();
	for (uint32_t i = 0; i < 3; i += 2) {
		T_ENTER(i, 0, T_SEND);
		T_EVENT(MpiCollectiveBegin, i, 10 + i);
		T_EVENT(MpiCollectiveEnd, i, 30, OTF2_COLLECTIVE_OP_ALLREDUCE, T_WORLD,
			OTF2_COLLECTIVE_ROOT_NONE, 8, 16);
		T_EVENT(NonBlockingCollectiveRequest, i, 31, 1);
		T_EVENT(NonBlockingCollectiveComplete, i, 40, OTF2_COLLECTIVE_OP_BCAST, T_WORLD, 0,
			i, UINT64_MAX, 1);
		T_LEAVE(i, 50, T_SEND);
	}
	T_EVENT(MpiCollectiveEnd, 0, 60, OTF2_COLLECTIVE_OP_BARRIER, T_WORLD,
		OTF2_COLLECTIVE_ROOT_NONE, 0, 0); /* has not begun */
	t_read();
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, CALLS, OTF2_COLLECTIVE_OP_ALLREDUCE, T_WORLD), 2);
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, TICKS, OTF2_COLLECTIVE_OP_ALLREDUCE, T_WORLD), 38);
	CU_ASSERT_EQUAL(
		T_CELL(COLLECTIVES, LONGEST_TICKS, OTF2_COLLECTIVE_OP_ALLREDUCE, T_WORLD), 20);
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, BYTES_SENT, OTF2_COLLECTIVE_OP_ALLREDUCE, T_WORLD), 16);
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, BYTES_RECEIVED, OTF2_COLLECTIVE_OP_BCAST, T_WORLD), 0);
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, TICKS, OTF2_COLLECTIVE_OP_BCAST, T_WORLD), 0);
	CU_ASSERT_EQUAL(T_CELL(COLLECTIVES, CALLS, OTF2_COLLECTIVE_OP_BARRIER, T_WORLD), 1);
	CU_ASSERT_EQUAL(T_VALUE(COLLECTIVE_BYTES_SENT, "send"), 18);
	CU_ASSERT_EQUAL(T_VALUE(COLLECTIVE_BYTES_RECEIVED, "send"), 32);
	CU_ASSERT_EQUAL(T_VALUE(UNKNOWN_SIZES, "send"), 2);
	t_end();
}

/* Taken twice by the same thread it is held once, for longer; a release without an acquire is
 * nothing; a task that ran while it was waited for does not count as waiting. */
static void t_locks(void)
{
	t_begin();
	T_EVENT(ThreadReleaseLock, 0, 0, OTF2_PARADIGM_PTHREAD, 5, 0);
	T_ENTER(0, 10, T_LOCK);
	T_EVENT(ThreadAcquireLock, 0, 25, OTF2_PARADIGM_PTHREAD, 5, 1);
	T_LEAVE(0, 30, T_LOCK);
	T_ENTER(0, 31, T_LOCK);
	T_EVENT(ThreadAcquireLock, 0, 35, OTF2_PARADIGM_PTHREAD, 5, 2);
	T_LEAVE(0, 36, T_LOCK);
	T_EVENT(ThreadReleaseLock, 0, 40, OTF2_PARADIGM_PTHREAD, 5, 2);
	T_EVENT(ThreadReleaseLock, 0, 55, OTF2_PARADIGM_PTHREAD, 5, 1);
	T_EVENT(ThreadReleaseLock, 0, 56, OTF2_PARADIGM_PTHREAD, 5, 1);
	T_ENTER(0, 60, T_LOCK);
	T_EVENT(ThreadTaskSwitch, 0, 62, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, 0, 72, T_TEAM, 0, 0);
	T_EVENT(ThreadAcquireLock, 0, 75, OTF2_PARADIGM_PTHREAD, 5, 3);
	T_LEAVE(0, 80, T_LOCK);                                        /* never released */
	T_EVENT(ThreadAcquireLock, 1, 0, OTF2_PARADIGM_PTHREAD, 5, 0); /* in no region */
	T_EVENT(ThreadReleaseLock, 1, 7, OTF2_PARADIGM_PTHREAD, 5, 0);
	t_read();
	CU_ASSERT_EQUAL(T_CELL(LOCKS, ACQUISITIONS, 0, T_LOCK_NAME), 3);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, WAIT_TICKS, 0, T_LOCK_NAME), 15 + 5);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, LONGEST_WAIT_TICKS, 0, T_LOCK_NAME), 15);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, HOLD_TICKS, 0, T_LOCK_NAME), 30 + 7);
	CU_ASSERT_EQUAL(T_CELL(LOCKS, LONGEST_HOLD_TICKS, 0, T_LOCK_NAME), 30);
	CU_ASSERT_EQUAL(t_profile.tables[MEASURE_TABLE_LOCKS].nr, 1);
	t_end();
}

#define T_BEGIN(time, handle, mode, number)                                                        \
	T_EVENT(IoOperationBegin, 0, time, handle, OTF2_IO_OPERATION_MODE_##mode,                  \
		OTF2_IO_OPERATION_FLAG_NONE, 64, number)

static void t_files(void)
{
	const uint64_t standard = MEASURE_PROFILE_HANDLE + T_STANDARD;

	t_begin();
	T_ENTER(0, 0, T_F);
	T_EVENT(IoCreateHandle, 0, 1, T_DATA, OTF2_IO_ACCESS_MODE_READ_WRITE,
		OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
	T_BEGIN(10, T_DATA, WRITE, 1);
	T_EVENT(IoOperationComplete, 0, 14, T_DATA, 60, 1);
	T_BEGIN(20, T_DATA, READ, 1); /* two at once */
	T_BEGIN(21, T_DATA, READ, 2);
	T_EVENT(IoOperationComplete, 0, 25, T_DATA, 3, 2);
	T_EVENT(IoOperationComplete, 0, 26, T_DATA, UINT64_MAX, 1);
	T_BEGIN(30, T_DATA, FLUSH, 1);
	T_EVENT(IoOperationComplete, 0, 37, T_DATA, 0, 1);
	T_BEGIN(40, T_DATA, WRITE, 1);
	T_EVENT(IoOperationCancelled, 0, 41, T_DATA, 1);
	T_EVENT(IoOperationComplete, 0, 50, T_DATA, 1000, 9); /* has not begun */
	T_BEGIN(60, T_STANDARD, WRITE, 1);
	T_EVENT(IoOperationComplete, 0, 61, T_STANDARD, 5, 1);
	T_LEAVE(0, 70, T_F);
	t_read();
	CU_ASSERT_EQUAL(T_CELL(FILES, OPENED, 0, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(FILES, OPERATIONS, 0, 0), 5);
	CU_ASSERT_EQUAL(T_CELL(FILES, BYTES_WRITTEN, 0, 0), 60);
	CU_ASSERT_EQUAL(T_CELL(FILES, BYTES_READ, 0, 0), 3);
	CU_ASSERT_EQUAL(T_CELL(FILES, UNKNOWN_SIZES, 0, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(FILES, TICKS, 0, 0), 4 + 4 + 6 + 7);
	CU_ASSERT_EQUAL(T_CELL(FILES, OPERATIONS, standard, 0), 1);
	CU_ASSERT_EQUAL(T_CELL(FILES, BYTES_WRITTEN, standard, 0), 5);
	CU_ASSERT_EQUAL(T_VALUE(IO_BYTES_WRITTEN, "f"), 65);
	CU_ASSERT_EQUAL(T_VALUE(IO_BYTES_READ, "f"), 3);
	CU_ASSERT_EQUAL(T_VALUE(UNKNOWN_SIZES, "f"), 1);
	t_end();
}

static void t_allocations(void)
{
	static const uint64_t sizes[] = {100, 0, 2000000000000};
	OTF2_AttributeList *attributes = OTF2_AttributeList_New();

	t_begin();
	T_ENTER(0, 0, T_MAIN);
	for (uint64_t i = 0; i < 3; i++) {
		OTF2_AttributeList_AddUint64(attributes, T_ALLOCATION_SIZE, sizes[i]);
		OTF2_EvtWriter_Enter(t_on[0], attributes, 10 + 10 * i, T_F);
		T_LEAVE(0, 15 + 10 * i, T_F);
	}
	OTF2_AttributeList_AddUint64(attributes, T_DEALLOCATION_SIZE, 99);
	OTF2_EvtWriter_Enter(t_on[0], attributes, 50, T_G);
	T_LEAVE(0, 55, T_G);
	T_LEAVE(0, 60, T_MAIN);
	t_read();
	T_TIMES("main/f", 3, 15, 15);
	CU_ASSERT_EQUAL(T_VALUE(ALLOCATIONS, "main/f"), 3);
	CU_ASSERT_EQUAL(T_VALUE(BYTES_ALLOCATED, "main/f"), 2000000000100);
	CU_ASSERT_EQUAL(T_VALUE(BYTES_RELEASED, "main/g"), 99);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_ENTER, 0), 5);
	CU_ASSERT_EQUAL(T_CELL(RECORDS, COUNT, MEASURE_EVENT_LEAVE, 0), 5);
	OTF2_AttributeList_Delete(attributes);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"messages", t_messages},
		{"cancelled", t_cancelled},
		{"collectives", t_collectives},
		{"locks", t_locks},
		{"files", t_files},
		{"allocations", t_allocations},
		CU_TEST_INFO_NULL,
	};

	return t_suite("profile_traffic", NULL, NULL, tests);
}
