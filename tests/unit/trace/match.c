/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the matcher pairs what belongs together: order of posting rather than of
 * completion, cancelled and refused sends, requests completed by another thread,
 * intercommunicators, worlds,
 * blocking and nonblocking collectives in one order, team instances. */
#include "config.h"

#include <string.h>

#include "t_match.h"
#include "../t_suite.h"

static struct measure_event *add(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t comm, uint32_t tag, uint64_t request)
{
	struct measure_event *event = t_add(archive, location, time, kind, comm);

	event->peer = location == T_RANK1 ? 0 : 1;
	event->tag = tag;
	event->number = request;
	event->sent = event->received = 8;
	return event;
}

/* A world of one that is no process's largest. */
static void define_small_world(OTF2_GlobalDefWriter *writer)
{
	OTF2_GlobalDefWriter_WriteComm(
		writer, 100, T_NAME, T_ONLY_RANK0, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

/* All processes of a world wait for each other in MPI_Init and MPI_Finalize. */
static void test_world(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	archive.define_more = define_small_world;
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_INIT), 1);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_FINALIZE), 1);
	for (size_t i = 0; i < result.nr_instances; i++)
		if (result.instances[i].relation == MEASURE_RELATION_INIT)
			CU_ASSERT(result.instances[i].nr_sends == 2 &&
				  result.instances[i].nr_receives == 2);
	finish(&archive, &result);
}

/* Who has had recording off comes to MPI_Finalize as others do. */
static void test_world_with_recording_off(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_MEASUREMENT_ON_OFF, 0);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_FINALIZE), 1);
	for (size_t i = 0; i < result.nr_instances; i++)
		if (result.instances[i].relation == MEASURE_RELATION_FINALIZE)
			CU_ASSERT_EQUAL(result.instances[i].nr_sends, 2);
	finish(&archive, &result);
}

/* Two sends of one lane; the receive posted first completes last. */
static void test_posting_order(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add(&archive, T_RANK0, 280, MEASURE_EVENT_MPI_SEND, T_WORLD, 3, 0);
	add(&archive, T_RANK0, 281, MEASURE_EVENT_MPI_SEND, T_WORLD, 3, 0);
	add(&archive, T_RANK1, 280, MEASURE_EVENT_MPI_IRECV_REQUEST, 0, 0, 10);
	add(&archive, T_RANK1, 280, MEASURE_EVENT_MPI_IRECV_REQUEST, 0, 0, 11);
	add(&archive, T_RANK1, 290, MEASURE_EVENT_MPI_IRECV, T_WORLD, 3, 11);
	add(&archive, T_RANK1, 295, MEASURE_EVENT_MPI_IRECV, T_WORLD, 3, 10);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 280, 295));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 281, 290));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Numbers decide which records belong together, not the order in which they are read. */
static void test_threads(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t number = 1; number <= 2; number++) {
		uint64_t time = 270 + 10 * number;

		t_add(&archive, T_RANK0, 271 + number, MEASURE_EVENT_THREAD_CREATE, T_TEAM)->number =
			number;
		t_add(&archive, T_THREAD, time, MEASURE_EVENT_THREAD_BEGIN, T_TEAM)->number = number;
		t_add(&archive, T_THREAD, time + 5, MEASURE_EVENT_THREAD_END, T_TEAM)->number =
			number;
		t_add(&archive, T_RANK0, 298 - number, MEASURE_EVENT_THREAD_WAIT, T_TEAM)->number =
			number;
	}
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_THREAD_CREATE, 272, 280));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_THREAD_CREATE, 273, 290));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_THREAD_WAIT, 285, 297));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_THREAD_WAIT, 295, 296));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Acquisition 2 is not recorded, 3 is nested, 4 keeps the lock. */
static void test_locks(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add_lock(&archive, T_RANK0, 280, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, 1);
	t_add_lock(&archive, T_RANK0, 282, MEASURE_EVENT_THREAD_RELEASE_LOCK, 1);
	t_add_lock(&archive, T_THREAD, 283, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, 3);
	t_add_lock(&archive, T_THREAD, 284, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, 3);
	t_add_lock(&archive, T_THREAD, 285, MEASURE_EVENT_THREAD_RELEASE_LOCK, 3);
	t_add_lock(&archive, T_THREAD, 286, MEASURE_EVENT_THREAD_RELEASE_LOCK, 3);
	t_add_lock(&archive, T_RANK0, 290, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, 4);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_LOCK), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_LOCK, 282, 283));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_LOCK, 286, 290));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

