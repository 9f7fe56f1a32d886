/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of the processes of a run, by the multiplicative model of the POP centre for MPI:
 * parallel efficiency = load balance x serialisation efficiency x transfer efficiency. The time of
 * a process is that of its master thread. The run time in an ideal network comes from a replay
 * (replay.h). */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_EFFICIENCY_H
#define MEASURE_ANALYSIS_EFFICIENCY_EFFICIENCY_H

#include "analysis/waits/waits.h"
#include "hybrid.h"
#include "network.h"
#include "replay.h"
#include "scalability.h"
#include "verdicts.h"

struct measure_process_time {
	uint32_t location; /* the master thread */
	uint64_t useful;   /* ticks outside of parallel runtimes, with those of files */
	uint64_t io;       /* ticks of files */
};

/* All 0: nothing was computed. */
struct measure_factors {
	double parallel;      /* = balance * communication */
	double balance;       /* mean computing / longest */
	double communication; /* longest computing / run time; = serialisation * transfer */
	double serialisation; /* longest computing / run time on an ideal network */
	double transfer;      /* run time on an ideal network / run time */
};

/* A predicted run; see what_if.h. */
struct measure_prediction {
	uint64_t run_ticks, ideal_ticks;
	struct measure_factors factors;
	struct measure_network network; /* as recorded */
};

/* A part of the run. */
struct measure_part_of_run {
	uint32_t region;                  /* of which it is an instance; MEASURE_NONE: of none */
	uint32_t nr_processes;            /* that take part */
	size_t number;                    /* from 0 */
	struct measure_interval interval; /* of all */
	uint64_t ideal_ticks;
	struct measure_factors factors;
	uint32_t most; /* process that computes longest */
};

struct measure_efficiency {
	MEASURE_GROWING(struct measure_process_time, processes); /* those with events */
	struct measure_interval window;
	bool is_whole;        /* the window: from the first event to the last */
	uint64_t run_ticks;   /* of the window */
	uint64_t ideal_ticks; /* the same, on an ideal network */
	bool has_model;       /* else it is one process, with threads that are not of OpenMP: its
				 factors are not known */
	bool is_approximate;  /* processes polled: another network would change how often */
	uint64_t useful, most_useful;
	struct measure_factors factors;
	struct measure_hybrid hybrid;
	/* the process that computes most, and what shows that most; of no process, MEASURE_NONE */
	uint32_t most;         /* its index */
	uint32_t region;       /* of the profile's paths */
	uint64_t region_ticks; /* of that process */
	double region_mean;    /* ticks of the region, mean over processes */
	struct measure_work work;
	struct measure_scalability scalability;               /* known with a reference run only */
	struct measure_waited_for waited_for;   /* explains a low serialisation efficiency */
	struct measure_transferred transferred; /* explains a low transfer efficiency */
	MEASURE_GROWING(struct measure_part_of_run, windows); /* those of a region together */
	bool lacks_phases;                                    /* they have been asked for */
	const struct measure_what_if *what_if;                /* NULL: there is no prediction */
	struct measure_prediction prediction;
};

struct measure_efficiency_options {
	bool is_whole;                         /* with MPI_Init and MPI_Finalize */
	size_t nr_windows;                     /* equal ones; 0: none */
	bool has_phases;                       /* a window for each phase and iteration */
	const struct measure_what_if *what_if; /* NULL: no prediction */
	const struct measure_work *reference;  /* of another run; NULL: none */
	bool is_weak;                          /* weak scaling: same problem size per process */
};

/* options: NULL: the usual ones. */
void measure_efficiency_find(struct measure_efficiency *efficiency,
	const struct measure_waits *waits, const struct measure_efficiency_options *options);
void measure_efficiency_free(struct measure_efficiency *efficiency);

/* useful: by process. */
struct measure_factors measure_factors_of(
	const uint64_t *useful, size_t nr, uint64_t run_ticks, uint64_t ideal_ticks);

/* How far the longest computing time is above the mean: 0.5 is 50 %. */
double measure_efficiency_excess(const struct measure_efficiency *efficiency);

/* ------------------------------------------------------------------------- windows --- */

/* Adds to efficiency->windows. Processes, window: as found. */
void measure_windows_cut(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits, size_t nr);
void measure_windows_of_phases(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits);

/* Of a series, windows of one region, the end; they lie together. */
size_t measure_windows_end(const struct measure_efficiency *efficiency, size_t first);

/* The one with the least parallel efficiency, of a series. */
size_t measure_windows_worst(const struct measure_efficiency *efficiency, size_t first, size_t end);

#endif
