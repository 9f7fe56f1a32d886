/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The block of collective operations with their members. Where they are too many, those with the
 * most waiting are in it, then the longest ones. */
#include "config.h"

#include <stdlib.h>

#include "cli/json_text.h"
#include "page_run.h"

#define SHARE      15 /* per cent of the room */
#define CHARACTERS 9  /* of a member, about */

struct rated_collective {
	uint64_t waiting, begin,
		end; /* ticks of the page; of all members, of the first, of the last */
	size_t index;
};

static const char *const operation_names[] = {
#define COLLECTIVE(OP, word, SHAPE, RELATION) [OTF2_COLLECTIVE_OP_##OP] = word,
#include "trace/relations/collectives.def"
#undef COLLECTIVE
};
#define NR_OPERATIONS (sizeof(operation_names) / sizeof(*operation_names))

/* By location, the call that begins the collective there. */
struct collective_calls {
	uint32_t *begin_calls;
};

/* -------------------------------------------------------------------------- rating --- */

static void calls_set(struct collective_calls *calls, const struct measure_page_contacts *contacts,
	const struct measure_page_collective *collective, bool is_on)
{
	const struct measure_page_member *members = contacts->members + collective->first;

	for (size_t i = 0; i < collective->nr_members; i++)
		calls->begin_calls[members[i].location] =
			is_on ? members[i].begin_call : MEASURE_NONE;
}

/* Of its last call, for another member of the same collective. */
static uint64_t waiting_of_member(const struct measure_page_run *run,
	const struct collective_calls *calls, const struct measure_page_member *member)
{
	const struct measure_dependencies *dependencies = &run->waits->dependencies;
	const struct measure_wait_state *wait =
		measure_page_find_wait(dependencies, member->location, member->end_call);
	uint64_t ticks = 0;

	for (; measure_page_is_wait_of(dependencies, wait, member->location, member->end_call);
		wait++)
		if (wait->cause != MEASURE_NONE && wait->cause_call != MEASURE_NONE &&
			calls->begin_calls[wait->cause] == wait->cause_call)
			ticks += wait->ticks >> run->pyramid.shift;
	return ticks;
}

static struct rated_collective rate_collective(
	const struct measure_page_run *run, struct collective_calls *calls, size_t index)
{
	const struct measure_page_contacts *contacts = run->contacts;
	const struct measure_page_collective *collective = &contacts->collectives[index];
	struct rated_collective rated = {.begin = UINT64_MAX, .index = index};

	calls_set(calls, contacts, collective, true);
	for (size_t i = 0; i < collective->nr_members; i++) {
		const struct measure_page_member *member =
			&contacts->members[collective->first + i];
		const uint64_t begin = measure_page_time(run, member->begin),
			       end = measure_page_time(run, member->end);

		rated.begin = begin < rated.begin ? begin : rated.begin;
		rated.end = end > rated.end ? end : rated.end;
		rated.waiting += waiting_of_member(run, calls, member);
	}
	calls_set(calls, contacts, collective, false);
	return rated;
}

