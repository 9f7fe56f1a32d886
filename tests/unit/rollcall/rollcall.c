/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the roll-call of made-up jobs: who is deadlocked, proven or suspected, whom the
 * others wait for, which collectives do not match; and of 400 random jobs what trying all sets of
 * ranks gives */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "analysis/rollcall/rollcall.h"
#include "trace/stream/record.h"

#define WORLD 0

static struct measure_rollcall call;

/* A job of single threads that run, and of one communicator. */
static void begin(uint32_t nr)
{
	struct measure_roll_comm world = {.name = "MPI_COMM_WORLD"};

	memset(&call, 0, sizeof(call));
	call.word = "rank";
	for (uint32_t i = 0; i < nr; i++) {
		const struct measure_roll_process process = {.rank = i};
		const struct measure_roll_thread thread = {
			.process = i, .call = "MPI_Call", .path = "main > MPI_Call"};
		measure_array_push(&call.processes, process);
		measure_array_push(&call.threads, thread);
		measure_array_push(&world.members, i);
		measure_array_push(&world.begun, 0u);
	}
	measure_array_push(&call.comms, world);
}

/* A further thread of the last process. */
static uint32_t add_thread(void)
{
	const struct measure_roll_thread thread = {.process = (uint32_t)call.processes.nr - 1,
		.index = 1,
		.call = "lock",
		.path = "run > lock"};

	measure_array_push(&call.threads, thread);
	return (uint32_t)call.threads.nr - 1;
}

static struct measure_roll_need *need(uint32_t thread, enum measure_pending_kind kind)
{
	struct measure_roll_thread *blocked = &call.threads.items[thread];
	struct measure_roll_need *made = &blocked->needs[blocked->nr_needs++];

	blocked->state = MEASURE_ROLL_BLOCKED;
	*made = (struct measure_roll_need){.kind = (uint8_t)kind};
	return made;
}

static void need_message(
	uint32_t thread, enum measure_pending_kind kind, uint32_t peer, uint32_t tag)
{
	struct measure_roll_need *made = need(thread, kind);

	made->peer = peer;
	made->value = tag;
}

static void need_object(
	uint32_t thread, enum measure_pending_kind kind, uint32_t paradigm, uint64_t object)
{
	struct measure_roll_need *made = need(thread, kind);

	made->comm = paradigm;
	made->object = object;
}

/* It has begun so many, and is in the last of them. */
static void need_collective(uint32_t rank, uint32_t ordinal, uint8_t operation, uint32_t root)
{
	const struct measure_roll_collective begun = {.process = rank,
		.comm = WORLD,
		.ordinal = ordinal,
		.root = root,
		.operation = operation};
	struct measure_roll_need *made = need(rank, MEASURE_PENDING_COLLECTIVE);

	made->operation = operation;
	made->peer = root;
	made->value = ordinal;
	call.comms.items[WORLD].begun.items[rank] = ordinal;
	measure_array_push(&call.collectives, begun);
}

static void has_begun(uint32_t rank, uint32_t nr)
{
	call.comms.items[WORLD].begun.items[rank] = nr;
}

static void judge(void)
{
	CU_ASSERT_EQUAL_FATAL(measure_rollcall_judge(&call), MEASURE_OK);
}

static void is_verdict(uint32_t thread, enum measure_roll_verdict verdict)
{
	CU_ASSERT_EQUAL(call.verdicts.items[thread], verdict);
}

static void are_all(enum measure_roll_verdict verdict)
{
	for (uint32_t i = 0; i < call.threads.nr; i++)
		is_verdict(i, verdict);
}

static void is_core(size_t index, enum measure_roll_verdict verdict, uint32_t a, uint32_t b)
{
	const struct measure_roll_core *core = &call.cores.items[index];

	CU_ASSERT_TRUE_FATAL(index < call.cores.nr);
	CU_ASSERT_EQUAL(core->verdict, verdict);
	CU_ASSERT_EQUAL_FATAL(core->threads.nr, a == b ? 1 : 2);
	CU_ASSERT_EQUAL(core->threads.items[0], a);
	CU_ASSERT_EQUAL(core->threads.items[core->threads.nr - 1], b);
}

/* What is printed has this line, or rather a part of it. */
static void prints(const char *text)
{
	char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	measure_rollcall_print(&call, out);
	fclose(out);
	if (!strstr(printed, text))
		printf("no \"%s\" in:\n%s", text, printed);
	CU_ASSERT_PTR_NOT_NULL(strstr(printed, text));
	free(printed);
}

static void end(void)
{
	measure_rollcall_free(&call);
}

#define NONE MEASURE_ROLL_ANY

