/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The roll-call, for people: the verdict, then what it rests on, then who has come to which
 * collective. Nothing is said of communicators whose members are all at one place. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "rollcall.h"
#include "trace/stream/record.h"

#define NOBODY    UINT32_MAX
#define MOST_ROWS 16 /* threads of a core, processes that are waited for */
#define SEPARATOR " > "

static const char *const kind_words[] = {
#define KIND(NAME, certainty, ends, words) words,
#include "pending_kinds.def"
#undef KIND
};

static const char *const operations[UINT8_MAX + 1] = {
#define COLLECTIVE(operation, word, shape, relation) [OTF2_COLLECTIVE_OP_##operation] = word,
#include "trace/relations/collectives.def"
#undef COLLECTIVE
	[MEASURE_PENDING_FINALIZE] = "finalize",
};

const char *measure_roll_operation(uint8_t operation)
{
	return operations[operation] ? operations[operation] : "collective";
}

/* --------------------------------------------------------------------------- numbers --- */

typedef MEASURE_ARRAY(uint32_t) roll_numbers_t;

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* "rank 3", "ranks 0-2, 5"; each once. */
static void print_numbers(const char *word, roll_numbers_t *numbers, FILE *out)
{
	const char *plural = strcmp(word, "process") == 0 ? "es" : "s";
	bool is_first = true;
	size_t last;

	if (numbers->nr == 0)
		return;
	qsort(numbers->items, numbers->nr, sizeof(*numbers->items), compare_numbers);
	fprintf(out, "%s%s ", word,
		numbers->items[0] == numbers->items[numbers->nr - 1] ? "" : plural);
	for (size_t i = 0; i < numbers->nr; i = last + 1) {
		for (last = i; last + 1 < numbers->nr &&
			       numbers->items[last + 1] <= numbers->items[last] + 1;)
			last++;
		fprintf(out, "%s%u", is_first ? "" : ",", numbers->items[i]);
		if (numbers->items[last] > numbers->items[i])
			fprintf(out, "-%u", numbers->items[last]);
		is_first = false;
	}
}

static uint32_t rank_of(const struct measure_rollcall *call, uint32_t process)
{
	return call->processes.items[process].rank;
}

/* ------------------------------------------------------------------------------ paths --- */

/* As much of a path as another one has too, in whole regions. */
static size_t common_length(const char *path, size_t length, const char *other)
{
	size_t same = 0, whole = 0;

	while (same < length && path[same] == other[same])
		same++;
	if (same == length && (other[same] == '\0' || strncmp(other + same, SEPARATOR, 3) == 0))
		return length;
	for (size_t i = 0; i + 3 <= same; i++)
		if (strncmp(path + i, SEPARATOR, 3) == 0)
			whole = i;
	return whole;
}

static const char *path_of(const struct measure_roll_thread *thread)
{
	return thread->path && thread->path[0] ? thread->path : "(no open region)";
}

/* What best tells what a process does: its first thread that is there, or that can go on. */
static const struct measure_roll_thread *main_thread(
	const struct measure_rollcall *call, uint32_t process, bool is_running)
{
	for (size_t i = 0; i < call->threads.nr; i++)
		if (call->threads.items[i].process == process &&
			call->threads.items[i].state != MEASURE_ROLL_ENDED &&
			(!is_running || call->threads.items[i].state == MEASURE_ROLL_RUNNING))
			return &call->threads.items[i];
	return NULL;
}

/* -------------------------------------------------------------------------- one thread --- */

static bool has_threads(const struct measure_rollcall *call, uint32_t process)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < call->threads.nr; i++)
		nr += call->threads.items[i].process == process;
	return nr > 1;
}

static void print_thread_name(
	const struct measure_rollcall *call, const struct measure_roll_thread *thread, FILE *out)
{
	fprintf(out, "%s %u", call->word, rank_of(call, thread->process));
	if (has_threads(call, thread->process))
		fprintf(out, " thread %u", thread->index);
}

static void print_peer(const struct measure_rollcall *call, uint32_t peer, FILE *out)
{
	if (peer == MEASURE_ROLL_ANY)
		fprintf(out, "any %s", call->word);
	else
		fprintf(out, "%s %u", call->word, rank_of(call, peer));
}