static int compare_importance(const void *left, const void *right)
{
	const struct rated_collective *a = left, *b = right;
	const uint64_t length_a = a->end - a->begin, length_b = b->end - b->begin;

	if (a->waiting != b->waiting)
		return a->waiting > b->waiting ? -1 : 1;
	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_begins(const void *left, const void *right)
{
	const struct rated_collective *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* How many of them have no more than so many members. */
static size_t collectives_within(const struct measure_page_run *run,
	const struct rated_collective *rated, uint64_t most_members)
{
	const struct measure_page_contacts *contacts = run->contacts;
	uint64_t nr_members = 0;
	size_t nr = 0;

	for (; nr < contacts->nr_collectives; nr++) {
		nr_members += 1 + contacts->collectives[rated[nr].index].nr_members;
		if (nr_members > most_members)
			break;
	}
	return nr;
}

/* -------------------------------------------------------------------------- writing --- */

static uint32_t operation_of(
	const struct measure_page_run *run, const struct measure_page_collective *collective)
{
	/* above all regions and pseudo regions, that of operations without a call */
	return collective->path == MEASURE_NONE ? UINT32_MAX - 1 - collective->op
						: run->profile->paths[collective->path].region;
}

static uint32_t operation_row(
	struct measure_page_run *run, const struct measure_page_collective *collective)
{
	const uint32_t operation = operation_of(run, collective);
	const uint32_t row = measure_map_intern(
		&run->operation_rows, measure_key_of(operation), (uint32_t)run->nr_operations);

	if (row == run->nr_operations)
		*measure_append(run, operations) = operation;
	return row;
}

void measure_page_print_operations(const struct measure_page_run *run, FILE *out)
{
	fputs(",\n\"operations\": [", out);
	for (size_t i = 0; i < run->nr_operations; i++) {
		const uint32_t operation = run->operations[i];
		const uint32_t op = UINT32_MAX - 1 - operation;

		fputs(i > 0 ? ", " : "", out);
		if (op > UINT8_MAX)
			measure_json_text(
				out, measure_profile_region_name(run->profile, operation));
		else
			measure_json_text(out, op < NR_OPERATIONS && operation_names[op]
						       ? operation_names[op]
						       : "collective operation");
	}
	fputc(']', out);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct measure_page_run *run = data;
	const struct measure_page_member *a = left, *b = right;

	return (run->rows[a->location] > run->rows[b->location]) -
	       (run->rows[a->location] < run->rows[b->location]);
}

static void write_collective(struct measure_page_run *run, struct measure_page_block *block,
	struct collective_calls *calls, size_t index, uint64_t *first)
{
	struct measure_page_contacts *contacts = run->contacts;
	const struct measure_page_collective *collective = &contacts->collectives[index];
	struct measure_page_member *members = contacts->members + collective->first;
	uint64_t last = *first;

	qsort_r(members, collective->nr_members, sizeof(*members), compare_rows, run);
	measure_page_block_number(block, operation_row(run, collective));
	measure_page_block_number(block, measure_page_comm_row(run, collective->comm));
	measure_page_block_number(block, collective->root == MEASURE_NONE
						 ? 0
						 : measure_page_row(run->rows[collective->root]));
	measure_page_block_number(block, collective->nr_members);
	calls_set(calls, contacts, collective, true);
	for (size_t i = 0; i < collective->nr_members; i++) {
		const uint64_t begin = measure_page_time(run, members[i].begin),
			       end = measure_page_time(run, members[i].end);

		measure_page_block_number(block, run->rows[members[i].location]);
		measure_page_block_signed(block, (int64_t)(begin - last));
		measure_page_block_number(block, end > begin ? end - begin : 0);
		measure_page_block_number(block, waiting_of_member(run, calls, &members[i]));
		*first = i == 0 ? begin : *first;
		last = begin;
	}
	calls_set(calls, contacts, collective, false);
}

static struct collective_calls start_calls(const struct measure_page_run *run)
{
	const size_t nr = run->trace->definitions.nr_locations;
	const struct collective_calls calls = {measure_uncleared(nr, sizeof(uint32_t))};

	for (size_t i = 0; i < nr; i++)
		calls.begin_calls[i] = MEASURE_NONE;
	return calls;
}

void measure_page_write_collectives(struct measure_page_run *run)
{
	const struct measure_page_contacts *contacts = run->contacts;
	struct measure_page_share *share = &run->shares[MEASURE_PAGE_COLLECTIVES];
	struct collective_calls calls = start_calls(run);
	struct rated_collective *rated =
		measure_uncleared(contacts->nr_collectives, sizeof(*rated));
	struct measure_page_block *block;
	uint64_t first = 0;

	for (size_t i = 0; i < contacts->nr_collectives; i++)
		rated[i] = rate_collective(run, &calls, i);
	qsort(rated, contacts->nr_collectives, sizeof(*rated), compare_importance);
	share->total = contacts->nr_collectives;
	share->shown = collectives_within(run, rated, measure_page_most(run, SHARE, CHARACTERS));
	qsort(rated, share->shown, sizeof(*rated), compare_begins);
	if (share->total > 0) {
		block = measure_page_open(run->page, run->number, "collectives");
		measure_page_block_number(block, share->shown);
		for (size_t i = 0; i < share->shown; i++)
			write_collective(run, block, &calls, rated[i].index, &first);
		share->is_there = true;
		measure_page_close(run->page);
	}
	measure_free(rated);
	measure_free(calls.begin_calls);
}
