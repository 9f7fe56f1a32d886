/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the work of a run compares with that of a reference run, of the POP centre's models:
 * computing time, and where counters were recorded, instructions, their rate, and the frequency. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_SCALABILITY_H
#define MEASURE_ANALYSIS_EFFICIENCY_SCALABILITY_H

#include "analysis/waits/waits.h"

/* Sums over the master threads of a run, while they compute. */
struct measure_work {
	uint32_t nr_processes;
	double seconds;
	double instructions, cycles; /* PAPI_TOT_INS, PAPI_TOT_CYC; 0: not recorded */
};

/* 1: as in the reference run. computation = instructions * ipc * frequency. */
struct measure_scalability {
	bool is_known;
	bool is_weak; /* the problem has grown with the number of processes */
	struct measure_work reference, work;
	double computation, global;
	double instructions, ipc, frequency; /* 0: not known */
};

/* useful: ticks of all masters; is_master: by location. */
struct measure_work measure_work_find(const struct measure_waits *waits, uint64_t useful,
	uint32_t nr_processes, const bool *is_master);

struct measure_scalability measure_scalability_of(const struct measure_work *reference,
	const struct measure_work *work, bool is_weak, double parallel);

#endif