static void print_owner(const struct measure_rollcall *call,
	const struct measure_roll_thread *thread, const struct measure_roll_need *need, FILE *out)
{
	const uint64_t word = (uint64_t)need->comm << 32 | ((uint32_t)need->object + 1);

	fprintf(out, "lock %u", (uint32_t)need->object);
	for (size_t i = 0; i < call->threads.nr; i++)
		for (int k = 0; k < MEASURE_ROLL_LOCKS; k++)
			if (call->threads.items[i].process == thread->process &&
				call->threads.items[i].locks[k] == word)
				fprintf(out, ", which thread %u has", call->threads.items[i].index);
}

static void print_collective(
	const struct measure_rollcall *call, uint8_t operation, uint32_t root, FILE *out)
{
	fprintf(out, "%s", measure_roll_operation(operation));
	if (root < call->processes.nr)
		fprintf(out, " with root %u", rank_of(call, root));
}

static void print_comm(const struct measure_rollcall *call, uint32_t comm, FILE *out)
{
	const char *name = comm < call->comms.nr ? call->comms.items[comm].name : "";

	if (name[0])
		fprintf(out, "%s", MEASURE_PRINTABLE(name));
	else
		fprintf(out, "communicator %u", comm);
}

static void print_need(const struct measure_rollcall *call,
	const struct measure_roll_thread *thread, const struct measure_roll_need *need, FILE *out)
{
	switch (need->kind) {
	case MEASURE_PENDING_SEND:
	case MEASURE_PENDING_SSEND:
	case MEASURE_PENDING_RECEIVE:
		fprintf(out, " %s ", kind_words[need->kind]);
		print_peer(call, need->peer, out);
		if (need->value == MEASURE_ROLL_ANY)
			fprintf(out, ", any tag");
		else
			fprintf(out, ", tag %u", need->value);
		break;
	case MEASURE_PENDING_COLLECTIVE:
		fprintf(out, ", number %u on ", need->value);
		print_comm(call, need->comm, out);
		break;
	case MEASURE_PENDING_LOCK:
		fputs(": ", out);
		print_owner(call, thread, need, out);
		break;
	case MEASURE_PENDING_GATHER:
		fputs(", a barrier with other threads", out);
		break;
	default:
		break;
	}
}

static void print_time(double seconds, FILE *out)
{
	fprintf(out, seconds < 100 ? "%.1f s" : "%.0f s", seconds);
}

static void print_thread(
	const struct measure_rollcall *call, const struct measure_roll_thread *thread, FILE *out)
{
	fputs("  ", out);
	print_thread_name(call, thread, out);
	fprintf(out, ": in %s",
		MEASURE_PRINTABLE(thread->call ? thread->call : "(no open region)"));
	for (uint32_t i = 0; i < thread->nr_needs && thread->state != MEASURE_ROLL_RUNNING; i++) {
		if (i > 0)
			fputs(thread->is_any ? " or" : " and", out);
		print_need(call, thread, &thread->needs[i], out);
	}
	if (thread->state == MEASURE_ROLL_RESTING)
		fputs(", at the end of its team", out);
	fputs(", for ", out);
	print_time(thread->seconds, out);
	fprintf(out, ": %s\n", MEASURE_PRINTABLE(path_of(thread)));
}

/* ------------------------------------------------------------------------------- cores --- */

static void list_core(const struct measure_rollcall *call, const struct measure_roll_core *core,
	roll_numbers_t *ranks)
{
	for (size_t i = 0; i < core->threads.nr; i++)
		(void)measure_array_push(
			ranks, rank_of(call, call->threads.items[core->threads.items[i]].process));
}

static bool is_ended(const struct measure_rollcall *call, const struct measure_roll_need *need)
{
	return (need->kind == MEASURE_PENDING_RECEIVE || need->kind == MEASURE_PENDING_SSEND ||
		       need->kind == MEASURE_PENDING_SEND) &&
	       need->peer < call->processes.nr && call->processes.items[need->peer].has_ended;
}

