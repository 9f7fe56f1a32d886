/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of waits, the longest ones where they are too many, and of the critical path. */
#include "config.h"

#include <stdlib.h>

#include "analysis/causes/root_causes.h"
#include "page_run.h"

#define SHARE               15 /* per cent of the room */
#define CHARACTERS          13 /* of a wait, about */
#define CRITICAL_SHARE      5
#define CRITICAL_CHARACTERS 8 /* of a piece */

/* ----------------------------------------------------------------------- searching --- */

const struct measure_wait_state *measure_page_find_wait(
	const struct measure_dependencies *dependencies, uint32_t location, uint32_t call)
{
	size_t low = dependencies->first_waits[location],
	       high = dependencies->first_waits[location + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dependencies->waits[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return dependencies->waits + low;
}

bool measure_page_is_wait_of(const struct measure_dependencies *dependencies,
	const struct measure_wait_state *wait, uint32_t location, uint32_t call)
{
	return wait < dependencies->waits + dependencies->first_waits[location + 1] &&
	       wait->call == call;
}

uint64_t measure_page_wait_of(const struct measure_page_run *run, uint32_t location, uint32_t call,
	uint32_t cause, uint32_t cause_call)
{
	const struct measure_dependencies *dependencies = &run->waits->dependencies;
	const struct measure_wait_state *wait =
		measure_page_find_wait(dependencies, location, call);
	uint64_t ticks = 0;

	if (call == MEASURE_NONE)
		return 0;
	for (; measure_page_is_wait_of(dependencies, wait, location, call); wait++)
		if (wait->cause == cause && wait->cause_call == cause_call)
			ticks += wait->ticks >> run->pyramid.shift;
	return ticks;
}

/* --------------------------------------------------------------------------- waits --- */

static int compare_lengths(const void *left, const void *right, void *data)
{
	const struct measure_wait_state *waits = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (waits[a].ticks != waits[b].ticks)
		return waits[a].ticks > waits[b].ticks ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int compare_begins(const void *left, const void *right, void *data)
{
	const struct measure_wait_state *waits = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (waits[a].from != waits[b].from)
		return waits[a].from < waits[b].from ? -1 : 1;
	return a < b ? -1 : a > b;
}

static uint32_t path_of_call(const struct measure_page_run *run, uint32_t location, uint32_t call)
{
	return call == MEASURE_NONE || location == MEASURE_NONE
		       ? MEASURE_NONE
		       : run->waits->dependencies.tables[location].calls[call].path;
}

static void write_wait(const struct measure_page_run *run, struct measure_page_block *block,
	const struct measure_wait_state *wait, uint64_t *last)
{
	const uint64_t begin = measure_page_time(run, wait->from);
	const uint32_t path = path_of_call(run, wait->location, wait->call);

	measure_page_block_number(block, begin - *last);
	measure_page_block_number(block, wait->ticks >> run->pyramid.shift);
	measure_page_block_number(block, run->rows[wait->location]);
	measure_page_block_number(block, wait->pattern);
	measure_page_block_number(block, path == MEASURE_NONE ? 0 : path);
	measure_page_block_number(
		block, wait->cause == MEASURE_NONE ? 0 : measure_page_row(run->rows[wait->cause]));
	measure_page_block_number(
		block, measure_page_row(path_of_call(run, wait->cause, wait->cause_call)));
	*last = begin;
}

void measure_page_write_waits(struct measure_page_run *run)
{
	const struct measure_dependencies *dependencies = &run->waits->dependencies;
	const size_t nr = dependencies->first_waits[dependencies->nr_locations];
	struct measure_page_share *share = &run->shares[MEASURE_PAGE_WAITS];
	struct measure_page_block *block;
	uint64_t last = 0;
	size_t *order;

	if (nr == 0)
		return;
	*share = measure_page_share_of(nr, measure_page_most(run, SHARE, CHARACTERS));
	order = measure_page_choose(share, compare_lengths, compare_begins, dependencies->waits);
	block = measure_page_open(run->page, run->number, "waits");
	measure_page_block_number(block, share->shown);
	for (size_t i = 0; i < share->shown; i++)
		write_wait(run, block, &dependencies->waits[order[i]], &last);
	measure_page_close(run->page);
	measure_free(order);
}

/* ------------------------------------------------------------------- critical path --- */

static int compare_pieces(const void *left, const void *right, void *data)
{
	const struct measure_path_segment *pieces = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const uint64_t length_a = pieces[a].until - pieces[a].from,
		       length_b = pieces[b].until - pieces[b].from;

	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* They are in order of time. */
static int compare_places(const void *left, const void *right, void *data)
{
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	(void)data;
	return a < b ? -1 : a > b;
}

void measure_page_write_critical_path(struct measure_page_run *run)
{
	const struct measure_critical_path *critical = &run->waits->root_causes->critical;
	struct measure_page_share *share = &run->shares[MEASURE_PAGE_CRITICAL_PATH];
	struct measure_page_block *block;
	uint64_t last = 0;
	size_t *order;

	if (critical->nr_segments == 0)
		return;
	*share = measure_page_share_of(
		critical->nr_segments, measure_page_most(run, CRITICAL_SHARE, CRITICAL_CHARACTERS));
	order = measure_page_choose(share, compare_pieces, compare_places, critical->segments);
	block = measure_page_open(run->page, run->number, "critical_path");
	measure_page_block_number(block, share->shown);
	for (size_t i = 0; i < share->shown; i++) {
		const struct measure_path_segment *piece = &critical->segments[order[i]];
		const uint64_t begin = measure_page_time(run, piece->from),
			       end = measure_page_time(run, piece->until);

		measure_page_block_number(block, run->rows[piece->location]);
		measure_page_block_signed(block, (int64_t)(begin - last));
		measure_page_block_number(block, end - begin);
		last = end;
	}
	measure_page_close(run->page);
	measure_free(order);
}
