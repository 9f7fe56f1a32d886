/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: waits in MPI calls have the lengths, causes and call paths that their definitions
 * give: messages, collectives, fences; clocks that disagree make no waits; any number of threads
 * finds the same */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../t_suite.h"
#include "t_waits.h"

/* A message in a call of main, from rank 1 to rank 0. */
static void message(uint64_t send_enter, uint64_t send, uint64_t receive)
{
	t_begin();
	for (uint32_t i = 0; i < 2; i++)
		T_ENTER(i, 0, T_MAIN);
	t_receive(0, 100, receive, 300, 1);
	t_send(1, send_enter, send, send + 10, 0);
	for (uint32_t i = 0; i < 2; i++)
		T_LEAVE(i, 1000, T_MAIN);
	t_read();
}

static void test_late_sender(void)
{
	const struct measure_wait_row *row;

	message(200, 210, 299);
	T_WAITED(LATE_SENDER, 0, 100);
	CU_ASSERT_EQUAL(t_total(), 100);
	row = t_row(MEASURE_WAIT_LATE_SENDER, 0);
	CU_ASSERT_EQUAL(row->count, 1);
	CU_ASSERT_EQUAL(row->max, 100);
	CU_ASSERT_EQUAL(row->worst.enter, T_START + 100);
	CU_ASSERT_EQUAL(row->worst.until, T_START + 200);
	CU_ASSERT_EQUAL(row->worst.cause, 1);
	CU_ASSERT_EQUAL(t_waits.profile.paths[row->path].region, T_RECEIVE);
	CU_ASSERT_EQUAL(
		t_waits.profile.paths[t_waits.profile.paths[row->path].parent].region, T_MAIN);
	CU_ASSERT_EQUAL(t_waits.profile.paths[row->worst.cause_path].region, T_SEND);
	CU_ASSERT_EQUAL_FATAL(t_waits.nr_causes, 1);
	CU_ASSERT_EQUAL(t_waits.causes[0].cause, 1);
	CU_ASSERT_EQUAL(t_waits.causes[0].ticks, 100);
	t_end();
	message(50, 60, 299);
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.nr_rows, 0);
	t_end();
}

/* The clocks cannot be right: no wait, whatever comes out of the formula. */
static void test_violation(void)
{
	message(200, 310, 299);
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.faults[MEASURE_RELATION_MESSAGE].violations, 1);
	CU_ASSERT_EQUAL(t_waits.faults[MEASURE_RELATION_MESSAGE].worst_violation, 11);
	t_end();
}

static void test_wrong_order(void)
{
	t_begin();
	t_receive(0, 100, 301, 302, 1);
	t_receive(0, 310, 311, 312, 2);
	t_send(1, 300, 300, 305, 0);
	t_send(2, 100, 100, 105, 0);
	t_read();
	T_WAITED(LATE_SENDER, 0, 200);
	T_WAITED(WRONG_ORDER_DIFFERENT, 0, 200);
	T_WAITED(WRONG_ORDER_SAME, 0, 0);
	CU_ASSERT_EQUAL(t_total(), 200);
	t_end();
}

/* The synchronous send could not end before its receive began. */
static void test_late_receiver(void)
{
	t_begin();
	T_ENTER(0, 100, T_SSEND);
	T_EVENT(MpiSend, 0, 101, 1, T_WORLD, 0, 8);
	T_LEAVE(0, 300, T_SSEND);
	t_receive(1, 250, 299, 310, 0);
	t_read();
	T_WAITED(LATE_RECEIVER, 0, 150);
	CU_ASSERT_EQUAL(t_total(), 150);
	t_end();
}

static void plain_send(uint64_t enter, uint64_t leave, uint64_t posted, uint64_t length)
{
	T_ENTER(0, enter, T_SEND);
	T_EVENT(MpiSend, 0, enter, 1, T_WORLD, 0, length);
	T_LEAVE(0, leave, T_SEND);
	T_ENTER(1, posted, T_RECEIVE);
	T_EVENT(MpiRecv, 1, leave > posted ? leave : posted, 0, T_WORLD, 0, length);
	T_LEAVE(1, leave > posted ? leave + 1 : posted + 1, T_RECEIVE);
}