/* One thread alone waits for itself, or for somebody who is gone. */
static void print_reason(
	const struct measure_rollcall *call, const struct measure_roll_core *core, FILE *out)
{
	const struct measure_roll_thread *thread = &call->threads.items[core->threads.items[0]];

	if (core->threads.nr > 1)
		fputs(" wait for each other", out);
	else if (thread->nr_needs > 0 && is_ended(call, &thread->needs[0]))
		fputs(" waits for one that has ended", out);
	else if (thread->nr_needs > 0 && thread->needs[0].kind == MEASURE_PENDING_LOCK)
		fputs(" waits for a lock that it has itself, or that an ended thread had", out);
	else
		fputs(" waits for what nobody can bring", out);
}

static void print_core(
	const struct measure_rollcall *call, const struct measure_roll_core *core, FILE *out)
{
	roll_numbers_t ranks = {0};
	bool is_one;

	list_core(call, core, &ranks);
	fprintf(out,
		"%s deadlock: ", core->verdict == MEASURE_ROLL_PROVEN ? "proven" : "suspected");
	if (core->threads.nr == 1) {
		print_thread_name(call, &call->threads.items[core->threads.items[0]], out);
	} else {
		is_one = ranks.nr > 0;
		for (size_t i = 1; i < ranks.nr; i++)
			is_one &= ranks.items[i] == ranks.items[0];
		if (is_one)
			fputs("threads of ", out);
		print_numbers(call->word, &ranks, out);
	}
	print_reason(call, core, out);
	fputc('\n', out);
	for (size_t i = 0; i < core->threads.nr && i < MOST_ROWS; i++)
		print_thread(call, &call->threads.items[core->threads.items[i]], out);
	if (core->threads.nr > MOST_ROWS)
		fprintf(out, "  (%zu more)\n", core->threads.nr - MOST_ROWS);
	free(ranks.items);
}

/* Those that wait for a core, and are not of one. */
static void print_followers(const struct measure_rollcall *call, FILE *out)
{
	roll_numbers_t ranks = {0};
	bool *is_core = calloc(call->threads.nr + 1, sizeof(*is_core));

	for (size_t i = 0; is_core && i < call->cores.nr; i++)
		for (size_t k = 0; k < call->cores.items[i].threads.nr; k++)
			is_core[call->cores.items[i].threads.items[k]] = true;
	for (size_t i = 0; is_core && i < call->threads.nr; i++)
		if (call->verdicts.items[i] != MEASURE_ROLL_FREE && !is_core[i])
			(void)measure_array_push(
				&ranks, rank_of(call, call->threads.items[i].process));
	if (ranks.nr > 0) {
		fputs("  these are waited for by ", out);
		print_numbers(call->word, &ranks, out);
		fputc('\n', out);
	}
	free(ranks.items);
	free(is_core);
}

/* -------------------------------------------------------------------------- mismatches --- */

static void print_begun(const struct measure_rollcall *call,
	const struct measure_roll_mismatch *mismatch, const struct measure_roll_collective *like,
	FILE *out)
{
	roll_numbers_t ranks = {0};

	for (size_t i = 0; i < call->collectives.nr; i++) {
		const struct measure_roll_collective *one = &call->collectives.items[i];
		if (one->comm == mismatch->comm && one->ordinal == mismatch->ordinal &&
			one->operation == like->operation && one->root == like->root)
			(void)measure_array_push(&ranks, rank_of(call, one->process));
	}
	fputs("  ", out);
	print_collective(call, like->operation, like->root, out);
	fputs(": ", out);
	print_numbers(call->word, &ranks, out);
	fputc('\n', out);
	free(ranks.items);
}

static bool is_first_alike(const struct measure_rollcall *call,
	const struct measure_roll_mismatch *mismatch, size_t index)
{
	const struct measure_roll_collective *like = &call->collectives.items[index];

	if (like->comm != mismatch->comm || like->ordinal != mismatch->ordinal)
		return false;
	for (size_t i = 0; i < index; i++) {
		const struct measure_roll_collective *one = &call->collectives.items[i];
		if (one->comm == like->comm && one->ordinal == like->ordinal &&
			one->operation == like->operation && one->root == like->root)
			return false;
	}
	return true;
}

