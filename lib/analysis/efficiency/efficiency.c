/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of a window: times of processes, replays of it, and who computes longest where. */
#include "config.h"

#include "efficiency.h"

#include <strings.h>

#include "analysis/waits/region_kinds.h"
#include "useful_time.h"
#include "what_if.h"

/* A part of the run time: with more of it in calls that ask, how often they do matters. */
#define MOST_POLLING 0.01

/* Ticks by region, pseudo regions behind the others. */
struct region_ticks {
	uint64_t *of_most, *of_all;
	size_t nr;
};

static bool is_pseudo(uint32_t region)
{
	return region > MEASURE_PSEUDO_BEFORE && region < MEASURE_PSEUDO_END;
}

static enum measure_region_class class_of(const struct measure_waits *waits, uint32_t path)
{
	const uint32_t region = waits->profile.paths[path].region;

	if (region == MEASURE_PSEUDO_NO_REGION || region == MEASURE_PSEUDO_UNDEFINED ||
		region == MEASURE_PSEUDO_TASKS)
		return MEASURE_REGION_CLASS_USEFUL;
	return is_pseudo(region) ? MEASURE_REGION_CLASS_REMOVED
				 : measure_region_classes[waits->region_kinds[region]];
}

/* By location: one more than the place among processes of the one whose master it is; 0: of none.
 */
static uint32_t *find_masters(
	struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const struct measure_trace *trace = waits->profile.trace;
	const struct measure_definitions *definitions = &trace->definitions;
	uint32_t *masters = measure_zeroed(definitions->nr_locations, sizeof(*masters));
	bool *has_events = measure_zeroed(definitions->nr_locations, sizeof(*has_events));
	uint32_t group = MEASURE_NONE;

	for (size_t i = 0; i < waits->profile.nr_rows; i++)
		has_events[waits->profile.rows[i].location] |= waits->profile.rows[i].inclusive > 0;
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t index = trace->reading_order[i];
		const struct measure_location_definition *location = &definitions->locations[index];

		if (location->group == group || location->group == MEASURE_NONE ||
			location->type != OTF2_LOCATION_TYPE_CPU_THREAD || !has_events[index])
			continue;
		group = location->group;
		*measure_append(efficiency, processes) =
			(struct measure_process_time){.location = index};
		masters[index] = (uint32_t)efficiency->nr_processes;
	}
	measure_free(has_events);
	return masters;
}

/* ------------------------------------------------------------------------- window --- */

enum mpi_end { NO_END, BEGIN_OF_MPI, END_OF_MPI };

static enum mpi_end end_of_path(const struct measure_profile *profile, uint32_t path)
{
	const char *name = measure_profile_region_name(profile, profile->paths[path].region);

	if (strcasecmp(name, "MPI_Init") == 0 || strcasecmp(name, "MPI_Init_thread") == 0)
		return BEGIN_OF_MPI;
	return strcasecmp(name, "MPI_Finalize") == 0 ? END_OF_MPI : NO_END;
}

/* Of one process; whether it has begun with MPI. */
static bool narrow_window(const struct measure_call_table *table, const uint8_t *ends,
	struct measure_interval *window)
{
	bool is_any = false;

	for (size_t i = 0; i < table->nr_calls; i++) {
		const struct measure_sync_call *call = &table->calls[i];

		if (ends[call->path] == BEGIN_OF_MPI && call->leave > window->from)
			window->from = call->leave;
		if (ends[call->path] == END_OF_MPI && call->enter < window->until)
			window->until = call->enter;
		is_any |= ends[call->path] == BEGIN_OF_MPI;
	}
	return is_any;
}

/* From when MPI was there for all, until the first one leaves it. */
static bool find_mpi_window(const struct measure_efficiency *efficiency,
	const struct measure_waits *waits, struct measure_interval *window)
{
	const struct measure_profile *profile = &waits->profile;
	uint8_t *ends = measure_zeroed(profile->nr_paths, sizeof(*ends));
	bool is_any = false;

	for (uint32_t i = 0; i < profile->nr_paths; i++)
		ends[i] = (uint8_t)end_of_path(profile, i);
	for (size_t i = 0; i < efficiency->nr_processes; i++)
		is_any |= narrow_window(
			&waits->dependencies.tables[efficiency->processes[i].location], ends,
			window);
	measure_free(ends);
	return is_any && window->from < window->until;
}

static void find_window(
	struct measure_efficiency *efficiency, const struct measure_waits *waits, bool is_whole)
{
	const struct measure_profile *profile = &waits->profile;
	struct measure_interval whole = {profile->first, profile->last};