static void test_cancelled_send(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add(&archive, T_RANK0, 280, MEASURE_EVENT_MPI_ISEND, T_WORLD, 3, 20);
	add(&archive, T_RANK0, 282, MEASURE_EVENT_MPI_REQUEST_CANCELLED, 0, 0, 20);
	add(&archive, T_RANK0, 284, MEASURE_EVENT_MPI_SEND, T_WORLD, 3, 0);
	add(&archive, T_RANK1, 290, MEASURE_EVENT_MPI_RECV, T_WORLD, 3, 0);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 284, 290));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Neither its message nor its collectives have happened. */
static void test_refused_call(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_ENTER, T_COLLECTIVE);
	add(&archive, T_RANK0, 281, MEASURE_EVENT_MPI_SEND, T_WORLD, 3, 0);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_MPI_COLLECTIVE_BEGIN, 0);
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN, 0);
	t_add(&archive, T_RANK0, 284, MEASURE_EVENT_LEAVE, T_COLLECTIVE)->is_refused = true;
	add(&archive, T_RANK0, 286, MEASURE_EVENT_MPI_SEND, T_WORLD, 3, 0);
	add(&archive, T_RANK1, 290, MEASURE_EVENT_MPI_RECV, T_WORLD, 3, 0);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 286, 290));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A persistent request: its id comes back after each completion. */
static void test_reused_request(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t i = 0; i < 3; i++) {
		add(&archive, T_RANK0, 280 + 4 * i, MEASURE_EVENT_MPI_ISEND, T_WORLD, 3, 20);
		add(&archive, T_RANK0, 281 + 4 * i, MEASURE_EVENT_MPI_ISEND_COMPLETE, 0, 0, 20);
		add(&archive, T_RANK1, 282 + 4 * i, MEASURE_EVENT_MPI_RECV, T_WORLD, 3, 0);
	}
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 288, 290));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* The second thread of rank 0 completes what the first started, and the other way round. */
static void test_threads_share_requests(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add(&archive, T_THREAD, 280, MEASURE_EVENT_MPI_IRECV_REQUEST, 0, 0, 30);
	add(&archive, T_RANK0, 285, MEASURE_EVENT_MPI_IRECV, T_WORLD, 4, 30);
	add(&archive, T_RANK1, 279, MEASURE_EVENT_MPI_SEND, T_WORLD, 4, 0);
	add(&archive, T_RANK0, 286, MEASURE_EVENT_MPI_ISEND, T_WORLD, 5, 31);
	add(&archive, T_THREAD, 287, MEASURE_EVENT_MPI_ISEND_COMPLETE, 0, 0, 31);
	add(&archive, T_RANK1, 288, MEASURE_EVENT_MPI_RECV, T_WORLD, 5, 0);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 279, 285));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 286, 288));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Both sides are rank 0 of their own group, and name the other's rank 0. */
static void test_intercommunicator(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add(&archive, T_RANK0, 280, MEASURE_EVENT_MPI_SEND, T_INTER, 1, 0)->peer = 0;
	add(&archive, T_RANK1, 285, MEASURE_EVENT_MPI_RECV, T_INTER, 1, 0)->peer = 0;
	add(&archive, T_RANK1, 286, MEASURE_EVENT_MPI_SEND, T_INTER, 1, 0)->peer = 0;
	add(&archive, T_RANK0, 287, MEASURE_EVENT_MPI_RECV, T_INTER, 1, 0)->peer = 0;
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 280, 285));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 286, 287));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A message to oneself on MPI_COMM_SELF. */
static void test_self(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add(&archive, T_RANK0, 280, MEASURE_EVENT_MPI_SEND, T_SELF, 1, 0)->peer = 0;
	add(&archive, T_RANK0, 281, MEASURE_EVENT_MPI_RECV, T_SELF, 1, 0)->peer = 0;
	add(&archive, T_RANK1, 282, MEASURE_EVENT_MPI_SEND, T_SELF, 1, 0)->peer = 0;
	add(&archive, T_RANK1, 283, MEASURE_EVENT_MPI_RECV, T_SELF, 1, 0)->peer = 0;
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 280, 281));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 282, 283));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

