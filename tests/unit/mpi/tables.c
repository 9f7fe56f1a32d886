/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the MPI adapter's tables: requests that share a handle or take over another's,
 * children of a communicator, each also in great number; and its groups of calls. */
#include "config.h"

#include <stdlib.h>

#include "calls/calls.h"
#include "comm/identity.h"
#include "core/requests.h"
#include "../t_suite.h"

#define NR_MANY 10000

static measure_region_t nr_regions;

/* In place of libmeasure.so's. */
measure_region_t measure_region_define(const struct measure_region_info *info)
{
	(void)info;
	return nr_regions++;
}

static void add(
	MPI_Request handle, enum measure_request_kind kind, uint64_t id, measure_comm_t comm)
{
	const struct measure_request request = {.id = id, .comm = comm, .kind = (uint8_t)kind};

	measure_request_add(handle, &request);
}

static MPI_Request t_handle(uintptr_t number)
{
	return (MPI_Request)(number * 64 + 4096);
}

static bool t_take(uintptr_t handle, uint64_t horizon, uint64_t *id)
{
	struct measure_request request;
	const bool is_found = measure_request_take(t_handle(handle), horizon, &request);

	if (is_found)
		*id = request.id;
	return is_found;
}

static void test_unknown(void)
{
	uint64_t id;

	CU_ASSERT_FALSE(measure_request_is_any());
	CU_ASSERT_FALSE(t_take(1, UINT64_MAX, &id));
	add(t_handle(2), MEASURE_REQUEST_SEND, 20, 0);
	CU_ASSERT_FALSE(t_take(1, UINT64_MAX, &id));
	CU_ASSERT(t_take(2, UINT64_MAX, &id) && id == 20);
	CU_ASSERT_FALSE(t_take(2, UINT64_MAX, &id));
}

/* A thread that completed the first use of a handle comes late: it must not take the second,
 * which was added after its call began, whoever comes first. */
static void test_horizon(void)
{
	uint64_t first, second, id;

	for (int is_late = 0; is_late < 2; is_late++) {
		add(t_handle(1), MEASURE_REQUEST_RECEIVE, 1, 0);
		first = measure_request_horizon();
		add(t_handle(1), MEASURE_REQUEST_SEND, 2, 0);
		second = measure_request_horizon();
		if (is_late)
			CU_ASSERT(t_take(1, second, &id) && id == 2);
		CU_ASSERT(t_take(1, first, &id) && id == 1);
		if (!is_late)
			CU_ASSERT(t_take(1, second, &id) && id == 2);
		CU_ASSERT_FALSE(t_take(1, second, &id));
	}
}

/* MPI may give one handle to all sends that were complete at once. */
static void test_shared_handle(void)
{
	bool is_taken[NR_MANY] = {false};
	uint64_t id = 0;

	for (uint64_t i = 0; i < NR_MANY; i++)
		add(t_handle(7), MEASURE_REQUEST_SEND, i, 0);
	for (uint64_t i = 0; i < NR_MANY; i++) {
		CU_ASSERT_TRUE_FATAL(t_take(7, measure_request_horizon(), &id));
		CU_ASSERT_FALSE_FATAL(is_taken[id]);
		is_taken[id] = true;
	}
	CU_ASSERT_FALSE(measure_request_is_any());
}

/* Random additions and removals against a plain array, through growth and shrinking. */
static void test_many(void)
{
	uint64_t ids[NR_MANY] = {0}; /* of each handle's request + 1; 0: none */
	uint64_t next = 0, id = 0;

	srand(1);
	for (int round = 0; round < 20 * NR_MANY; round++) {
		/* Mostly adding in the first half, mostly removing in the second. */
		const bool is_adding = rand() % 10 < (round < 10 * NR_MANY ? 7 : 2);
		const uintptr_t handle = (uintptr_t)rand() % NR_MANY;

		if (is_adding && !ids[handle]) {
			add(t_handle(handle), MEASURE_REQUEST_SEND, next, 0);
			ids[handle] = ++next;
		} else if (!is_adding) {
			const bool is_found = t_take(handle, measure_request_horizon(), &id);

			CU_ASSERT_EQUAL_FATAL(is_found, ids[handle] != 0);
			CU_ASSERT_FATAL(!is_found || id == ids[handle] - 1);
			ids[handle] = 0;
		}
	}
	for (uintptr_t handle = 0; handle < NR_MANY; handle++)
		CU_ASSERT_EQUAL(t_take(handle, UINT64_MAX, &id), ids[handle] != 0);
	CU_ASSERT_FALSE(measure_request_is_any());
}

static void test_cancelled(void)
{
	struct measure_request request;

	add(t_handle(1), MEASURE_REQUEST_RECEIVE, 1, 3);
	measure_request_mark_cancelled(t_handle(2));
	measure_request_mark_cancelled(t_handle(1));
	CU_ASSERT(measure_request_take(t_handle(1), UINT64_MAX, &request));
	CU_ASSERT(request.is_cancelled && request.comm == 3);
	CU_ASSERT_EQUAL(request.kind, MEASURE_REQUEST_RECEIVE);
}