	if (whole.from > whole.until)
		whole = (struct measure_interval){0, 0};
	efficiency->window = whole;
	efficiency->is_whole = is_whole || !find_mpi_window(efficiency, waits, &efficiency->window);
	if (efficiency->is_whole)
		efficiency->window = whole;
	efficiency->run_ticks = efficiency->window.until - efficiency->window.from;
}

/* ------------------------------------------------------------------------ factors --- */

struct measure_factors measure_factors_of(
	const uint64_t *useful, size_t nr, uint64_t run_ticks, uint64_t ideal_ticks)
{
	double sum = 0, most = 0;

	for (size_t i = 0; i < nr; i++) {
		sum += (double)useful[i];
		most = (double)useful[i] > most ? (double)useful[i] : most;
	}
	if (most <= 0 || run_ticks == 0 || ideal_ticks == 0)
		return (struct measure_factors){.parallel = 0};
	return (struct measure_factors){.parallel = sum / ((double)nr * (double)run_ticks),
		.balance = sum / ((double)nr * most),
		.communication = most / (double)run_ticks,
		.serialisation = most / (double)ideal_ticks,
		.transfer = (double)ideal_ticks / (double)run_ticks};
}

static void add_times(struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	for (size_t i = 0; i < efficiency->nr_processes; i++) {
		struct measure_process_time *process = &efficiency->processes[i];
		struct measure_useful_time time;

		measure_useful_time_find(&waits->dependencies.tables[process->location],
			&efficiency->window, 1, &time);
		process->useful = time.useful;
		process->io = time.io;
		efficiency->useful += time.useful;
		efficiency->is_approximate |=
			(double)time.tests > MOST_POLLING * (double)efficiency->run_ticks;
		if (efficiency->most == MEASURE_NONE || time.useful > efficiency->most_useful) {
			efficiency->most = (uint32_t)i;
			efficiency->most_useful = time.useful;
		}
	}
}

/* ------------------------------------------------------------------------- verdict --- */

static size_t place_of_region(const struct measure_waits *waits, uint32_t region)
{
	return is_pseudo(region) ? waits->profile.trace->definitions.nr_regions + region -
					   MEASURE_PSEUDO_BEFORE
				 : region;
}

static void add_regions(const struct measure_efficiency *efficiency,
	const struct measure_waits *waits, const uint32_t *masters, struct region_ticks *ticks)
{
	for (size_t i = 0; i < waits->profile.nr_rows; i++) {
		const struct measure_profile_row *row = &waits->profile.rows[i];
		const enum measure_region_class class = class_of(waits, row->path);
		const size_t place = place_of_region(waits, waits->profile.paths[row->path].region);

		if (masters[row->location] == 0 ||
			(class != MEASURE_REGION_CLASS_USEFUL && class != MEASURE_REGION_CLASS_IO))
			continue;
		ticks->of_all[place] += row->exclusive;
		if (masters[row->location] == efficiency->most + 1)
			ticks->of_most[place] += row->exclusive;
	}
}

/* The region in which the process that computes most is farthest above the mean. */
static void find_region(struct measure_efficiency *efficiency, const struct measure_waits *waits,
	const uint32_t *masters)
{
	const size_t nr_regions = waits->profile.trace->definitions.nr_regions;
	struct region_ticks ticks = {.nr = nr_regions + MEASURE_PSEUDO_END - MEASURE_PSEUDO_BEFORE};
	const double nr = (double)efficiency->nr_processes;
	double most = 0;

	ticks.of_most = measure_zeroed(ticks.nr, sizeof(*ticks.of_most));
	ticks.of_all = measure_zeroed(ticks.nr, sizeof(*ticks.of_all));
	add_regions(efficiency, waits, masters, &ticks);
	for (size_t i = 0; i < ticks.nr; i++) {
		const double mean = (double)ticks.of_all[i] / nr;

		if ((double)ticks.of_most[i] - mean <= most)
			continue;
		most = (double)ticks.of_most[i] - mean;
		efficiency->region = i < nr_regions
					     ? (uint32_t)i
					     : (uint32_t)(i - nr_regions + MEASURE_PSEUDO_BEFORE);
		efficiency->region_ticks = ticks.of_most[i];
		efficiency->region_mean = mean;
	}
	measure_free(ticks.of_most);
	measure_free(ticks.of_all);
}

/* ----------------------------------------------------------------------- together --- */

/* By process: what of it is in arrays of their own. */
struct process_arrays {
	uint32_t *masters;
	uint64_t *useful;
	struct measure_interval *windows;
};