/* A kilobyte was sent before anybody wanted it: only what is longer waits. */
static void test_late_receiver_of_plain_send(void)
{
	t_begin();
	plain_send(0, 5, 50, 1024);
	plain_send(100, 140, 120, 512);
	plain_send(200, 400, 350, 1048576);
	t_read();
	T_WAITED(LATE_RECEIVER, 0, 150);
	CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_LATE_RECEIVER, 0), 1);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_RECEIVER, 0)->worst.cause, 1);
	CU_ASSERT_EQUAL(t_waits.eager[MEASURE_WAIT_NEARNESS_NODE], 1024);
	CU_ASSERT_EQUAL(t_total(), 150);
	t_read_declared(512);
	T_WAITED(LATE_RECEIVER, 0, 170);
	t_read_declared(2097152);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* The messages are there, but the own send is not over. */
static void test_late_receiver_in_waitall(void)
{
	t_begin();
	T_ENTER(0, 10, T_ISEND);
	T_EVENT(MpiIsend, 0, 11, 3, T_WORLD, 0, 1048576, 3);
	T_LEAVE(0, 12, T_ISEND);
	T_ENTER(0, 13, T_IRECV);
	T_EVENT(MpiIrecvRequest, 0, 14, 1);
	T_EVENT(MpiIrecvRequest, 0, 15, 2);
	T_LEAVE(0, 20, T_IRECV);
	T_ENTER(0, 100, T_WAIT);
	T_EVENT(MpiIrecv, 0, 496, 1, T_WORLD, 0, 8, 1);
	T_EVENT(MpiIrecv, 0, 497, 2, T_WORLD, 0, 8, 2);
	T_EVENT(MpiIsendComplete, 0, 498, 3);
	T_LEAVE(0, 500, T_WAIT);
	t_send(1, 200, 201, 202, 0);
	t_send(2, 400, 401, 402, 0);
	T_ENTER(3, 450, T_RECEIVE);
	T_EVENT(MpiRecv, 3, 510, 0, T_WORLD, 0, 1048576);
	T_LEAVE(3, 511, T_RECEIVE);
	t_read();
	T_WAITED(LATE_RECEIVER, 0, 350);
	T_WAITED(LATE_SENDER, 0, 0);
	CU_ASSERT_EQUAL(t_total(), 350);
	t_end();
}

/* A persistent request is started again and again: the second message is longer than the first one,
 * which was over before anybody wanted it. */
static void test_late_receiver_of_started_send(void)
{
	t_begin();
	for (uint64_t i = 0; i < 2; i++) {
		T_ENTER(0, 500 * i, T_START_REQUEST);
		T_EVENT(MpiIsend, 0, 500 * i + 1, 1, T_WORLD, 0, 8 + 1000 * i, 7);
		T_LEAVE(0, 500 * i + 2, T_START_REQUEST);
		T_ENTER(0, 500 * i + 10, T_WAIT);
		T_EVENT(MpiIsendComplete, 0, 20 + 690 * i, 7);
		T_LEAVE(0, 21 + 690 * i, T_WAIT);
		T_ENTER(1, 100 + 600 * i, T_RECEIVE);
		T_EVENT(MpiRecv, 1, 150 + 600 * i, 0, T_WORLD, 0, 8 + 1000 * i);
		T_LEAVE(1, 160 + 600 * i, T_RECEIVE);
	}
	t_read();
	T_WAITED(LATE_RECEIVER, 0, 190);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_RECEIVER, 0)->worst.cause, 1);
	CU_ASSERT_EQUAL(t_waits.eager[MEASURE_WAIT_NEARNESS_NODE], 8);
	CU_ASSERT_EQUAL(t_total(), 190);
	t_end();
}

/* Rank 0 sends to rank 1 and receives from rank 2, which has sent it long ago or at `sent`. */
static void exchange(uint64_t sent)
{
	t_begin();
	T_ENTER(0, 100, T_SENDRECV);
	T_EVENT(MpiSend, 0, 101, 1, T_WORLD, 0, 16);
	T_EVENT(MpiRecv, 0, 398, 2, T_WORLD, 0, 8);
	T_LEAVE(0, 400, T_SENDRECV);
	T_ENTER(1, 250, T_SENDRECV);
	T_EVENT(MpiRecv, 1, 399, 0, T_WORLD, 0, 16);
	T_LEAVE(1, 401, T_SENDRECV);
	t_send(2, sent, sent + 1, sent + 2, 0);
	t_read();
}

/* The receive half of its neighbour's call counts, too, but whoever came last is the cause. */
static void test_late_receiver_of_sendrecv(void)
{
	exchange(50);
	T_WAITED(LATE_RECEIVER, 0, 150);
	CU_ASSERT_EQUAL(t_total(), 150);
	t_end();
	exchange(300);
	T_WAITED(LATE_RECEIVER, 0, 0);
	T_WAITED(LATE_SENDER, 0, 200);
	CU_ASSERT_EQUAL(t_total(), 200);
	t_end();
}