static void add_collective_on(struct t_archive *archive, uint32_t comm, uint32_t location,
	uint64_t begin, uint64_t end, uint8_t op, uint32_t root, uint64_t request)
{
	enum measure_event_kind begin_kind = request ? MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST
						     : MEASURE_EVENT_MPI_COLLECTIVE_BEGIN;
	enum measure_event_kind end_kind = request ? MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE
						   : MEASURE_EVENT_MPI_COLLECTIVE_END;
	struct measure_event *event;

	t_add(archive, location, begin, begin_kind, 0)->number = request;
	event = t_add(archive, location, end, end_kind, comm);
	event->number = request;
	event->op = op;
	event->peer = root;
	event->sent = event->received = 8;
}

static void add_collective(struct t_archive *archive, uint32_t location, uint64_t begin,
	uint64_t end, uint8_t op, uint32_t root, uint64_t request)
{
	add_collective_on(archive, T_WORLD, location, begin, end, op, root, request);
}

/* Each side waits for the other one only; the root's own group has no part but the root's. */
static void test_collectives_between_groups(void)
{
	const uint8_t bcast = OTF2_COLLECTIVE_OP_BCAST, barrier = OTF2_COLLECTIVE_OP_BARRIER;
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_collective_on(&archive, T_INTER, T_RANK0, 280, 284, barrier, UINT32_MAX, 0);
	add_collective_on(&archive, T_INTER, T_RANK1, 281, 283, barrier, UINT32_MAX, 0);
	add_collective_on(
		&archive, T_INTER, T_RANK0, 285, 287, bcast, OTF2_COLLECTIVE_ROOT_SELF, 0);
	add_collective_on(&archive, T_INTER, T_RANK1, 284, 288, bcast, 0, 0);
	add_collective_on(&archive, T_INTER, T_RANK0, 289, 292, OTF2_COLLECTIVE_OP_GATHER, 0, 0);
	add_collective_on(&archive, T_INTER, T_RANK1, 290, 291, OTF2_COLLECTIVE_OP_GATHER,
		OTF2_COLLECTIVE_ROOT_SELF, 0);
	add_collective_on(&archive, T_INTER, T_RANK0, 293, 294, barrier, UINT32_MAX, 50);
	add_collective_on(&archive, T_INTER, T_RANK1, 295, 296, barrier, UINT32_MAX, 51);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_BARRIER, 280, 283));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_BARRIER, 281, 284));
	CU_ASSERT_FALSE(has(&result, MEASURE_RELATION_BARRIER, 280, 284));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_ONE_TO_ALL, 285, 288));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_ALL_TO_ONE, 289, 291));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_NONBLOCKING_COLLECTIVE), 0);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A nonblocking one issued before a blocking one and completed after it comes first. */
static void test_collective_order(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_collective(&archive, T_RANK0, 280, 290, OTF2_COLLECTIVE_OP_BARRIER, UINT32_MAX, 40);
	add_collective(&archive, T_RANK0, 282, 284, OTF2_COLLECTIVE_OP_BCAST, 1, 0);
	add_collective(&archive, T_RANK1, 281, 283, OTF2_COLLECTIVE_OP_BARRIER, UINT32_MAX, 41);
	add_collective(&archive, T_RANK1, 284, 285, OTF2_COLLECTIVE_OP_BCAST, 1, 0);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_NONBLOCKING_COLLECTIVE), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_NONBLOCKING_COLLECTIVE, 280, 290));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_ONE_TO_ALL, 284, 284));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* MPI calls the program back in the midst of a collective, which calls another one: regions tell
 * that from an end that is missing. */