static void print_team(const struct measure_rollcall *call,
	const struct measure_roll_mismatch *mismatch, FILE *out)
{
	fprintf(out,
		"proven mismatch: threads of %s %u do not meet the same barriers of their team\n",
		call->word, rank_of(call, mismatch->process));
	for (size_t i = 0; i < call->threads.nr; i++) {
		const struct measure_roll_thread *thread = &call->threads.items[i];
		if (thread->process == mismatch->process && thread->nr_needs > 0 &&
			thread->needs[0].object == mismatch->object)
			fprintf(out, "  thread %u: %s after %u barrier%s: %s\n", thread->index,
				thread->needs[0].operation ? "at the end" : "in a barrier",
				thread->needs[0].number, thread->needs[0].number == 1 ? "" : "s",
				MEASURE_PRINTABLE(path_of(thread)));
	}
}

static void print_mismatch(const struct measure_rollcall *call,
	const struct measure_roll_mismatch *mismatch, FILE *out)
{
	if (mismatch->comm == NOBODY) {
		print_team(call, mismatch, out);
		return;
	}
	fputs("proven mismatch: ", out);
	print_comm(call, mismatch->comm, out);
	fprintf(out, ", collective %u:\n", mismatch->ordinal);
	for (size_t i = 0; i < call->collectives.nr; i++)
		if (is_first_alike(call, mismatch, i))
			print_begun(call, mismatch, &call->collectives.items[i], out);
}

/* ----------------------------------------------------------------------------- awaited --- */

/* Calls of MPI mostly wait in a loop: that says nothing. */
static const char *activity(
	const struct measure_roll_process *process, const struct measure_roll_thread *thread)
{
	if (process->is_stopped)
		return "is stopped";
	if (thread->call && strncmp(thread->call, "MPI_", 4) == 0)
		return "is";
	return thread->is_busy ? "computes" : "sleeps or waits";
}

static void print_awaited(
	const struct measure_rollcall *call, const struct measure_roll_awaited *awaited, FILE *out)
{
	const struct measure_roll_process *process = &call->processes.items[awaited->process];
	const struct measure_roll_thread *thread = main_thread(call, awaited->process, true);

	fprintf(out, "  %s %u, by %u other%s: ", call->word, process->rank, awaited->nr_waiting,
		awaited->nr_waiting == 1 ? "" : "s");
	if (process->is_unknown)
		fputs("it cannot be looked at from here", out);
	else if (process->has_ended)
		fputs("it has ended", out);
	else if (thread) {
		fprintf(out, "%s for ", activity(process, thread));
		print_time(thread->seconds, out);
		fprintf(out, " in %s", MEASURE_PRINTABLE(path_of(thread)));
	}
	fputc('\n', out);
}

static void print_verdict(const struct measure_rollcall *call, FILE *out)
{
	if (measure_roll_is_deadlocked(call))
		return;
	fputs("nobody is deadlocked", out);
	if (call->awaited.nr == 0) {
		fputs(", and nobody waits for another one\n", out);
		return;
	}
	fputs("; waited for:\n", out);
	for (size_t i = 0; i < call->awaited.nr && i < MOST_ROWS; i++)
		print_awaited(call, &call->awaited.items[i], out);
	if (call->awaited.nr > MOST_ROWS)
		fprintf(out, "  (%zu more)\n", call->awaited.nr - MOST_ROWS);
}

/* ------------------------------------------------------------------------- communicators --- */

/* Where a member of a communicator is: in a collective of it, or after one. */
struct roll_place {
	uint32_t begun, rank;
	bool is_inside;
	uint8_t operation;
	uint32_t root;
	const struct measure_roll_thread *thread;
};

static bool is_in(const struct measure_roll_thread *thread, uint32_t comm,
	const struct measure_roll_need **need)
{
	for (uint32_t i = 0; i < thread->nr_needs && thread->state == MEASURE_ROLL_BLOCKED; i++) {
		*need = &thread->needs[i];
		if ((*need)->kind == MEASURE_PENDING_COLLECTIVE && (*need)->comm == comm)
			return true;
	}
	return false;
}

