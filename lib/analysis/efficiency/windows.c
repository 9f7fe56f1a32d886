/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of parts of a run: equal windows of time, or each phase and iteration. The k-th
 * instance of a region on each process makes one window, wherever it lies in time.
 *
 * A series is one list of windows for each process. What a process computes in all of them is found
 * in one go; then each window is replayed. */
#include "config.h"

#include "efficiency.h"

#include "useful_time.h"

struct process_windows {
	MEASURE_GROWING(struct measure_interval, windows);
	struct measure_useful_time *times; /* by window */
};

struct window_series {
	struct measure_efficiency *efficiency;
	struct measure_replay *replay;
	const struct measure_waits *waits;
	uint32_t region; /* MEASURE_NONE: equal windows */
	struct process_windows *processes;
	/* of one window, by process */
	struct measure_interval *windows;
	uint64_t *useful; /* of those that take part */
};

static struct window_series start_series(struct measure_efficiency *efficiency,
	struct measure_replay *replay, const struct measure_waits *waits, uint32_t region)
{
	const size_t nr = efficiency->nr_processes;

	return (struct window_series){.efficiency = efficiency,
		.replay = replay,
		.waits = waits,
		.region = region,
		.processes = measure_zeroed(nr, sizeof(struct process_windows)),
		.windows = measure_zeroed(nr, sizeof(struct measure_interval)),
		.useful = measure_zeroed(nr, sizeof(uint64_t))};
}

static void free_series(struct window_series *series)
{
	for (size_t i = 0; i < series->efficiency->nr_processes; i++) {
		measure_free(series->processes[i].windows);
		measure_free(series->processes[i].times);
	}
	measure_free(series->processes);
	measure_free(series->windows);
	measure_free(series->useful);
}

/* -------------------------------------------------------------------------- windows --- */

static const struct measure_call_table *table_of_process(
	const struct window_series *series, size_t process)
{
	return &series->waits->dependencies.tables[series->efficiency->processes[process].location];
}

/* From the first begin to the last end of those that take part; others get an empty window. */
static struct measure_interval gather_windows(struct window_series *series, size_t number)
{
	struct measure_interval all = {UINT64_MAX, 0};

	for (size_t i = 0; i < series->efficiency->nr_processes; i++) {
		const struct process_windows *process = &series->processes[i];

		if (number >= process->nr_windows)
			continue;
		if (process->windows[number].from < all.from)
			all.from = process->windows[number].from;
		if (process->windows[number].until > all.until)
			all.until = process->windows[number].until;
	}
	for (size_t i = 0; i < series->efficiency->nr_processes; i++) {
		const struct process_windows *process = &series->processes[i];

		series->windows[i] = number < process->nr_windows
					     ? measure_window_there(&process->windows[number],
						       table_of_process(series, i))
					     : (struct measure_interval){all.from, all.from};
	}
	return all;
}

static void add_window(struct window_series *series, size_t number)
{
	const struct measure_interval all = gather_windows(series, number);
	const struct measure_replay_rules rules = {.windows = series->windows};
	struct measure_part_of_run window = {
		.region = series->region, .number = number, .interval = all};
	uint64_t most = 0;

	for (size_t i = 0; i < series->efficiency->nr_processes; i++) {
		const struct process_windows *process = &series->processes[i];

		if (number >= process->nr_windows)
			continue;
		series->useful[window.nr_processes++] = process->times[number].useful;
		if (process->times[number].useful > most) {
			most = process->times[number].useful;
			window.most = (uint32_t)i;
		}
	}
	window.ideal_ticks = measure_replay_run(series->replay, &rules, NULL);
	window.factors = measure_factors_of(
		series->useful, window.nr_processes, all.until - all.from, window.ideal_ticks);
	*measure_append(series->efficiency, windows) = window;
}

static void add_series(struct window_series *series)
{
	size_t most = 0;

	for (size_t i = 0; i < series->efficiency->nr_processes; i++) {
		struct process_windows *process = &series->processes[i];

		process->times = measure_zeroed(process->nr_windows, sizeof(*process->times));
		measure_useful_time_find(table_of_process(series, i), process->windows,
			process->nr_windows, process->times);
		most = process->nr_windows > most ? process->nr_windows : most;
	}
	for (size_t i = 0; i < most; i++)
		add_window(series, i);
}

/* ---------------------------------------------------------------------- equal windows --- */

void measure_windows_cut(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits, size_t nr)
{
	struct window_series series = start_series(efficiency, replay, waits, MEASURE_NONE);
	const uint64_t from = efficiency->window.from;

	for (size_t i = 0; i < efficiency->nr_processes; i++)
		for (size_t k = 0; k < nr; k++) {
			const double length = (double)efficiency->run_ticks / (double)nr;
			const uint64_t end = k + 1 < nr
						     ? from + (uint64_t)(length * (double)(k + 1))
						     : efficiency->window.until;

			*measure_append(&series.processes[i], windows) = (struct measure_interval){
				from + (uint64_t)(length * (double)k), end};
		}
	add_series(&series);
	free_series(&series);
}

/* ----------------------------------------------------------------------------- phases --- */

/* Instances of a region on a process, without those inside of another one. */
static void take_phases(struct window_series *series, size_t process)
{
	const struct measure_call_table *table = table_of_process(series, process);
	uint64_t until = 0;

	for (size_t i = 0; i < table->nr_phases; i++) {
		const struct measure_phase *phase = &table->phases[i];

		if (series->waits->profile.paths[phase->path].region != series->region ||
			phase->enter < until)
			continue;
		until = phase->leave;
		*measure_append(&series->processes[process], windows) =
			(struct measure_interval){phase->enter, phase->leave};
	}
}

/* By region: is it a phase on a master thread? */
static bool *find_phases(
	const struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const size_t nr = waits->profile.trace->definitions.nr_regions;
	bool *is_phase = measure_zeroed(nr, sizeof(*is_phase));

	for (size_t i = 0; i < efficiency->nr_processes; i++) {
		const struct measure_call_table *table =
			&waits->dependencies.tables[efficiency->processes[i].location];

		for (size_t k = 0; k < table->nr_phases; k++) {
			const uint32_t region = waits->profile.paths[table->phases[k].path].region;

			if (region < nr)
				is_phase[region] = true;
		}
	}
	return is_phase;
}

void measure_windows_of_phases(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits)
{
	bool *is_phase = find_phases(efficiency, waits);
	const size_t nr = efficiency->nr_windows;

	for (uint32_t region = 0; region < waits->profile.trace->definitions.nr_regions; region++) {
		struct window_series series;

		if (!is_phase[region])
			continue;
		series = start_series(efficiency, replay, waits, region);
		for (size_t i = 0; i < efficiency->nr_processes; i++)
			take_phases(&series, i);
		add_series(&series);
		free_series(&series);
	}
	efficiency->lacks_phases = efficiency->nr_windows == nr;
	measure_free(is_phase);
}

/* ----------------------------------------------------------------------------- series --- */

size_t measure_windows_end(const struct measure_efficiency *efficiency, size_t first)
{
	size_t end = first;

	while (end < efficiency->nr_windows &&
		efficiency->windows[end].region == efficiency->windows[first].region)
		end++;
	return end;
}

size_t measure_windows_worst(const struct measure_efficiency *efficiency, size_t first, size_t end)
{
	size_t worst = first;

	for (size_t i = first; i < end; i++)
		if (efficiency->windows[i].factors.parallel <
			efficiency->windows[worst].factors.parallel)
			worst = i;
	return worst;
}
