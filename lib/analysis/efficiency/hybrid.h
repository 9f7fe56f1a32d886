/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of processes with OpenMP threads, by two models of the POP centre: in the
 * multiplicative one efficiencies are factors of each other, in the additive one what they lack
 * adds up. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_HYBRID_H
#define MEASURE_ANALYSIS_EFFICIENCY_HYBRID_H

#include "replay.h"

/* Ticks of a process. */
struct measure_hybrid_process {
	uint32_t nr_threads;
	double serial;      /* master computing outside of parallel regions */
	double parallel;    /* master in parallel regions */
	double in_parallel; /* all threads computing in parallel regions */
	double longest;     /* of the thread that computes longest */
	double outside_mpi; /* master not in MPI */
};

struct measure_hybrid {
	uint32_t nr_threads; /* of all processes; 0: there are no parallel regions */
	/* multiplicative: parallel = mpi * openmp = balance * communication */
	double parallel, balance, communication;
	double mpi, mpi_balance, mpi_communication, mpi_serialisation, mpi_transfer;
	double openmp, openmp_balance, openmp_communication;
	/* additive: parallel = process + thread - 1 */
	double process, process_balance, process_communication;
	double process_serialisation, process_transfer;
	double thread, serial_region, parallel_region;
};

struct measure_hybrid measure_hybrid_of(const struct measure_hybrid_process *processes, size_t nr,
	double run_ticks, double ideal_ticks);

/* windows, useful: by process. */
struct measure_hybrid measure_hybrid_find(const struct measure_replay *replay,
	const struct measure_interval *windows, const uint64_t *useful, uint64_t run_ticks,
	uint64_t ideal_ticks);

#endif