/* H1, H2 */
static void ranks_behind(void)
{
	for (int is_cycle = 0; is_cycle < 2; is_cycle++) {
		begin(4);
		need_collective(0, 5, OTF2_COLLECTIVE_OP_ALLREDUCE, NONE);
		need_collective(1, 5, OTF2_COLLECTIVE_OP_ALLREDUCE, NONE);
		has_begun(2, 4);
		has_begun(3, 4);
		need_message(2, MEASURE_PENDING_RECEIVE, 3, 1);
		if (is_cycle)
			need_message(3, MEASURE_PENDING_RECEIVE, 2, 1);
		judge();
		are_all(is_cycle ? MEASURE_ROLL_PROVEN : MEASURE_ROLL_FREE);
		if (is_cycle) {
			CU_ASSERT_EQUAL(call.cores.nr, 1);
			is_core(0, MEASURE_ROLL_PROVEN, 2, 3);
			prints("\nproven deadlock: ranks 2-3 wait for each other\n");
			prints("\n  these are waited for by ranks 0-1\n");
		} else {
			CU_ASSERT_EQUAL(call.cores.nr, 0);
			CU_ASSERT_EQUAL_FATAL(call.awaited.nr, 1);
			CU_ASSERT_EQUAL(call.awaited.items[0].process, 3);
			CU_ASSERT_EQUAL(call.awaited.items[0].nr_waiting, 3);
			prints("\nnobody is deadlocked; waited for:\n  rank 3, by 3 others: ");
		}
		prints("\n  in collective 5, allreduce: ranks 0-1, for ");
		prints("\n  after collective 4: ranks 2-3, for ");
		end();
	}
}

/* H3: from anybody; a cycle alone proves nothing. */
static void from_anybody(void)
{
	for (int is_running = 0; is_running < 2; is_running++) {
		begin(3);
		need_message(0, MEASURE_PENDING_RECEIVE, MEASURE_ROLL_ANY, MEASURE_ROLL_ANY);
		need_message(1, MEASURE_PENDING_RECEIVE, 0, 1);
		if (!is_running)
			need_message(2, MEASURE_PENDING_RECEIVE, 0, 1);
		judge();
		are_all(is_running ? MEASURE_ROLL_FREE : MEASURE_ROLL_PROVEN);
		CU_ASSERT_EQUAL(call.cores.nr, is_running ? 0 : 1);
		end();
	}
}

/* H4 */
static void crossed_locks(void)
{
	begin(1);
	add_thread();
	call.threads.items[0].locks[0] = UINT64_C(4) << 32 | 1;
	call.threads.items[1].locks[3] = UINT64_C(4) << 32 | 2;
	need_object(0, MEASURE_PENDING_LOCK, 4, 1);
	need_object(1, MEASURE_PENDING_LOCK, 4, 0);
	judge();
	is_core(0, MEASURE_ROLL_PROVEN, 0, 1);
	prints("lock 1, which thread 1 has");
	call.threads.items[0].locks[2] = UINT64_C(4) << 32 | 2; /* one of both has it no more */
	judge();
	are_all(MEASURE_ROLL_FREE);
	call.threads.items[0].locks[2] = 0;
	call.threads.items[1].locks[3] = UINT64_C(3) << 32 | 2; /* of another paradigm */
	judge();
	are_all(MEASURE_ROLL_FREE);
	end();

	begin(1);
	call.threads.items[0].locks[0] = UINT64_C(4) << 32 | 1;
	need_object(0, MEASURE_PENDING_LOCK, 4, 0);
	judge();
	is_core(0, MEASURE_ROLL_PROVEN, 0, 0);
	end();
}

/* H5; and one that has left its collective, for the wrong root */
static void mismatches(void)
{
	begin(2);
	need_collective(0, 5, OTF2_COLLECTIVE_OP_BCAST, 1);
	need_collective(1, 5, OTF2_COLLECTIVE_OP_REDUCE, 1);
	judge();
	CU_ASSERT_EQUAL_FATAL(call.mismatches.nr, 1);
	CU_ASSERT_EQUAL(call.mismatches.items[0].ordinal, 5);
	CU_ASSERT_EQUAL(call.cores.nr, 0);
	prints("\nproven mismatch: MPI_COMM_WORLD, collective 5:\n  bcast with root 1: rank 0\n");
	end();

	begin(3);
	need_collective(0, 2, OTF2_COLLECTIVE_OP_BCAST, 1);
	for (uint32_t i = 1; i < 3; i++) {
		need_collective(i, 2, OTF2_COLLECTIVE_OP_BCAST, 2);
		call.threads.items[i].nr_needs = 0;
		need_collective(i, 3, OTF2_COLLECTIVE_OP_BARRIER, NONE);
	}
	judge();
	CU_ASSERT_EQUAL(call.mismatches.nr, 1);
	are_all(MEASURE_ROLL_PROVEN);
	end();
}

