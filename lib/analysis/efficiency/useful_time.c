/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The time of a call is taken from what is around it, and given to what the call is: a task in a
 * barrier computes, a flush in a task does not. */
#include "config.h"

#include "useful_time.h"

enum useful_kind { USEFUL_COMPUTING, USEFUL_FILES, USEFUL_NOT };

static enum useful_kind kind_of_call(const struct measure_sync_call *call, enum useful_kind around)
{
	switch (measure_region_classes[call->kind]) {
	case MEASURE_REGION_CLASS_USEFUL:
		return USEFUL_COMPUTING;
	case MEASURE_REGION_CLASS_IO:
		return around == USEFUL_NOT ? USEFUL_NOT : USEFUL_FILES;
	case MEASURE_REGION_CLASS_REMOVED:
		return call->kind == MEASURE_REGION_KIND_TASKS ? USEFUL_COMPUTING : USEFUL_NOT;
	default:
		return USEFUL_NOT;
	}
}

static uint64_t overlap(const struct measure_interval *window, uint64_t from, uint64_t until)
{
	const uint64_t begin = window->from > from ? window->from : from;
	const uint64_t end = window->until < until ? window->until : until;

	return end > begin ? end - begin : 0;
}

static void move_time(struct measure_useful_time *time, uint64_t ticks, enum useful_kind from,
	enum useful_kind to, bool is_test)
{
	time->useful += to != USEFUL_NOT ? ticks : 0;
	time->useful -= from != USEFUL_NOT ? ticks : 0;
	time->io += to == USEFUL_FILES ? ticks : 0;
	time->io -= from == USEFUL_FILES ? ticks : 0;
	time->tests += is_test ? ticks : 0;
}

struct measure_interval measure_window_there(
	const struct measure_interval *window, const struct measure_call_table *table)
{
	const struct measure_interval there = {
		table->begin > window->from ? table->begin : window->from,
		table->end < window->until ? table->end : window->until};

	return there.from <= there.until ? there
					 : (struct measure_interval){window->from, window->from};
}

void measure_useful_time_find(const struct measure_call_table *table,
	const struct measure_interval *windows, size_t nr, struct measure_useful_time *times)
{
	uint8_t *kinds = measure_uncleared(table->nr_calls, sizeof(*kinds));
	size_t first = 0;

	for (size_t i = 0; i < nr; i++)
		times[i] = (struct measure_useful_time){
			.useful = overlap(&windows[i], table->begin, table->end)};
	for (size_t i = 0; i < table->nr_calls; i++) {
		const struct measure_sync_call *call = &table->calls[i];
		const enum useful_kind around = call->outer == MEASURE_NONE
							? USEFUL_COMPUTING
							: (enum useful_kind)kinds[call->outer];
		const enum useful_kind kind = kind_of_call(call, around);

		kinds[i] = (uint8_t)kind;
		while (first < nr && windows[first].until <= call->enter)
			first++;
		for (size_t k = first; k < nr && windows[k].from < call->leave; k++)
			move_time(&times[k], overlap(&windows[k], call->enter, call->leave), around,
				kind, call->kind == MEASURE_REGION_KIND_MPI_TEST);
	}
	measure_free(kinds);
}
