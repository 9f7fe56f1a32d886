/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times in parallel regions come from the profile: of the whole run. */
#include "config.h"

#include "hybrid.h"

#include "analysis/waits/path_kinds.h"

/* Means over threads: those of a process count as often as it has threads. */
struct hybrid_means {
	double threads, serial, parallel, in_parallel, useful, idle, outside_mpi;
	double most_process, most_thread, most_outside; /* largest of a process, of a thread */
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static struct hybrid_means find_means(const struct measure_hybrid_process *processes, size_t nr)
{
	struct hybrid_means means = {.threads = 0};

	for (size_t i = 0; i < nr; i++) {
		const struct measure_hybrid_process *process = &processes[i];
		const double threads = process->nr_threads;

		means.threads += threads;
		means.serial += threads * process->serial;
		means.parallel += threads * process->parallel;
		means.in_parallel += process->in_parallel;
		means.useful += process->serial + process->in_parallel;
		means.idle += (threads - 1) * process->serial;
		means.outside_mpi += threads * process->outside_mpi;
		means.most_process =
			larger(means.most_process, process->serial + process->parallel);
		means.most_thread = larger(means.most_thread, process->longest);
		means.most_outside = larger(means.most_outside, process->outside_mpi);
	}
	means.serial /= means.threads;
	means.parallel /= means.threads;
	means.in_parallel /= means.threads;
	means.useful /= means.threads;
	means.idle /= means.threads;
	means.outside_mpi /= means.threads;
	return means;
}

/* Most of the parallel regions are outside of the window: nothing is known of those inside. */
static bool is_more_than_all(const struct hybrid_means *means, double run_ticks)
{
	return means->most_process > run_ticks || means->most_thread > run_ticks;
}

struct measure_hybrid measure_hybrid_of(const struct measure_hybrid_process *processes, size_t nr,
	double run_ticks, double ideal_ticks)
{
	const struct hybrid_means means = find_means(processes, nr);
	const double process = means.parallel + means.serial;
	struct measure_hybrid hybrid = {.nr_threads = (uint32_t)means.threads};

	if (is_more_than_all(&means, run_ticks))
		return (struct measure_hybrid){.nr_threads = 0};
	if (means.threads < 1 || run_ticks <= 0 || ideal_ticks <= 0 || means.most_thread <= 0 ||
		means.most_outside <= 0)
		return (struct measure_hybrid){.nr_threads = 0};
	hybrid.parallel = means.useful / run_ticks;
	hybrid.balance = means.useful / means.most_thread;
	hybrid.communication = means.most_thread / run_ticks;
	hybrid.mpi = means.outside_mpi / run_ticks;
	hybrid.mpi_balance = means.outside_mpi / means.most_outside;
	hybrid.mpi_communication = means.most_outside / run_ticks;
	hybrid.mpi_serialisation = means.most_outside / ideal_ticks;
	hybrid.mpi_transfer = ideal_ticks / run_ticks;
	hybrid.openmp = hybrid.parallel / hybrid.mpi;
	hybrid.openmp_balance = hybrid.balance / hybrid.mpi_balance;
	hybrid.openmp_communication = hybrid.communication / hybrid.mpi_communication;
	hybrid.process = process / run_ticks;
	hybrid.process_balance = 1 - (means.most_process - process) / run_ticks;
	hybrid.process_communication = means.most_process / run_ticks;
	hybrid.process_serialisation = 1 - (ideal_ticks - means.most_process) / run_ticks;
	hybrid.process_transfer = ideal_ticks / run_ticks;
	hybrid.thread = 1 - (process - means.useful) / run_ticks;
	hybrid.serial_region = 1 - means.idle / run_ticks;
	hybrid.parallel_region = 1 - (means.parallel - means.in_parallel) / run_ticks;
	return hybrid;
}

/* ----------------------------------------------------------------------- from a run --- */

/* By process, and by location. */
struct hybrid_times {
	struct measure_hybrid_process *processes;
	double *in_parallel; /* of a thread */
	double *mpi_inside;  /* of a master: in MPI in parallel regions */
};

static void add_row(struct hybrid_times *times, const struct measure_replay *replay,
	const struct measure_path_kind *kinds, const struct measure_profile_row *row)
{
	const struct measure_path_kind *kind = &kinds[row->path];
	const uint32_t process = replay->processes[row->location];
	const bool is_master = process != MEASURE_NONE && replay->masters[process] == row->location;
	const bool is_reference =
		replay->waits->profile.paths[row->path].region == MEASURE_PSEUDO_RUNNING_TASKS;

	if (process == MEASURE_NONE)
		return;
	if (kind->is_useful && kind->is_parallel) {
		times->in_parallel[row->location] += (double)row->exclusive;
		times->processes[process].in_parallel += (double)row->exclusive;
	}
	if (is_master && kind->is_parallel && !is_reference)
		times->processes[process].parallel += (double)row->exclusive;
	if (is_master && kind->is_parallel && kind->is_mpi)
		times->mpi_inside[process] += (double)row->exclusive;
}

static void count_threads(struct hybrid_times *times, const struct measure_replay *replay)
{
	const struct measure_dependencies *dependencies = &replay->waits->dependencies;

	for (size_t i = 0; i < dependencies->nr_locations; i++) {
		const uint32_t process = replay->processes[i];

		if (process == MEASURE_NONE ||
			dependencies->tables[i].begin > dependencies->tables[i].end ||
			replay->waits->profile.trace->definitions.locations[i].type !=
				OTF2_LOCATION_TYPE_CPU_THREAD)
			continue;
		times->processes[process].nr_threads++;
		times->processes[process].longest =
			larger(times->processes[process].longest, times->in_parallel[i]);
	}
}

static void finish_process(struct measure_hybrid_process *process, uint64_t useful,
	double in_parallel, uint64_t between, double mpi_inside)
{
	process->serial = larger(0, (double)useful - in_parallel);
	process->longest = larger(process->longest, process->serial + in_parallel);
	process->outside_mpi = larger(0, (double)between - mpi_inside);
}

struct measure_hybrid measure_hybrid_find(const struct measure_replay *replay,
	const struct measure_interval *windows, const uint64_t *useful, uint64_t run_ticks,
	uint64_t ideal_ticks)
{
	const struct measure_waits *waits = replay->waits;
	struct measure_path_kind *kinds = measure_path_kinds_find(waits);
	struct hybrid_times times = {
		.processes = measure_zeroed(replay->nr_processes, sizeof(*times.processes)),
		.in_parallel = measure_zeroed(
			waits->dependencies.nr_locations, sizeof(*times.in_parallel)),
		.mpi_inside = measure_zeroed(replay->nr_processes, sizeof(*times.mpi_inside))};
	struct measure_hybrid hybrid = {.nr_threads = 0};
	bool is_any = false;

	for (size_t i = 0; i < waits->profile.nr_rows; i++)
		add_row(&times, replay, kinds, &waits->profile.rows[i]);
	count_threads(&times, replay);
	for (uint32_t i = 0; i < replay->nr_processes; i++) {
		is_any |= times.processes[i].parallel > 0;
		finish_process(&times.processes[i], useful[i],
			times.in_parallel[replay->masters[i]],
			measure_replay_between(replay, i, &windows[i]), times.mpi_inside[i]);
	}
	if (is_any)
		hybrid = measure_hybrid_of(times.processes, replay->nr_processes, (double)run_ticks,
			(double)ideal_ticks);
	measure_free(kinds);
	measure_free(times.processes);
	measure_free(times.in_parallel);
	measure_free(times.mpi_inside);
	return hybrid;
}