static struct roll_place find_place(
	const struct measure_rollcall *call, uint32_t comm, uint32_t process, uint32_t begun)
{
	struct roll_place place = {.begun = begun,
		.rank = rank_of(call, process),
		.thread = main_thread(call, process, false)};
	const struct measure_roll_need *need;

	for (size_t i = 0; i < call->threads.nr; i++) {
		const struct measure_roll_thread *thread = &call->threads.items[i];
		if (thread->process != process || !is_in(thread, comm, &need))
			continue;
		place.is_inside = true;
		place.begun = need->value;
		place.operation = need->operation;
		place.root = need->peer;
		place.thread = thread;
	}
	return place;
}

static int compare_places(const void *left, const void *right)
{
	const struct roll_place *a = left, *b = right;

	if (a->begun != b->begun)
		return a->begun < b->begun ? 1 : -1;
	if (a->is_inside != b->is_inside)
		return a->is_inside ? 1 : -1;
	if (a->operation != b->operation)
		return a->operation < b->operation ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool are_together(const struct roll_place *a, const struct roll_place *b)
{
	return a->begun == b->begun && a->is_inside == b->is_inside &&
	       (!a->is_inside || (a->operation == b->operation && a->root == b->root));
}

static void print_place(
	const struct measure_rollcall *call, const struct roll_place *places, size_t nr, FILE *out)
{
	const char *path = places->thread ? path_of(places->thread) : "";
	size_t length = strlen(path);
	double longest = 0;
	roll_numbers_t ranks = {0};

	for (size_t i = 0; i < nr; i++) {
		(void)measure_array_push(&ranks, places[i].rank);
		if (!places[i].thread)
			continue;
		length = common_length(path, length, path_of(places[i].thread));
		if (places[i].thread->seconds > longest)
			longest = places[i].thread->seconds;
	}
	if (places->is_inside) {
		fprintf(out, "  in collective %u, ", places->begun);
		print_collective(call, places->operation, places->root, out);
	} else if (places->begun > 0) {
		fprintf(out, "  after collective %u", places->begun);
	} else {
		fputs("  before collective 1", out);
	}
	fputs(": ", out);
	print_numbers(call->word, &ranks, out);
	fputs(", for ", out);
	print_time(longest, out);
	if (length > 0)
		fprintf(out, ": %.*s", (int)length, path);
	fputc('\n', out);
	free(ranks.items);
}

static void print_places(
	const struct measure_rollcall *call, struct roll_place *places, size_t nr, FILE *out)
{
	size_t end;

	qsort(places, nr, sizeof(*places), compare_places);
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && are_together(&places[i], &places[end]);)
			end++;
		print_place(call, &places[i], end - i, out);
	}
}

/* Only where somebody is in a collective of it. */
static void print_members(const struct measure_rollcall *call, uint32_t index, FILE *out)
{
	const struct measure_roll_comm *comm = &call->comms.items[index];
	struct roll_place *places = calloc(comm->members.nr + 1, sizeof(*places));
	bool is_used = false;
	size_t nr = 0;

	for (size_t i = 0; places && i < comm->members.nr && i < comm->begun.nr; i++) {
		if (comm->begun.items[i] == UINT32_MAX)
			continue;
		places[nr] = find_place(call, index, comm->members.items[i], comm->begun.items[i]);
		is_used |= places[nr++].is_inside;
	}
	if (is_used) {
		fputc('\n', out);
		print_comm(call, index, out);
		fprintf(out, ", %zu %s%s:\n", comm->members.nr, call->word,
			comm->members.nr == 1                ? ""
			: strcmp(call->word, "process") == 0 ? "es"
							     : "s");
		print_places(call, places, nr, out);
	}
	free(places);
}

void measure_rollcall_print(const struct measure_rollcall *call, FILE *out)
{
	fputs("roll-call:\n", out);
	print_verdict(call, out);
	for (size_t i = 0; i < call->mismatches.nr; i++)
		print_mismatch(call, &call->mismatches.items[i], out);
	for (size_t i = 0; i < call->cores.nr; i++)
		print_core(call, &call->cores.items[i], out);
	if (call->cores.nr > 0)
		print_followers(call, out);
	for (uint32_t i = 0; i < call->comms.nr; i++)
		print_members(call, i, out);
}