/* Two requests that one call completes: what Waitsome waits for is the first of them. */
static void some(uint32_t region, bool has_send)
{
	t_begin();
	T_ENTER(0, 10, T_IRECV);
	T_EVENT(MpiIrecvRequest, 0, 11, 1);
	T_EVENT(MpiIrecvRequest, 0, 12, 2);
	if (has_send)
		T_EVENT(MpiIsend, 0, 13, 3, T_WORLD, 0, 8, 3);
	T_LEAVE(0, 20, T_IRECV);
	T_ENTER(0, 100, region);
	T_EVENT(MpiIrecv, 0, 498, 1, T_WORLD, 0, 8, 1);
	T_EVENT(MpiIrecv, 0, 499, 2, T_WORLD, 0, 8, 2);
	if (has_send)
		T_EVENT(MpiIsendComplete, 0, 499, 3);
	T_LEAVE(0, 500, region);
	t_send(1, 180, 181, 182, 0);
	t_send(2, 400, 401, 402, 0);
	if (has_send)
		t_receive(3, 20, 25, 30, 0);
	t_read();
}

static void test_several_requests(void)
{
	some(T_WAIT, false);
	T_WAITED(LATE_SENDER, 0, 300);
	CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_LATE_SENDER, 0), 1);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_SENDER, 0)->worst.cause, 2);
	t_end();
	some(T_WAITSOME, false);
	T_WAITED(LATE_SENDER, 0, 80);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_SENDER, 0)->worst.cause, 1);
	t_end();
	some(T_WAITSOME, true);
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* What a probe waits for, the receive after it tells. */
static void test_probe(void)
{
	t_begin();
	T_ENTER(0, 100, T_PROBE);
	T_LEAVE(0, 260, T_PROBE);
	t_receive(0, 270, 275, 280, 1);
	t_send(1, 250, 251, 252, 0);
	/* not the one that was probed: it was sent later */
	T_ENTER(0, 300, T_PROBE);
	T_LEAVE(0, 310, T_PROBE);
	t_receive(0, 320, 405, 410, 1);
	t_send(1, 400, 401, 402, 0);
	/* the receive between has another one */
	T_ENTER(0, 500, T_PROBE);
	T_LEAVE(0, 510, T_PROBE);
	t_receive(0, 511, 520, 521, 1);
	t_receive(0, 522, 523, 524, 1);
	t_send(1, 490, 491, 492, 0);
	t_send(1, 508, 508, 509, 0);
	t_read();
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_LATE_SENDER, 0)->count, 1);
	T_WAITED(LATE_SENDER, 0, 150 + 80);
	CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_LATE_SENDER, 0), 2);
	CU_ASSERT_EQUAL(t_total(), 230);
	t_end();
}

/* Polling is no waiting. For whom calls ask is known where one request is open. */
static void poll(bool has_other)
{
	t_begin();
	T_ENTER(0, 10, T_IRECV);
	T_EVENT(MpiIrecvRequest, 0, 11, 1);
	if (has_other)
		T_EVENT(MpiIrecvRequest, 0, 12, 2);
	T_LEAVE(0, 20, T_IRECV);
	for (uint64_t time = 100; time <= 200; time += 100) {
		T_ENTER(0, time, T_TEST);
		T_LEAVE(0, time + 10, T_TEST);
	}
	T_ENTER(0, 495, T_TEST);
	T_EVENT(MpiIrecv, 0, 519, 1, T_WORLD, 0, 8, 1);
	T_LEAVE(0, 520, T_TEST);
	t_send(1, 500, 501, 502, 0);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
}

static void test_poll(void)
{
	poll(false);
	T_WAITED(LATE_SENDER_POLLING, 0, 25);
	CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_LATE_SENDER_POLLING, 0), 3);
	t_end();
	poll(true);
	T_WAITED(LATE_SENDER_POLLING, 0, 0);
	t_end();
}

