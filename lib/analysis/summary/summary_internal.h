/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a summary is made of: facts that the archive states of itself (summary.c), what its event
 * files hold (event_statistics.c), and what follows from these. */
#ifndef MEASURE_ANALYSIS_SUMMARY_SUMMARY_INTERNAL_H
#define MEASURE_ANALYSIS_SUMMARY_SUMMARY_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/profile/profile.h"
#include "base/array.h"
#include "config/run_config.h"
#include "format/self_timings.h"
#include "status.h"
#include "summary.h"
#include "trace/archive/trace.h"
#include "trace/archive/trace_properties.h"

#define SUMMARY_KINDS 256 /* numbers of event records fit in a byte */
#define SUMMARY_TOP   10  /* regions */

struct summary_kind {
	uint64_t events;
	uint64_t bytes;
};

/* Enters and Leaves of a region. */
struct summary_region {
	uint32_t region; /* its index */
	uint64_t visits;
	uint64_t events;
	uint64_t bytes;
	uint64_t measured; /* visits whose Enter and Leave were both seen */
	uint64_t ticks;    /* of these, callees included */
	uint64_t typical;  /* the median of them, ticks */
	uint64_t nested;   /* Enters and Leaves inside of them */
};

/* What is in the event files. */
struct summary_events {
	bool is_damaged; /* some could not be read */
	double factor;   /* all events, for each that was read */
	struct summary_kind kinds[SUMMARY_KINDS];
	struct summary_region *regions; /* by index */
	uint64_t *contexts;             /* samples, by index */
};

/* Histogram of what events of a kind took that timed themselves: doc/properties.md. */
struct summary_timing {
	uint64_t samples;
	uint64_t events;
	uint64_t ticks;
	uint64_t buckets[MEASURE_TIMING_BUCKETS];
};

/* False: this is no such text. */
bool summary_timing_parse(struct summary_timing *timing, const char *text);

/* Ticks that a transaction took, the median; and of one event the mean, without transactions of
 * more than eight medians: these were interrupted. 0: there are no samples. */
double summary_timing_median(const struct summary_timing *timing);
double summary_timing_mean(const struct summary_timing *timing);

/* Ticks that an event of a kind adds to the program. */
double summary_timing_typical(const struct summary_timing *timing, uint32_t kind);

/* A function that --overhead has switched off. */
struct summary_throttled {
	uint32_t region;
	uint64_t calls; /* that are in the archive */
	double mean; /* seconds, of the calls on which the decision was based; negative: unknown */
	double after;   /* seconds since its process began, if `mean` is known */
	uint32_t nr_processes;
};

/* Calls of a region that were left out one by one. */
struct summary_filtered {
	uint32_t region;
	uint64_t calls;
	uint64_t polls; /* of these, unsuccessful ones */
	double poll_seconds;
};

/* What recording cost, in seconds. */
struct summary_overhead {
	double function_event; /* of one event; 0: not known */
	double other_event;
	double all_events; /* processor time of all events, the estimate */
	double memory;     /* beside that, for the memory of events */
	double deciding;   /* beside that, about calls that a filter has left out */
	double hooks;      /* of the calls of their hooks, which are there in any case */
	double processor;  /* that all processes have used; 0: not known of one of them */
	double keepers;    /* ... and their keepers */
};

struct measure_summary {
	FILE *out;
	char *directory; /* of the archive */
	struct measure_run run;
	struct measure_findings findings;
	struct measure_trace *trace;
	const struct measure_definitions *definitions;
	struct measure_trace_properties archive;
	struct measure_group_properties processes; /* by index of location group */
	double tick;                               /* seconds */

	uint64_t nr_events, nr_kept, nr_bytes, nr_locations, nr_nodes;
	MEASURE_ARRAY(struct summary_filtered) filtered; /* the most calls first */
	uint64_t nr_filtered, nr_polls;
	MEASURE_ARRAY(struct summary_throttled) throttled; /* the most calls first */
	struct summary_timing timings[MEASURE_TIMING_KINDS];

	struct measure_profile profile;
	struct summary_events events;
	uint64_t nr_counted;                            /* events in the kinds */
	uint64_t mpi_bytes;                             /* of Enters and Leaves of MPI calls */
	MEASURE_ARRAY(struct summary_region) regions;   /* most events first */
	MEASURE_ARRAY(struct summary_region) suggested; /* for a filter to leave out */
	struct summary_kind saved;                      /* what that saves */
	struct summary_overhead overhead;
};

/* Of a run that was recorded as a profile: its archive without events becomes that of the profile
 * (analysis/archive/profile_archive.h), the anchor last. */
measure_status_t summary_replace_trace(const struct measure_summary *summary, int directory);

/* What the archive says of itself; 0 or NULL: nothing. */
uint64_t summary_number(const struct measure_summary *summary, const char *name);
const char *summary_text(const struct measure_summary *summary, const char *name);

/* The n-th of a list of properties, from 1; NULL: there are not so many. */
const char *summary_listed(const struct measure_summary *summary, const char *list, size_t n);

/* MEASURE_NONE: there is no region with this id. */
uint32_t summary_region_index(const struct measure_summary *summary, uint64_t id);

/* A text of the first process that has it; "": none has. */
const char *summary_process_text(const struct measure_summary *summary, const char *name);

static inline const char *summary_string(const struct measure_summary *summary, uint32_t string)
{
	return measure_text(summary->definitions, string);
}

static inline double summary_seconds(const struct measure_summary *summary, uint64_t ticks)
{
	return (double)ticks * summary->tick;
}

static inline bool summary_is_estimated(const struct measure_summary *summary)
{
	return summary->profile.is_sampled;
}

/* Reads the events of all locations, of more than `most` bytes a part. */
measure_status_t summary_events_count(
	struct measure_summary *summary, unsigned nr_threads, uint64_t most);
void summary_events_free(struct measure_summary *summary);

/* A number of what was read, for all events. */
uint64_t summary_scale(const struct measure_summary *summary, uint64_t number);

/* trace_statistics.c: what follows from the counts. */
measure_status_t summary_add_up(struct measure_summary *summary);
const struct summary_throttled *summary_find_throttled(
	const struct measure_summary *summary, uint32_t region);

/* All of it that is processor time of the program. */
double summary_overhead_sum(const struct summary_overhead *overhead);

/* Seconds from Enter to Leave; negative: not known. The typical visit is the median: a few that
 * waited for a core or a disk do not change it. */
double summary_mean_visit(
	const struct measure_summary *summary, const struct summary_region *region);
double summary_typical_visit(
	const struct measure_summary *summary, const struct summary_region *region);

/* Nothing but begin and end of each process; children that it forked where none is recorded. */
bool summary_is_bare(const struct measure_summary *summary);
uint64_t summary_nr_unfollowed(const struct measure_summary *summary);

/* Parts of the text, in this order. */
void summary_print_filtered_calls(struct measure_summary *summary);
void summary_print_memory(struct measure_summary *summary);
void summary_print_held_up(struct measure_summary *summary);
void summary_print_openmp(struct measure_summary *summary);
void summary_print_python(struct measure_summary *summary);
void summary_print_ends(struct measure_summary *summary);
void summary_print_events(struct measure_summary *summary);
void summary_print_files(struct measure_summary *summary);
void summary_print_samples(struct measure_summary *summary);

/* MiB of event memory with which no process would have had to wait or to drop events; 0: none
 * had to. */
uint64_t summary_enough_memory(const struct measure_summary *summary);

/* The rules of the run, then a filter file that leaves out what is suggested. */
void summary_print_filter(struct measure_summary *summary, FILE *out);

#endif
