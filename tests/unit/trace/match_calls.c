/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the matcher knows what follows from the call that a record lies in: sends that wait
 * for their receives, matched probes, processes that are made. */
#include "config.h"

#include "t_match.h"
#include "../t_suite.h"

enum { SSEND = T_NR_REGIONS, ISSEND, RSEND, SEND, RECV, IRECV, MPROBE, SPAWN, FREE, NR_REGIONS };

static void define_regions(OTF2_GlobalDefWriter *writer)
{
	static const char *const names[] = {"MPI_Ssend", "MPI_Issend", "MPI_Rsend", "MPI_Send",
		"MPI_Recv", "MPI_Irecv", "MPI_Mprobe", "MPI_Comm_spawn", "MPI_Request_free"};

	for (uint32_t i = SSEND; i < NR_REGIONS; i++) {
		OTF2_GlobalDefWriter_WriteString(writer, 100 + i, names[i - SSEND]);
		OTF2_GlobalDefWriter_WriteRegion(writer, i, 100 + i, T_NAME, T_EMPTY_STRING,
			OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
			T_EMPTY_STRING, 10, 20);
	}
}

static void begin(struct t_archive *archive)
{
	t_archive_make(archive);
	archive->define_more = define_regions;
}

static void enter(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t region)
{
	t_add(archive, location, time, MEASURE_EVENT_ENTER, region);
}

static void leave(struct t_archive *archive, uint32_t location, uint64_t time, uint32_t region)
{
	t_add(archive, location, time, MEASURE_EVENT_LEAVE, region);
}

/* A message between the ranks, or its request. */
static struct measure_event *message(struct t_archive *archive, uint32_t location, uint64_t time,
	enum measure_event_kind kind, uint64_t request)
{
	struct measure_event *event = t_add(archive, location, time, kind, T_WORLD);

	event->peer = location == T_RANK1 ? 0 : 1;
	event->tag = 77;
	event->sent = event->received = 1000;
	event->number = request;
	return event;
}

/* A call of rank 0 that sends at 281 and is over at 288. */
static void send_in(struct t_archive *archive, uint32_t region)
{
	enter(archive, T_RANK0, 280, region);
	message(archive, T_RANK0, 281, MEASURE_EVENT_MPI_SEND, 0);
	leave(archive, T_RANK0, 288, region);
}

static void receive(struct t_archive *archive)
{
	enter(archive, T_RANK1, 282, RECV);
	message(archive, T_RANK1, 287, MEASURE_EVENT_MPI_RECV, 0);
	leave(archive, T_RANK1, 288, RECV);
}

static void post(struct t_archive *archive, uint32_t region)
{
	enter(archive, T_RANK1, 282, region);
	message(archive, T_RANK1, 283, MEASURE_EVENT_MPI_IRECV_REQUEST, 9);
	leave(archive, T_RANK1, 284, region);
	message(archive, T_RANK1, 290, MEASURE_EVENT_MPI_IRECV, 9);
}

/* The relation is there once, between these times, and nothing is found wrong. */
static void run_for_one(struct t_archive *archive, enum measure_relation relation, uint64_t from,
	uint64_t to, struct t_result *result)
{
	run(archive, result);
	CU_ASSERT_EQUAL(count(result, relation), 1);
	CU_ASSERT_TRUE(has(result, relation, from, to));
	CU_ASSERT_EQUAL(nr_findings(result), 0);
}

static void test_synchronous(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	send_in(&archive, SSEND);
	receive(&archive);
	run_for_one(&archive, MEASURE_RELATION_SYNCHRONOUS, 282, 288, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE, 281, 287));
	finish(&archive, &result);
}

/* Both nonblocking, of a process with two threads, and a send of which it is not known when it
 * was complete. */
static void test_nonblocking(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	enter(&archive, T_RANK0, 280, ISSEND);
	message(&archive, T_RANK0, 281, MEASURE_EVENT_MPI_ISEND, 8);
	leave(&archive, T_RANK0, 282, ISSEND);
	t_add(&archive, T_THREAD, 289, MEASURE_EVENT_MPI_ISEND_COMPLETE, 0)->number = 8;
	post(&archive, IRECV);
	run_for_one(&archive, MEASURE_RELATION_SYNCHRONOUS, 282, 289, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_MESSAGE_NONBLOCKING, 281, 290));
	finish(&archive, &result);
}

