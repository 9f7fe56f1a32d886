/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the matcher pairs what belongs together: order of posting rather than of
 * completion, cancelled and refused sends, requests completed by another thread,
 * intercommunicators, blocking and nonblocking collectives in one order, team instances; one-sided
 * operations and what completes them, fences, posts and waits; files. */
#include "config.h"

#include <string.h>

#include "archive.h"
#include "trace/match.h"
#include "../t_suite.h"

#define MAX_INSTANCES 64

/* Instances of one relation, as (time of the first send, time of the first receive). */
struct t_result {
	struct measure_findings findings;
	struct {
		enum measure_relation relation;
		uint64_t send, receive, ordinal;
		size_t nr_sends, nr_receives;
	} instances[MAX_INSTANCES];
	size_t nr_instances;
};

static void keep(void *data, const struct measure_instance *instance)
{
	struct t_result *result = data;

	CU_ASSERT_FATAL(result->nr_instances < MAX_INSTANCES);
	result->instances[result->nr_instances].relation = instance->relation;
	result->instances[result->nr_instances].send = instance->sends[0].raw;
	result->instances[result->nr_instances].receive = instance->receives[0].raw;
	result->instances[result->nr_instances].ordinal = instance->ordinal;
	result->instances[result->nr_instances].nr_sends = instance->nr_sends;
	result->instances[result->nr_instances].nr_receives = instance->nr_receives;
	result->nr_instances++;
}

static void on_event(void *match, const struct measure_event *event)
{
	measure_match_event(match, event);
}

static void run(const struct t_archive *archive, struct t_result *result)
{
	const char *directory = t_directory();
	struct measure_trace *trace;
	struct measure_match *match;

	*result = (struct t_result){.findings.nr_kept_per_check = 1};
	CU_ASSERT_TRUE_FATAL(t_archive_write(archive, directory));
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &result->findings, &trace), MEASURE_OK);
	match = measure_match_new(trace, keep, result);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++) {
		uint64_t nr_read;

		measure_match_begin_location(match, trace->reading_order[i]);
		CU_ASSERT_EQUAL(measure_stream_read(
					trace, trace->reading_order[i], on_event, match, &nr_read),
			MEASURE_OK);
		measure_match_end_location(match, true);
	}
	measure_match_finish(match);
	measure_match_free(match);
	measure_trace_close(trace);
}

static bool has(const struct t_result *result, enum measure_relation relation, uint64_t send,
	uint64_t receive)
{
	for (size_t i = 0; i < result->nr_instances; i++)
		if (result->instances[i].relation == relation &&
			result->instances[i].send == send &&
			result->instances[i].receive == receive)
			return true;
	return false;
}

static size_t count(const struct t_result *result, enum measure_relation relation)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_instances; i++)
		nr += result->instances[i].relation == relation;
	return nr;
}

static uint64_t nr_findings(const struct t_result *result)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_NR_CHECKS; i++)
		nr += result->findings.counts[i];
	return nr;
}

static void finish(struct t_archive *archive, struct t_result *result)
{
	measure_findings_free(&result->findings);
	t_archive_free(archive);
}

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

/* The life of a window, with a fence that synchronises and one that need not. */
static void test_window(void)
{
	static const enum measure_event_kind kinds[] = {
		MEASURE_EVENT_RMA_WIN_CREATE, MEASURE_EVENT_RMA_WIN_DESTROY};
	static const uint8_t operations[] = {
		OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE};
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t location = i % 2 ? T_RANK1 : T_RANK0;
		const uint64_t time = i / 2 ? 290 : 280;
		struct measure_event *end;

		t_add(&archive, location, time + i % 2, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN, 0);
		t_add(&archive, location, time + 3, kinds[i / 2], T_WINDOW);
		end = t_add(
			&archive, location, time + 3, MEASURE_EVENT_RMA_COLLECTIVE_END, T_WINDOW);
		end->op = operations[i / 2];
		end->tag = OTF2_RMA_SYNC_LEVEL_PROCESS;
		end->peer = OTF2_COLLECTIVE_ROOT_NONE;
	}
	t_fence(&archive, T_RANK0, 284, 286, OTF2_RMA_SYNC_LEVEL_PROCESS);
	t_fence(&archive, T_RANK1, 285, 286, OTF2_RMA_SYNC_LEVEL_PROCESS);
	t_fence(&archive, T_RANK0, 286, 287, OTF2_RMA_SYNC_LEVEL_NONE);
	t_fence(&archive, T_RANK1, 288, 289, OTF2_RMA_SYNC_LEVEL_NONE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_RMA_WINDOW), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_WINDOW, 290, 293));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_RMA_FENCE), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_FENCE, 284, 286));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Two operations share a number and a completion, another thread's flush completes them; the
 * number comes again. */
static void test_operations(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_RMA_REQUEST_LOCK, T_WINDOW_BEFORE)->peer =
		UINT32_MAX;
	t_add(&archive, T_RANK0, 281, MEASURE_EVENT_RMA_PUT, T_WINDOW_BEFORE)->peer = 1;
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_RMA_GET, T_WINDOW_BEFORE)->peer = 1;
	t_add(&archive, T_THREAD, 283, MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_THREAD, 283, MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 284, MEASURE_EVENT_RMA_ATOMIC, T_WINDOW_BEFORE)->peer = 0;
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE)->peer =
		UINT32_MAX;
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Each way in which operations and locks do not come out even. */
static void test_wrong_operations(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 281, MEASURE_EVENT_RMA_PUT, T_WINDOW_BEFORE)->peer = 2;
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 284, MEASURE_EVENT_RMA_ACQUIRE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_RMA_ACQUIRE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 287, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_COMM_RANK], 1);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_RMA_UNKNOWN], 1);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_RMA_LOCK], 2);
	finish(&archive, &result);
}