static void add_nested(struct t_archive *archive, uint32_t location, uint64_t time, bool is_called)
{
	const enum measure_event_kind begin = MEASURE_EVENT_MPI_COLLECTIVE_BEGIN;

	t_add(archive, location, time, begin, 0);
	if (is_called)
		t_add(archive, location, time + 1, MEASURE_EVENT_ENTER, T_COLLECTIVE);
	add_collective_on(archive, T_WORLD, location, time + 1, time + 2,
		OTF2_COLLECTIVE_OP_BARRIER, UINT32_MAX, 0);
	if (is_called)
		t_add(archive, location, time + 2, MEASURE_EVENT_LEAVE, T_COLLECTIVE);
	*t_add(archive, location, time + 4, MEASURE_EVENT_MPI_COLLECTIVE_END, T_INTER) =
		(struct measure_event){.kind = MEASURE_EVENT_MPI_COLLECTIVE_END,
			.time = time + 4,
			.ref = T_INTER,
			.op = OTF2_COLLECTIVE_OP_BARRIER,
			.peer = UINT32_MAX};
}

static void test_nested_collectives(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_nested(&archive, T_RANK0, 280, true);
	add_nested(&archive, T_RANK1, 281, true);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_BARRIER, 281, 282));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_BARRIER, 280, 285));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);

	t_archive_make(&archive);
	add_nested(&archive, T_RANK0, 280, false);
	add_nested(&archive, T_RANK1, 281, true);
	run(&archive, &result);
	CU_ASSERT_TRUE(nr_findings(&result) > 0);
	finish(&archive, &result);
}

/* A root that receives nothing, or does not know what, need not have waited. */
static void test_collective_empty_root(void)
{
	struct t_archive archive;
	struct t_result result;
	struct measure_event *root;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_MPI_COLLECTIVE_BEGIN, 0);
	root = t_add(&archive, T_RANK0, 281, MEASURE_EVENT_MPI_COLLECTIVE_END, T_WORLD);
	root->op = OTF2_COLLECTIVE_OP_GATHER;
	root->sent = 8;
	add_collective(&archive, T_RANK1, 282, 283, OTF2_COLLECTIVE_OP_GATHER, 0, 0);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_ALL_TO_ONE), 0);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Who sends and who receives, from operation, root and sizes. */
static void test_collective_shapes(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_collective(&archive, T_RANK0, 280, 281, OTF2_COLLECTIVE_OP_REDUCE, 0, 0);
	add_collective(&archive, T_RANK1, 280, 281, OTF2_COLLECTIVE_OP_REDUCE, 0, 0);
	add_collective(&archive, T_RANK0, 282, 283, OTF2_COLLECTIVE_OP_SCAN, UINT32_MAX, 0);
	add_collective(&archive, T_RANK1, 282, 283, OTF2_COLLECTIVE_OP_SCAN, UINT32_MAX, 0);
	add_collective(&archive, T_RANK0, 284, 285, OTF2_COLLECTIVE_OP_ALLTOALLV, UINT32_MAX, 0);
	add_collective(&archive, T_RANK1, 284, 285, OTF2_COLLECTIVE_OP_ALLTOALLV, UINT32_MAX, 0);
	add_collective(
		&archive, T_RANK0, 286, 287, OTF2_COLLECTIVE_OP_CREATE_HANDLE, UINT32_MAX, 0);
	add_collective(
		&archive, T_RANK1, 286, 287, OTF2_COLLECTIVE_OP_CREATE_HANDLE, UINT32_MAX, 0);
	run(&archive, &result);
	for (size_t i = 0; i < result.nr_instances; i++) {
		if (result.instances[i].relation == MEASURE_RELATION_ALL_TO_ONE) {
			CU_ASSERT_EQUAL(result.instances[i].nr_sends, 2);
			CU_ASSERT_EQUAL(result.instances[i].nr_receives, 1);
		}
	}
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_ALL_TO_ONE), 1);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SCAN), 1);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_ALL_TO_ALL), 1); /* of the sound archive */
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_COMM_CREATE), 1);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Both send: nobody knows to whom, but that 12 bytes are more than one of them has sent. */
static void test_exchange(void)
{
	const uint64_t sizes[2][4] = {{8, 8, 8, 8}, {8, 4, 12, 0}};
	const uint8_t alltoallv = OTF2_COLLECTIVE_OP_ALLTOALLV;
	struct t_archive archive;
	struct t_result result;

	for (size_t i = 0; i < 2; i++) {
		struct measure_event *end;

		t_archive_make(&archive);
		add_collective(&archive, T_RANK0, 280, 285, alltoallv, UINT32_MAX, 0);
		add_collective(&archive, T_RANK1, 281, 286, alltoallv, UINT32_MAX, 0);
		end = t_find(&archive, T_RANK0, MEASURE_EVENT_MPI_COLLECTIVE_END, 1);
		end->sent = sizes[i][0];
		end->received = sizes[i][2];
		end = t_find(&archive, T_RANK1, MEASURE_EVENT_MPI_COLLECTIVE_END, 1);
		end->sent = sizes[i][1];
		end->received = sizes[i][3];
		run(&archive, &result);
		CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_ALLTOALLV), i);
		CU_ASSERT_TRUE(i == 0 || has(&result, MEASURE_RELATION_ALLTOALLV, 281, 285));
		CU_ASSERT_EQUAL(nr_findings(&result), 0);
		finish(&archive, &result);
	}
}