/* A rank that roots need not wait for is only possibly waited for. */
static void roots(void)
{
	begin(3);
	need_collective(0, 1, OTF2_COLLECTIVE_OP_BCAST, 0);
	need_collective(1, 1, OTF2_COLLECTIVE_OP_BCAST, 0);
	need_message(2, MEASURE_PENDING_RECEIVE, 1, 1);
	judge();
	is_verdict(0, MEASURE_ROLL_SUSPECTED);
	is_verdict(1, MEASURE_ROLL_SUSPECTED);
	is_verdict(2, MEASURE_ROLL_SUSPECTED);
	call.threads.items[0].nr_needs = call.threads.items[1].nr_needs = 0;
	need_collective(0, 1, OTF2_COLLECTIVE_OP_REDUCE, 0);
	call.collectives.nr = 0;
	need_message(2, MEASURE_PENDING_RECEIVE, 0, 1);
	call.threads.items[2].needs[0] = call.threads.items[2].needs[1];
	call.threads.items[2].nr_needs = 1;
	call.threads.items[1].state = MEASURE_ROLL_RUNNING;
	judge();
	is_verdict(0, MEASURE_ROLL_PROVEN);
	is_verdict(1, MEASURE_ROLL_FREE);
	is_verdict(2, MEASURE_ROLL_PROVEN);
	end();
}

static void sends(void)
{
	static const enum measure_roll_verdict expected[] = {
		MEASURE_ROLL_SUSPECTED, MEASURE_ROLL_PROVEN};

	for (int is_synchronous = 0; is_synchronous < 2; is_synchronous++) {
		begin(2);
		need_message(
			0, is_synchronous ? MEASURE_PENDING_SSEND : MEASURE_PENDING_SEND, 1, 1);
		need_message(1, MEASURE_PENDING_RECEIVE, 0, 2);
		judge();
		are_all(expected[is_synchronous]);
		call.processes.items[1].nr_open_receives = 1; /* which may be for it */
		judge();
		are_all(MEASURE_ROLL_FREE);
		call.processes.items[1].nr_open_receives = 0;
		call.threads.items[1].needs[0].value = 1; /* the message is on its way */
		judge();
		are_all(MEASURE_ROLL_FREE);
		end();
	}
}

/* What is under way, what may be, and who may be anywhere. */
static void doubts(void)
{
	const struct measure_roll_message message = {0, 1, WORLD, 3, 1};

	begin(2);
	need_message(0, MEASURE_PENDING_RECEIVE, 1, 3);
	need_message(1, MEASURE_PENDING_RECEIVE, 0, 3);
	call.is_incomplete = true;
	judge();
	are_all(MEASURE_ROLL_SUSPECTED);
	call.is_incomplete = false;
	call.processes.items[1].is_open = true;
	judge();
	is_core(0, MEASURE_ROLL_SUSPECTED, 0, 1);
	measure_array_push(&call.messages, message);
	judge();
	are_all(MEASURE_ROLL_FREE);
	call.messages.items[0].tag = 4;
	judge();
	are_all(MEASURE_ROLL_PROVEN);
	call.processes.items[1].is_unknown = true;
	judge();
	is_verdict(0, MEASURE_ROLL_FREE);
	end();

	begin(2); /* one that nobody can look at may not have come */
	need_collective(0, 1, OTF2_COLLECTIVE_OP_BARRIER, NONE);
	call.comms.items[WORLD].begun.items[1] = UINT32_MAX;
	call.processes.items[1].is_unknown = true;
	call.threads.nr = 1;
	judge();
	is_verdict(0, MEASURE_ROLL_FREE);
	prints("waited for:\n  rank 1, by 1 other: it cannot be looked at from here");
	end();

	begin(2); /* one that has ended sends no more */
	need_message(0, MEASURE_PENDING_RECEIVE, 1, 3);
	call.processes.items[1].has_ended = true;
	call.threads.items[1].state = MEASURE_ROLL_ENDED;
	judge();
	is_core(0, MEASURE_ROLL_PROVEN, 0, 0);
	prints("waits for one that has ended");
	end();
}