/* Rank 1 is the target of two epochs of rank 0; the call that is left out waits for nobody. */
static void test_epochs(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_epoch(&archive, T_RANK1, T_WIN_POST, 280, 281, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK0, T_WIN_COMPLETE, 282, 283, T_ONLY_RANK1);
	t_epoch(&archive, T_RANK1, T_WIN_WAIT, 282, 284, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK1, T_WIN_POST, 285, 286, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK0, T_WIN_COMPLETE, 284, 287, T_ONLY_RANK1);
	t_epoch(&archive, T_RANK1, T_WIN_WAIT, 286, 288, T_ONLY_RANK0);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_POST, 280, 283));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_COMPLETE, 282, 284));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_POST, 285, 287));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_COMPLETE, 284, 288));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

static void t_file_event(
	struct t_archive *archive, uint32_t location, uint64_t time, enum measure_event_kind kind)
{
	t_add(archive, location, time, kind, T_FILE);
}

/* Opened and closed twice; one thread begins an operation, another one completes it. */
static void test_file(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t time = 280; time < 300; time += 10) {
		t_file_event(&archive, T_RANK0, time, MEASURE_EVENT_IO_CREATE_HANDLE);
		t_file_event(&archive, T_RANK0, time + 1, MEASURE_EVENT_IO_SEEK);
		t_add(&archive, T_RANK0, time + 2, MEASURE_EVENT_IO_OPERATION_BEGIN, T_FILE)->tag =
			OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
		t_file_event(&archive, T_RANK0, time + 3, MEASURE_EVENT_IO_OPERATION_ISSUED);
		t_file_event(&archive, T_THREAD, time + 4, MEASURE_EVENT_IO_OPERATION_COMPLETE);
		t_file_event(&archive, T_RANK0, time + 5, MEASURE_EVENT_IO_DESTROY_HANDLE);
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A duplicate of what was open before recording. */
static void test_duplicate_file(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_IO_DUPLICATE_HANDLE, T_STANDARD_FILE)->number =
		T_FILE;
	t_file_event(&archive, T_RANK0, 281, MEASURE_EVENT_IO_SEEK);
	t_file_event(&archive, T_RANK0, 282, MEASURE_EVENT_IO_DESTROY_HANDLE);
	t_file_event(&archive, T_RANK0, 283, MEASURE_EVENT_IO_SEEK);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_HANDLE], 1);
	CU_ASSERT_EQUAL(nr_findings(&result), 1);
	finish(&archive, &result);
}

/* Both ranks open it; the second one leaves a collective operation out. */
static void test_file_together(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (int i = 0; i < 2; i++) {
		const uint32_t location = i ? T_RANK1 : T_RANK0;

		t_add(&archive, location, 280, MEASURE_EVENT_IO_CREATE_HANDLE, T_FILE_TOGETHER);
		for (uint64_t k = 0; k < 3; k++) {
			t_add(&archive, location, 281 + k, MEASURE_EVENT_IO_OPERATION_BEGIN,
				T_FILE_TOGETHER)
				->tag = k ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : 0;
			t_add(&archive, location, 281 + k, MEASURE_EVENT_IO_OPERATION_COMPLETE,
				T_FILE_TOGETHER);
		}
		t_add(&archive, location, 285, MEASURE_EVENT_IO_DESTROY_HANDLE, T_FILE_TOGETHER);
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	measure_findings_free(&result.findings);
	t_find(&archive, T_RANK1, MEASURE_EVENT_IO_OPERATION_BEGIN, 2)->tag = 0;
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_COLLECTIVE], 1);
	CU_ASSERT_EQUAL(nr_findings(&result), 1);
	finish(&archive, &result);
}

/* Begun twice; a blocking one issued, a nonblocking one issued twice. */
static void test_wrong_files(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_file_begin(&archive, 280, OTF2_IO_OPERATION_FLAG_NONE);
	t_file_begin(&archive, 281, OTF2_IO_OPERATION_FLAG_NONE);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_IO_OPERATION_COMPLETE, T_STANDARD_FILE);
	t_file_begin(&archive, 284, OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 287, MEASURE_EVENT_IO_OPERATION_COMPLETE, T_STANDARD_FILE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_ORDER], 3);
	CU_ASSERT_EQUAL(nr_findings(&result), 3);
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
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
		{"a root that is no rank", test_wrong_root},
		{"instances of a team", test_team_instances},
		{"tasks", test_tasks},
		{"a window and its fences", test_window},
		{"one-sided operations", test_operations},
		{"operations and locks that are wrong", test_wrong_operations},
		{"post, complete and wait", test_epochs},
		{"a file", test_file},
		{"a duplicate of an open file", test_duplicate_file},
		{"a file opened together", test_file_together},
		{"operations on files that are wrong", test_wrong_files},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("match", NULL, NULL, tests);

	t_clean();
	return failed;
}