static void test_wrong_root(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_collective(&archive, T_RANK0, 280, 281, OTF2_COLLECTIVE_OP_BCAST, 2, 0);
	add_collective(&archive, T_RANK1, 280, 281, OTF2_COLLECTIVE_OP_BCAST, 2, 0);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_ONE_TO_ALL), 0);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_COMM_RANK], 1);
	finish(&archive, &result);
}

static void add_team(struct t_archive *archive, uint32_t location, uint64_t begin, uint64_t end)
{
	t_add(archive, location, begin, MEASURE_EVENT_THREAD_TEAM_BEGIN, T_TEAM);
	t_add(archive, location, end, MEASURE_EVENT_THREAD_TEAM_END, T_TEAM);
}

/* The second instance of a team has its own fork and join. */
static void test_team_instances(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_THREAD_FORK, 0)->op = OTF2_PARADIGM_OPENMP;
	add_team(&archive, T_RANK0, 281, 284);
	add_team(&archive, T_THREAD, 282, 285);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_THREAD_JOIN, 0)->op = OTF2_PARADIGM_OPENMP;
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_FORK), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_FORK, 280, 281));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_JOIN, 284, 286));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

static void add_task(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint32_t generation)
{
	struct measure_event *event = t_add(archive, location, time, kind, T_TEAM);

	event->peer = 1;
	event->tag = generation;
}

/* A task that moves to another thread, one that is never run, and the implicit ones. */
static void test_tasks(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	add_task(&archive, T_THREAD, 247, MEASURE_EVENT_THREAD_TASK_CREATE, 1);
	add_task(&archive, T_THREAD, 247, MEASURE_EVENT_THREAD_TASK_CREATE, 2);
	add_task(&archive, T_THREAD, 248, MEASURE_EVENT_THREAD_TASK_SWITCH, 1);
	add_task(&archive, T_THREAD, 249, MEASURE_EVENT_THREAD_TASK_SWITCH, 0);
	add_task(&archive, T_RANK0, 263, MEASURE_EVENT_THREAD_TASK_SWITCH, 1);
	add_task(&archive, T_RANK0, 264, MEASURE_EVENT_THREAD_TASK_COMPLETE, 1);
	add_task(&archive, T_RANK0, 264, MEASURE_EVENT_THREAD_TASK_COMPLETE, 2);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_START), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_START, 247, 248));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_TASK_END), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_TASK_END, 247, 264));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"a world", test_world},
		{"world with recording off", test_world_with_recording_off},
		{"receives in order of posting", test_posting_order},
		{"threads by their numbers", test_threads},
		{"the order of a lock", test_locks},
		{"a cancelled send", test_cancelled_send},
		{"a refused call", test_refused_call},
		{"a request used again", test_reused_request},
		{"requests shared by threads", test_threads_share_requests},
		{"an intercommunicator", test_intercommunicator},
		{"collectives between groups", test_collectives_between_groups},
		{"a self communicator", test_self},
		{"order of collectives", test_collective_order},
		{"a collective inside another one", test_nested_collectives},
		{"shapes of collectives", test_collective_shapes},
		{"what each sends to others only", test_exchange},
		{"a root that receives nothing", test_collective_empty_root},
		{"a root that is no rank", test_wrong_root},
		{"instances of a team", test_team_instances},
		{"tasks", test_tasks},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("match", NULL, NULL, tests);

	t_clean();
	return failed;
}
