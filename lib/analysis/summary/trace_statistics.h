/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the archive is made of: the tallies of all parts together, which regions have the most
 * events, and which functions of these a filter should leave out. */
#ifndef MEASURE_ANALYSIS_SUMMARY_TRACE_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_TRACE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "overhead.h"
#include "file_statistics.h"
#include "filtered_calls.h"
#include "sample_statistics.h"
#include "record_statistics.h"
#include "throttled.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "status.h"

#define MEASURE_ACCOUNT_TOP 10

/* What a call costs that a filter has looked at and left out, or taken back, in events of
 * functions: doc/HOTPATH.md. */
#define MEASURE_EVENTS_OF_DECISION 3

struct measure_trace_statistics_region {
	uint32_t region; /* of the archive */
	uint64_t visits;
	uint64_t events;
	uint64_t bytes;
	uint64_t measured; /* visits that `seconds` is the time of */
	double seconds;    /* callees included */
	double octaves;    /* sum of log2 of the seconds of each */
	double nested;     /* events of others inside of these visits */
};

struct measure_trace_statistics {
	bool is_known;      /* of at least one part */
	bool is_estimated;  /* not every chunk was looked at */
	uint64_t nr_events; /* in the kinds below */
	uint64_t mpi_bytes; /* of Enters and Leaves of MPI calls */
	struct measure_record_statistics_kind kinds[MEASURE_TALLY_KINDS];
	struct measure_trace_statistics_region top[MEASURE_ACCOUNT_TOP]; /* most events first */
	uint32_t nr_top;

	measure_throttled_list_t throttled;

	/* Those of the top that are worth a rule of a filter, all that were throttled, and what
	 * that saves: rules are by name, and regions of other files may have the same one. */
	MEASURE_ARRAY(struct measure_trace_statistics_region) suggested;
	struct measure_trace_statistics_region saved; /* region: of no meaning */

	struct measure_cost costs[MEASURE_PROBE_KINDS];
	double function_seconds; /* of an event: its cost; 0: not known */
	double other_seconds;
	double recording_seconds; /* processor time of all events, the estimate */
	double memory_seconds;    /* beside that, for the memory of events */
	double deciding_seconds;  /* beside that, about calls that a filter has left out */
	double hook_seconds;      /* of the calls of their hooks, which are there in any case */
	double thread_seconds;    /* from the first to the last event of each location */
	double processor_seconds; /* that all processes have used; 0: not known of one of them */
	double keeper_seconds;    /* ... and their keepers */
	struct measure_filtered_calls left_out;
	struct measure_sample_statistics stacks;
	measure_files_t files;
};

/* All of it that is processor time of the program. */
static inline double measure_trace_statistics_cost(const struct measure_trace_statistics *account)
{
	return account->recording_seconds + account->memory_seconds + account->deciding_seconds;
}

/* To be freed also after an error. */
measure_status_t measure_trace_statistics_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline, struct measure_trace_statistics *account);
void measure_trace_statistics_free(struct measure_trace_statistics *account);

/* Seconds from Enter to Leave; negative: not known. The typical visit is the geometric mean: a few
 * that waited for a core or a disk do not change it. It is right to a factor of 1.4. */
double measure_trace_statistics_mean(const struct measure_trace_statistics_region *region);
double measure_trace_statistics_typical(const struct measure_trace_statistics_region *region);

/* A filter file that leaves out what is suggested; free() it. */
measure_status_t measure_trace_statistics_filter(const struct measure_unified *unified,
	const struct measure_trace_statistics *account, char **text);

#endif
