/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps of a replay: the calls of MPI that master threads made, those in a window, and the gaps
 * between them. */
#include "config.h"

#include "analysis/waits/path_kinds.h"
#include "replay.h"

static bool is_mpi_kind(uint8_t kind)
{
	return kind >= MEASURE_REGION_KIND_MPI && kind <= MEASURE_REGION_KIND_MPI_ALL_TO_ONE;
}

/* ---------------------------------------------------------------------------- steps --- */

static bool is_inside_mpi(const struct measure_call_table *table, uint32_t call)
{
	for (uint32_t i = table->calls[call].outer; i != MEASURE_NONE; i = table->calls[i].outer)
		if (is_mpi_kind(table->calls[i].kind))
			return true;
	return false;
}

static bool is_step(const struct measure_call_table *table, uint32_t call,
	const struct measure_path_kind *paths)
{
	return is_mpi_kind(table->calls[call].kind) &&
	       !paths[table->calls[call].path].is_parallel && !is_inside_mpi(table, call);
}

/* Behind a call and all inside it. */
static uint32_t end_of_call(const struct measure_call_table *table, uint32_t call)
{
	const uint64_t last = table->calls[call].last;
	uint32_t end = call + 1;

	while (end < table->nr_calls && table->calls[end].first <= last)
		end++;
	return end;
}

struct measure_replay_call measure_replay_step(
	const struct measure_replay *replay, uint32_t process, size_t step)
{
	const struct measure_call_table *table =
		&replay->waits->dependencies.tables[replay->masters[process]];
	const uint32_t call = replay->steps[step];

	return (struct measure_replay_call){
		table->calls[call].enter, table->calls[call].leave, call, end_of_call(table, call)};
}

/* Counts the steps of a master thread; where there is room, writes them. */
static size_t take_steps(const struct measure_call_table *table,
	const struct measure_path_kind *paths, uint32_t *steps)
{
	size_t nr = 0;

	for (uint32_t i = 0; i < table->nr_calls; i++) {
		if (!is_step(table, i, paths))
			continue;
		if (steps)
			steps[nr] = i;
		nr++;
		i = end_of_call(table, i) - 1;
	}
	return nr;
}

void measure_replay_make_steps(struct measure_replay *replay)
{
	const struct measure_call_table *tables = replay->waits->dependencies.tables;
	struct measure_path_kind *paths = measure_path_kinds_find(replay->waits);
	size_t nr = 0;

	replay->first_steps =
		measure_zeroed((size_t)replay->nr_processes + 1, sizeof(*replay->first_steps));
	for (uint32_t i = 0; i < replay->nr_processes; i++) {
		nr += take_steps(&tables[replay->masters[i]], paths, NULL);
		replay->first_steps[i + 1] = nr;
	}
	replay->steps = measure_uncleared(nr, sizeof(*replay->steps));
	for (uint32_t i = 0; i < replay->nr_processes; i++)
		take_steps(
			&tables[replay->masters[i]], paths, replay->steps + replay->first_steps[i]);
	measure_free(paths);
}

/* --------------------------------------------------------------------------- windows --- */

size_t measure_replay_count_over(const struct measure_replay *replay, uint32_t process,
	size_t first, size_t end, uint64_t time)
{
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (measure_replay_call_of(replay, process, middle)->leave <= time)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* The first of [first, end) that begins at a time or later. */
static size_t find_begun(const struct measure_replay *replay, uint32_t process, size_t first,
	size_t end, uint64_t time)
{
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (measure_replay_call_of(replay, process, middle)->enter < time)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

void measure_replay_window(const struct measure_replay *replay, uint32_t process,
	const struct measure_interval *window, size_t *first, size_t *end)
{
	const size_t begin = replay->first_steps[process],
		     behind = replay->first_steps[process + 1];

	*first = measure_replay_count_over(replay, process, begin, behind, window->from);
	*end = find_begun(replay, process, *first, behind, window->until);
}

uint64_t measure_replay_between(const struct measure_replay *replay, uint32_t process,
	const struct measure_interval *window)
{
	uint64_t ticks = window->until > window->from ? window->until - window->from : 0;
	size_t first, end;

	measure_replay_window(replay, process, window, &first, &end);
	for (size_t i = first; i < end; i++) {
		const struct measure_sync_call *call = measure_replay_call_of(replay, process, i);

		ticks -= measure_earlier(call->leave, window->until) -
			 measure_later(call->enter, window->from);
	}
	return ticks;
}

struct measure_interval measure_replay_recorded_gap(const struct measure_replay *replay,
	uint32_t process, size_t step, const struct measure_interval *window)
{
	const size_t first = replay->first_steps[process], end = replay->first_steps[process + 1];
	struct measure_interval gap = *window;

	if (step > first)
		gap.from = measure_earlier(
			measure_later(
				measure_replay_call_of(replay, process, step - 1)->leave, gap.from),
			gap.until);
	if (step < end)
		gap.until = measure_later(
			measure_earlier(
				measure_replay_call_of(replay, process, step)->enter, gap.until),
			gap.from);
	return gap;
}