static void test_barrier(void)
{
	static const uint64_t enter[] = {100, 250, 180, 250}, leave[] = {260, 262, 261, 263};
	static const uint64_t waits[] = {150, 0, 70, 0}, completion[] = {0, 2, 1, 3};

	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		t_collective(i, enter[i], leave[i], T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
			OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	t_read();
	for (uint32_t i = 0; i < 4; i++) {
		T_WAITED(BARRIER, i, waits[i]);
		T_WAITED(BARRIER_COMPLETION, i, completion[i]);
	}
	CU_ASSERT_EQUAL(t_total(), 220);
	/* of two that come last, the first location */
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_BARRIER, 0)->worst.cause, 1);
	t_end();
}

static void test_reduce(void)
{
	static const uint64_t enter[] = {100, 150, 300, 200}, sent[] = {1, 10, 0, 5};

	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		t_collective(i, enter[i], i == 0 ? 210 : enter[i] + 5, T_GATHERV,
			OTF2_COLLECTIVE_OP_GATHERV, 0, sent[i], i == 0 ? 16 : 0);
	t_read();
	T_WAITED(EARLY_REDUCE, 0, 100);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_EARLY_REDUCE, 0)->worst.cause, 3);
	CU_ASSERT_EQUAL(t_total(), 100);
	t_end();
}

static void test_scan(void)
{
	static const uint64_t enter[] = {100, 300, 150, 120}, waits[] = {0, 0, 150, 180};

	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		t_collective(i, enter[i], 400, T_SCAN, OTF2_COLLECTIVE_OP_SCAN,
			OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
	t_read();
	for (uint32_t i = 0; i < 4; i++)
		T_WAITED(EARLY_SCAN, i, waits[i]);
	t_end();
}

static void test_broadcast_and_all_to_all(void)
{
	static const uint64_t enter[] = {100, 50, 90, 120};

	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		t_collective(
			i, enter[i], 200, T_BCAST, OTF2_COLLECTIVE_OP_BCAST, 0, i == 0 ? 8 : 0, 8);
		t_collective(i, 200 + enter[i], 330 + i, T_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE,
			OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
	}
	t_read();
	T_WAITED(LATE_BROADCAST, 0, 0);
	T_WAITED(LATE_BROADCAST, 1, 50);
	T_WAITED(LATE_BROADCAST, 2, 10);
	T_WAITED(LATE_BROADCAST, 3, 0);
	T_WAITED(ALL_TO_ALL, 0, 20);
	T_WAITED(ALL_TO_ALL, 1, 70);
	T_WAITED(ALL_TO_ALL, 2, 30);
	T_WAITED(ALL_TO_ALL, 3, 0);
	T_WAITED(ALL_TO_ALL_COMPLETION, 3, 3);
	t_end();
}

/* Rank 3 has most of what rank 0 gets; who else waits for whom is not recorded. */
static void test_alltoallv(void)
{
	static const uint64_t enter[] = {100, 50, 90, 120}, sent[] = {10, 10, 0, 80},
			      received[] = {60, 0, 20, 20};

	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		t_collective(i, enter[i], 200, T_ALLTOALLV, OTF2_COLLECTIVE_OP_ALLTOALLV,
			OTF2_COLLECTIVE_ROOT_NONE, sent[i], received[i]);
	t_read();
	T_WAITED(ALL_TO_ALL, 0, 20);
	T_WAITED(ALL_TO_ALL, 2, 0);
	T_WAITED(POSSIBLE_ALL_TO_ALL, 0, 20);
	T_WAITED(POSSIBLE_ALL_TO_ALL, 1, 0);
	T_WAITED(POSSIBLE_ALL_TO_ALL, 2, 30);
	T_WAITED(POSSIBLE_ALL_TO_ALL, 3, 0);
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_POSSIBLE_ALL_TO_ALL, 2)->worst.until, T_START + 120);
	CU_ASSERT_EQUAL(t_total(), 20);
	t_end();
}

/* only: the rank that sends, or all do. */
static void nonblocking(OTF2_CollectiveOp op, uint32_t only, uint64_t bytes)
{
	static const uint64_t enter[] = {100, 120, 400, 130};

	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		T_ENTER(i, enter[i], T_IALLREDUCE);
		T_EVENT(NonBlockingCollectiveRequest, i, enter[i] + 1, 1);
		T_LEAVE(i, enter[i] + 2, T_IALLREDUCE);
		T_ENTER(i, i == 0 ? 300 : 410, T_WAIT);
		T_EVENT(NonBlockingCollectiveComplete, i, 449, op, T_WORLD,
			OTF2_COLLECTIVE_ROOT_NONE, only == MEASURE_NONE || only == i ? bytes : 0, 8,
			1);
		T_LEAVE(i, 450, T_WAIT);
	}
	t_read();
	T_WAITED(NONBLOCKING_ALL_TO_ALL, 0, 100);
	CU_ASSERT_EQUAL(t_total(), 100);
	CU_ASSERT_EQUAL(
		t_waits.profile.paths[t_row(MEASURE_WAIT_NONBLOCKING_ALL_TO_ALL, 0)->path].region,
		T_WAIT);
	t_end();
}