/* One request, started again and again under its handle and id. */
static void test_persistent(void)
{
	const struct measure_request made = {
		.id = 5, .kind = MEASURE_REQUEST_SEND, .is_persistent = true};
	struct measure_request request;

	measure_request_add(t_handle(3), &made);
	for (int start = 0; start < 3; start++) {
		CU_ASSERT_FALSE(measure_request_finish(t_handle(3), UINT64_MAX, &request));
		CU_ASSERT(measure_request_look_up(t_handle(3), &request) && !request.is_active);
		measure_request_activate(t_handle(3), start != 1);
		if (start == 0)
			measure_request_mark_cancelled(t_handle(3));
		CU_ASSERT(measure_request_finish(t_handle(3), UINT64_MAX, &request));
		CU_ASSERT(request.id == 5 && request.is_silent == (start == 1));
		CU_ASSERT_EQUAL(request.is_cancelled, start == 0);
	}
	CU_ASSERT(measure_request_take(t_handle(3), UINT64_MAX, &request) && !request.is_active);
	CU_ASSERT_FALSE(measure_request_look_up(t_handle(3), &request));
}

/* A message may have the handle of a request. */
static void test_message(void)
{
	const struct measure_request receive = {.id = 6, .kind = MEASURE_REQUEST_RECEIVE};
	struct measure_request found;
	uint64_t id;

	measure_message_add((MPI_Message)t_handle(4), &receive);
	CU_ASSERT_FALSE(t_take(4, UINT64_MAX, &id));
	add(t_handle(4), MEASURE_REQUEST_SEND, 7, 0);
	CU_ASSERT(measure_message_take((MPI_Message)t_handle(4), &found) && found.id == 6);
	CU_ASSERT_FALSE(measure_message_take((MPI_Message)t_handle(4), &found));
	CU_ASSERT(t_take(4, UINT64_MAX, &id) && id == 7);
}

static void test_groups(void)
{
	const uint32_t by_default = measure_call_groups_parse("auto");
	const uint32_t coll = 1u << GROUP_coll;
	const uint32_t always = 1u << GROUP_life;

	CU_ASSERT_EQUAL(measure_call_groups_parse(""), by_default);
	CU_ASSERT_EQUAL(measure_call_groups_parse("coll"), always | coll | 1u << GROUP_req);
	CU_ASSERT_EQUAL(measure_call_groups_parse("env,"), always | 1u << GROUP_env);
	CU_ASSERT_EQUAL(measure_call_groups_parse("-coll"), by_default & ~coll);
	CU_ASSERT_EQUAL(measure_call_groups_parse("-coll,+env,coll"), by_default | 1u << GROUP_env);
	CU_ASSERT_EQUAL(measure_call_groups_parse("all"), (1u << NR_GROUPS) - 1);
	CU_ASSERT_EQUAL(measure_call_groups_parse("all,-life,-tool"), (1u << GROUP_tool) - 1);
}

static bool t_is(enum measure_call call, measure_region_t state)
{
	return atomic_load(&measure_call_states[call]) == state;
}

/* What a wrapper does: by the group of its call, and by whether it makes what others name. */
static void test_states(void)
{
	const measure_region_t next = nr_regions;

	CU_ASSERT_FALSE(measure_call_is_on(CALL_Send));
	CU_ASSERT(t_is(CALL_Init, CALL_TRACKED));
	measure_calls_switch_on("-coll,-comm");
	CU_ASSERT(measure_mpi_is_on);
	CU_ASSERT(t_is(CALL_Bcast, CALL_OFF) && t_is(CALL_Ibarrier, CALL_OFF));
	CU_ASSERT(t_is(CALL_Barrier, CALL_TRACKED) && t_is(CALL_Comm_dup, CALL_TRACKED));
	CU_ASSERT_FALSE(measure_call_is_recorded(CALL_Comm_dup));
	CU_ASSERT_EQUAL(measure_call_first_region(CALL_Comm_dup), MEASURE_UNDEFINED);
	CU_ASSERT(t_is(CALL_Send, CALL_UNUSED) && measure_call_is_recorded(CALL_Send));
	CU_ASSERT_EQUAL(measure_call_first_region(CALL_Send), next);
	CU_ASSERT_EQUAL(measure_call_first_region(CALL_Send), next);
	CU_ASSERT(t_is(CALL_Send, next));
	measure_calls_switch_off();
	CU_ASSERT_FALSE(measure_mpi_is_on);
	CU_ASSERT(t_is(CALL_Send, CALL_OFF) && t_is(CALL_Comm_dup, CALL_OFF));
	CU_ASSERT(t_is(CALL_Init, CALL_TRACKED));
}

static void test_children(void)
{
	struct measure_child_counts children = {0};
	uint64_t nr_before = 0;

	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t kinship = 0; kinship < 1000; kinship++) {
			CU_ASSERT(measure_child_counts_add(&children, kinship * 64, &nr_before));
			CU_ASSERT_EQUAL(nr_before, round);
		}
	measure_child_counts_free(&children);
	CU_ASSERT(measure_child_counts_add(&children, 0, &nr_before) && nr_before == 0);
	measure_child_counts_free(&children);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"unknown request", test_unknown},
		{"horizon", test_horizon},
		{"shared handle", test_shared_handle},
		{"many requests", test_many},
		{"cancelled request", test_cancelled},
		{"persistent request", test_persistent},
		{"message", test_message},
		{"groups", test_groups},
		{"states", test_states},
		{"children", test_children},
		CU_TEST_INFO_NULL,
	};
	int failed = 0;

	for (int is_multiple = 0; is_multiple < 2; is_multiple++) {
		measure_mpi_is_multiple = is_multiple;
		failed |= t_suite("tables of the MPI adapter", NULL, NULL, tests);
	}
	return failed;
}