/* A synchronous send that is freed before it is received, by the thread itself or another one. */
static void test_freed(void)
{
	for (int i = 0; i < 2; i++) {
		const uint32_t location = i == 0 ? T_RANK1 : T_THREAD;
		const uint32_t sender = i == 0 ? T_RANK1 : T_RANK0;
		const uint32_t receiver = i == 0 ? T_RANK0 : T_RANK1;
		struct t_archive archive;
		struct t_result result;

		begin(&archive);
		enter(&archive, sender, 270, ISSEND);
		message(&archive, sender, 271, MEASURE_EVENT_MPI_ISEND, 8);
		leave(&archive, sender, 272, ISSEND);
		enter(&archive, location, 274, FREE);
		t_add(&archive, location, 275, MEASURE_EVENT_MPI_ISEND_COMPLETE, 0)->number = 8;
		leave(&archive, location, 276, FREE);
		enter(&archive, receiver, 282, RECV);
		message(&archive, receiver, 287, MEASURE_EVENT_MPI_RECV, 0);
		leave(&archive, receiver, 288, RECV);
		run(&archive, &result);
		CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SYNCHRONOUS), 0);
		CU_ASSERT_EQUAL(nr_findings(&result), 0);
		finish(&archive, &result);
	}
}

/* The receive was posted by another thread than the one that got the message. */
static void test_other_thread(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	enter(&archive, T_RANK1, 280, SSEND);
	message(&archive, T_RANK1, 281, MEASURE_EVENT_MPI_SEND, 0);
	leave(&archive, T_RANK1, 288, SSEND);
	enter(&archive, T_RANK0, 282, IRECV);
	message(&archive, T_RANK0, 283, MEASURE_EVENT_MPI_IRECV_REQUEST, 9);
	leave(&archive, T_RANK0, 284, IRECV);
	message(&archive, T_THREAD, 290, MEASURE_EVENT_MPI_IRECV, 9);
	run_for_one(&archive, MEASURE_RELATION_SYNCHRONOUS, 282, 288, &result);
	finish(&archive, &result);
}

static void test_plain_and_ready(void)
{
	struct measure_selection selection;
	struct t_archive archive;
	struct t_result result;
	const char *wrong;

	begin(&archive);
	send_in(&archive, RSEND);
	post(&archive, IRECV);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_READY), 0);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SYNCHRONOUS), 0);
	measure_findings_free(&result.findings);
	measure_selection_default(&selection);
	CU_ASSERT_TRUE(measure_selection_parse(&selection, "+ready-send", &wrong));
	run_selected(&archive, &selection, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_READY), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_READY, 283, 281));
	finish(&archive, &result);
}

static void test_rendezvous(void)
{
	static const struct {
		const char *bytes;
		size_t nr;
	} cases[] = {{"1000", 1}, {"1001", 0}, {"0", 1}};
	struct measure_selection selection;
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	send_in(&archive, SEND);
	receive(&archive);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		measure_selection_default(&selection);
		CU_ASSERT_TRUE(measure_selection_set_rendezvous(&selection, cases[i].bytes));
		run_selected(&archive, &selection, &result);
		CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_RENDEZVOUS), cases[i].nr);
		measure_findings_free(&result.findings);
	}
	CU_ASSERT_FALSE(measure_selection_set_rendezvous(&selection, "64k"));
	CU_ASSERT_FALSE(measure_selection_set_rendezvous(&selection, "-1"));
	CU_ASSERT_FALSE(measure_selection_set_rendezvous(&selection, ""));
	t_archive_free(&archive);
}

static void test_matched_probe(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	send_in(&archive, SEND);
	post(&archive, MPROBE);
	run_for_one(&archive, MEASURE_RELATION_PROBE, 281, 283, &result);
	finish(&archive, &result);
}

/* Rank 1 is the child of rank 0's call. */
static void test_spawn(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	enter(&archive, T_RANK0, 141, SPAWN);
	t_add(&archive, T_RANK0, 148, MEASURE_EVENT_COMM_CREATE, T_INTER);
	leave(&archive, T_RANK0, 149, SPAWN);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SPAWN), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_SPAWN, 141, 145));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SPAWN_END), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_SPAWN_END, 125, 149));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_PROCESS_CREATE), 0);
	finish(&archive, &result);
}

/* Without a name nothing is known of what was made; and the definitions tell too. */
static void test_created(void)
{
	struct t_archive archive;
	struct t_result result;

	begin(&archive);
	archive.is_rank1_created = true;
	enter(&archive, T_RANK0, 141, SPAWN);
	leave(&archive, T_RANK0, 149, SPAWN);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_SPAWN), 0);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_PROCESS_CREATE), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_PROCESS_CREATE, 100, 105));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"a synchronous send", test_synchronous},
		{"a nonblocking one", test_nonblocking},
		{"freed sends", test_freed},
		{"one that another thread receives", test_other_thread},
		{"sends that wait for nobody", test_plain_and_ready},
		{"sends that wait from a length on", test_rendezvous},
		{"a matched probe", test_matched_probe},
		{"processes that MPI makes", test_spawn},
		{"processes that another one made", test_created},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("match_calls", NULL, NULL, tests);

	t_clean();
	return failed;
}