static void test_nonblocking(void)
{
	nonblocking(OTF2_COLLECTIVE_OP_ALLREDUCE, MEASURE_NONE, 8);
}

/* Who has started it says what it is, not who sends. */
static void test_nonblocking_of_one_sender(void)
{
	nonblocking(OTF2_COLLECTIVE_OP_ALLGATHERV, 2, 8);
	nonblocking(OTF2_COLLECTIVE_OP_ALLTOALLV, 2, 32);
}

static void fence(uint64_t last_leave)
{
	const uint64_t enter[] = {100, 200, 150, 160}, leave[] = {210, 215, 212, last_leave};

	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		T_ENTER(i, enter[i], T_FENCE);
		CU_ASSERT_EQUAL(
			OTF2_EvtWriter_RmaCollectiveBegin(t_on[i], NULL, T_START + enter[i]),
			OTF2_SUCCESS);
		T_EVENT(RmaCollectiveEnd, i, leave[i], OTF2_COLLECTIVE_OP_BARRIER,
			OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY, T_WINDOW,
			OTF2_UNDEFINED_UINT32, 0, 0);
		T_LEAVE(i, leave[i], T_FENCE);
	}
	t_read();
}

static void test_fence(void)
{
	fence(213);
	T_WAITED(FENCE, 0, 100);
	T_WAITED(FENCE, 1, 0);
	T_WAITED(FENCE, 2, 50);
	t_end();
	fence(190); /* somebody did not wait for the last one: nobody had to */
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.faults[MEASURE_RELATION_RMA_FENCE].disproved, 1);
	t_end();
}

/* Neither a time without recording nor what a buffer flush took is waiting. */
static void test_interruptions(void)
{
	t_begin();
	T_ENTER(0, 100, T_RECEIVE);
	T_EVENT(MeasurementOnOff, 0, 120, OTF2_MEASUREMENT_OFF);
	T_EVENT(MeasurementOnOff, 0, 150, OTF2_MEASUREMENT_ON);
	T_EVENT(BufferFlush, 0, 160, T_START + 165);
	T_EVENT(MpiRecv, 0, 299, 1, T_WORLD, 0, 8);
	T_LEAVE(0, 300, T_RECEIVE);
	t_send(1, 200, 210, 220, 0);
	t_read();
	T_WAITED(LATE_SENDER, 0, 65);
	t_end();
}

/* A receive that never ended, and one whose message nobody has sent. */
static void test_cut(void)
{
	t_begin();
	t_receive(0, 100, 150, 160, 1);
	T_ENTER(0, 200, T_RECEIVE);
	T_EVENT(MpiRecv, 0, 290, 2, T_WORLD, 0, 8);
	t_send(2, 250, 251, 252, 0);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.nr_cut, 1);
	CU_ASSERT_EQUAL(
		t_waits.profile.trace->findings->counts[MEASURE_CHECK_MESSAGE_UNMATCHED], 1);
	t_end();
}

/* ---------------------------------------------------------------------- efficiency --- */

#define T_NEAR(value, expected) CU_ASSERT_TRUE(fabs((value) - (expected)) < 1e-9)

static void chain(void)
{
	t_begin();
	T_ENTER(0, 0, T_WORK);
	T_LEAVE(0, 100, T_WORK);
	t_send(0, 100, 100, 101, 1);
	T_ENTER(1, 0, T_WORK);
	T_LEAVE(1, 40, T_WORK);
	t_receive(1, 40, 101, 102, 0);
	T_ENTER(1, 102, T_WORK);
	T_LEAVE(1, 122, T_WORK);
	t_send(1, 122, 122, 123, 2);
	T_ENTER(2, 0, T_WORK);
	T_LEAVE(2, 10, T_WORK);
	t_receive(2, 10, 123, 124, 1);
}