static struct process_arrays make_arrays(
	const struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const size_t nr = efficiency->nr_processes;
	struct process_arrays arrays = {.masters = measure_zeroed(nr, sizeof(*arrays.masters)),
		.useful = measure_zeroed(nr, sizeof(*arrays.useful)),
		.windows = measure_zeroed(nr, sizeof(*arrays.windows))};

	for (size_t i = 0; i < nr; i++) {
		arrays.masters[i] = efficiency->processes[i].location;
		arrays.useful[i] = efficiency->processes[i].useful;
		arrays.windows[i] = measure_window_there(
			&efficiency->window, &waits->dependencies.tables[arrays.masters[i]]);
	}
	return arrays;
}

static void free_arrays(struct process_arrays *arrays)
{
	measure_free(arrays->masters);
	measure_free(arrays->useful);
	measure_free(arrays->windows);
}

/* The models are of MPI and OpenMP. */
static bool find_model(
	const struct measure_efficiency *efficiency, const struct measure_waits *waits)
{
	const struct measure_dependencies *dependencies = &waits->dependencies;
	size_t nr_threads = 0;

	for (size_t i = 0; i < dependencies->nr_locations; i++)
		nr_threads += dependencies->tables[i].begin < dependencies->tables[i].end;
	return efficiency->nr_processes > 1 || efficiency->hybrid.nr_threads > 0 || nr_threads <= 1;
}

/* On other networks. */
static void replay_all(struct measure_efficiency *efficiency, const struct measure_waits *waits,
	const struct measure_efficiency_options *options)
{
	struct process_arrays arrays = make_arrays(efficiency, waits);
	const struct measure_replay_rules rules = {.windows = arrays.windows};
	struct measure_replay replay;

	measure_replay_start(&replay, waits, arrays.masters, (uint32_t)efficiency->nr_processes);
	efficiency->ideal_ticks = measure_replay_run(&replay, &rules, NULL);
	efficiency->hybrid = measure_hybrid_find(&replay, arrays.windows, arrays.useful,
		efficiency->run_ticks, efficiency->ideal_ticks);
	efficiency->has_model = find_model(efficiency, waits);
	if (efficiency->has_model)
		efficiency->factors = measure_factors_of(arrays.useful, efficiency->nr_processes,
			efficiency->run_ticks, efficiency->ideal_ticks);
	if (options->nr_windows > 0 && efficiency->has_model)
		measure_windows_cut(efficiency, &replay, waits, options->nr_windows);
	if (options->has_phases && efficiency->has_model)
		measure_windows_of_phases(efficiency, &replay, waits);
	if (options->what_if) {
		efficiency->what_if = options->what_if;
		measure_what_if_predict(options->what_if, &replay, arrays.windows, arrays.useful,
			&efficiency->prediction);
	}
	measure_replay_free(&replay);
	free_arrays(&arrays);
}

static void find_verdicts(struct measure_efficiency *efficiency, const struct measure_waits *waits,
	const struct measure_efficiency_options *options)
{
	bool *is_master = measure_zeroed(waits->dependencies.nr_locations, sizeof(*is_master));

	for (size_t i = 0; i < efficiency->nr_processes; i++)
		is_master[efficiency->processes[i].location] = true;
	efficiency->waited_for = measure_waited_for_find(waits);
	efficiency->transferred = measure_transferred_find(waits, is_master);
	efficiency->work = measure_work_find(
		waits, efficiency->useful, (uint32_t)efficiency->nr_processes, is_master);
	if (options->reference)
		efficiency->scalability = measure_scalability_of(options->reference,
			&efficiency->work, options->is_weak, efficiency->factors.parallel);
	measure_free(is_master);
}

void measure_efficiency_find(struct measure_efficiency *efficiency,
	const struct measure_waits *waits, const struct measure_efficiency_options *options)
{
	static const struct measure_efficiency_options usual;
	uint32_t *masters;

	if (!options)
		options = &usual;
	*efficiency = (struct measure_efficiency){.most = MEASURE_NONE, .region = MEASURE_NONE};
	masters = find_masters(efficiency, waits);
	find_window(efficiency, waits, options->is_whole);
	add_times(efficiency, waits);
	if (efficiency->nr_processes > 0)
		replay_all(efficiency, waits, options);
	find_verdicts(efficiency, waits, options);
	if (efficiency->most_useful > 0)
		find_region(efficiency, waits, masters);
	measure_free(masters);
}

void measure_efficiency_free(struct measure_efficiency *efficiency)
{
	measure_free(efficiency->processes);
	measure_free(efficiency->windows);
	*efficiency = (struct measure_efficiency){.nr_processes = 0};
}

double measure_efficiency_excess(const struct measure_efficiency *efficiency)
{
	return efficiency->factors.balance > 0 ? 1 / efficiency->factors.balance - 1 : 0;
}