static void barriers(void)
{
	begin(1); /* two wait for a third one, who joins the first */
	add_thread();
	add_thread();
	call.threads.items[1].number = 7;
	need_object(0, MEASURE_PENDING_THREAD, 4, 7);
	need_object(1, MEASURE_PENDING_GATHER, 4, 0x1000);
	need_object(2, MEASURE_PENDING_GATHER, 4, 0x1000);
	judge();
	are_all(MEASURE_ROLL_PROVEN);
	call.threads.items[0].state = MEASURE_ROLL_RUNNING;
	judge();
	are_all(MEASURE_ROLL_FREE);
	end();

	begin(1); /* one has left out a barrier */
	add_thread();
	need_object(0, MEASURE_PENDING_GATHER, 3, 0x1000);
	need_object(1, MEASURE_PENDING_GATHER, 3, 0x1000);
	call.threads.items[1].needs[0].operation = 1;
	call.threads.items[1].state = MEASURE_ROLL_RESTING;
	judge();
	CU_ASSERT_EQUAL(call.mismatches.nr, 1);
	call.threads.items[1].needs[0].number = 1; /* it had been there: the barrier is just over */
	judge();
	CU_ASSERT_EQUAL(call.mismatches.nr, 0);
	end();

	begin(2); /* idle threads help nobody; those of a pool might */
	add_thread();
	need_message(0, MEASURE_PENDING_RECEIVE, 1, 1);
	need_message(1, MEASURE_PENDING_RECEIVE, 0, 1);
	call.threads.items[2].state = MEASURE_ROLL_RESTING;
	judge();
	is_verdict(0, MEASURE_ROLL_PROVEN);
	call.threads.items[2].state = MEASURE_ROLL_RUNNING;
	judge();
	is_verdict(0, MEASURE_ROLL_FREE);
	need_object(2, MEASURE_PENDING_SIGNAL, 4, 0x1000);
	judge();
	is_verdict(0, MEASURE_ROLL_SUSPECTED);
	end();
}

/* ---------------------------------------------------------------------------- random --- */

#define NR_RANKS 8

static uint32_t state;

static uint32_t random_below(uint32_t bound)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % bound;
}

/* Whether all of these cannot go on, if nobody else can help: by the definition. */
static bool is_stuck(uint32_t set)
{
	for (uint32_t i = 0; i < NR_RANKS; i++) {
		const struct measure_roll_thread *thread = &call.threads.items[i];
		uint32_t nr_stuck = 0;

		if (!(set >> i & 1))
			continue;
		for (uint32_t k = 0; k < thread->nr_needs; k++)
			nr_stuck += set >> thread->needs[k].peer & 1;
		if (thread->state == MEASURE_ROLL_RUNNING ||
			nr_stuck < (thread->is_any ? thread->nr_needs : 1))
			return false;
	}
	return true;
}

/* The union of all sets that are stuck is one, and the largest. */
static uint32_t find_stuck(void)
{
	uint32_t stuck = 0;

	for (uint32_t set = 1; set < 1u << NR_RANKS; set++)
		if (is_stuck(set))
			stuck |= set;
	return stuck;
}

static void make_random(void)
{
	begin(NR_RANKS);
	for (uint32_t i = 0; i < NR_RANKS; i++) {
		if (random_below(10) < 2)
			continue;
		call.threads.items[i].is_any = random_below(3) == 0;
		for (uint32_t k = 1 + random_below(3); k > 0; k--)
			need_message(i, MEASURE_PENDING_RECEIVE,
				(i + 1 + random_below(NR_RANKS - 1)) % NR_RANKS, i);
	}
}

static void random_jobs(void)
{
	uint32_t nr_deadlocked = 0;

	state = 1;
	for (int turn = 0; turn < 400; turn++) {
		uint32_t expected, found = 0;

		make_random();
		expected = find_stuck();
		judge();
		for (uint32_t i = 0; i < NR_RANKS; i++)
			found |= (uint32_t)(call.verdicts.items[i] == MEASURE_ROLL_PROVEN) << i;
		CU_ASSERT_EQUAL(found, expected);
		CU_ASSERT_EQUAL(call.cores.nr > 0, expected != 0);
		nr_deadlocked += expected != 0;
		end();
	}
	CU_ASSERT_TRUE(nr_deadlocked >= 50 && nr_deadlocked <= 350);
}

int main(void)
{
	CU_TestInfo tests[] = {{"ranks behind in a collective", ranks_behind},
		{"receives from anybody", from_anybody}, {"locks", crossed_locks},
		{"mismatches", mismatches}, {"roots", roots}, {"sends", sends}, {"doubts", doubts},
		{"barriers and threads", barriers}, {"random jobs", random_jobs},
		CU_TEST_INFO_NULL};

	return t_suite("roll-call", NULL, NULL, tests);
}