static void test_efficiency(void)
{
	chain();
	t_read();
	T_WAITED(LATE_SENDER, 1, 60);
	T_WAITED(LATE_SENDER, 2, 112);
	CU_ASSERT_EQUAL_FATAL(t_efficiency.nr_processes, 3);
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 124);
	CU_ASSERT_EQUAL(t_efficiency.processes[0].useful, 100);
	CU_ASSERT_EQUAL(t_efficiency.processes[1].useful, 60);
	CU_ASSERT_EQUAL(t_efficiency.processes[2].useful, 10);
	T_NEAR(t_efficiency.factors.parallel, 170.0 / 372);
	T_NEAR(t_efficiency.factors.balance, 170.0 / 300);
	T_NEAR(t_efficiency.factors.communication, 100.0 / 124);
	T_NEAR(t_efficiency.factors.parallel,
		t_efficiency.factors.balance * t_efficiency.factors.communication);
	CU_ASSERT_EQUAL(t_efficiency.most, 0);
	CU_ASSERT_EQUAL(t_efficiency.region, T_WORK);
	CU_ASSERT_EQUAL(t_efficiency.region_ticks, 100);
	T_NEAR(t_efficiency.region_mean, 170.0 / 3);
	T_NEAR(measure_efficiency_excess(&t_efficiency), 300.0 / 170 - 1);
	t_end();
}

static void test_nothing(void)
{
	t_begin();
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_efficiency.nr_processes, 0);
	CU_ASSERT_EQUAL(t_efficiency.region, MEASURE_NONE);
	t_end();
}

static void test_threads(void)
{
	struct measure_wait_row rows[2];

	chain();
	t_read();
	CU_ASSERT_EQUAL_FATAL(t_waits.nr_rows, 2);
	memcpy(rows, t_waits.rows, sizeof(rows));
	for (unsigned threads = 2; threads <= 3; threads++) {
		t_read_with(threads);
		CU_ASSERT_EQUAL_FATAL(t_waits.nr_rows, 2);
		CU_ASSERT_EQUAL(memcmp(rows, t_waits.rows, sizeof(rows)), 0);
	}
	t_end();
}

/* Rank 3 comes last to everything; the third time rank 0 leaves before that. */
static void test_files(void)
{
	static const uint64_t enter[] = {100, 130, 110, 150};

	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		T_ENTER(i, enter[i], T_FILE_OPEN);
		T_EVENT(IoCreateHandle, i, 199, T_FILE, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
			OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
		T_LEAVE(i, 200, T_FILE_OPEN);
		for (uint32_t k = 1; k <= 2; k++) {
			const uint64_t begin = 200 * k + enter[i];
			const uint64_t end = k == 2 && i == 0 ? begin + 20 : 200 * k + 199;

			T_ENTER(i, begin, T_WRITE_ALL);
			T_EVENT(IoOperationBegin, i, begin, T_FILE, OTF2_IO_OPERATION_MODE_WRITE,
				OTF2_IO_OPERATION_FLAG_COLLECTIVE, 8, k);
			T_EVENT(IoOperationComplete, i, end, T_FILE, 8, k);
			T_LEAVE(i, end, T_WRITE_ALL);
		}
	}
	t_read();
	for (uint32_t i = 0; i < 4; i++) {
		T_WAITED(MPI_FILE, i, 2 * (150 - enter[i]));
		CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_MPI_FILE, i), i == 3 ? 0 : 2);
	}
	CU_ASSERT_EQUAL(t_row(MEASURE_WAIT_MPI_FILE, 0)->worst.cause, 3);
	CU_ASSERT_EQUAL(t_total(), 220);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"late sender", test_late_sender},
		{"violation", test_violation},
		{"wrong order", test_wrong_order},
		{"late receiver", test_late_receiver},
		{"late receiver of a plain send", test_late_receiver_of_plain_send},
		{"late receiver in a Waitall", test_late_receiver_in_waitall},
		{"late receiver of a started send", test_late_receiver_of_started_send},
		{"late receiver of a Sendrecv", test_late_receiver_of_sendrecv},
		{"several requests", test_several_requests},
		{"probe", test_probe},
		{"poll", test_poll},
		{"barrier", test_barrier},
		{"reduce", test_reduce},
		{"scan", test_scan},
		{"broadcast and all to all", test_broadcast_and_all_to_all},
		{"alltoallv", test_alltoallv},
		{"nonblocking", test_nonblocking},
		{"nonblocking of one sender", test_nonblocking_of_one_sender},
		{"fence", test_fence},
		{"files", test_files},
		{"interruptions", test_interruptions},
		{"cut", test_cut},
		{"efficiency", test_efficiency},
		{"nothing", test_nothing},
		{"threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("waits_mpi", NULL, NULL, tests);
}
